"""Tooltips: which words a page explains.

Also: No number without its origin: each leads to its metric, and each metric to run and input.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

from perfolio.charts.theme import ROLES
from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.pages import glossary_terms
from perfolio.pages.glossary_terms import NONE, read_meanings, write_abbreviations
from perfolio.pages.part_colours import choose_part_role
from perfolio.pages.report_rendering import render_index, render_queries, render_report
from perfolio.pages.sql_highlight import render_sql
from perfolio.pages.template_filters import prose
from perfolio.site.glossary_tooltips import mark_first_uses
from tests.pages.support import HOSTILE, VOID, charts, documents, rendered

MARKED: tuple[tuple[str, list[str]], ...] = (
    ("the costliest function is mkl_blas_def_sgemm_kernel_0_zen", []),
    ("eight-ranks, not ranks", ["ranks"]),
    ("Rank 5 is slow", ["Rank"]),
    ("21.4 % importing modules of Python", []),
    ("the hooks of modules are called", []),
    ("load modules: 26", ["load modules"]),
    ("a typical iteration", ["typical iteration"]),
    ("Calls that initialise the GPU span 28.10 s of this start-up", ["start-up"]),
    ("the GPU span is idle", ["GPU span"]),
    ("the share of stalls ranks reasons against each other", ["stalls"]),
    ("the profiler is to blame", []),
    ("see the finding on blame", ["finding on blame"]),
    ("Loop iterations of unequal cost", []),
    ("Bounds overlap. Steps with a bound save 18 GPU-hours", ["a bound", "GPU-hours"]),
    ("Overlap copies with kernels", ["Overlap", "kernels"]),
    ("the power limit of that device", []),
    ("at::native::kernel, kernel.cu, src/kernel, kernel<int>, kernel(x), kernel-3", []),
    ("It runs a kernel. Kernels: fast; the kernel's time", ["kernel"]),
    ("27.46 CPU-s of CPU time, 2 thread-s", ["CPU-s", "CPU time"]),
    ("with 95 % confidence, by samples", ["95 % confidence", "samples"]),
    ("Holistic Trace Analysis; the trace", ["trace"]),
)
"""Sentences, and the words in them that get a tooltip."""
EXPLAINED = (
    "host", "trace", "HPCToolkit", "GPU utilisation", "overlap", "a bound", "GPU-hours",
    "CPU-s", "sample", "load module", "context switch", "straggler", "exposed communication",
    "collective operation", "bucket", "fuse", "BF16", "block size", "grid", "multiprocessor",
    "device memory", "cast", "95 % confidence", "compute capability", "rank",
)  # fmt: skip
"""What readers of summaries asked about."""


def test_only_words_of_the_page_are_explained() -> None:
    assert write_abbreviations("nothing here") == ""
    found = write_abbreviations("The gap before a launch; relaunches are none.")
    assert [line.split("]")[0] for line in found.strip().split("\n")] == ["*[gap", "*[launch"]


def marked(sentence: str) -> list[str]:
    """The words of a sentence in Markdown that get a tooltip."""
    html = mark_first_uses(rendered(sentence + "\n" + write_abbreviations(sentence)).html)
    found = re.findall(r"<abbr[^>]*>(.*?)</abbr>", html)
    return [squeezed(word) for word in found]


def squeezed(text: str) -> str:
    """Without what keeps a unit on one line."""
    return text.replace("\u2060", "").replace("\xa0", " ")


@pytest.mark.parametrize(("text", "words"), MARKED)
def test_words_are_marked_where_they_are_terms(text: str, words: list[str]) -> None:
    assert marked(prose(text)) == words


def test_every_word_is_marked_as_a_page_writes_it() -> None:
    words = {squeezed(word) for word, meaning in read_meanings().items() if meaning != NONE}
    texts = {word: f"Of {word} here" for word in words}
    assert {word for word, text in texts.items() if marked(prose(text)) != [word]} == set()
    assert {word for word, text in texts.items() if marked(text) != [word]} == set()


def test_words_that_readers_asked_about_are_explained() -> None:
    assert set(EXPLAINED) - set(read_meanings()) == set()


def test_words_of_unlike_meaning_have_texts_of_their_own() -> None:
    for one, other in (
        ("pinned", "pageable"),
        ("typical iteration", "iteration"),
        ("warp slots", "occupancy"),
        ("wall time", "CPU time"),
    ):
        assert read_meanings()[one] != read_meanings()[other]
    assert "CPU time" in read_meanings()["wall time"]


def test_meanings_are_plain_and_short() -> None:
    for word, meaning in read_meanings().items():
        assert len(meaning.split()) <= 25, word
        assert meaning == NONE or len(meaning.split()) > 6, word
        assert not set("*`[]") & set(meaning), word


def test_a_term_that_the_glossary_lacks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "terms.toml"
    path.write_text('"No such thing" = ["thing"]\n')
    monkeypatch.setattr(glossary_terms, "TERMS", path)
    with pytest.raises(ContentError, match="no entry 'No such thing'"):
        read_meanings.__wrapped__()


@pytest.mark.parametrize(
    ("name", "metric", "told"),
    [
        ("Kernels", "time.wall_parts", "kernels"),
        ("Kernels other than collectives", "time.wall_parts", "kernels"),
        ("Collectives beside no other kernel", "time.wall_parts", "synchronisation"),
        ("Copies beside no kernel", "time.span_parts", "copies"),
        ("Gaps that PC sampling may have made", "time.wall_parts", "profiler"),
        ("GPU idle: the profiler", "time.wall_parts", "profiler"),
        ("GPU idle: start-up", "time.wall_parts", "pause"),
        ("GPU idle: launched work waited", "time.wall_parts", "unknown"),
        ("GPU idle: get_batch (data.py)", "time.wall_parts", "waiting"),
        ("GPU idle in shorter gaps", "time.span_parts", "waiting"),
        ("GPU idle: host not sampled", "time.wall_parts", "unknown"),
        ("everything else", "time.wall_parts", "unknown"),
        ("copies", "gpu.composition", "copies"),
        ("page faults", "gpu.composition", "other"),
        ("Kernels", "cpu.modules", "cpu-deep"),
        ("Kernels: matrix products", "gpu.kernel_classes", "kernels-deep"),
        ("Kernels: attention", "gpu.kernel_classes", "kernels"),
        ("Kernels: memory-bound", "gpu.kernel_classes", "kernels-pale"),
        ("Kernels: optimizer", "gpu.kernel_classes", "kernels"),
        ("Kernels: communication", "gpu.kernel_classes", "synchronisation"),
        ("Kernels: other", "gpu.kernel_classes", "other"),
        ("everything else", "cpu.modules", "unknown"),
    ],
)
def test_meaning(name: str, metric: str, told: str) -> None:
    assert choose_part_role({"name": name, "metric": metric}, 5) == told


@pytest.mark.parametrize("table", ["wall_parts", "span_parts"])
def test_every_part_that_a_query_names_is_known_as_work_or_as_idle(table: str) -> None:
    query = load_catalog()[f"time.{table}"].sql
    names = {name for name in re.findall(r"'([A-Z][^']{5,})'", query) if not name.endswith(": ")}

    assert len(names) >= 7
    for name in names:
        told = choose_part_role({"name": name, "metric": f"time.{table}"}, 0)
        working = not name.startswith("GPU idle") and "PC sampling" not in name
        assert (told in ROLES and told != "waiting") is working, name


# The page of queries: every query once, whole, as words.


@pytest.mark.slow
def test_every_query_stands_on_it_once_and_whole() -> None:
    """Those of all metrics: none has what the page would read as markup."""
    (known, *_) = documents()[0]["metrics"]
    metrics = [
        known | {"name": one.name, "title": one.title, "sql": one.sql}
        for one in load_catalog().values()
    ]
    page = rendered(render_queries([{"metrics": metrics}, {"metrics": copy.deepcopy(metrics)}]))

    assert len(metrics) > 300
    for one in metrics:
        assert page.text.count(one["sql"].strip("\n")) >= 1, one["name"]
        assert page.values("id").count(one["name"].replace(".", "-").replace("_", "-")) == 1


def test_comments_texts_and_keywords_are_marked() -> None:
    assert render_sql("SELECT 'a' AS b -- c < d\nGROUP BY a") == (
        '<span class="k">SELECT</span> <span class="s1">\'a\'</span> <span class="k">AS</span> b '
        '<span class="c1">-- c &lt; d</span>\n<span class="k">GROUP BY</span> a'
    )


def test_nothing_in_a_query_is_markup() -> None:
    metrics, _ = documents()
    (first, *_) = metrics["metrics"]
    for hostile in HOSTILE:
        page = rendered(render_queries([{"metrics": [{**first, "sql": f"SELECT 1\n{hostile}"}]}]))
        assert {tag for tag, _ in page.elements} <= {
            "h1", "h2", "h3", "p", "a", "code", "em", "div", "dl", "dt", "dd", "pre", "span",
        }  # fmt: skip
        assert page.hidden == []


FIGURE = re.compile(
    r"[-<>≥≤]?\s?\d[\d,]*(?:\.\d+)?\s?"
    r"(?:%|×|(?:[kMGTPE]?B|[kMGTPE]?FLOP)(?:/s)?|[mµnp]?s|CPU-s|thread-s|[a-z]+)?"
)
"""A cell or card that is a number, with its unit if it has one."""
FACTS_OF_THE_MACHINE = {"technical.md"}
"""Hardware, parameters and files: said by a person or read as they are, not measured."""


@dataclass
class Place:
    """A row of a table, or a card."""

    classes: frozenset[str]
    cells: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def is_naked(self) -> bool:
        """Whether it has a number that leads nowhere; claims lead to what was computed for them."""
        origins = ("metrics.md#", "#claim-")
        named = any(origin in link for link in self.links for origin in origins)
        named = named or "pf-table" in self.classes
        return not named and any(FIGURE.fullmatch(cell.strip()) for cell in self.cells)


class Places(HTMLParser):
    """Rows and cards of a page. A table in `pf-table` names its metric below it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Place] = []
        self._open: list[tuple[str, frozenset[str]]] = []
        self._within: list[Place] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        known = dict(attrs)
        self._open.append((tag, frozenset((known.get("class") or "").split())))
        if tag == "tr" or "pf-card" in self._open[-1][1]:
            around = frozenset(name for _, names in self._open for name in names)
            self._within.append(Place(around))
            self.found.append(self._within[-1])
        if self._within and (tag == "td" or "pf-card-value" in self._open[-1][1]):
            self._within[-1].cells.append("")
        if self._within and tag == "a":
            self._within[-1].links.append(known.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, classes = self._open.pop()
            if name == "tr" or "pf-card" in classes:
                self._within.pop()
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        inside = any(n == "td" or "pf-card-value" in c for n, c in self._open)
        if inside and self._within and self._within[-1].cells:
            self._within[-1].cells[-1] += data


def naked(page: str) -> list[list[str]]:
    """The rows and cards of a page of Markdown whose numbers lead nowhere."""
    places = Places(rendered(page).html).found
    return [place.cells for place in places if place.is_naked]


def test_the_scan_sees_a_number_that_leads_nowhere() -> None:
    assert naked("| a | b |\n| --- | --- |\n| Time | 8.90 µs |") == [["Time", "8.90 µs"]]
    assert naked("| a | b |\n| --- | --- |\n| Time | [8.90 µs](metrics.md#x) |") == []
    assert naked('<span class="pf-card"><span class="pf-card-value">52.9 %</span></span>') != []


def test_every_number_in_a_table_or_card_leads_to_its_metric() -> None:
    metrics, findings = documents()
    files = render_report(metrics, findings, charts())
    pages = {name: str(text) for name, text in files.items() if name.endswith(".md")}
    found = {name: naked(text) for name, text in pages.items() if name not in FACTS_OF_THE_MACHINE}
    assert {name: rows for name, rows in found.items() if rows} == {}
    assert naked(render_index([(metrics, findings)])) == []


def test_every_metric_names_its_query_and_the_page_its_run_and_input() -> None:
    metrics, findings = documents()
    text = str(render_report(metrics, findings, charts())["metrics.md"])
    head, *entries = re.split("<(?:h3|li) id=", text)
    assert "(technical.md#input-files)" in head
    assert metrics["run"]["digest"][:16] in head
    assert metrics["run"]["slug"] in head
    assert len(entries) == len(metrics["metrics"])
    queries = render_queries([metrics])
    for entry in entries:
        anchor = entry.split('"')[1]
        assert f'href="../queries.html#{anchor}"' in entry
        assert f'<h3 id="{anchor}">' in queries


@pytest.mark.parametrize("key", ["metrics_sha256", "rules_sha256", "duckdb"])
def test_the_specification_names_what_the_report_was_made_with(key: str) -> None:
    metrics, findings = documents()
    text = rendered(str(render_report(metrics, findings, charts())["technical.md"])).text
    assert findings["provenance"][key] in text
