"""Findings by the area of their rule: what the page on thresholds lists.

In:  findings as findings.json has them.
Out: areas with their findings, in the order of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perfolio.pages.cpu_cost_unit import Record

AREAS = {
    "G": "Use of the GPU",
    "L": "Launches",
    "S": "Synchronisation and memory",
    "X": "Transfers",
    "K": "Shape of launches",
    "M": "Stalls and memory access",
    "P": "Precision",
    "D": "Communication and balance",
    "C": "CPU",
    "T": "Steps on processors",
    "Q": "Data quality",
}
"""Title of each area by the letter that its rules' codes begin with; others follow."""

OUTCOMES = {
    "passed": "passed",
    "not_evaluated": "not evaluated",
    "not_applicable": "not applicable",
    "error": "error",
}
"""Status of a finding that did not fire, in words."""


@dataclass(frozen=True)
class ThresholdArea:
    """The findings of one area, by code."""

    title: str
    findings: tuple[Record, ...]


def group_by_area(findings: Sequence[Record]) -> list[ThresholdArea]:
    """The findings by area, those of an area by code: K2 before K10."""
    areas: dict[str, list[Record]] = {letter: [] for letter in AREAS}
    for finding in sorted(findings, key=_split_code):
        areas.setdefault(finding["code"][0], []).append(finding)
    return [
        ThresholdArea(AREAS.get(letter, letter), tuple(listed))
        for letter, listed in areas.items()
        if listed
    ]


def describe_outcome(finding: Record) -> str:
    """Its severity where it fired, else its status in words."""
    words = str(finding["severity"] or OUTCOMES[finding["status"]])
    return f"{words}, undecided," if finding.get("undecided") else words


def _split_code(finding: Record) -> tuple[str, int, str]:
    code = str(finding["code"])
    digits = "".join(each for each in code if each.isdigit())
    return code[0], int(digits or 0), code
