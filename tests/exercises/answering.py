"""What a sheet holds, and what answers to it earn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.exercises.grader import grade_sheet
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Sheet
from perfolio.exercises.number_keys import format_key_value


def values(sheet: Sheet) -> dict[str, float]:
    keys = {each.item.id: each.keyed.key for each in sheet.answerable if each.keyed}
    return {name: key["accept"][0]["value"] for name, key in keys.items() if "accept" in key}


def chosen(sheet: Sheet, name: str) -> list[str]:
    """The words of the right options."""
    key = next(each.keyed.key for each in sheet.answerable if each.keyed and each.item.id == name)
    return [each["says"] for each in key["options"] if each["letter"] in key["right"]]


def given(sheet: Sheet, answers: dict[str, Any]) -> dict[str, tuple[str, float]]:
    """Codes and points of answers, also those of options by their words."""
    key = make_key_document(sheet)
    typed = {}
    for name, answer in answers.items():
        options = key["items"][name].get("options", ())
        letters = [each["letter"] for each in options if each["says"] == answer]
        typed[name] = {"given": letters or str(answer)}
    graded = grade_sheet(key, {"sheet": sheet.id, "items": typed})
    return {name: (one.code, one.points) for name, one in graded.items() if name in answers}


def points(sheet: Sheet) -> dict[str, tuple[str, float]]:
    return {each.item.id: ("right", each.item.points) for each in sheet.answerable}


def codes(sheet: Sheet, answers: dict[str, Any]) -> dict[str, str]:
    """The codes alone."""
    return {name: code for name, (code, _) in given(sheet, answers).items()}


def cells(sheet: Sheet, name: str) -> list[float]:
    """The values of the cells of a table or a pair."""
    key = next(each.keyed.key for each in sheet.answerable if each.keyed and each.item.id == name)
    return [cell["accept"][0]["value"] for cell in key["cells"]]


def solved(of: Mapping[str, Any]) -> dict[str, Any]:
    return {name: load_item_type(item["type"]).solve(item) for name, item in of["items"].items()}


def known_mistakes(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The code of each known mistake of an item, and what somebody who makes it answers."""
    for wrong in item.get("wrong", ()):
        typed = {**item, "accept": [{**item["accept"][0], **wrong}]}
        yield wrong["code"], format_key_value(typed)
    for option in item.get("options", ()):
        if option["code"] and option["letter"] not in item.get("right", ()):
            yield option["code"], [option["letter"]]
