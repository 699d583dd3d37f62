"""One step has one expectation: whatever page, export or sum of money tells it."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from perfolio.common.units import quantity
from perfolio.findings.model.step_expectation import (
    METHODS,
    choose_expectation,
    name_unit,
    name_whole,
    tell_expectation,
)
from perfolio.pages.brief_pages import render_brief
from perfolio.pages.first_steps import tell_first_steps
from perfolio.pages.report_rendering import render_report
from perfolio.pages.report_view import Report
from tests.kit.samples import sample_documents

REPLAYED, LEARNED = "decoder-h200-graphs", "dlrm-h100-pinned"
SPACE = "\N{NO-BREAK SPACE}"
NUMBER = r"-?\d[\d.]* %"
TOLD = re.compile(
    rf"(?:[Rr]eplayed:|[Ee]xpect|Expect\n:   (?:Saves )?|Expect: )\s*"
    rf"((?:{NUMBER}(?: to {NUMBER})?)|nothing now)"
)
CELL = re.compile(rf"({NUMBER}(?: to {NUMBER})?)[\w ]* \((?:replayed|\d+ (?:measured|simulated))")


@cache
def pages_of(sample: str) -> Mapping[str, str]:
    """All that is written of a sample, as words without markup."""
    one = sample_documents(sample)
    written = render_report(one.metrics, one.findings, {})
    made = {name: str(text) for name, text in written.items() if name.endswith((".md", ".txt"))}
    made["brief"] = render_brief(Report(one.metrics, one.findings, {}))
    made["first steps"] = "\n".join(tell_first_steps(one.findings))
    return {name: strip(text) for name, text in made.items()}


def strip(page: str) -> str:
    """Words of a page; a row of a table, an item or a paragraph is a line."""
    return re.sub(r"<[^>]*>", "", page).replace(SPACE, " ")


def steps_of(sample: str) -> list[dict[str, Any]]:
    """Findings of the steps of a sample."""
    document = sample_documents(sample).findings
    found = {one["code"]: one for one in document["findings"]}
    phases = document["roadmap"]["phases"]
    return [found[step["code"]] for phase in phases for step in phase["steps"]]


def list_told(page: str, title: str, others: list[str]) -> list[str]:
    """What a page expects of the step of a title: in its section, else up to the next title."""
    if "\n### " in page:
        after = [part for part in page.split("\n### ") if title in part.partition("\n")[0]]
    else:
        parts = re.split(f"({'|'.join(map(re.escape, [title, *others]))})", page)
        after = [text for name, text in pairwise(parts) if name == title]
    return [told for text in after for told in (*TOLD.findall(text), *CELL.findall(text))]


@pytest.mark.parametrize("sample", [REPLAYED, LEARNED])
def test_no_two_pages_expect_different_things_of_a_step(sample: str) -> None:
    steps = steps_of(sample)
    titles = [step["title"] for step in steps]
    fired = [one["title"] for one in sample_documents(sample).findings["findings"]]
    methods = set()
    for step in steps:
        expectation = step["expectation"]
        if expectation is None or expectation["method"] == "bound":
            continue
        ends = [quantity(expectation[end], "ratio") for end in ("low", "high")]
        told = " to ".join(dict.fromkeys(ends)).replace(SPACE, " ")
        others = [title for title in (*titles, *fired) if title != step["title"]]
        found = {
            name: set(list_told(page, step["title"], others))
            for name, page in pages_of(sample).items()
        }
        assert {name: each for name, each in found.items() if each - {told}} == {}
        where = {name for name, each in found.items() if each}
        assert {"roadmap.md", "conclusion.md", "brief", "index.md", "first steps"} <= where
        methods.add(expectation["method"])
    assert methods == {"replay" if sample == REPLAYED else "share"}


def test_a_learned_share_shows_nowhere_where_the_run_is_replayed() -> None:
    one = sample_documents(REPLAYED)
    findings = copy.deepcopy(one.findings)
    for finding in findings["findings"]:
        if finding["expectation"] and finding["expectation"]["method"] == "replay":
            finding["expected"] = {
                "low": 0.123456, "high": 0.234567, "cases": 987, "source": "measured", "part": 1.0,
            }  # fmt: skip
    again = render_report(one.metrics, findings, {})
    before = render_report(one.metrics, one.findings, {})
    assert {n: t for n, t in again.items() if n.endswith(".md")} == {
        n: t for n, t in before.items() if n.endswith(".md")
    }


@pytest.mark.parametrize(("cases", "told"), [(2, True), (1, False)])
def test_money_is_what_is_expected_of_the_first_step(cases: int, *, told: bool) -> None:
    one = sample_documents(LEARNED)
    metrics, findings = copy.deepcopy(one.metrics), copy.deepcopy(one.findings)
    worth, code = findings["worth"], steps_of(LEARNED)[0]["code"]
    lead = next(one for one in findings["findings"] if one["code"] == code)
    metrics["run"]["settings"]["price.gpu_hour"] = "2.0"
    money = {"what": "money", "unit": "EUR", "now": 1.0, "most": 0.5, "formula": "GPUs"}
    worth |= {"returns": [money], "is_time": True, "most": {**worth["most"], "steady": 0.6}}
    lead |= {"first": "", "confidence": "sure"}
    lead["expectation"] = {
        "method": "share", "low": 0.2, "high": 0.4, "of": "the steady iterations", "recurs": True,
        "error": 0.0, "is_nothing": False, "decides": "", "cases": cases, "source": "measured",
    }  # fmt: skip

    def page() -> str:
        page = str(render_report(metrics, findings, {})["roadmap.md"])
        return strip(page.replace("&nbsp;", " "))

    assert ("Expect the first step to save 40 to 80 EUR." in page()) == told
    lead["expectation"] |= {"method": "replay", "low": 0.1, "high": 0.1, "cases": 0}
    assert "Replayed, the first step saves 20 EUR." in page()
    lead["expectation"] |= {"is_nothing": True}
    assert "the first step saves" not in page()


def make_replay(**facts: Any) -> dict[str, Any]:
    """A replay of one step, G1."""
    step = {
        "codes": ["G1"], "alone": {"low": 0.1, "high": 0.2}, "error": 0.01, "is_nothing": False,
    }  # fmt: skip
    resources = [{"title": "Kernels", "now": 0.08, "after": 0.0}]
    return {"plain": None, "host": 1.0, "steps": [step], "resources": resources, **facts}


def make_finding(**facts: Any) -> dict[str, Any]:
    worth = {"kind": "gain", "of": "wall time; x", "whole": "wall", "reduction": 0.5}
    told = {"low": 0.2, "high": 0.4, "cases": 3, "source": "measured"}
    return {
        "code": "G1", "status": "fired", "estimate": {**worth, "steady": None}, "expected": told,
        **facts,
    }  # fmt: skip


def test_a_replay_counts_before_a_share_and_a_share_before_the_bound() -> None:
    found = choose_expectation(make_finding(), make_replay())
    assert found is not None
    assert (found.method, found.low, found.high, found.of) == ("replay", 0.1, 0.2, "an iteration")
    found = choose_expectation(make_finding(), make_replay(steps=[]))
    assert found is not None
    assert (found.method, found.low, found.high) == ("share", 0.1, 0.2)
    assert (found.of, found.recurs, found.cases) == ("wall time; x", False, 3)
    found = choose_expectation(make_finding(expected=None), None)
    assert found is not None
    assert (found.method, found.low, found.high) == ("bound", None, 0.5)
    assert choose_expectation(make_finding(estimate=None), None) is None
    assert choose_expectation(make_finding(status="passed"), make_replay()) is None
    assert set(METHODS) == {"replay", "share", "bound"}


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("Kernels", "replayed: nothing now, as kernels decide"),
        ("Loading of input", "replayed: nothing now, as loading of input decides"),
        (
            "Host's work between calls",
            "replayed: nothing now, as host's work between calls decides",
        ),
    ],
)
def test_where_a_step_saves_nothing_it_is_told_what_decides(title: str, says: str) -> None:
    replay = make_replay(resources=[{"title": title, "now": 0.08, "after": 0.0}])
    replay["steps"][0]["is_nothing"] = True
    found = choose_expectation(make_finding(), replay)
    assert found is not None
    assert tell_expectation(vars(found)) == says


def test_what_is_replayed_is_a_recording_where_nothing_marks_iterations() -> None:
    assert name_unit(make_replay()) == name_whole(make_replay()) == "an iteration"
    assert name_whole(make_replay(is_recording=True)) == "the recording"
    known = make_replay(plain=0.1, host=0.8)
    assert name_whole(known) == "an iteration without the profiler"
    found = choose_expectation(make_finding(), make_replay(is_recording=True))
    assert found is not None
    assert (found.of, found.recurs) == ("the recording", False)
