"""Caliper: what its columns mean, and its JSON, which is read here because Hatchet fails on it.

A column such as `inclusive#sum#time.duration` names an attribute and, before it, what was done with
its values. Only sums can be added up: those of least, largest and mean values are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.errors import FormatError, InputError
from generator.sources.hatchet.calls import (
    MOST_AMOUNTS,
    OUTSIDE,
    ROOT,
    Amounts,
    Calls,
    Kind,
    Place,
    Thread,
)
from generator.sources.hatchet.guards import AGAIN, read_json
from generator.sources.hatchet.held import Held

SECONDS = {
    "s": 1.0,
    "sec": 1.0,
    "ms": 1e-3,
    "msec": 1e-3,
    "us": 1e-6,
    "usec": 1e-6,
    "ns": 1e-9,
    "nsec": 1e-9,
}
RANK = "mpi.rank"
_SUMS = frozenset({"sum", "scale", "inclusive", "any"})
_TIMES = {
    "time.duration": "elapsed_time",
    "time.inclusive.duration": "elapsed_time",
    "time.duration.ns": "elapsed_time",
    "cupti.host.duration": "elapsed_time",
    "cupti.activity.duration": "gpu_operation_time",
    "rocm.host.duration": "elapsed_time",
    "rocm.activity.duration": "gpu_operation_time",
}
_PATHS = ("path", "source.function#callpath.address", "callpath", "function", "annotation")
_LINES = "sourceloc#cali.sampler.pc"
_MODULES = "module#cali.sampler.pc"
_MOST_NODES = 2_000_000


@dataclass(frozen=True)
class Meaning:
    """What a column holds."""

    measure: str
    factor: float
    """From the file's unit to seconds."""
    is_inclusive: bool
    is_told: bool
    """Whether the file says the unit."""


def meaning_of(column: str, unit: str | None, default: str) -> Meaning | None:
    """What a column holds; None where that is no time, or nothing that can be added up."""
    *done, attribute = column.split("#")
    if attribute not in _TIMES or not set(done) <= _SUMS:
        return None
    inclusive = "inclusive" in done or attribute == "time.inclusive.duration"
    if attribute.endswith(".ns"):
        default = "s" if "scale" in done else "ns"
    elif "scale" in done:
        default = "s"
    told = unit in SECONDS or "scale" in done or attribute.endswith(".ns")
    return Meaning(
        _TIMES[attribute], SECONDS[unit if unit in SECONDS else default], inclusive, told
    )


def read_caliper_json(held: Held) -> Calls:
    """The call tree of a file that cali-query wrote as json-split. Raises FormatError."""
    document = read_json(held)
    try:
        return _Document(held, document).calls()
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise FormatError(
            held.path,
            0,
            f"no json-split of Caliper: {type(problem).__name__} {problem}",
            hint=AGAIN,
        ) from problem


