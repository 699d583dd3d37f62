"""Differences of two documents or two folders, by their places.

In:  JSON values, or folders. Out: `Difference`s.
"""

from __future__ import annotations

import filecmp
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perfolio.common.errors import one_line

_NAMED_BY = ("name", "code", "key", "metric")
"""Entries by which members of a list are told apart, first one first."""
_SHOWN = 60
_EQUAL = 1e-12
"""Relative difference up to which two numbers are equal: sums of the same numbers in another order,
as a store of other runs gives them, differ in their last digits [ratio]."""
_NOTHING = 1e-15
"""What such a sum leaves of a difference that is 0."""


@dataclass(frozen=True)
class Difference:
    """What a site has, and what its input gives."""

    place: str
    words: str

    def __str__(self) -> str:
        """One line without control characters: places may hold names of a profile."""
        return one_line(f"{self.place}: {self.words}")


def compare_documents(site: object, fresh: object, place: str) -> Iterator[Difference]:
    """Where two JSON values differ. Numbers are equal within 1e-12 of them."""
    if isinstance(site, dict) and isinstance(fresh, dict):
        yield from _compare_mappings(site, fresh, place)
    elif isinstance(site, list) and isinstance(fresh, list):
        yield from _compare_lists(site, fresh, place)
    elif not _is_same(site, fresh):
        yield Difference(
            place, f"{_format_value(site)} in the site, {_format_value(fresh)} from the input"
        )


def _is_same(site: object, fresh: object) -> bool:
    if isinstance(site, bool) or isinstance(fresh, bool):
        return site is fresh
    if isinstance(site, float | int) and isinstance(fresh, float | int):
        return math.isclose(site, fresh, rel_tol=_EQUAL, abs_tol=_NOTHING)
    return site == fresh


def _compare_mappings(
    site: Mapping[str, Any], fresh: Mapping[str, Any], place: str
) -> Iterator[Difference]:
    for key in [*site, *(key for key in fresh if key not in site)]:
        here = f"{place}/{key}"
        if key not in fresh:
            yield Difference(here, "is in the site and not from the input")
        elif key not in site:
            yield Difference(here, "is not in the site")
        else:
            yield from compare_documents(site[key], fresh[key], here)


def _compare_lists(site: Sequence[Any], fresh: Sequence[Any], place: str) -> Iterator[Difference]:
    key = next((key for key in _NAMED_BY if _has_names(site, key) and _has_names(fresh, key)), "")
    if key and len(set(_list_values(site, key))) == len(site):
        ours = dict(zip(_list_values(site, key), site, strict=True))
        theirs = dict(zip(_list_values(fresh, key), fresh, strict=True))
        yield from _compare_mappings(ours, theirs, place)
        if list(ours) != list(theirs) and set(ours) == set(theirs):
            yield Difference(place, "stands in another order")
    elif len(site) != len(fresh):
        yield Difference(place, f"{len(site)} entries in the site, {len(fresh)} from the input")
    else:
        for number, (one, other) in enumerate(zip(site, fresh, strict=True)):
            yield from compare_documents(one, other, f"{place}/{number}")


def _has_names(members: Sequence[Any], key: str) -> bool:
    return bool(members) and all(
        isinstance(one, dict) and isinstance(one.get(key), str) for one in members
    )


def _list_values(members: Sequence[Any], key: str) -> list[str]:
    return [str(one[key]) for one in members]


def _format_value(value: object) -> str:
    if isinstance(value, (dict, list)):
        return f"{len(value)} entries"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def compare_folders(site: Path, fresh: Path, ignored: frozenset[str]) -> Iterator[Difference]:
    """Files that differ, by their paths; `ignored` are paths that need not be equal."""
    ours, theirs = _list_files(site) - ignored, _list_files(fresh) - ignored
    for path in sorted(ours | theirs):
        if path not in theirs:
            yield Difference(path, "is in the site and not made from the input")
        elif path not in ours:
            yield Difference(path, "is missing from the site")
        elif not filecmp.cmp(site / path, fresh / path, shallow=False):
            yield Difference(path, "differs from what the input gives")


def _list_files(folder: Path) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return {path.relative_to(folder).as_posix() for path in files}
