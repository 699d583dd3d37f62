"""What to begin with: the steps of a plan for a reader with one minute.

In:  the steps of findings.json, and their findings by code.
Out: the steps in their order, and the first few with their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.common.units import quantity
from perfolio.pages.finding_order import find_saved_share
from perfolio.pages.template_filters import shorten_whole

Record = Mapping[str, Any]
Findings = Callable[[str], Record]

MOST = 3
"""So many things to do are told at once."""


@dataclass(frozen=True)
class FirstStep:
    """A step that is told, and how others depend on it, by their numbers."""

    step: Record
    finding: Record
    number: int
    after: tuple[int, ...]
    """Those that come before it."""


def list_steps(document: Record) -> list[Record]:
    """All steps of findings.json in their order, which every page and program keeps."""
    return [step for phase in document["roadmap"]["phases"] for step in phase["steps"]]


def choose_first_steps(
    steps: Iterable[Record], finding: Findings, number: int = 1
) -> list[FirstStep]:
    """Steps from number `number` to `MOST`; of findings that are no problem only alone."""
    candidates = list(steps)
    first = [step for step in candidates if _is_problem(step, finding)] or candidates
    first = first[: MOST + 1 - number]
    numbers = {step["code"]: place for place, step in enumerate(first, number)}
    return [
        FirstStep(
            step,
            finding(step["code"]),
            numbers[step["code"]],
            tuple(numbers[code] for code in step["after"] if code in numbers),
        )
        for step in first
    ]


def tell_first_steps(document: Record) -> list[str]:
    """A line for each of the first steps of findings.json, in plain text."""
    findings = {one["code"]: one for one in document["findings"]}
    first = choose_first_steps(list_steps(document), findings.__getitem__)
    return [f"{one.number}. {one.finding['title']}{_tell_bound(one.finding)}" for one in first]


def _tell_bound(finding: Record) -> str:
    estimate = finding["estimate"]
    if not estimate or estimate["kind"] != "gain":
        return ""
    of, share = find_saved_share(estimate)
    return f": saves up to {quantity(share, 'ratio')} of {shorten_whole(of)}"


def _is_problem(step: Record, finding: Findings) -> bool:
    return bool(finding(step["code"])["severity"] != "info")
