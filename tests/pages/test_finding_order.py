"""The sentence on the order of findings says what that order rests on; areas list all of them."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.findings.rules.catalog import load_rules
from perfolio.pages.finding_order import (
    AREAS,
    describe_outcome,
    find_saved_share,
    group_by_area,
    order_words,
)


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
