"""The pages of a comparison and of promises: order, words, and names that are attacks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import markdown
import pytest

from perfolio.charts.comparison_rendering import (
    render_comparison_charts,
    render_promise_chart,
)
from perfolio.comparison.promise_record import NamedRun, PairOutcome, list_shown_steps
from perfolio.pages.comparison_list import ListedComparison, render_comparison_list
from perfolio.pages.comparison_pages import (
    describe_row_change,
    describe_value_change,
    render_comparison,
    write_advice,
    write_headline,
)
from perfolio.pages.report_rendering import MOST_STEPS, render_promises
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.pipeline.report_files import make_shared_files
from perfolio.pipeline.run_redaction import ShareRequest
from tests.comparison.documents import make_document, make_pairs
from tests.pages.reading import seen, sentences
from tests.pages.support import HOSTILE, documents, rendered

SECTIONS = [
    "comparability", "time-waterfall", "run-times", "changes", "causes", "findings", "figures",
    "counted", "difference-icicle", "method",
]  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.,]*")


class Elements(HTMLParser):
    """Names of elements and attributes, and where links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.targets |= {value or "" for name, value in attrs if name in ("href", "src")}


def _convert(page: str) -> str:
    """The page without its front matter as HTML."""
    body = page.partition("---\n\n")[2]
    return str(markdown.markdown(body, extensions=["extra", "md_in_html"]))


def _render(document: dict[str, Any], **reports: str) -> str:
    files = render_comparison(document, render_comparison_charts(document), reports)
    return str(files["index.md"])


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return make_document()


def test_the_page_answers_first_and_has_its_sections_in_order(document: dict[str, Any]) -> None:
    page = _render(document)
    anchors = [each for each in re.findall(r"\{: #([a-z-]+) \}", page) if each in SECTIONS]
    assert anchors == SECTIONS
    head = page.partition("## ")[0]
    assert "Faster: " in head
    assert "Keep the change." in head
    assert "95\u00a0% interval" in head
    assert "its report" not in page
    assert "[its report](before/index.md)" in _render(document, before="before")


def test_charts_that_both_reports_have_stand_together(document: dict[str, Any]) -> None:
    sides = {"before": "before", "after": "after"}
    files = {f"{side}/charts/memory_over_time.svg" for side in sides} | {
        "after/charts/roofline.svg"
    }
    page = str(render_comparison(document, {}, sides, files)["index.md"])
    assert page.count("memory_over_time.svg") == 2
    assert "(before/memory.md#memory-over-time)" in page
    assert "roofline.svg" not in page
    assert "Difference to another run" not in page


def test_the_document_stands_beside_it(document: dict[str, Any]) -> None:
    files = render_comparison(document, render_comparison_charts(document), {})
    assert json.loads(str(files["comparison.json"])) == document
    assert {"charts/time_waterfall.svg", "charts/difference_icicle.csv"} <= files.keys()


def test_one_run_against_one_is_no_verdict() -> None:
    document = make_document(runs=1)
    page = _render(document)
    assert "Not decided: these recordings differ by -10.0\u00a0%" in page
    assert "Record 5 runs on each side" in page
    assert "run-times" not in page


@pytest.mark.parametrize(
    ("kind", "headline", "advice"),
    [
        ("faster", "Faster: 10.0 % less time.", "Keep the change."),
        ("slower", "Slower: 10.0 % more time.", "Look at this part first: "),
        ("no-difference", "No difference.", "Nothing to act on"),
        ("cannot-tell", "Not decided: these repeats", "Record 5 runs on each side"),
        ("not-comparable", "Not comparable: not the same GPU.", "with the same GPU,"),
    ],
)
def test_each_verdict_says_what_to_do(
    document: dict[str, Any], kind: str, headline: str, advice: str
) -> None:
    checks = [{**check, "matters": check["name"] == "gpu"} for check in document["comparability"]]
    other = {**document, "comparability": checks}
    other["verdict"] = {**document["verdict"], "kind": kind}
    assert write_headline(other).startswith(headline)
    assert advice in write_advice(other)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_a_profile_are_no_markup(name: str) -> None:
    found = Elements()
    found.feed(_convert(_render(make_document(name[:2_000]))))
    assert not found.names & {"script", "iframe", "style", "h4", "del", "mark", "em"}
    assert not [each for each in found.attributes if each.startswith("on")]
    assert not [each for each in found.targets if not each.startswith(("#", "comp", "charts/"))]


