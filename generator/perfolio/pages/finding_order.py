"""How findings are listed: the order of fired ones in words, and all by the area of their rule.

In:  findings of findings.json, in their order.
Out: a sentence, empty where there is nothing to order; areas with their findings, as the page on
     thresholds lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.findings.model.denominator import RECURRING, STEADY

Record = Mapping[str, Any]

_FIRST = "Steps in the order of the roadmap; others the most severe first"
_UNKNOWN = "what nothing bounds comes after that, limits last"
_WAITING = "what one of like worth waits for stands before it"
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
    "V": "Serving",
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


def order_words(fired: Sequence[Record]) -> str:
    """How findings are ordered, as `severity.rank` and `severity.ordered` do it."""
    if len(fired) < 2:
        return ""
    gains = [each["estimate"] for each in fired if _is_gain(each)]
    words = [each for each in [_describe_worth_order(gains)] if each]
    if gains and len(gains) < len(fired):
        words.append(_UNKNOWN)
    if any(_is_waiting(each, fired) for each in fired if _is_gain(each)):
        words.append(_WAITING)
    return "; ".join([_FIRST, *words]) + "."


def _is_gain(finding: Record) -> bool:
    return bool(finding["estimate"] and finding["estimate"]["kind"] == "gain")


def _describe_worth_order(gains: Sequence[Record]) -> str:
    """Shares of several wholes do not compare: time on the clock goes first."""
    wholes = list(dict.fromkeys(find_whole_and_share(each)[0] for each in gains))
    if len({each["on_clock"] for each in gains}) > 1:
        return (
            "within one severity, what saves time on the clock before what saves cost: shares of "
            "the two do not compare"
        )
    if len(wholes) > 1:
        denominators = _join_words(wholes)
        return (
            f"within one severity by the share that each is worth of its own whole ({denominators})"
        )
    return "within one severity by worth" if gains else ""


def _join_words(words: Sequence[str]) -> str:
    last = ", or" if "," in words[-2] else " or"
    return f"{', '.join(words[:-1])}{last} {words[-1]}"


def _is_waiting(finding: Record, fired: Sequence[Record]) -> bool:
    """Whether one in front of it is what it waits for, of the same whole."""
    of = find_whole_and_share(finding["estimate"])[0]
    awaited = (each for each in fired if each["code"] in finding["after"] and _is_gain(each))
    alike = (each for each in awaited if each["severity"] == finding["severity"])
    return any(find_whole_and_share(each["estimate"])[0] == of for each in alike)


def find_whole_and_share(worth: Record) -> tuple[str, float]:
    """What a worth is compared by, as `severity.rank` does it, and what it is of that [ratio]."""
    if worth["steady"] is not None:
        return STEADY, worth["steady"]
    recurs = worth["whole"] in RECURRING
    return STEADY if recurs else worth["of"].partition(";")[0], worth["reduction"]


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
