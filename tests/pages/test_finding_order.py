"""The sentence on the order of findings says what that order rests on; areas list all of them.

Also: The summary tells each cause once.
"""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.findings.model.step_replay import find_saved_share
from perfolio.findings.rules.catalog import load_rules
from perfolio.pages.finding_order import (
    AREAS,
    describe_outcome,
    group_by_area,
    order_words,
)
from perfolio.pages.finding_topics import choose_first_topics, find_postponed_codes, list_topics


def _finding(
    code: str,
    of: str = "",
    *,
    kind: str = "gain",
    after: tuple[str, ...] = (),
    severity: str = "medium",
) -> Any:
    estimate = (
        {
            "kind": kind,
            "of": of,
            "whole": "iteration" if "iteration" in of else "wall",
            "steady": None,
            "reduction": 0.5,
            "on_clock": not of.startswith("CPU time"),
        }
        if of
        else None
    )
    return {"code": code, "severity": severity, "estimate": estimate, "after": list(after)}


@pytest.mark.parametrize(
    ("fired", "says", "never"),
    [
        ([_finding("A1", "wall time")], "", "severe"),
        ([_finding("A1"), _finding("A2")], "others the most severe first.", "worth"),
        (
            [_finding("A1", "wall time"), _finding("A2", "wall time")],
            "within one severity by worth.",
            "bounds",
        ),
        (
            [_finding("A1", "wall time"), _finding("A2", "CPU time of all threads; not of run")],
            "what saves time on the clock before what saves cost: shares of the two do not compare",
            "worth most",
        ),
        (
            [_finding("A1", "a typical iteration"), _finding("A2", "wall time")],
            "worth of its own whole (the steady iterations or wall time)",
            "cost",
        ),
        (
            [_finding("A1", "the 9 s, 1 s of which nobody knows"), _finding("A2", "wall time")],
            "(the 9 s, 1 s of which nobody knows, or wall time)",
            "cost",
        ),
        (
            [
                _finding("A1", "wall time"),
                _finding("A2"),
                _finding("A3", "wall time", kind="limit"),
            ],
            "; what nothing bounds comes after that, limits last.",
            "waits for",
        ),
        (
            [_finding("A1", "wall time"), _finding("A2", "wall time", after=("A1",))],
            "; what one of like worth waits for stands before it.",
            "bounds",
        ),
        (
            [
                _finding("A1", "wall time"),
                _finding("A2", "wall time", after=("A1",), severity="low"),
            ],
            "within one severity by worth.",
            "waits for",
        ),
    ],
)
def test_the_order_is_told_as_far_as_it_matters(fired: list[Any], says: str, never: str) -> None:
    words = order_words(fired)
    assert says in words
    assert bool(words) == bool(says)
    assert never not in words


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("wall time", "the steady iterations"),
        (
            "wall time without short gaps (PC sampling)",
            "the steady iterations without short gaps",
        ),
    ],
)
def test_a_share_of_iterations_names_what_they_are_without(of: str, words: str) -> None:
    worth = {**_finding("A1", of)["estimate"], "steady": 0.7}
    assert find_saved_share(worth) == (words, 0.7)


def _outcome(code: str, status: str = "passed", severity: str | None = None) -> dict[str, object]:
    return {"code": code, "status": status, "severity": severity}


def test_areas_come_in_their_order_and_codes_by_number() -> None:
    found = group_by_area([_outcome(code) for code in ("M10", "Q1", "M2", "G3s", "G3", "Z1")])
    assert [area.title for area in found] == [
        "Use of the GPU", "Stalls and memory access", "Data quality", "Z",
    ]  # fmt: skip
    assert [finding["code"] for area in found for finding in area.findings] == [
        "G3", "G3s", "M2", "M10", "Q1", "Z1",
    ]  # fmt: skip


def test_every_rule_belongs_to_an_area_with_a_title() -> None:
    assert {code[0] for code in load_rules()} == set(AREAS)


def test_an_outcome_is_the_severity_or_the_status_in_words() -> None:
    assert describe_outcome(_outcome("X1", "fired", "high")) == "high"
    assert describe_outcome(_outcome("X1", "not_evaluated")) == "not evaluated"
    assert describe_outcome({**_outcome("C2"), "undecided": True}) == "passed, undecided,"


def _document(*severities: tuple[str, str], **also: list[str]) -> dict[str, Any]:
    steps = [{"code": code, "also": codes, "part": []} for code, codes in also.items()]
    blank: dict[str, Any] = {"status": "fired", "estimate": None, "after": []}
    fired = [{"code": code, "severity": each, **blank} for code, each in severities]
    return {
        "findings": [*fired, {"code": "P1", "severity": None, "status": "passed"}],
        "roadmap": {"phases": [{"steps": steps[:1]}, {"steps": []}], "not_now": steps[1:]},
    }


