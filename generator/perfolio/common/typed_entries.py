"""Entries of content files as objects of a type: what is wrong is said with its place.

In:  what YAML or TOML gave, and a type whose structs know their keys.
Out: an object of that type. SchemaError says what is wrong first, where, and what is known there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")
Hook = Callable[[type, Any], Any]

_MESSAGE = re.compile(r"(?P<problem>.*?)(?: - at (?:`key` in )?`\$\.?(?P<place>.*)`)?", re.DOTALL)
_KEY = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<key>.*)`")
_KIND = re.compile(r"Expected `(?P<wanted>[^`]+)`(?:, got `(?P<given>[^`]+)`)?")
_STEP = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_ITEMS = ("item_type", "value_type")
_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a number",
    "null": "empty",
    "object": "a mapping",
    "str": "text",
}


class SchemaError(ValueError):
    """An entry is not what its type says: one line with the place of it."""


def read(value: object, kind: type[T], hook: Hook | None = None) -> T:
    """`value` as an object of `kind`; `hook` makes those of types that msgspec does not know."""
    try:
        return msgspec.convert(value, kind, dec_hook=hook)
    except msgspec.ValidationError as error:
        raise SchemaError(_describe_problem(str(error), kind)) from error
    except RecursionError as error:
        raise SchemaError("an entry contains itself") from error


def read_each(value: object, kind: type[T], hook: Hook | None = None) -> dict[str, T]:
    """The entries of a mapping, each as an object of `kind`; SchemaError names the one at fault."""
    found: dict[str, T] = {}
    for key, entry in read(value, dict[str, Any]).items():
        try:
            found[key] = read(entry, kind, hook)
        except SchemaError as error:
            raise SchemaError(f"{key}: {error}") from error
    return found


def _describe_problem(message: str, kind: type) -> str:
    """A message of msgspec's as `place: what is wrong; what is known there`."""
    match = _MESSAGE.fullmatch(message)
    problem, place = (match["problem"], match["place"] or "") if match else (message, "")
    known = _find_type(inspect.type_info(kind), place)
    key = _KEY.fullmatch(problem)
    if key is not None:
        place = ".".join(filter(None, (place, key["key"])))
        missing = key["what"].startswith("missing")
        problem = "is missing" if missing else f"is no known key; known: {_format_names(known)}"
    elif problem.startswith("Invalid enum value"):
        problem = f"{problem.removeprefix('Invalid enum value ')} is none of {_format_names(known)}"
    else:
        problem = _format_description(known) or _KIND.sub(_format_kinds, problem)
    return f"{place}: {problem}" if place else problem


def _find_type(known: inspect.Type, place: str) -> inspect.Type:
    """The type of the entry at `place`, as far as msgspec knows it."""
    for step in _STEP.findall(place):
        known = next(_list_inner_types(known, step), known)
    return known


def _list_inner_types(known: inspect.Type, step: str) -> Iterator[inspect.Type]:
    """The type of a key, or of the items of a list or the values of a mapping."""
    for each in _list_members(known):
        fields = getattr(each, "fields", ())
        yield from (field.type for field in fields if field.encode_name == step)
        yield from (getattr(each, kind) for kind in _ITEMS if hasattr(each, kind))


def _list_members(known: inspect.Type) -> Iterator[inspect.Type]:
    """Types without their notes: those of a union one by one."""
    while isinstance(known, inspect.Metadata):
        known = known.type
    yield from known.types if isinstance(known, inspect.UnionType) else (known,)


def _format_names(known: inspect.Type) -> str:
    """The keys of a mapping, or the values of a choice."""
    names = list[str]()
    for each in _list_members(known):
        names += [field.encode_name for field in getattr(each, "fields", ())]
        names += map(str, getattr(getattr(each, "key_type", each), "values", ()))
    return ", ".join(names)


def _format_description(known: inspect.Type) -> str:
    """What the type says of itself in words, where it does."""
    notes = known.extra_json_schema if isinstance(known, inspect.Metadata) else None
    return f"must be {notes['description']}" if notes and "description" in notes else ""


def _format_kinds(match: re.Match[str]) -> str:
    wanted = [_WORDS.get(each, each) for each in match["wanted"].split(" | ") if each != "null"]
    given = match["given"]
    return f"must be {' or '.join(wanted)}" + (f", not {_WORDS.get(given, given)}" if given else "")
