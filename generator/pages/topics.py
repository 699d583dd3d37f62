"""Fired findings by root cause: several that say one thing of one cause are one topic.

In:  the content of findings.json.
Out: `Topic`s, the one with the severest finding first.

The roadmap knows which findings one step answers; a finding without a step is its own topic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Topic:
    """One root cause as findings show it."""

    finding: Record
    """The one to tell: that of the step, unless another one is severer."""
    others: tuple[Record, ...]
    """What else fired for the same cause, in the document's order."""


def topics(document: Record) -> list[Topic]:
    """Every fired finding once, in the order of the severest one of each topic."""
    fired = [item for item in document["findings"] if item["status"] == "fired"]
    steps = _steps(document["roadmap"])
    found: dict[str, list[Record]] = {}
    for item in fired:
        found.setdefault(steps.get(item["code"], item["code"]), []).append(item)
    return [_topic(lead, items) for lead, items in found.items()]


def first_topics(document: Record, count: int) -> list[Topic]:
    """The first `count` topics. The roadmap's first step is one of them, if need be the last."""
    found = topics(document)
    shown = found[:count]
    planned = [step for phase in document["roadmap"]["phases"] for step in phase["steps"]]
    codes = {planned[0]["code"], *planned[0]["also"]} if planned else set()
    begins = [topic for topic in found if topic.finding["code"] in codes]
    return shown if not begins or begins[0] in shown else [*shown[:-1], begins[0]]


def _steps(roadmap: Record) -> dict[str, str]:
    """The code of the step that answers each finding."""
    planned = [step for phase in roadmap["phases"] for step in phase["steps"]]
    return {
        code: step["code"]
        for step in [*planned, *roadmap["not_now"]]
        for code in (step["code"], *step["also"])
    }


def _topic(lead: str, items: list[Record]) -> Topic:
    severest = [item for item in items if item["severity"] == items[0]["severity"]]
    told = next((item for item in severest if item["code"] == lead), severest[0])
    return Topic(told, tuple(item for item in items if item is not told))
