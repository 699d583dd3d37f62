"""Which conditions two groups of runs share, and what each difference voids.

In:  the conditions of run records. Out: for each whether it is the same, differs, or is not
     recorded; and whether a speed-up can be claimed at all.

A difference that matters makes another experiment: it is said as the verdict. Precision, shapes and
software may be what was changed; they are told, with what they void.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perfolio.comparison.recording_conditions import CONDITIONS, describe_setting
from perfolio.comparison.run_record import RunRecord, Setting

Agreement = Literal["same", "differs", "not recorded"]
_NEAR = 0.02
"""Relative difference of clocks that are the same."""
_MACHINE = "The time is that of another machine: no change of the program is judged."
_WORK = "An iteration does other work: compare work per second."
MATTERS = {
    "gpu": _MACHINE,
    "gpus": _MACHINE,
    "ranks": _MACHINE,
    "model": _WORK,
    "batch_size": _WORK,
    "sequence_length": _WORK,
    "profiler": "Profilers slow programs differently, and see different things.",
    "pc_sampling": "PC sampling slows kernels and launches, and makes idle time.",
    "division": "The time of GPUs is compared with that of main threads.",
    "basis": "An iteration is compared with a whole run.",
}
"""Conditions without which no verdict stands, and why."""
VOIDS = {
    "clock": "Durations of kernels follow the clock.",
    "power_limit": "Durations of kernels follow the clock, and that the power.",
    "driver": "Launches and kernels may differ by the driver alone.",
    "gpu_runtime": "Launches and kernels may differ by the runtime alone.",
    "framework": "Operators and kernels may differ by the framework alone.",
    "precision": "Kernels compute with other units: that is the change, or else void.",
    "shapes": "Operators have other sizes: where the work is the same, they are fused or cut anew.",
    "profiler_version": "The profiler may take other time of the host.",
    "profiler_options": "Idle time and time of the host: options cost time in each operator.",
}
"""What a difference of other conditions voids."""


@dataclass(frozen=True)
class ConditionCheck:
    """One condition on both sides."""

    name: str
    title: str
    agreement: Agreement
    before: Setting
    """The value that all runs have; all in words where they differ; None: not recorded."""
    after: Setting
    voids: str
    """What the difference voids; empty where there is none."""
    matters: bool
    """Whether no verdict stands with it."""


def check_conditions(
    before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> tuple[ConditionCheck, ...]:
    """All conditions, in their order."""
    checks = [
        _check_condition(name, title, _list_values(before, name), _list_values(after, name))
        for name, title in CONDITIONS.items()
    ]
    for name, title in (("division", "whose time is divided"), ("basis", "what is compared")):
        sides = [_list_wholes(records, name) for records in (before, after)]
        if all(sides):
            checks.append(_check_condition(name, title, *sides))
    return tuple(checks)


def _list_values(records: Sequence[RunRecord], name: str) -> list[Setting]:
    values = [record.conditions.get(name) for record in records]
    return [value or None for value in values] if name == "ranks" else values


def _list_wholes(records: Sequence[RunRecord], name: str) -> list[Setting]:
    wholes = [record.whole for record in records if record.whole is not None]
    return [whole.of if name == "division" else whole.basis for whole in wholes]


def _check_condition(
    name: str, title: str, before: list[Setting], after: list[Setting]
) -> ConditionCheck:
    agreement = _compare_values(before, after)
    differs = agreement == "differs" and name != "iterations"
    return ConditionCheck(
        name,
        title,
        agreement,
        _join_values(name, before),
        _join_values(name, after),
        (MATTERS.get(name) or VOIDS.get(name, "")) if differs else "",
        differs and name in MATTERS,
    )


def _compare_values(before: list[Setting], after: list[Setting]) -> Agreement:
    if any(value is None for value in (*before, *after)):
        known = {str(value) for value in (*before, *after) if value is not None}
        return "differs" if len(known) > 1 else "not recorded"
    first = before[0]
    if all(_is_same(first, value) for value in (*before, *after)):
        return "same"
    return "differs"


def _is_same(first: Setting, second: Setting) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= _NEAR * max(abs(first), abs(second))
    return first == second


def _join_values(name: str, values: list[Setting]) -> Setting:
    known = [value for value in values if value is not None]
    words = dict.fromkeys(describe_setting(name, value) for value in known)
    return " and ".join(words) if len(words) > 1 else known[0] if known else None


def list_differences_that_matter(checks: Sequence[ConditionCheck]) -> list[ConditionCheck]:
    """Those with which no verdict stands."""
    return [check for check in checks if check.matters]
