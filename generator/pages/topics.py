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
    wider: tuple[Record, ...] = ()
    """What fired of which this is a part: its step alone does not make them pass."""


def topics(document: Record) -> list[Topic]:
    """Every fired finding once, in the order of the severest one of each topic."""
    fired = [item for item in document["findings"] if item["status"] == "fired"]
    steps, place = _steps(document["roadmap"]), {item["code"]: n for n, item in enumerate(fired)}
    severity = {item["code"]: item["severity"] for item in fired}
    found: dict[str, list[Record]] = {}
    for item in fired:
        code = item["code"]
        step = steps.get(code, {"code": code, "part": ()})
        lead = step["code"]
        is_severer = place[code] < place[lead] and severity[code] != severity[lead]
        found.setdefault(code if code in step["part"] and is_severer else lead, []).append(item)
    return [_topic(lead, items, steps.get(lead)) for lead, items in found.items()]


def first_topics(document: Record, count: int) -> list[Topic]:
    """The first `count` topics. The roadmap's first step is one of them, if need be the last."""
    found = topics(document)
    shown = found[:count]
    planned = [step for phase in document["roadmap"]["phases"] for step in phase["steps"]]
    codes = set(_answered(planned[0])) if planned else set()
    begins = [topic for topic in found if topic.finding["code"] in codes]
    return shown if not begins or begins[0] in shown else [*shown[:-1], begins[0]]


def _steps(roadmap: Record) -> dict[str, Record]:
    """The step that answers each finding, all of it or in part."""
    planned = [step for phase in roadmap["phases"] for step in phase["steps"]]
    return {code: step for step in [*planned, *roadmap["not_now"]] for code in _answered(step)}


def _answered(step: Record) -> tuple[str, ...]:
    """The findings that a step answers, all of it or in part."""
    return (step["code"], *step["also"], *step["part"])


def _topic(lead: str, items: list[Record], step: Record | None) -> Topic:
    severest = [item for item in items if item["severity"] == items[0]["severity"]]
    told = next((item for item in severest if item["code"] == lead), severest[0])
    wider = [item for item in items if step is not None and item["code"] in step["part"]]
    others = (item for item in items if item is not told and item not in wider)
    return Topic(told, tuple(others), tuple(item for item in wider if item is not told))
