"""A key in words: what is right, what else is known, and where it comes from.

In:  an item of a key, an answer as it was given. Out: plain sentences; who shows them escapes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.units import quantity
from perfolio.exercises.items import item_type
from perfolio.exercises.model import Given, Json


def given_words(given: Given) -> str:
    """An answer on one line; empty fields of several read `–`."""
    if isinstance(given, str):
        return given
    return "; ".join(each.strip() or "–" for each in given) if any(given) else ""


def right_words(key: Mapping[str, Any]) -> str:
    """An answer that earns all points: values with their units, options with their words."""
    if "accept" in key:
        return _value(key, key["accept"][0]["value"])
    if "cells" in key:
        return "; ".join(_value(cell, cell["accept"][0]["value"]) for cell in key["cells"])
    letters = item_type(key["type"]).solve(key)
    if "right" in key and "options" in key:
        says = {each["letter"]: each["says"] for each in key["options"]}
        return "; ".join(f"{each}: {says[each]}" for each in letters)
    return given_words(letters)


def notes(key: Mapping[str, Any]) -> list[str]:
    """What an instructor wants to know of an item beyond what is right."""
    return [*_numbers(key), *_options(key), *_rubric(key)]


def source(key: Mapping[str, Any]) -> str:
    """Where the answer comes from, without its SQL."""
    return "; ".join(dict.fromkeys(text for each in _sources(key) if (text := _source(each))))


def queries(key: Mapping[str, Any]) -> dict[str, str]:
    """The SQL of the metrics that the answer comes from, by their names."""
    return {
        str(each["metric"]): str(each["sql"]).strip()
        for each in _sources(key)
        if each.get("metric") and each.get("sql")
    }


def _numbers(key: Mapping[str, Any]) -> Iterator[str]:
    cells = [key] if "accept" in key else key.get("cells", [])
    for number, cell in enumerate(cells, 1):
        right = cell["accept"][0]
        name = f"Field {number}: " if len(cells) > 1 else ""
        low, high = (_value(cell, right[end]) for end in ("low", "high"))
        yield f"{name}{_value(cell, right['value'])}, accepted from {low} to {high}."
        for wrong in cell["wrong"]:
            yield f"{name}{_value(cell, wrong['value'])} is {wrong['code']}: {wrong['says']}"
        if cell.get("follow"):
            yield f"{name}Also right where it follows from the learner's own values."


def _options(key: Mapping[str, Any]) -> Iterator[str]:
    options = key.get("options", ())
    conditions = {each.get("when", "") for each in options}
    if len(conditions) == 1 and "" not in conditions:
        yield f"Right is the {conditions.pop()}."
        conditions = {""}
    for each in options:
        held = f"holds if {each['when']}." if conditions != {""} and each.get("when") else ""
        code = f"Code {each['code']}." if each["code"] else ""
        if told := " ".join(text for text in (held, code, each["because"]) if text):
            yield f"{each['letter']}: {told}"


def _rubric(key: Mapping[str, Any]) -> Iterator[str]:
    for line in key.get("rubric", ()):
        yield f"{line['points']:g} for: {line['says']}"


def _value(cell: Mapping[str, Any], value: float) -> str:
    """A value as people read it, and in the unit of the sheet where that is another."""
    read = quantity(value, cell["unit"])
    printed = cell["printed"]
    if not printed or read.endswith(printed):
        return read
    return f"{read} ({value / cell['factor']:.4g} {printed})"


def _sources(key: Mapping[str, Any]) -> Iterator[Json]:
    for each in (key, *key.get("cells", ())):
        if each.get("source"):
            yield each["source"]


def _source(told: Mapping[str, Any]) -> str:
    """`gpu.kernels, column share, row 1`; an expression as it stands."""
    named = [_listed(told[name]) for name in ("metric", "expression", "finding") if told.get(name)]
    places = [
        f"{name} {told[name]}" for name in ("column", "row") if told.get(name) not in (None, "")
    ]
    return ", ".join([*named, *places])


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)
