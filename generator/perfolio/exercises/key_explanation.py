"""A key in words: what is right, what else is known, and where it comes from.

In:  an item of a key, an answer as it was given. Out: plain sentences; who shows them escapes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.units import quantity
from perfolio.exercises.items import load_item_type
from perfolio.exercises.model import Given, Json


def format_given_answer(given: Given) -> str:
    """An answer on one line; empty fields of several read `–`."""
    if isinstance(given, str):
        return given
    return "; ".join(each.strip() or "–" for each in given) if any(given) else ""


def format_right_answer(key: Mapping[str, Any]) -> str:
    """An answer that earns all points: values with their units, options with their words."""
    if "accept" in key:
        return _format_value(key, key["accept"][0]["value"])
    if "cells" in key:
        return "; ".join(_format_value(cell, cell["accept"][0]["value"]) for cell in key["cells"])
    letters = load_item_type(key["type"]).solve(key)
    if "right" in key and "options" in key:
        says = {each["letter"]: each["says"] for each in key["options"]}
        return "; ".join(f"{each}: {says[each]}" for each in letters)
    return format_given_answer(letters)


def list_instructor_notes(key: Mapping[str, Any]) -> list[str]:
    """What an instructor wants to know of an item beyond what is right."""
    return [*_explain_numbers(key), *_explain_options(key), *_explain_rubric(key)]


def describe_source(key: Mapping[str, Any]) -> str:
    """Where the answer comes from, without its SQL."""
    return "; ".join(
        dict.fromkeys(text for each in _list_sources(key) if (text := _format_source(each)))
    )


def list_queries(key: Mapping[str, Any]) -> dict[str, str]:
    """The SQL of the metrics that the answer comes from, by their names."""
    return {
        str(each["metric"]): str(each["sql"]).strip()
        for each in _list_sources(key)
        if each.get("metric") and each.get("sql")
    }


def _explain_numbers(key: Mapping[str, Any]) -> Iterator[str]:
    cells = [key] if "accept" in key else key.get("cells", [])
    for number, cell in enumerate(cells, 1):
        right = cell["accept"][0]
        name = f"Field {number}: " if len(cells) > 1 else ""
        low, high = (_format_value(cell, right[end]) for end in ("low", "high"))
        yield f"{name}{_format_value(cell, right['value'])}, accepted from {low} to {high}."
        for wrong in cell["wrong"]:
            yield f"{name}{_format_value(cell, wrong['value'])} is {wrong['code']}: {wrong['says']}"
        if cell.get("follow"):
            yield f"{name}Also right where it follows from the learner's own values."


def _explain_options(key: Mapping[str, Any]) -> Iterator[str]:
    options = key.get("options", ())
    conditions = {each.get("when", "") for each in options}
    if len(conditions) == 1 and "" not in conditions:
        yield f"Right is the {conditions.pop()}."
        conditions = {""}
    for each in options:
        condition = f"holds if {each['when']}." if conditions != {""} and each.get("when") else ""
        code = f"Code {each['code']}." if each["code"] else ""
        if explanation := " ".join(text for text in (condition, code, each["because"]) if text):
            yield f"{each['letter']}: {explanation}"


def _explain_rubric(key: Mapping[str, Any]) -> Iterator[str]:
    for line in key.get("rubric", ()):
        yield f"{line['points']:g} for: {line['says']}"


def _format_value(cell: Mapping[str, Any], value: float) -> str:
    """A value as people read it, and in the unit of the sheet where that is another."""
    read = quantity(value, cell["unit"])
    printed = cell["printed"]
    if not printed or read.endswith(printed):
        return read
    return f"{read} ({value / cell['factor']:.4g} {printed})"


def _list_sources(key: Mapping[str, Any]) -> Iterator[Json]:
    for each in (key, *key.get("cells", ())):
        if each.get("source"):
            yield each["source"]


def _format_source(source: Mapping[str, Any]) -> str:
    """`gpu.kernels, column share, row 1`; an expression as it stands."""
    named = [
        _join_names(source[name])
        for name in ("metric", "expression", "finding")
        if source.get(name)
    ]
    places = [
        f"{name} {source[name]}" for name in ("column", "row") if source.get(name) not in (None, "")
    ]
    return ", ".join([*named, *places])


def _join_names(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)
