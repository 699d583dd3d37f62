"""Keys and answers as documents: `perfolio-key/1`, `perfolio-keys/1` and `perfolio-answers/1`.

In:  a sheet, or a file. Out: the document, valid against its schema, and of a key so complete that
     every answer can be graded; InputError says where not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from perfolio.common.errors import InputError
from perfolio.common.json_schema import find_first_problem, refuse_number
from perfolio.common.units import UNITS
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.model import Json, Sheet

KEY, KEYS, ANSWERS = "perfolio-key/1", "perfolio-keys/1", "perfolio-answers/1"
_SCHEMAS = Path(__file__).parent / "schema"
_MOST = 1e100
_LARGEST = 1_000_000
_LARGEST_KEYS = 200_000_000
_DEEPEST = 40
"""Levels of a tree."""
_OPERANDS = 2
_SMALLEST = 1e-30


def make_key_document(sheet: Sheet, course: str = "") -> Json:
    """The key of a sheet."""
    bound = {"learner": sheet.learner} if sheet.learner else {}
    return {
        "schema": KEY,
        "sheet": sheet.id,
        "exercise": sheet.exercise.slug,
        "title": sheet.exercise.title,
        "course": course,
        "variant": sheet.variant,
        **bound,
        "run": dict(sheet.run),
        "items": {each.item.id: each.keyed.key for each in sheet.answerable if each.keyed},
    }


def make_keys_document(keys: Sequence[Json]) -> Json:
    """The keys of several sheets as one document."""
    return {"schema": KEYS, "keys": list(keys)}


@cache
def load_key_schema() -> Json:
    """The JSON Schema of a key."""
    return _load_schema("key-1")


@cache
def load_answers_schema() -> Json:
    """The JSON Schema of answers."""
    return _load_schema("answers-1")


def read_key(path: Path) -> Json:
    """A key from a file."""
    return _require_complete(_read_document(path, load_key_schema(), "key"), str(path))


def read_keys_document(path: Path) -> list[Json]:
    """The keys of several sheets from one file."""
    document = _read_document(path, {"type": "object"}, "keys", _LARGEST_KEYS)
    keys = document.get("keys")
    if document.get("schema") != KEYS or not isinstance(keys, list):
        raise InputError(f"{path}: is no keys document: schema must be {KEYS!r}")
    where = f"{path}: key"
    return [
        _require_complete(
            _check_document(key, load_key_schema(), f"{where} {n}", "key"), f"{where} {n}"
        )
        for n, key in enumerate(keys, 1)
    ]


def read_answers(path: Path) -> Json:
    """A learner's answers from a file."""
    return _read_document(path, load_answers_schema(), "answers")


def check_answers(document: object, where: str) -> Json:
    """Answers that came from elsewhere than a file of JSON. Raises InputError."""
    return _check_document(document, load_answers_schema(), where, "answers")


def _load_schema(name: str) -> Json:
    text = (_SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    return cast(Json, json.loads(text))


def _read_document(path: Path, schema: Json, kind: str, largest: int = _LARGEST) -> Json:
    try:
        if path.stat().st_size > largest:
            raise InputError(f"{path}: larger than {largest:,} bytes")
        document = json.loads(
            path.read_text(encoding="utf-8"),
            parse_constant=refuse_number,
            parse_int=_parse_bounded_integer,
            parse_float=_parse_bounded_float,
        )
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: is no JSON: {problem}") from problem
    return _check_document(document, schema, str(path), kind)


def _check_document(document: object, schema: Json, where: str, kind: str) -> Json:
    problem = find_first_problem(document, schema)
    if problem is not None:
        raise InputError(f"{where}: is no {kind} document: {problem}")
    return cast(Json, document)


def _require_complete(key: Json, where: str) -> Json:
    """A key with which every answer can be graded."""
    if problem := find_first_gap(key):
        raise InputError(f"{where}: is no key document: {problem}")
    return key


def _parse_bounded_float(digits: str) -> float:
    """A number with which points and units can be computed."""
    value = float(digits)
    if abs(value) > _MOST:
        raise ValueError(f"{digits[:20]} is larger than any number of a sheet")
    return value


def _parse_bounded_integer(digits: str) -> int:
    _parse_bounded_float(digits)
    return int(digits)


def find_first_gap(key: Json) -> str | None:
    """`items/s1-wall: lacks accept`; None where nothing is wrong."""
    for name, item in key["items"].items():
        for problem in _find_problems(item):
            return f"items/{name}: {problem}"
    return None


def _find_problems(item: Json) -> Iterator[str]:
    if item["type"] not in list_type_names():
        yield f"unknown type {item['type']!r}"
        return
    yield from (
        f"lacks {name}" for name in load_item_type(item["type"]).NEEDS if not _has_part(item, name)
    )
    letters = {each["letter"] for each in item.get("options", ())}
    named = [*item.get("right", ()), *(each for place in item.get("places", ()) for each in place)]
    if letters and not letters.issuperset(named):
        yield "names letters that are no options"
    if not all(item.get("places", ())):
        yield "has a place without a letter"
    if "values" in item and len(item["values"]) != len(letters):
        yield "has not as many values as options"
    for each in (item, *item.get("cells", ())):
        if "accept" in each:
            yield from _find_number_problems(each)


def _has_part(item: Json, name: str) -> bool:
    """Whether a part is there; all lists have something in them but that of slips."""
    return name in item and (name == "slips" or item[name] != [])


def _find_number_problems(key: Json) -> Iterator[str]:
    """A number that is accepted, in a unit that there is."""
    if not key["accept"]:
        yield "accepts nothing"
    units = [key["unit"], *(each["unit"] for each in key["accept"])]
    if unknown := [unit for unit in units if unit not in UNITS or unit in ("text", "id")]:
        yield f"unknown unit {unknown[0]!r}"
    if not _SMALLEST < key["factor"] < 1.0 / _SMALLEST:
        yield f"factor must lie between {_SMALLEST:g} and {1.0 / _SMALLEST:g}"
    if "follow" in key and not ("follow_within" in key and _is_tree(key["follow"])):
        yield "follow is no tree, or has no follow_within"


def _is_tree(tree: Any, depth: int = 0) -> bool:
    """Whether something is a number, `{"item": id}`, or `[operator, tree, tree]`."""
    if isinstance(tree, Mapping):
        return isinstance(tree.get("item"), str)
    if isinstance(tree, list):
        known = len(tree) == 1 + _OPERANDS and tree[0] in ("+", "-", "*", "/")
        return known and depth < _DEEPEST and all(_is_tree(each, depth + 1) for each in tree[1:])
    return isinstance(tree, (int, float)) and not isinstance(tree, bool) and math.isfinite(tree)
