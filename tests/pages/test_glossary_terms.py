"""Tooltips: which words a page explains.

Also: What a part of time is: the colour that the summary gives it.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from perfolio.charts.theme import ROLES
from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.pages import glossary_terms
from perfolio.pages.glossary_terms import NONE, read_meanings, write_abbreviations
from perfolio.pages.part_colours import choose_part_role
from perfolio.pages.report_rendering import render_queries
from perfolio.pages.sql_highlight import render_sql
from perfolio.pages.template_filters import prose
from perfolio.site.glossary_tooltips import mark_first_uses
from tests.pages.support import HOSTILE, documents, rendered

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
