"""Fired findings by root cause: several that say one thing of one cause are one topic.

In:  the content of findings.json.
Out: `FindingTopic`s, in the order of their steps; the place of one without a step is by severity,
     then by worth.

The roadmap knows which findings one step answers; a finding without a step is its own topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.findings.model.rule import SEVERITIES
from perfolio.pages.finding_order import find_whole_and_share
from perfolio.pages.first_steps import list_steps

Record = Mapping[str, Any]


@dataclass(frozen=True)
class FindingTopic:
    """One root cause as findings show it."""

    finding: Record
    """The one to tell: that of the step, unless another one is severer."""
    others: tuple[Record, ...]
    """What else fired for the same cause, in the document's order."""
    wider: tuple[Record, ...] = ()
    """What fired of which this is a part: its step alone does not make them pass."""


def list_topics(document: Record) -> list[FindingTopic]:
    """Every fired finding once: those that steps answer in the order of these.

    Others stand among them by the first finding of each topic. A topic told by a limit counts by
    the worth of its step among those of its severity.
    """
    fired = [item for item in document["findings"] if item["status"] == "fired"]
    steps, severity = (
        _map_steps(document["roadmap"]),
        {item["code"]: _rank_severity(item) for item in fired},
    )
    by_lead: dict[str, list[Record]] = {}
    for item in fired:
        code = item["code"]
        step = steps.get(code, {"code": code, "part": ()})
        lead = step["code"]
        is_severer = severity[code] < severity[lead]
        by_lead.setdefault(code if code in step["part"] and is_severer else lead, []).append(item)
    topics = _sort_topics(
        [_make_topic(lead, items, steps.get(lead)) for lead, items in by_lead.items()]
    )
    return _follow_steps(topics, list_steps(document))


def _follow_steps(topics: list[FindingTopic], steps: Sequence[Record]) -> list[FindingTopic]:
    """The topics with those that steps answer in the order of these, in the same places."""
    order = {
        code: place
        for place, step in reversed(list(enumerate(steps)))
        for code in _list_answered_codes(step)
    }

    def find_place(topic: FindingTopic) -> int:
        codes = (item["code"] for item in (topic.finding, *topic.others, *topic.wider))
        return min((order[code] for code in codes if code in order), default=-1)

    answered = iter(sorted((one for one in topics if find_place(one) >= 0), key=find_place))
    return [next(answered) if find_place(one) >= 0 else one for one in topics]


def choose_first_topics(document: Record, count: int) -> list[FindingTopic]:
    """The first `count` topics with a step to take now, then what only says how to read figures.

    That is what has no step and is severe for nothing. The roadmap's first step is one of them, if
    need be the last.
    """
    steps, later = _map_steps(document["roadmap"]), find_postponed_codes(document)
    topics = [topic for topic in list_topics(document) if topic.finding["code"] not in later]
    topics.sort(key=lambda topic: _is_advice(topic, steps))
    shown = topics[:count]
    planned = [step for phase in document["roadmap"]["phases"] for step in phase["steps"]]
    codes = set(_list_answered_codes(planned[0])) if planned else set()
    begins = [topic for topic in topics if topic.finding["code"] in codes]
    return shown if not begins or begins[0] in shown else [*shown[:-1], begins[0]]


def find_postponed_codes(document: Record) -> frozenset[str]:
    """Codes of what fired and is answered by steps that are not worth taking now."""
    later = document["roadmap"]["not_now"]
    return frozenset(code for step in later for code in (step["code"], *step["also"]))


def _is_advice(topic: FindingTopic, steps: Mapping[str, Record]) -> bool:
    return topic.finding["code"] not in steps and topic.finding["severity"] == SEVERITIES[-1]


def _map_steps(roadmap: Record) -> dict[str, Record]:
    """The step that answers each finding, all of it or in part."""
    planned = [step for phase in roadmap["phases"] for step in phase["steps"]]
    return {
        code: step
        for step in [*planned, *roadmap["not_now"]]
        for code in _list_answered_codes(step)
    }


def _list_answered_codes(step: Record) -> tuple[str, ...]:
    """The findings that a step answers, all of it or in part."""
    return (step["code"], *step["also"], *step["part"])


def _make_topic(lead: str, items: list[Record], step: Record | None) -> FindingTopic:
    top = min(_rank_severity(item) for item in items)
    severest = [item for item in items if _rank_severity(item) == top]
    leading = next((item for item in severest if item["code"] == lead), severest[0])
    wider = [item for item in items if step is not None and item["code"] in step["part"]]
    others = (item for item in items if item is not leading and item not in wider)
    return FindingTopic(
        leading, tuple(others), tuple(item for item in wider if item is not leading)
    )


def _rank_severity(item: Record) -> int:
    """From 0, the severest."""
    return SEVERITIES.index(item["severity"])


def _sort_topics(topics: list[FindingTopic]) -> list[FindingTopic]:
    done: list[FindingTopic] = []
    for topic in topics:
        place = len(done)
        while place and _is_before(topic, done[place - 1]):
            place -= 1
        done.insert(place, topic)
    return done


def _is_before(topic: FindingTopic, other: FindingTopic) -> bool:
    """Whether its step is worth more than what the other prints, and does not wait for that."""
    own, its = _find_printed_worth(topic), _find_printed_worth(other)
    if own is None or _is_gain(topic.finding):
        return False
    if _rank_severity(topic.finding) != _rank_severity(other.finding) or _is_waiting(topic, other):
        return False
    (denominator, worth), (other_denominator, most) = own, its or (own[0], 0.0)
    return denominator == other_denominator and worth > most


def _find_printed_worth(topic: FindingTopic) -> tuple[str, float] | None:
    """The whole and the share of it that a topic prints as its worth, or that of its step."""
    gains = (each["estimate"] for each in (topic.finding, *topic.others) if _is_gain(each))
    return next((find_whole_and_share(each) for each in gains), None)


def _is_gain(item: Record) -> bool:
    return bool(item["estimate"] and item["estimate"]["kind"] == "gain")


def _is_waiting(topic: FindingTopic, other: FindingTopic) -> bool:
    first = {item["code"] for item in (other.finding, *other.others)}
    return any(first & set(item["after"]) for item in (topic.finding, *topic.others))
