"""The page of promises: what it concludes, in which order, and names that are attacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from perfolio.charts.comparison_rendering import render_promise_chart
from perfolio.comparison.promise_record import PairOutcome
from perfolio.comparison.shown_steps import NamedRun, list_shown_steps
from perfolio.pages.promise_pages import MOST_ROWS, render_promises
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.pipeline.reports import make_shared_files
from perfolio.pipeline.run_documents import Context, RunDocuments
from perfolio.pipeline.run_redaction import ShareRequest
from tests.comparison.documents import make_pairs
from tests.pages.reading import seen, sentences
from tests.pages.support import HOSTILE, documents, rendered


def _render(pairs: Sequence[PairOutcome], **known: NamedRun) -> str:
    steps = list_shown_steps(pairs, known)
    return render_promises(steps, render_promise_chart(steps))["promises.md"]


def _head(page: str) -> str:
    words = rendered(page.partition("\n## ")[0]).text.replace("\u00a0", " ").replace("¶", "")
    return " ".join(words.split())


def test_a_bound_that_was_exceeded_is_said_first() -> None:
    head = _head(_render(make_pairs()))
    assert head.startswith("Promises Above the bound 1 saving exceeded its bound.")
    assert "M9 saved 45.0 %, with a bound of 40.0 %." in head


def test_few_savings_are_no_proof() -> None:
    pairs = make_pairs()
    head = _head(_render([pairs[0], pairs[0]]))
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
    assert _head(_render([make_pairs()[place] for place in places])).startswith(says)


def test_runs_of_the_site_lead_to_their_reports() -> None:
    page = _render(make_pairs(), d0=NamedRun("DLRM <b>", "dl rm"))
    assert "[DLRM &#60;b&#62;](dl%20rm/index.md), then run-1 · 2026-05-01" in page
    assert page.count("/index.md)") == 2


def test_what_was_not_taken_is_folded_with_its_reason() -> None:
    page = _render(make_pairs())
    folded = page.partition("<details")[2].partition("Not taken")[2]
    assert "X1 Fuse kernels" in folded
    assert "not comparable, batch: 1 before" in folded
    assert folded.count("| not taken |") == folded.count("| cannot be told |") == 1


def test_many_pairs_are_cut_to_the_latest() -> None:
    pairs = [replace(make_pairs()[0], before=f"first-{n}") for n in range(MOST_ROWS + 20)]
    page = _render(pairs)
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


def test_sentences_are_short() -> None:
    blocks = seen(rendered(_render(make_pairs())).html)
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
