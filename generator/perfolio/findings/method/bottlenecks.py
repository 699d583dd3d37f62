"""Which of five classes of bottleneck holds a run up: symptoms as checks, a verdict, remedies.

In:  results, findings, `bottlenecks/<key>.yaml`.
Out: the entry `bottleneck` of findings.json; None where no trace tells iterations of a GPU.

The verdict is the class with the largest part of an iteration. How sure that is follows from its
lead, and from its symptoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perfolio.common.content_files import reload_when_edited
from perfolio.findings.model.conditions import get_field_metric, is_beyond, look_up
from perfolio.findings.model.confidence import is_held_up
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import Condition, Conditions, ContentEntry, Line
from perfolio.metrics.metric_values import get_number, index_rows
from perfolio.metrics.model import Results

FOLDER = Path(__file__).parent / "bottlenecks"
CLASSES = "time.iteration_classes"
UNTOLD = "other kernels"
"""The part of an iteration that names of kernels tell no class of."""
_OF_THE_HOST = ("host", "input")
_LEAD = 0.1
"""From this lead over the next class on, it is no close call [ratio of an iteration]."""


class SymptomEntry(ContentEntry, frozen=True, kw_only=True):
    """What a class looks like, and the condition that tells."""

    says: Line
    when: Conditions
    """The first one that is measured decides."""
    at_least: Conditions = Conditions()
    """What is measured of a part alone: it shows a symptom, never that there is none."""


class Bottleneck(ContentEntry, frozen=True, kw_only=True):
    """One class, as its file describes it."""

    title: Line
    about: Line
    symptoms: tuple[SymptomEntry, ...]
    remedies: tuple[str, ...]
    """Codes of rules, whose advice it is."""


@reload_when_edited(FOLDER)
def load_bottlenecks(folder: Path) -> Mapping[str, Bottleneck]:
    """The classes by key. ContentError where a file is faulty."""
    return {path.stem: read_file(path, Bottleneck) for path in sorted(folder.glob("*.yaml"))}


def find_bottleneck(results: Results, findings: Sequence[Finding]) -> dict[str, Any] | None:
    """The classes on this run, the largest part of an iteration first."""
    parts = index_rows(results, CLASSES, "class")
    if not parts:
        return None
    fired = {each.rule.code for each in findings if each.status == "fired"}
    listed = [
        _describe_class(key, entry, get_number(parts.get(key, {}), "share"), fired, results)
        for key, entry in load_bottlenecks().items()
    ]
    listed.sort(key=lambda entry: -entry["share"])
    untold = get_number(parts.get(UNTOLD, {}), "share")
    sure = "open" if untold >= listed[0]["share"] else _judge_confidence(listed, results)
    return {"metric": CLASSES, "confidence": sure, "untold": untold, "classes": listed}


def _describe_class(
    key: str, entry: Bottleneck, share: float, fired: set[str], results: Results
) -> dict[str, Any]:
    return {
        "key": key,
        "title": entry.title,
        "about": entry.about,
        "share": share,
        "symptoms": [_judge_symptom(symptom, results) for symptom in entry.symptoms],
        "remedies": [code for code in entry.remedies if code in fired],
    }


def _judge_symptom(symptom: SymptomEntry, results: Results) -> dict[str, Any]:
    """A symptom as met, not met, or not measured, with the value and the threshold."""
    decides = _measure_conditions(symptom.when, results)[:1]
    for condition, value, unit in (*decides, *_measure_conditions(symptom.at_least, results)):
        if is_beyond(value, condition.direction, condition.bound):
            return _describe_symptom(symptom, condition, "met", value, unit)
    for condition, value, unit in decides:
        return _describe_symptom(symptom, condition, "not met", value, unit)
    return _describe_symptom(symptom, symptom.when[0], "not measured", None, "")


def _measure_conditions(
    conditions: Conditions, results: Results
) -> list[tuple[Condition, float, str]]:
    found = [(condition, look_up(condition.metric, results)) for condition in conditions]
    return [
        (condition, float(cell.value), cell.unit)
        for condition, cell in found
        if cell is not None and isinstance(cell.value, (int, float))
    ]


def _describe_symptom(
    symptom: SymptomEntry, condition: Condition, state: str, value: float | None, unit: str
) -> dict[str, Any]:
    return {
        "says": symptom.says,
        "metric": get_field_metric(condition.metric),
        "state": state,
        "value": value,
        "unit": unit,
        "direction": condition.direction,
        "bound": condition.bound,
    }


def _judge_confidence(listed: Sequence[Mapping[str, Any]], results: Results) -> str:
    """Sure: a clear lead, and most known symptoms are met. Likely: one of both. Else open.

    Check first: it is idle time of a GPU whose host the profiler held up.
    """
    first, second = listed[:2]
    if first["key"] in _OF_THE_HOST and is_held_up(results):
        return "check first"
    known = [each["state"] for each in first["symptoms"] if each["state"] != "not measured"]
    leads = first["share"] - second["share"] >= _LEAD
    agrees = bool(known) and 2 * known.count("met") > len(known)
    return "sure" if leads and agrees else "likely" if leads or agrees else "open"