def _change_verdict(document: dict[str, Any], kind: str, value: float) -> dict[str, Any]:
    difference = {**document["difference"], "value": value}
    return {
        **document,
        "verdict": {**document["verdict"], "kind": kind},
        "difference": difference,
    }


def _render_list(documents: dict[str, dict[str, Any]], name: str = "") -> str:
    named = (
        (folder, {**document, "names": {**document["names"], "after": f"{name}{folder} run"}})
        for folder, document in documents.items()
    )
    return render_comparison_list([ListedComparison(*each) for each in named])


def test_a_list_of_comparisons_has_the_fastest_first(document: dict[str, Any]) -> None:
    documents = {
        "other": _change_verdict(document, "not-comparable", -0.9),
        "slow": _change_verdict(document, "slower", 0.1),
        "fast": _change_verdict(document, "faster", -0.2),
        "near": _change_verdict(document, "no-difference", -0.01),
    }
    page = _render_list(documents)
    folders = re.findall(r"comparisons/([a-z]+)/index\.md", page)
    assert folders == ["fast", "near", "slow", "other"]
    assert "Take fast run: it is the fastest." in page
    assert "+10.0\u00a0%" in page


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        (("slower", "no-difference"), "None of them is faster."),
        (("slower", "cannot-tell"), "Not decided: record 5 runs of each"),
        (("recordings-differ", "not-comparable"), "Not decided: record 5 runs of each"),
        (("not-comparable", "not-comparable"), "None of them is comparable."),
        (("not-comparable", "slower"), "None of them is faster."),
    ],
)
def test_a_list_without_a_faster_run_says_what_would_decide(
    document: dict[str, Any], kinds: tuple[str, str], says: str
) -> None:
    documents = {
        kind + str(n): _change_verdict(document, kind, 0.0) for n, kind in enumerate(kinds)
    }
    assert says in _render_list(documents)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_a_list_are_no_markup(name: str) -> None:
    found = Elements()
    document = make_document(name[:2_000])
    found.feed(_convert(_render_list({"a": document, "b": document}, name[:2_000])))
    assert not found.names & {"script", "iframe", "style", "h4", "del", "mark", "em"}
    assert not [each for each in found.attributes if each.startswith("on")]
    assert not [each for each in found.targets if not each.startswith(("#", "comparisons/"))]


def test_sentences_are_short(document: dict[str, Any]) -> None:
    blocks = seen(_convert(_render(document)))
    ours = [each for each in sentences(blocks) if each not in document["verdict"]["sentence"]]
    assert [each for each in ours if len(each.split()) > 22] == []
    assert [each for each in ours if len(_NUMBER.findall(each)) > 2] == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"change": "new", "before": 0, "difference": 5}, "only after"),
        ({"change": "time", "after": 0, "difference": -5}, "only before"),
        ({"change": "calls", "difference": -5}, "fewer calls"),
        ({"change": "duration", "difference": 5}, "slower"),
        ({"change": "not alike", "difference": 5}, "other calls"),
        ({"change": "both", "by_calls": 9, "by_duration": -4}, "more calls, faster"),
    ],
)
def test_changes_have_words(row: dict[str, Any], says: str) -> None:
    assert describe_row_change({"before": 1, "after": 1, **row}) == says


@pytest.mark.parametrize(
    ("before", "after", "unit", "says"),
    [
        (2.0, 1.0, "s", "-50.0 %"),
        (0.5, 0.4, "ratio", "-10.00 points"),
        (0.0, 2.0, "count", "+2"),
        (1.0, 1.0, "s", "same"),
        (1.0, 1.000_01, "s", "about the same"),
        (0.000_01, 0.000_02, "ratio", "about the same"),
        (None, 1.0, "s", ""),
    ],
)
def test_values_change_by_a_share_or_by_points(
    before: float | None, after: float, unit: str, says: str
) -> None:
    assert describe_value_change({"before": before, "after": after, "unit": unit}) == says


def _render_steps(pairs: Sequence[PairOutcome], **known: NamedRun) -> str:
    steps = list_shown_steps(pairs, known)
    return render_promises(steps, render_promise_chart(steps))["promises.md"]


def _head(page: str) -> str:
    words = rendered(page.partition("\n## ")[0]).text.replace("\u00a0", " ").replace("¶", "")
    return " ".join(words.split())


