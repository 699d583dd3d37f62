"""What queries share, computed once per run: its views and macros, kept when first used.

In:  a connection to a store, a run, and the queries that are about to run.
Out: the same names, which now stand for temporary tables or values, until the block ends.

A query names a view or macro as before. A temporary object of the same name hides the store's own,
also where other views and macros use it, so that each is computed from those it is made of. Large
results are left to be computed where they are used: they would take the memory that they save time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb

from generator.store.connect import SCHEMA_FILES

MOST_ROWS = 50_000
_DEFINITION = re.compile(
    r"^CREATE (?P<kind>VIEW|MACRO) (?P<name>\w+)(?:\((?P<given>[^)]*)\))? AS(?P<table> TABLE)?"
    r"(?P<body>.*?);$",
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"\w+")
_OF_A_RUN = "r"
"""The parameter of a macro that has no other one: the run."""


@dataclass(frozen=True)
class Model:
    """A view or macro."""

    name: str
    kind: str
    """`view`, `table` or `value` of a run; `other` has more parameters, or is of no run."""
    reads: frozenset[str]
    """The views and macros in its definition."""


@dataclass(frozen=True)
class _Hidden:
    """How one of a kind is computed, and what takes its place."""

    table: str
    rows: str
    macro: str = ""
    removed: str = ""


_HIDDEN = {
    "view": _Hidden("{}", "FROM main.{} WHERE run = {:d}"),
    "table": _Hidden(
        "model_{}",
        "FROM main.{}({:d})",
        "CREATE TEMP MACRO {}(r) AS TABLE FROM temp.{}",
        "DROP MACRO TABLE temp.{}",
    ),
    "value": _Hidden(
        "model_{}",
        "SELECT main.{}({:d}) AS value",
        "CREATE TEMP MACRO {}(r) AS (SELECT value FROM temp.{})",
        "DROP MACRO temp.{}",
    ),
}


@dataclass
class Models:
    """Those of one run that were asked for so far."""

    connection: duckdb.DuckDBPyConnection
    run: int
    shared: Collection[str]
    """Names of those that are worth keeping."""
    asked: set[str] = field(default_factory=set)
    made: list[str] = field(default_factory=list)
    """Statements that remove what was made."""

    def provide(self, sql: str) -> None:
        """Make what `sql` reads, and first what that reads."""
        for name in _named(sql, definitions()):
            self._provide(definitions()[name])

    def close(self) -> None:
        """Let all names stand for the store's own again."""
        for statement in reversed(self.made):
            self.connection.execute(statement)

    def _provide(self, model: Model) -> None:
        if model.name in self.asked:
            return
        self.asked.add(model.name)
        for name in sorted(model.reads):
            self._provide(definitions()[name])
        if model.name in self.shared and model.kind != "other":
            self._make(model)

    def _make(self, model: Model) -> None:
        """Make one, unless it has too many rows, or more than the memory holds."""
        hidden = _HIDDEN[model.kind]
        table = hidden.table.format(model.name)
        rows = hidden.rows.format(model.name, self.run)
        try:
            self.connection.execute(f"CREATE TEMP TABLE {table} AS {rows} LIMIT {MOST_ROWS + 1:d}")
        except duckdb.OutOfMemoryException:
            return
        self.made.append(f"DROP TABLE temp.{table}")
        if self._rows(table) > MOST_ROWS:
            self.connection.execute(self.made.pop())
        elif hidden.macro:
            self.connection.execute(hidden.macro.format(model.name, table))
            self.made.append(hidden.removed.format(model.name))

    def _rows(self, table: str) -> int:
        ((count,),) = self.connection.execute(f"SELECT count(*) FROM temp.{table}").fetchall()  # noqa: S608 - names of ours
        return int(count)


@contextmanager
def models_of(
    connection: duckdb.DuckDBPyConnection, run: int, queries: Iterable[str]
) -> Iterator[Models]:
    """The models of a run for these queries; what only one of them reads is not kept."""
    found = Models(connection, run, _shared(queries))
    try:
        yield found
    finally:
        found.close()


@cache
def definitions() -> Mapping[str, Model]:
    """All views and macros of a store, by name."""
    files = [Path(__file__).with_name(name).read_text("utf-8") for name in SCHEMA_FILES]
    found = {each["name"]: each for text in files for each in _DEFINITION.finditer(text)}
    return {name: Model(name, _kind(each), _reads(each, found)) for name, each in found.items()}


def _kind(definition: re.Match[str]) -> str:
    if definition["kind"] == "VIEW":
        return "view" if "run" in _WORD.findall(definition["body"]) else "other"
    if definition["given"] != _OF_A_RUN:
        return "other"
    return "table" if definition["table"] else "value"


def _reads(definition: re.Match[str], known: Collection[str]) -> frozenset[str]:
    return _named(definition["body"], known) - {definition["name"]}


def _named(sql: str, known: Collection[str]) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(sql) if word in known)


def _shared(queries: Iterable[str]) -> frozenset[str]:
    """Views and macros that two or more of the queries, or of what these read, name."""
    known = definitions()
    readers: Counter[str] = Counter()
    waiting = [_named(sql, known) for sql in queries]
    seen: set[str] = set()
    while waiting:
        names = waiting.pop()
        readers.update(names)
        waiting.extend(known[name].reads for name in names - seen)
        seen |= names
    return frozenset(name for name, count in readers.items() if count > 1)
