"""The tables of a report by name, whatever holds them, and their numbers, checked."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import TableError
from perfolio.readers.events.recording import LARGEST, NONE, Ints
from perfolio.readers.stable_file import OpenedFile

BATCH = 65_536
"""Rows that are read at once."""
BATCH_OF_TEXTS = 4_096
"""The same, where texts are among the columns."""
TEXTS = frozenset({"name", "text", "value"})
"""Columns of texts, of which only the begin is read."""
ABSENT = -(1 << 63)
"""Stands for no number, in a column that may hold any."""
LATEST = LARGEST >> 1
"""No time is as large, so that the clock's begin can be added to each."""
AGAIN = "export the report again: nsys export --type sqlite -o report.sqlite report.nsys-rep"
KNOWN = frozenset(
    {
        "NVTX_EVENTS", "OSRT_API", "SCHED_EVENTS", "COMPOSITE_EVENTS", "PROFILER_OVERHEAD",
        "ANALYSIS_DETAILS", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
        "META_DATA_EXPORT", "EXPORT_META_DATA",
    }
)  # fmt: skip
"""Tables of which every report of Nsight Systems has one."""
_ACTIVITY = "CUPTI_ACTIVITY_KIND_"


Column = tuple[Any, ...] | list[Any] | Ints
"""Values of a column: whatever a table holds, or numbers."""


class ReportTables(Protocol):
    """What holds the tables of a report."""

    @property
    def path(self) -> Path:
        """Where it was found."""

    @property
    def opened(self) -> tuple[OpenedFile, ...]:
        """The files that hold them."""

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Columns of each table."""

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Column, ...]]:
        """The rows of a table, some at a time, column by column. Raises TableError."""

    def count(self, table: str) -> int:
        """Rows of a table; 0 where it is not there."""


def has_nsys_tables(tables: Mapping[str, frozenset[str]]) -> bool:
    """Whether tables of these names are a report's."""
    return any(name in KNOWN or name.startswith(_ACTIVITY) for name in tables)


@dataclass(frozen=True)
class CheckedRows:
    """Some rows of a table; columns that it lacks hold nothing."""

    path: Path
    table: str
    count: int
    columns: Mapping[str, Column]

    def numbers(self, name: str) -> Ints:
        """A column of numbers, `ABSENT` where there is none. Raises TableError for other values."""
        values = self.columns.get(name)
        if values is None:
            return np.full(self.count, ABSENT, np.int64)
        try:
            return as_numbers(values)
        except ValueError as problem:
            raise TableError(self.path, self.table, f"column {name}: {problem}", hint=AGAIN) from (
                problem
            )

    def sizes(self, name: str) -> Ints:
        """A column of numbers that are not negative; `NONE` where that is not so."""
        found = self.numbers(name)
        return np.where((found >= 0) & (found < LARGEST), found, NONE)

    def times(self, name: str) -> Ints:
        """A column of times, `ABSENT` where there is none. Raises TableError beyond any age."""
        found = self.numbers(name)
        far = (np.abs(found) >= LATEST) & (found != ABSENT)
        if far.any():
            when = int(found[np.flatnonzero(far)[0]])
            raise TableError(
                self.path,
                self.table,
                f"column {name}: {when} is no time in nanoseconds",
                hint=AGAIN,
            )
        return found

    def texts(self, name: str) -> list[str | None]:
        """A column of texts; None where there is none."""
        values = self.columns.get(name)
        if values is None:
            return [None] * self.count
        return [value if isinstance(value, str) and value else None for value in values]

    def chosen(self, mask: npt.NDArray[np.bool_]) -> CheckedRows:
        """The rows that a mask selects."""
        if mask.all():
            return self
        places = np.flatnonzero(mask).tolist()
        columns = {
            name: values[mask] if isinstance(values, np.ndarray) else [values[i] for i in places]
            for name, values in self.columns.items()
        }
        return CheckedRows(self.path, self.table, len(places), columns)


def read_rows(tables: ReportTables, table: str, wanted: Sequence[str]) -> Iterator[CheckedRows]:
    """The rows of a table, with the wanted columns that it has; none where it is absent."""
    present = [name for name in wanted if name in tables.columns.get(table, ())]
    if not present:
        return
    for columns in tables.batches(table, present):
        if len(columns[0]):
            yield CheckedRows(
                tables.path, table, len(columns[0]), dict(zip(present, columns, strict=True))
            )


def as_numbers(values: Column) -> Ints:
    """Whole numbers of 64 bits, `ABSENT` for None. Raises ValueError for anything else."""
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.frombuffer(array("q", values), np.int64)
    except (TypeError, OverflowError):
        return np.array([_check_number(value) for value in values], np.int64)


def _check_number(value: Any) -> int:
    if value is None:
        return ABSENT
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return int(value)
    if type(value) is not int or abs(value) >= -ABSENT:
        raise ValueError(f"{str(value)[:40]!r} is no whole number of 64 bits")
    return value


def choose_batch_size(columns: Sequence[str]) -> int:
    """Rows that are read at once, with these columns."""
    return BATCH if TEXTS.isdisjoint(columns) else BATCH_OF_TEXTS
