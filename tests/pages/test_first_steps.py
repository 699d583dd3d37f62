"""What a summary begins with, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.common.units import quantity
from perfolio.pages.first_steps import choose_first_steps, list_steps, tell_first_steps

FINDINGS: Mapping[str, Mapping[str, Any]] = {
    "limit": {"severity": "low", "estimate": {"kind": "limit"}, "expected": None},
    "info": {"severity": "info", "estimate": None, "expected": None},
    "wait": {"severity": "medium", "estimate": {"kind": "gain"}, "expected": {"cases": 1}},
    "input": {"severity": "low", "estimate": {"kind": "gain"}, "expected": None},
    "copies": {"severity": "low", "estimate": None, "expected": None},
}


def step(code: str, *after: str) -> dict[str, Any]:
    return {"code": code, "after": list(after)}


def test_steps_are_those_of_the_phases_in_their_order() -> None:
    phases = [{"steps": [step("wait"), step("input")]}, {"steps": []}, {"steps": [step("limit")]}]
    found = list_steps({"roadmap": {"phases": phases}})
    assert [each["code"] for each in found] == ["wait", "input", "limit"]


def test_steps_are_numbered_with_what_they_wait_for() -> None:
    steps = [step("wait"), step("input", "wait", "elsewhere"), step("copies"), step("limit")]
    first, second, third = choose_first_steps(steps, FINDINGS.__getitem__)
    assert [each.number for each in (first, second, third)] == [1, 2, 3]
    assert (first.after, second.after, third.after) == ((), (1,), ())


def test_what_comes_before_a_step_takes_the_place_of_one() -> None:
    steps = [step("wait"), step("input", "wait"), step("copies")]
    first, second = choose_first_steps(steps, FINDINGS.__getitem__, 2)
    assert [(each.number, each.after) for each in (first, second)] == [(2, ()), (3, (2,))]


def test_what_is_no_problem_is_told_only_alone() -> None:
    both = choose_first_steps([step("info"), step("wait")], FINDINGS.__getitem__)
    assert [each.step["code"] for each in both] == ["wait"]
    assert [each.number for each in choose_first_steps([step("info")], FINDINGS.__getitem__)] == [1]


def test_steps_are_told_with_what_they_save_of_an_iteration() -> None:
    gain = {"kind": "gain", "of": "wall time; all of it", "reduction": 0.2, "steady": None}
    steady = {**gain, "steady": 0.25}
    document = {
        "findings": [
            {
                "code": "a",
                "title": "Do less",
                "severity": "low",
                "estimate": gain,
                "expected": None,
            },
            {"code": "b", "title": "Copy", "severity": "low", "estimate": steady, "expected": None},
            {"code": "c", "title": "Look", "severity": "low", "estimate": None, "expected": None},
        ],
        "roadmap": {"phases": [{"steps": [step("a"), step("b")]}, {"steps": [step("c")]}]},
    }
    assert tell_first_steps(document) == [
        f"1. Do less: saves up to {quantity(0.2, 'ratio')} of wall time",
        f"2. Copy: saves up to {quantity(0.25, 'ratio')} of an iteration",
        "3. Look",
    ]
