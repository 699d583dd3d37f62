"""The table of cases that the graders of Python and of the browser both run.

`cases()` gives plain JSON: key, answer, points and code of each. Numbers of a key are written
short in the table and spelled out here. `printed_numbers(slug)` are those of a sample's pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from perfolio.common.units import UNITS, quantity
from perfolio.exercises.model import Json, NotAskedError, SolvedValue
from perfolio.exercises.number_keys import make_quantity_key
from perfolio.exercises.number_parser import find_base_unit
from perfolio.exercises.tolerance import READING, compute_interval
from tests.exercises.support import sample_run

TABLE = Path(__file__).with_name("grading.yaml")
NUMERIC = sorted(UNITS.keys() - {"text", "id"})


def cases() -> list[dict[str, Any]]:
    """Every case: `name`, `key`, `given`, `points`, `code`."""
    found = []
    for group in yaml.safe_load(TABLE.read_text(encoding="utf-8")):
        key = expanded(group["key"])
        for number, case in enumerate(group["cases"]):
            name = f"{group['name']} {number}: {case['given']}"
            given = case["given"] if isinstance(case["given"], dict) else {"given": case["given"]}
            found.append({**case, "name": name, "key": key, "given": given})
    return found


def expanded(key: dict[str, Any]) -> dict[str, Any]:
    """A key with its numbers spelled out."""
    common = {"points": 2.0, "objectives": [], "explain": "", "follows": []}
    if "cells" in key:
        cells = [number(cell) for cell in key["cells"]]
        points = common["points"] / len(cells)  # type: ignore[operator]
        return {**common, **key, "cells": [{**cell, "points": points} for cell in cells]}
    if "value" in key and "share" in key:
        return {**common, **number(key), "type": key["type"]}
    options = [{"because": "", "code": "", **each} for each in key.get("options", ())]
    return {**common, **key, **({"options": options} if options else {})}


def number(short: dict[str, Any]) -> dict[str, Any]:
    """`{value, unit, share, interval?, wrong?, follow?}` as a key has it; `unit` is the sheet's."""
    unit, factor = find_base_unit(short["unit"]) or ("1", 1.0)
    value, share = float(short["value"]), float(short["share"])
    half = abs(value) * share
    low, high = short.get("interval", (value - half, value + half))
    made = make_quantity_key(SolvedValue(value, unit), (low, high), share, (short["unit"], factor))
    wrong = [
        {**each, "low": each["value"] * (1 - share), "high": each["value"] * (1 + share)}
        for each in short.get("wrong", ())
    ]
    follow = {key: short[key] for key in ("follow", "follow_within") if key in short}
    return made | {"wrong": wrong, "source": {}} | follow


def reading_key(solved: SolvedValue) -> Json:
    """The key of a value that is read off a page. NotAskedError where samples leave it open."""
    printed = (solved.unit, (find_base_unit(solved.unit) or ("", 1.0))[1])
    key = make_quantity_key(solved, compute_interval(solved, READING), READING, printed)
    return {**key, "type": "number", "points": 1.0, "follows": []}


def printed_numbers(slug: str) -> Iterator[tuple[str, Json, list[str]]]:
    """Every measured metric of a sample that may be asked: its name, key, and printed forms."""
    for result in sample_run(slug).results.values():
        unit, value = result.metric.unit, result.value
        if result.status != "measured" or value is None or unit not in NUMERIC:
            continue
        try:
            key = reading_key(SolvedValue(value, unit, result.low, result.high))
        except NotAskedError:
            continue
        yield result.metric.name, key, forms(quantity(value, unit))


def forms(text: str) -> list[str]:
    """A printed number as people copy it: in every form of its digits, and with other prefixes."""
    bare = text.replace(",", "")
    found = [text, bare, bare.replace(".", ","), bare.replace(" ", "\u00a0"), f" {bare} "]
    digits, gap, unit = bare.partition(" ")
    if not re.fullmatch("[0-9]+([.][0-9]+)?", digits):
        return found
    whole, point, rest = digits.partition(".")
    grouped = (f"{int(whole):,}".replace(",", sign) for sign in ("\u202f", " ", "'"))
    found += [each + point + rest + gap + unit for each in grouped]
    shifted = f"{Decimal(digits).scaleb(-3):f}"
    found += [f"{shifted}e3{gap}{unit}", f"{shifted}·10^3{gap}{unit}", f"{shifted} × 10³ {unit}"]
    return found
