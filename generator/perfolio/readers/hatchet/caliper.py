"""Caliper's JSON, which is read here because Hatchet fails on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from perfolio.common.errors import FormatError, InputError
from perfolio.readers.hatchet.call_places import (
    MOST_AMOUNTS,
    OUTSIDE,
    ROOT,
    CallPlace,
    CallThread,
    CostedCallTree,
    Floats,
    Kind,
    PlaceAmounts,
    RankStatistics,
)
from perfolio.readers.hatchet.columns import (
    ColumnMeaning,
    choose_columns,
    describe_columns,
    find_meaning,
)
from perfolio.readers.hatchet.input_guards import AGAIN, read_json
from perfolio.readers.hatchet.over_ranks import choose_threads, collect_rank_statistics
from perfolio.readers.hatchet.staged_files import StagedFiles

RANK = "mpi.rank"
WORLD = "mpi.world.size"
"""How many ranks the run has."""
_PATHS = ("path", "source.function#callpath.address", "callpath", "function", "annotation")
_LINES = "sourceloc#cali.sampler.pc"
_MODULES = "module#cali.sampler.pc"
_MOST_NODES = 2_000_000


def read_caliper_json(held: StagedFiles) -> CostedCallTree:
    """The call tree of a file that cali-query wrote as json-split. Raises FormatError."""
    document = read_json(held)
    try:
        return _CaliperDocument(held, document).calls()
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise FormatError(
            held.path,
            0,
            f"no json-split of Caliper: {type(problem).__name__} {problem}",
            hint=AGAIN,
        ) from problem


class _CaliperDocument:
    """A document of columns, rows and nodes that rows refer to."""

    def __init__(self, held: StagedFiles, document: dict[str, Any]) -> None:
        self.held = held
        self.told = document
        self.columns = [str(name) for name in document["columns"]]
        self.about = [dict(each) for each in document["column_metadata"]]
        self.nodes = [dict(each) for each in document["nodes"]]
        self.rows = [list(row) for row in document["data"]]
        if len(self.nodes) > _MOST_NODES or len(self.about) != len(self.columns):
            raise FormatError(held.path, 0, "more nodes or columns than it can have", hint=AGAIN)
        if any(len(row) != len(self.columns) for row in self.rows):
            raise FormatError(held.path, 0, "a row of another length", hint=AGAIN)
        self.places: list[CallPlace] = []
        self.numbers: dict[tuple[object, ...], int] = {}

    def calls(self) -> CostedCallTree:
        """All of it."""
        meanings = self._meanings()
        path = next((name for name in _PATHS if name in self.columns), None)
        if path is None or not meanings:
            raise InputError(
                f"{self.held.path}: has no column of regions or functions, or no times of them",
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
        kept = choose_columns(meanings)
        over = self._over_ranks(meanings, placed) if threads == [None] else RankStatistics()
        return CostedCallTree(
            self.places,
            choose_threads([CallThread(rank) for rank in threads], over),
            [
                PlaceAmounts(
                    each.measure, self._amounts(name, each, placed, lines), each.is_inclusive
                )
                for name, each in kept.items()
            ],
            [*self._notes(meanings), *over.notes],
            self.held.path.name.split(".")[0],
            "json-split",
            over,
        )

    def _meanings(self) -> dict[str, ColumnMeaning]:
        """Columns that are times of regions, or of ranks."""
        found: dict[str, ColumnMeaning] = {}
        for name, about in zip(self.columns, self.about, strict=True):
            unit = about.get("attribute.unit", about.get("time.unit"))
            meaning = find_meaning(name, None if unit is None else str(unit), "us")
            if meaning is not None and about.get("is_value"):
                found[name] = meaning
        return found

    def _amounts(
        self, name: str, meaning: ColumnMeaning, placed: list[int], lines: list[int]
    ) -> Floats:
        at, count = self.columns.index(name), max(lines, default=-1) + 1
        amounts = np.zeros((count, len(self.places)))
        for row, place, line in zip(self.rows, placed, lines, strict=True):
            value = row[at]
            if value is not None:
                amounts[line, place] += float(value) * meaning.factor
        return amounts

    def _over_ranks(self, meanings: dict[str, ColumnMeaning], placed: list[int]) -> RankStatistics:
        """Statistics over ranks; none where several rows are of one place, as of two loops."""
        if len(set(placed)) < len(placed):
            return RankStatistics()
        lines = [0] * len(placed)
        columns = {
            name: (each, self._amounts(name, each, placed, lines)[0])
            for name, each in meanings.items()
        }
        return collect_rank_statistics(columns, self.told.get(WORLD))

    def _number(self, row: list[Any], column: str) -> int | None:
        if column not in self.columns:
            return None
        value = row[self.columns.index(column)]
        return int(value) if isinstance(value, int) and 0 <= value < 1 << 31 else None

    def _place(self, row: list[Any], path: str) -> int:
        """The place of a row: its region or function, and below it the line that was sampled."""
        node = row[self.columns.index(path)]
        if node is None:
            return self._numbered(("outside",), CallPlace(ROOT, OUTSIDE))
        module = self._label(row, _MODULES)
        parent = ROOT
        for number in reversed(list(self._above(node))):
            label = str(self.nodes[number]["label"])
            key = ("node", number)
            parent = self._numbered(key, CallPlace(parent, label))
        name, _, line = self._label(row, _LINES).rpartition(":")
        if name in ("", "UNKNOWN") or not line.isdigit() or not line.isascii():
            return parent
        kind: Kind = "line"
        place = CallPlace(parent, f"{name}:{line}", kind, module, name, min(int(line), 1 << 30))
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

    def _numbered(self, key: tuple[object, ...], place: CallPlace) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.places)
            self.places.append(place)
        return self.numbers[key]

    def _notes(self, meanings: dict[str, ColumnMeaning]) -> list[str]:
        values = [n for n, a in zip(self.columns, self.about, strict=True) if a.get("is_value")]
        return describe_columns([n for n in values if n != RANK], list(meanings.values()), "us")
