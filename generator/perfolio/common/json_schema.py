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

_MOST_DIGITS = 20
ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description", "then", "else"})


def find_first_problem(value: object, schema: Schema) -> str | None:
    """What is wrong with `value`, as `findings/3/severity: must be ...`; None where nothing is."""
    return next(_find_problems(value, schema, schema), None)


def _find_problems(value: Any, schema: Schema, root: _Root) -> Problems:
    for keyword, wanted in schema.items():
        if keyword in ANNOTATIONS:
            continue
        yield from KEYWORDS[keyword](value, wanted, schema, root)


def _is_valid(value: Any, schema: Schema, root: _Root) -> bool:
    return next(_find_problems(value, schema, root), None) is None


def _prefix_problems(place: object, problems: Problems) -> Problems:
    for problem in problems:
        inner, colon, words = problem.partition(": ")
        yield f"{place}/{inner}{colon}{words}" if inner else f"{place}: {words}"


def _report_problem(words: str) -> Problems:
    yield f": {words}"


def _check_reference(value: Any, wanted: str, _: Schema, root: _Root) -> Problems:
    yield from _find_problems(value, root["$defs"][wanted.removeprefix("#/$defs/")], root)


def _check_const(value: Any, wanted: Any, _: Schema, __: _Root) -> Problems:
    if not _is_same(value, wanted):
        yield from _report_problem(f"must be {json.dumps(wanted)}")


def _check_enum(value: Any, wanted: list[Any], _: Schema, __: _Root) -> Problems:
    if not any(_is_same(value, each) for each in wanted):
        yield from _report_problem(f"must be one of {', '.join(map(str, wanted))}")


def _is_same(value: Any, wanted: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _check_type(value: Any, wanted: str | list[str], _: Schema, __: _Root) -> Problems:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if not any(_TYPES[kind](value) for kind in kinds):
        yield from _report_problem(f"must be {' or '.join(kinds)}")


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


def _check_required(value: Any, wanted: list[str], _: Schema, __: _Root) -> Problems:
    if isinstance(value, dict):
        for name in wanted:
            if name not in value:
                yield from _report_problem(f"lacks {name}")


def _check_properties(value: Any, wanted: Mapping[str, Schema], _: Schema, root: _Root) -> Problems:
    if isinstance(value, dict):
        for name, schema in wanted.items():
            if name in value:
                yield from _prefix_problems(name, _find_problems(value[name], schema, root))


def _check_additional(value: Any, wanted: Any, schema: Schema, root: _Root) -> Problems:
    if not isinstance(value, dict):
        return
    for name in value.keys() - schema.get("properties", {}).keys():
        if wanted is False:
            yield from _report_problem(f"knows no {name}")
        elif wanted is not True:
            yield from _prefix_problems(name, _find_problems(value[name], wanted, root))


def _check_items(value: Any, wanted: Schema, _: Schema, root: _Root) -> Problems:
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from _prefix_problems(place, _find_problems(item, wanted, root))


def _check_any_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    if not any(_is_valid(value, schema, root) for schema in wanted):
        # The last alternative is the one with content: null comes first.
        yield from _find_problems(value, wanted[-1], root)


def _check_one_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    fitting = sum(_is_valid(value, schema, root) for schema in wanted)
    if fitting > 1:
        yield from _report_problem("fits more than one alternative")
    elif fitting == 0:
        yield from _find_problems(value, wanted[-1], root)


def _check_all_of(value: Any, wanted: list[Schema], _: Schema, root: _Root) -> Problems:
    for schema in wanted:
        yield from _find_problems(value, schema, root)


def _check_condition(value: Any, wanted: Schema, schema: Schema, root: _Root) -> Problems:
    branch = "then" if _is_valid(value, wanted, root) else "else"
    yield from _find_problems(value, schema.get(branch, {}), root)


def _check_pattern(value: Any, wanted: str, _: Schema, __: _Root) -> Problems:
    # `$` of Python also stands before a last line break, that of JSON Schema does not.
    if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", wanted), value):
        yield from _report_problem(f"must look like {wanted}")


def _check_length(value: Any, wanted: int, *, at_least: bool, kind: type) -> Problems:
    if isinstance(value, kind):
        size = len(value)  # type: ignore[arg-type]
        if size < wanted if at_least else size > wanted:
            yield from _report_problem(
                f"must hold {'at least' if at_least else 'at most'} {wanted}"
            )


def _make_bound_check(holds: Callable[[float, float], bool], words: str) -> _Check:
    def check(value: Any, wanted: float, _: Schema, __: _Root) -> Problems:
        if _is_number(value) and not holds(value, wanted):
            yield from _report_problem(f"must be {words} {wanted}")

    return check


KEYWORDS: Mapping[str, _Check] = {
    "type": _check_type,
    "$ref": _check_reference,
    "const": _check_const,
    "enum": _check_enum,
    "required": _check_required,
    "properties": _check_properties,
    "additionalProperties": _check_additional,
    "items": _check_items,
    "anyOf": _check_any_of,
    "oneOf": _check_one_of,
    "allOf": _check_all_of,
    "if": _check_condition,
    "pattern": _check_pattern,
    "minLength": lambda value, wanted, _, __: _check_length(value, wanted, at_least=True, kind=str),
    "maxLength": lambda value, wanted, _, __: _check_length(
        value, wanted, at_least=False, kind=str
    ),
    "minItems": lambda value, wanted, _, __: _check_length(value, wanted, at_least=True, kind=list),
    "maxItems": lambda value, wanted, _, __: _check_length(
        value, wanted, at_least=False, kind=list
    ),
    "minimum": _make_bound_check(lambda value, bound: value >= bound, "at least"),
    "maximum": _make_bound_check(lambda value, bound: value <= bound, "at most"),
    "exclusiveMinimum": _make_bound_check(lambda value, bound: value > bound, "above"),
    "exclusiveMaximum": _make_bound_check(lambda value, bound: value < bound, "below"),
}
"""How each keyword is checked."""


def refuse_number(name: str) -> float:
    """What `json` calls for NaN and infinities. Raises ValueError."""
    raise ValueError(f"{name} is no number of JSON")


def parse_integer(digits: str) -> int:
    """An integer of a document. Raises ValueError for one of more digits than numbers of runs."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"{digits[:_MOST_DIGITS]} is larger than any number of a run")
    return int(digits)
