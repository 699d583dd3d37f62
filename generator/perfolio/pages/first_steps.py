"""What to begin with: the steps of a plan for a reader with one minute.

In:  the steps of findings.json, and their findings by code.
Out: the steps in their order, and the first few with their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.common.units import quantity
from perfolio.findings.model.step_replay import find_saved_share, tell_expectation
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
    return [f"{one.number}. {one.finding['title']}{_tell_saving(one.finding)}" for one in first]


def _tell_saving(finding: Record) -> str:
    """What it saves at most, and what is expected of it."""
    estimate, found, whole = finding["estimate"], [], ""
    if estimate and estimate["kind"] == "gain":
        of, share = find_saved_share(estimate)
        whole = shorten_whole(of)
        found.append(f"saves up to {quantity(share, 'ratio')} of {whole}")
    found.append(tell_expectation(finding.get("expectation"), whole))
    told = "; ".join(each for each in found if each)
    return f"{': ' if whole else ', '}{told}" if told else ""


def _is_problem(step: Record, finding: Findings) -> bool:
    return bool(finding(step["code"])["severity"] != "info")