class _Document:
    """A document of columns, rows and nodes that rows refer to."""

    def __init__(self, held: Held, document: dict[str, Any]) -> None:
        self.held = held
        self.columns = [str(name) for name in document["columns"]]
        self.about = [dict(each) for each in document["column_metadata"]]
        self.nodes = [dict(each) for each in document["nodes"]]
        self.rows = [list(row) for row in document["data"]]
        if len(self.nodes) > _MOST_NODES or len(self.about) != len(self.columns):
            raise FormatError(held.path, 0, "more nodes or columns than it can have", hint=AGAIN)
        if any(len(row) != len(self.columns) for row in self.rows):
            raise FormatError(held.path, 0, "a row of another length", hint=AGAIN)
        self.places: list[Place] = []
        self.numbers: dict[tuple[object, ...], int] = {}

    def calls(self) -> Calls:
        """All of it."""
        kept = self._measures()
        path = next((name for name in _PATHS if name in self.columns), None)
        if path is None or not kept:
            raise InputError(
                f"{self.held.path}: has no column of regions or functions, or no sum of times",
                hint="CALI_CONFIG=runtime-profile, or cali-query with sum(time.duration) by path",
            )
        placed = [self._place(row, path) for row in self.rows]
        ranks = [self._number(row, RANK) for row in self.rows]
        threads = sorted(set(ranks), key=lambda rank: -1 if rank is None else rank)
        numbers = {rank: number for number, rank in enumerate(threads)}
        lines = [numbers[rank] for rank in ranks]
        if len(threads) * len(self.places) > MOST_AMOUNTS:
            raise InputError(
                f"{self.held.path}: holds too many ranks and regions", hint="give fewer"
            )
        return Calls(
            self.places,
            [Thread(rank) for rank in threads],
            [self._amounts(at, meaning, placed, lines) for at, meaning in kept],
            self._notes(kept),
            self.held.path.name.split(".")[0],
            "json-split",
        )  # fmt: skip

    def _measures(self) -> list[tuple[int, Meaning]]:
        """Columns to read: of each measure the inclusive one where there is one."""
        found: dict[str, tuple[int, Meaning]] = {}
        for at, (name, about) in enumerate(zip(self.columns, self.about, strict=True)):
            unit = about.get("attribute.unit", about.get("time.unit"))
            meaning = meaning_of(name, None if unit is None else str(unit), "us")
            if meaning is None or not about.get("is_value"):
                continue
            if meaning.measure not in found or meaning.is_inclusive:
                found[meaning.measure] = (at, meaning)
        return list(found.values())

    def _amounts(self, at: int, meaning: Meaning, placed: list[int], lines: list[int]) -> Amounts:
        count = max(lines, default=-1) + 1
        amounts = np.zeros((count, len(self.places)))
        for row, place, line in zip(self.rows, placed, lines, strict=True):
            value = row[at]
            if value is not None:
                amounts[line, place] += float(value) * meaning.factor
        return Amounts(meaning.measure, amounts, meaning.is_inclusive)

    def _number(self, row: list[Any], column: str) -> int | None:
        if column not in self.columns:
            return None
        value = row[self.columns.index(column)]
        return int(value) if isinstance(value, int) and 0 <= value < 1 << 31 else None

    def _place(self, row: list[Any], path: str) -> int:
        """The place of a row: its region or function, and below it the line that was sampled."""
        node = row[self.columns.index(path)]
        if node is None:
            return self._numbered(("outside",), Place(ROOT, OUTSIDE))
        module = self._label(row, _MODULES)
        parent = ROOT
        for number in reversed(list(self._above(node))):
            label = str(self.nodes[number]["label"])
            key = ("node", number)
            parent = self._numbered(key, Place(parent, label))
        name, _, line = self._label(row, _LINES).rpartition(":")
        if name in ("", "UNKNOWN") or not line.isdigit() or not line.isascii():
            return parent
        kind: Kind = "line"
        place = Place(parent, f"{name}:{line}", kind, module, name, min(int(line), 1 << 30))
        return self._numbered(("line", parent, module, name, line), place)

    def _above(self, node: object) -> Iterator[int]:
        """A node and those above it, of which each must come before it."""
        number = node
        while number is not None:
            if not isinstance(number, int) or not 0 <= number < len(self.nodes):
                raise IndexError(f"node {number}")
            yield number
            above = self.nodes[number].get("parent")
            if above is not None and not 0 <= int(above) < number:
                raise IndexError(f"node {number} below node {above}")
            number = above

    def _label(self, row: list[Any], column: str) -> str:
        if column not in self.columns:
            return ""
        value = row[self.columns.index(column)]
        return "" if value is None else str(self.nodes[int(value)]["label"])

    def _numbered(self, key: tuple[object, ...], place: Place) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.places)
            self.places.append(place)
        return self.numbers[key]

    def _notes(self, kept: list[tuple[int, Meaning]]) -> list[str]:
        read = {self.columns[at] for at, _ in kept} | {RANK}
        left = [n for n, a in zip(self.columns, self.about, strict=True) if a.get("is_value")]
        return notes_of([n for n in left if n not in read], [m for _, m in kept], "us")


def notes_of(left: list[str], meanings: list[Meaning], default: str) -> list[str]:
    """What was taken for granted, and what was not read."""
    notes = []
    if any(not each.is_told for each in meanings):
        notes.append(f"the file does not say the unit of its times: they are taken as {default}")
    others = [name for name in left if meaning_of(name, None, default) is None]
    if others:
        shown = ", ".join(sorted(others)[:6]) + (", …" if len(others) > 6 else "")
        notes.append(f"columns that are no sums of times are not read: {shown}")
    return notes
