"""Keys and answers as documents: `perfolio-key/1`, `perfolio-keys/1` and `perfolio-answers/1`.

In:  a sheet, or a file. Out: the document, valid against its schema; InputError says where not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from perfolio.common.errors import InputError
from perfolio.common.json_schema import find_first_problem
from perfolio.exercises.key_completeness import find_first_gap
from perfolio.exercises.model import Json, Sheet

KEY, KEYS, ANSWERS = "perfolio-key/1", "perfolio-keys/1", "perfolio-answers/1"
_SCHEMAS = Path(__file__).parent / "schema"
_MOST = 1e100
_LARGEST = 1_000_000
_LARGEST_KEYS = 200_000_000


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
            parse_constant=_refuse_constant,
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


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
