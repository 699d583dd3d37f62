"""Answers held against a key: points, a code and words per item.

In:  the documents `perfolio-key/1` and `perfolio-answers/1`. Out: `GradedAnswer` by item.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError
from perfolio.exercises.items import load_item_type
from perfolio.exercises.model import GradedAnswer, Json
from perfolio.exercises.number_keys import make_key_tables, read_quantity

_FEEDBACK = Path(__file__).parent / "feedback.json"


def grade_sheet(key: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, GradedAnswer]:
    """Every item of the key, also those without an answer. InputError for another sheet's."""
    if answers["sheet"] != key["sheet"]:
        raise InputError(f"answers of sheet {answers['sheet']}, not of {key['sheet']}")
    unknown = answers["items"].keys() - key["items"].keys()
    if unknown:
        raise InputError(f"answers to items that sheet {key['sheet']} has not: {sorted(unknown)}")
    earlier: dict[str, float] = {}
    graded = {}
    for name, item in key["items"].items():
        given = dict(answers["items"].get(name) or {"given": ""})
        known = {each: earlier[each] for each in item["follows"] if each in earlier}
        graded[name] = grade_item(item, given | {"earlier": known})
        if "accept" in item and (value := read_quantity(item, given)) is not None:
            earlier[name] = value
    return graded


def grade_item(item: Json, given: Mapping[str, Any]) -> GradedAnswer:
    """One answer; where its code has no words of its own, those of `feedback.json`."""
    graded = load_item_type(item["type"]).grade(item, given)
    if graded.feedback:
        return graded
    feedback = load_feedback().get(graded.code, "").replace("{unit}", str(item.get("printed", "")))
    return GradedAnswer(graded.points, graded.code, feedback, graded.parts)


def make_grading_tables() -> Json:
    """What the grader of the browser needs beside a key."""
    return {**make_key_tables(), "feedback": dict(load_feedback())}


@cache
def load_feedback() -> Mapping[str, str]:
    """What is said for each code that no exercise has words for."""
    feedback: Mapping[str, str] = json.loads(_FEEDBACK.read_text(encoding="utf-8"))
    return feedback
