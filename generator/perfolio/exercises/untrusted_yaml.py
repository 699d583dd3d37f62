"""YAML that anyone may have written: read whole, within bounds, or refused in one line.

In:  a text, and the place of its first line. Out: mappings, lists, texts and numbers; ContentError
     with the line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from perfolio.common.errors import ContentError

_MOST = 20_000
"""Values of one text."""
_DEEPEST = 32
_BRACKET = re.compile(r"[\[\]{}]")
_DEEPEST_BRACKETS = 200
"""Brackets in texts count, too; libyaml ends the process where it is some 50,000 deep."""
_NESTED = re.compile(rf"(?:[-?:][ \t]+){{{_DEEPEST}}}")
_MERGE = "tag:yaml.org,2002:merge"


def load_foreign_yaml(text: str, where: str, line: int) -> Any:
    """The document in a text, which begins behind line `line` of the file `where`."""
    _check_depth(text, f"{where}:{line}")
    try:
        document = yaml.load(text, _make_loader())  # noqa: S506 - it is a safe one
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        at = line + 1 + (mark.line if mark else 0)
        raise ContentError(f"{where}:{at}: is no YAML: {problem.problem}") from problem
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        # ValueError: a date that there is not, a number of thousands of digits.
        raise ContentError(f"{where}:{line}: is no YAML: {problem}") from problem
    if not _is_bounded(document):
        raise _make_size_error(f"{where}:{line}")
    return document


@cache
def _make_loader() -> Any:
    """A safe loader that merges no mappings: ten times ten times ten of them fill all memory."""
    safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(safe):  # type: ignore[misc,valid-type]
        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            for key, _ in node.value:
                if key.tag == _MERGE:
                    problem = "mappings are not merged here"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)

    return Loader


def _check_depth(text: str, place: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1 if depth else 0
        if depth > _DEEPEST_BRACKETS:
            raise _make_size_error(place)
    if _NESTED.search(text):
        raise _make_size_error(place)


def _make_size_error(place: str) -> ContentError:
    return ContentError(
        f"{place}: more than {_MOST:,} values, or {_DEEPEST} of them within each other"
    )


def _is_bounded(value: object) -> bool:
    """Whether YAML has no more values than anybody writes: names of values may stand for millions.

    Level by level, so that depth is no matter.
    """
    level, count = [value], 0
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for each in level:
            if isinstance(each, Mapping):
                inner += [*each, *each.values()]
            elif isinstance(each, (list, tuple, set)):
                inner += each
            count += 1
            if count + len(inner) > _MOST:
                return False
        level = inner
    return not level
