"""Documents against a JSON Schema: the keywords that ours use, and no others.

In:  a JSON value and a schema (draft 2020-12, references within it only).
Out: the first thing that is wrong, with its place, or None.

A document may come from anywhere, and pages rely on what its schema says of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
Problems = Iterator[str]
_Check = Callable[[Any, Any, Schema, "_Root"], Problems]
_Root = Schema

ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description", "then", "else"})


def first_problem(value: object, schema: Schema) -> str | None:
    """What is wrong with `value`, as `findings/3/severity: must be ...`; None where nothing is."""
    return next(_problems(value, schema, schema), None)


def _problems(value: Any, schema: Schema, root: _Root) -> Problems:
    for keyword, wanted in schema.items():
        if keyword in ANNOTATIONS:
            continue
        yield from KEYWORDS[keyword](value, wanted, schema, root)


def _fits(value: Any, schema: Schema, root: _Root) -> bool:
    return next(_problems(value, schema, root), None) is None


def _at(place: object, problems: Problems) -> Problems:
    for problem in problems:
        inner, colon, words = problem.partition(": ")
        yield f"{place}/{inner}{colon}{words}" if inner else f"{place}: {words}"


def _wrong(words: str) -> Problems:
    yield f": {words}"


def _reference(value: Any, wanted: str, _: Schema, root: _Root) -> Problems:
    yield from _problems(value, root["$defs"][wanted.removeprefix("#/$defs/")], root)


def _const(value: Any, wanted: Any, _: Schema, __: _Root) -> Problems:
    if not _same(value, wanted):
        yield from _wrong(f"must be {json.dumps(wanted)}")


def _enum(value: Any, wanted: list[Any], _: Schema, __: _Root) -> Problems:
    if not any(_same(value, each) for each in wanted):
        yield from _wrong(f"must be one of {', '.join(map(str, wanted))}")


def _same(value: Any, wanted: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _type(value: Any, wanted: str | list[str], _: Schema, __: _Root) -> Problems:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if not any(_TYPES[kind](value) for kind in kinds):
        yield from _wrong(f"must be {' or '.join(kinds)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    """Whether it is written as one: 2.0 is none, with which lists are not asked for an entry."""
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": _is_integer,
}


def _required(value: Any, wanted: list[str], _: Schema, __: _Root) -> Problems:
    if isinstance(value, dict):
        for name in wanted:
            if name not in value:
                yield from _wrong(f"lacks {name}")


def _properties(value: Any, wanted: Mapping[str, Schema], _: Schema, root: _Root) -> Problems:
    if isinstance(value, dict):
        for name, schema in wanted.items():
            if name in value:
                yield from _at(name, _problems(value[name], schema, root))


def _additional(value: Any, wanted: Any, schema: Schema, root: _Root) -> Problems:
    if not isinstance(value, dict):
        return
    for name in value.keys() - schema.get("properties", {}).keys():
        if wanted is False:
            yield from _wrong(f"knows no {name}")
        elif wanted is not True:
            yield from _at(name, _problems(value[name], wanted, root))


def _items(value: Any, wanted: Schema, _: Schema, root: _Root) -> Problems:
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from _at(place, _problems(item, wanted, root))


def _any_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    if not any(_fits(value, schema, root) for schema in wanted):
        # The last alternative is the one with content: null comes first.
        yield from _problems(value, wanted[-1], root)


def _one_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    fitting = sum(_fits(value, schema, root) for schema in wanted)
    if fitting > 1:
        yield from _wrong("fits more than one alternative")
    elif fitting == 0:
        yield from _problems(value, wanted[-1], root)


def _all_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    for schema in wanted:
        yield from _problems(value, schema, root)


def _if(value: Any, wanted: Schema, schema: Schema, root: _Root) -> Problems:
    branch = "then" if _fits(value, wanted, root) else "else"
    yield from _problems(value, schema.get(branch, {}), root)


def _pattern(value: Any, wanted: str, _: Schema, __: _Root) -> Problems:
    # `$` of Python also stands before a last line break, that of JSON Schema does not.
    if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", wanted), value):
        yield from _wrong(f"must look like {wanted}")


def _length(value: Any, wanted: int, *, at_least: bool, kind: type) -> Problems:
    if isinstance(value, kind):
        size = len(value)  # type: ignore[arg-type]
        if size < wanted if at_least else size > wanted:
            yield from _wrong(f"must hold {'at least' if at_least else 'at most'} {wanted}")


def _bound(holds: Callable[[float, float], bool], words: str) -> _Check:
    def check(value: Any, wanted: float, _: Schema, __: _Root) -> Problems:
        if _is_number(value) and not holds(value, wanted):
            yield from _wrong(f"must be {words} {wanted}")

    return check


KEYWORDS: Mapping[str, _Check] = {
    "type": _type,
    "$ref": _reference,
    "const": _const,
    "enum": _enum,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "if": _if,
    "pattern": _pattern,
    "minLength": lambda value, wanted, _, __: _length(value, wanted, at_least=True, kind=str),
    "maxLength": lambda value, wanted, _, __: _length(value, wanted, at_least=False, kind=str),
    "minItems": lambda value, wanted, _, __: _length(value, wanted, at_least=True, kind=list),
    "maxItems": lambda value, wanted, _, __: _length(value, wanted, at_least=False, kind=list),
    "minimum": _bound(lambda value, bound: value >= bound, "at least"),
    "maximum": _bound(lambda value, bound: value <= bound, "at most"),
    "exclusiveMinimum": _bound(lambda value, bound: value > bound, "above"),
    "exclusiveMaximum": _bound(lambda value, bound: value < bound, "below"),
}
"""How each keyword is checked."""