def _told(document: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [
        (topic.finding["code"], [other["code"] for other in topic.others])
        for topic in list_topics(document)
    ]


def test_findings_that_one_step_answers_are_one_topic() -> None:
    document = _document(
        ("G1", "high"), ("G6", "high"), ("G2", "medium"), ("G5", "low"), G6=["G1", "G2"], G5=[]
    )
    assert _told(document) == [("G6", ["G1", "G2"]), ("G5", [])]


def test_a_severer_finding_is_told_before_the_step() -> None:
    document = _document(("G1", "high"), ("G6", "low"), G6=["G1"])
    assert _told(document) == [("G1", ["G6"])]


def test_what_has_no_step_is_a_topic_of_its_own() -> None:
    document = _document(("Q2", "high"), ("G6", "high"), ("X1", "low"), G6=[], X1=[])
    assert _told(document) == [("Q2", []), ("G6", []), ("X1", [])]


def test_the_first_step_of_the_roadmap_is_among_the_first_topics() -> None:
    document = _document(("Q2", "high"), ("G6", "high"), ("X1", "low"), X1=[], G6=[])
    document["roadmap"] = {
        "phases": [
            {"steps": document["roadmap"]["phases"][0]["steps"] + document["roadmap"]["not_now"]}
        ],
        "not_now": [],
    }
    assert [topic.finding["code"] for topic in choose_first_topics(document, 3)] == [
        "Q2",
        "X1",
        "G6",
    ], "as the roadmap has them"
    assert [topic.finding["code"] for topic in choose_first_topics(document, 2)] == ["Q2", "X1"]
    nothing = _document(("Q2", "high"), ("Q4", "low"))
    assert [topic.finding["code"] for topic in choose_first_topics(nothing, 1)] == ["Q2"]


def test_what_is_not_worth_a_step_now_is_not_among_the_first_topics() -> None:
    document = _document(("D8", "high"), ("X2", "info"), ("L1", "info"), D8=[], X2=["L1"])
    assert [topic.finding["code"] for topic in choose_first_topics(document, 5)] == ["D8"]
    assert find_postponed_codes(document) == {"X2", "L1"}
    document["roadmap"]["not_now"][0].update(also=[], part=["G1"])
    document["findings"][2].update(code="G1", severity="medium")
    assert [topic.finding["code"] for topic in choose_first_topics(document, 5)] == ["D8", "G1"]


def test_what_tells_how_to_read_figures_stands_behind_steps() -> None:
    document = _document(("Q2", "high"), ("Q6", "info"), ("G5", "info"), G5=[])
    assert [topic.finding["code"] for topic in choose_first_topics(document, 5)] == [
        "Q2",
        "G5",
        "Q6",
    ]


def test_what_a_step_answers_in_part_is_told_as_wider_unless_it_is_severer() -> None:
    document = _document(("G6", "high"), ("G1", "high"), ("G2", "low"), G6=["G2"])
    document["roadmap"]["phases"][0]["steps"][0]["part"] = ["G1"]
    (topic,) = list_topics(document)
    assert [item["code"] for item in (topic.finding, *topic.others, *topic.wider)] == [
        "G6",
        "G2",
        "G1",
    ]
    document = _document(("G1", "high"), ("L1", "low"), L1=[])
    document["roadmap"]["phases"][0]["steps"][0]["part"] = ["G1"]
    assert _told(document) == [("G1", []), ("L1", [])]


def _worth(document: dict[str, Any], code: str, share: float, kind: str = "gain") -> None:
    found = next(item for item in document["findings"] if item["code"] == code)
    found["estimate"] = {
        "kind": kind,
        "of": "wall time",
        "whole": "wall",
        "reduction": share,
        "steady": None,
    }


def test_a_topic_told_by_a_limit_counts_by_its_step_within_its_severity() -> None:
    given = (("X1", "high"), ("X2", "medium"), ("G1", "medium"), ("L1", "low"))
    document = _document(*given, L1=["G1"])
    for code, share in (("X1", 0.2), ("X2", 0.1), ("L1", 0.43)):
        _worth(document, code, share)
    _worth(document, "G1", 0.5, "limit")
    assert _told(document) == [("X1", []), ("G1", ["L1"]), ("X2", [])]
    _worth(document, "L1", 0.05)
    assert _told(document) == [("X1", []), ("X2", []), ("G1", ["L1"])]
    _worth(document, "L1", 0.43)
    next(item for item in document["findings"] if item["code"] == "L1")["after"] = ["X2"]
    assert _told(document) == [("X1", []), ("X2", []), ("G1", ["L1"])]


def test_a_milder_step_in_front_takes_the_severest_of_its_topic_along() -> None:
    document = _document(("L1", "low"), ("P5", "medium"), ("G1", "medium"), L1=["G1"])
    assert _told(document) == [("G1", ["L1"]), ("P5", [])]