def test_a_bound_that_was_exceeded_is_said_first() -> None:
    head = _head(_render_steps(make_pairs()))
    assert head.startswith("Promises Above the bound 1 saving exceeded its bound.")
    assert "M9 saved 45.0 %, with a bound of 40.0 %." in head


def test_few_savings_are_no_proof() -> None:
    pairs = make_pairs()
    head = _head(_render_steps([pairs[0], pairs[0]]))
    assert head.startswith("Promises 2 of 2 savings lay in their range.")
    assert "So few savings do not tell whether 80 % lie in their ranges." in head
    assert "2 of 2 (100.0 %, 95 % interval 34.2 % to 100.0 %)" in head
    assert "None of 2 savings exceeded its bound." in head


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ([3], "Promises No saving exceeded its bound. What to conclude No step with a range"),
        ([4], "Promises No step was taken so far. What to conclude No step with a range"),
        ([], "Promises No step was taken so far."),
    ],
)
def test_without_a_range_that_held_it_concludes_nothing(places: list[int], says: str) -> None:
    assert _head(_render_steps([make_pairs()[place] for place in places])).startswith(says)


def test_runs_of_the_site_lead_to_their_reports() -> None:
    page = _render_steps(make_pairs(), d0=NamedRun("DLRM <b>", "dl rm"))
    assert "[DLRM &#60;b&#62;](dl%20rm/index.md), then run-1 · 2026-05-01" in page
    assert page.count("/index.md)") == 2


def test_what_was_not_taken_is_folded_with_its_reason() -> None:
    page = _render_steps(make_pairs())
    folded = page.partition("<details")[2].partition("Not taken")[2]
    assert "X1 Fuse kernels" in folded
    assert "not comparable, batch: 1 before" in folded
    assert folded.count("| not taken |") == folded.count("| cannot be told |") == 1


def test_many_pairs_are_cut_to_the_latest() -> None:
    pairs = [replace(make_pairs()[0], before=f"first-{n}") for n in range(MOST_STEPS + 20)]
    page = _render_steps(pairs)
    assert "first-119" in page
    assert "first-19," not in page
    assert "The latest 100 of 120; `perfolio promises show` prints all." in page


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_promises_are_no_markup(name: str) -> None:
    pairs = make_pairs(name[:2_000], name[:200])
    steps = list_shown_steps(pairs, {pairs[0].digests[0]: NamedRun(name, "run")})
    charts = render_promise_chart(steps)
    page = rendered(render_promises(steps, charts)["promises.md"])
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "iframe", "style", "h4", "del", "mark", "em", "b"}
    assert not [each for _, attrs in page.elements for each, _ in attrs if each.startswith("on")]
    targets = page.values("href") + [each for each in page.values("src") if each]
    assert not [each for each in targets if not each.startswith(("#", "run/", "charts/"))]
    assert "<script>" not in charts["promise_ranges"].svg


def test_sentences_on_promises_are_short() -> None:
    blocks = seen(rendered(_render_steps(make_pairs())).html)
    assert [each for each in sentences(blocks) if len(each.split()) > 22] == []


def _share(*words: str) -> tuple[str, dict[str, Any]]:
    """The page beside the report of a run that is shared, and the documents of that."""
    _, findings = documents()
    findings["metrics"] = documents()[0]
    pairs = [replace(make_pairs("zq-")[0], digests=(findings["metrics"]["run"]["digest"], "x"))]
    shared, secrets = ShareRequest(words).hidden(findings)
    context = Context(
        share=ShareRequest(words), outcomes=ProjectOutcomes((*pairs, make_pairs("zq-")[4]))
    )
    files = make_shared_files(
        [RunDocuments(shared["metrics"], shared, secrets)], context, ["promises"]
    )
    return str(files["promises.md"]), shared["metrics"]["run"]


def test_what_is_shared_names_runs_of_its_reports_alone() -> None:
    page, run = _share("zq-", "DLRM")
    assert "DLRM" not in page
    assert re.search(rf"\[[^\]]*hidden-\d[^\]]*\]\({run['slug']}/index.md\), then a run", page)
    assert "zq-run" not in page
    assert "zq-1 before" not in page
    assert "| not comparable |" in page


def test_only_a_project_with_promises_has_the_page() -> None:
    metrics, findings = documents()
    assert make_shared_files([RunDocuments(metrics, findings)], Context(), ["promises"]) == {}
