"""Every error that Perfolio raises on purpose, and the exit code of each.

    PerfolioError            1
    ├── UsageError           2   the command line or a setting is wrong
    ├── InputError           3   a path does not exist, is empty, cannot be read
    │   └── FormatError      4   a file's bytes are not what the format says
    │       └── TableError   4   so it is with a table in a file
    ├── StoreError           5   a DuckDB file is foreign, newer, locked or damaged
    │   ├── BusyError        5   another process uses it
    │   └── InvariantError   6   the totals of a database do not agree
    ├── QueryError           7   a query of the user's cannot be run
    ├── ContentError         8   a metric, rule, chart or template file is faulty
    ├── OutputError          9   a result cannot be written
    ├── SiteError           10   the site builder failed
    ├── CheckFailedError    11   `perfolio check` found what must not be
    ├── DriftError          12   `perfolio verify`: a report is not what its input gives
    ├── WorkerError         13   one of several processes was ended from outside
    ├── ProgramError        14   a program that `perfolio record` ran failed, or did not train
    └── UndecidedError      15   `perfolio check --against` cannot tell whether runs are worse

A message is one line: what is wrong, where, and (`hint`) what to do about it.
"""

from __future__ import annotations

import copyreg
from pathlib import Path
from typing import Any


class PerfolioError(Exception):
    """Root of all errors that end in a one-line message and an exit code."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.message}; {self.hint}" if self.hint else self.message
        return one_line(text)

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, also from another process: what made it is not called again."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UsageError(PerfolioError):
    """The command line, or a setting such as profile.toml, is wrong."""

    exit_code = 2


class InputError(PerfolioError):
    """A path does not exist, is empty or cannot be read."""

    exit_code = 3


class FormatError(InputError):
    """A file's bytes contradict its format: names the file and the offset."""

    exit_code = 4

    def __init__(self, path: Path, offset: int, problem: str, *, hint: str = "") -> None:
        super().__init__(f"{path}: at byte {offset:#x}: {problem}", hint=hint)
        self.path = path
        self.offset = offset


class TableError(FormatError):
    """A table in a file contradicts its format: names the file and the table."""

    def __init__(self, path: Path, table: str, problem: str, *, hint: str = "") -> None:
        InputError.__init__(self, f"{path}: table {table}: {problem}", hint=hint)
        self.path = path
        self.table = table


class StoreError(PerfolioError):
    """A DuckDB file is foreign, of a newer schema, locked or damaged."""

    exit_code = 5


class BusyError(StoreError):
    """Another process has the store open."""


class InvariantError(StoreError):
    """The totals of a database disagree: nothing computed from it would hold."""

    exit_code = 6


class QueryError(PerfolioError):
    """A query that the user gave cannot be run."""

    exit_code = 7


class ContentError(PerfolioError):
    """A metric, rule, chart or template file is faulty: names the file."""

    exit_code = 8


class OutputError(PerfolioError):
    """A result cannot be written: read-only folder, full disk."""

    exit_code = 9


class SiteError(PerfolioError):
    """The site builder refused the generated pages."""

    exit_code = 10


class CheckFailedError(PerfolioError):
    """Nothing went wrong, but a run has findings that are too severe."""

    exit_code = 11


class DriftError(PerfolioError):
    """A report differs from what its input gives."""

    exit_code = 12


class WorkerError(PerfolioError):
    """A process that does part of the work was ended, as where no memory is left."""

    exit_code = 13


class ProgramError(PerfolioError):
    """A program that is recorded failed, did not train, or was another one in each pass."""

    exit_code = 14


class UndecidedError(PerfolioError):
    """Nothing went wrong, but runs cannot be held against others."""

    exit_code = 15


def one_line(text: str, limit: int = 600) -> str:
    """`text` without line breaks or control characters, at most `limit` characters."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    clean = " ".join(clean.split())
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
