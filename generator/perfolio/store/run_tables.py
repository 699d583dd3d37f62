"""The tables of one run, under their names, with what follows from them: for queries about a run.

In:  a connection to a store, a run, and the queries that are about to run.
Out: names that stand for the rows of this run alone, until the block ends.

A query of a metric or model says `FROM gpu_operation`: a temporary view of that name shows the
rows of the run, without their column `run`, and hides the table of all runs. So no query can mix
runs, and the same queries work on whatever holds the tables of one run.

A model is made when a query asks for it, and first what it reads: as a temporary table where more
than one query or model reads it, else as a view. Large results are left to be computed where they
are used, where columns that nobody asks for cost nothing; but while a run is stored, those that are
`held` are worth their memory, and are tables also where only one names them, maybe several times.

Of a small store all this may stay for the next block, and for other connections of this process
(`hold_run_tables`): then it is in a database of its own in memory, which they look into first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock
from time import process_time
from typing import Any

import duckdb

from perfolio.store.model_catalog import (
    StoreModel,
    find_reads,
    find_source_tables,
    list_known_names,
    load_models,
)

MOST_ROWS = 1_000_000
MOST_PARSED = 4_096
_PARSED: dict[str, duckdb.Statement] = {}
_SPENT: ContextVar[dict[str, float]] = ContextVar("seconds of models")


@dataclass(frozen=True)
class HeldTables:
    """What was made of a run, for all blocks and connections until it is no longer held."""

    run: int
    catalog: str
    """The store, among what a connection has open."""
    place: str
    """The database in memory that holds them."""
    asked: dict[str, Event] = field(default_factory=dict)
    """Names that somebody makes or has made: set once they are there, or could not be made."""
    told: dict[str, bool] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def serves(self, catalog: str, run: int) -> bool:
        """Whether it is of this run of what a connection looks into."""
        return self.run == run and catalog in (self.catalog, self.place)

    def provide_one(self, name: str, make: Callable[[str], None]) -> None:
        """Make a name, unless it is there, or wait for who makes it. Raises what `make` raises."""
        while True:
            with self.lock:
                others = self.asked.get(name)
                own = self.asked.setdefault(name, Event())
            if others is None:
                break
            others.wait()
            if self.asked.get(name) is others:
                return
        done = False
        try:
            make(name)
            done = True
        finally:
            if not done:
                del self.asked[name]  # who reads it next is told the same, and not that it is gone
            own.set()


_TABLES_HELD: ContextVar[HeldTables | None] = ContextVar("tables held", default=None)


@dataclass
class RunTables:
    """Names that queries about one run asked for so far."""

    connection: duckdb.DuckDBPyConnection
    run: int
    shared: frozenset[str]
    """Models that are worth keeping for as long as the block lasts."""
    catalog: str
    """The store, among what the connection has open."""
    fill: Callable[[RunTables, StoreModel], None] | None = None
    """Fills a model that the store keeps, while the run is stored."""
    asked: set[str] = field(default_factory=set)
    made: list[str] = field(default_factory=list)
    """Statements that remove what was made."""
    told: dict[str, bool] = field(default_factory=dict)
    """Whether the run has what models are made from, by their `when`."""
    clock: Callable[[], float] = process_time
    """Processor time: of this thread alone, where others work on other tables."""
    held: HeldTables | None = None
    """Where what is made stays; else it goes with the block."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Processor time of each model that was made."""

    def provide(self, sql: str) -> None:
        """Make what a query reads, and first what that reads. Raises duckdb.Error."""
        for name in sorted(find_reads(sql, list_known_names())):
            self.provide_one(name)

    def provide_one(self, name: str) -> None:
        """Make one name, and first what it reads."""
        if name in self.asked:
            return
        self.asked.add(name)
        try:
            if self.held is None:
                self._provide(name)
            else:
                self.held.provide_one(name, self._provide)
        except duckdb.Error:
            self.asked.discard(name)  # who reads it next is told the same, and not that it is gone
            raise

    def _provide(self, name: str) -> None:
        if name in find_source_tables():
            self._show(name)
            return
        model = load_models()[name]
        if model.kind == "kept":
            self._keep(model)
            return
        self._provide_reads(model)
        start = self.clock()
        {"table": self._table, "value": self._value}.get(model.kind, self._function)(model)
        self.seconds[name] = self.clock() - start

    def rows(self, sql: str, given: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query about the run. Raises duckdb.Error."""
        self.provide(sql)
        return self.execute(sql, given).fetchall()

    def execute(
        self, sql: str, given: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        """Run one statement; what it reads is there. Raises duckdb.Error."""
        return self.connection.execute(self._parsed(sql), given or {})

    def _parsed(self, sql: str) -> duckdb.Statement:
        """A statement, parsed once: it is run for each run, and to parse it takes a while."""
        if (found := _PARSED.get(sql)) is None:
            if len(_PARSED) >= MOST_PARSED:
                _PARSED.clear()
            (found,) = self.connection.extract_statements(sql)
            _PARSED[sql] = found
        return found

    def applies(self, model: StoreModel) -> bool:
        """Whether the run has what a model is made from."""
        if not model.when:
            return True
        told = self.told if self.held is None else self.held.told
        if model.when not in told:
            told[model.when] = bool(self.rows(f"SELECT 1 {model.condition}"))
        return told[model.when]

    @property
    def place(self) -> str:
        """The database in which names are made."""
        return "temp" if self.held is None else self.held.place

    def stored(self, name: str) -> str:
        """A table of the store, of all runs: its name alone stands for rows of this run."""
        return f'{self.catalog}.main."{name}"'

    def close(self) -> None:
        """Let all names stand for the store's own again."""
        for statement in reversed(self.made):
            self.execute(statement)

    def _make(self, kind: str, name: str, is_: str, given: str = "") -> list[tuple[Any, ...]]:
        """Make a table, a view or a macro: of a table, how many rows it has."""
        made, target = kind.removesuffix(" TABLE"), f"{self.place}.{name}"
        if self.held is not None:
            return self.execute(f"CREATE {made} {target}{given} AS {is_}").fetchall()
        found = self.execute(f"CREATE TEMP {made} {name}{given} AS {is_}").fetchall()
        self.made.append(f"DROP {kind} {target}")
        return found

    def _show(self, name: str) -> None:
        if find_source_tables().get(name, True):
            rows = f"SELECT * EXCLUDE (run) FROM {self.stored(name)} WHERE run = {self.run:d}"  # noqa: S608 - names of ours
            self._make("VIEW", f'"{name}"', rows)

    def _provide_reads(self, model: StoreModel) -> None:
        for read in sorted(model.reads):
            self.provide_one(read)

    def _keep(self, model: StoreModel) -> None:
        """Fill it, unless the source gave its rows, or the run has nothing to fill it from."""
        if self.fill is not None and self.applies(model) and not self._is_given(model):
            self._provide_reads(model)
            start = self.clock()
            self.fill(self, model)
            self.seconds[model.name] = self.clock() - start
        self._show(model.name)

    def _is_given(self, model: StoreModel) -> bool:
        sql = f"SELECT 1 FROM {self.stored(model.name)} WHERE run = $run LIMIT 1"  # noqa: S608 - names of ours
        return self.execute(sql, {"run": self.run}).fetchone() is not None

    def _table(self, model: StoreModel) -> None:
        """A table, unless it has too many rows, or more than the memory holds: then a view."""
        if not (model.name in self.shared and self._small(model)):
            self._make("VIEW", f'"{model.name}"', model.sql)

    def _small(self, model: StoreModel) -> bool:
        """Make it; whether it is small enough to stay.

        Without LIMIT: under one, DuckDB 2.0 streams what is read twice, and may wait for ever.
        """
        filled = model.held and self.fill is not None
        try:
            ((count,),) = self._make("TABLE", f'"{model.name}"', model.sql)
        except duckdb.OutOfMemoryException:
            return False
        if not filled and int(count) > MOST_ROWS:
            self._remove_table(model.name)
            return False
        return True

    def _remove_table(self, name: str) -> None:
        if self.held is None:
            self.execute(self.made.pop())
        else:
            self.execute(f'DROP TABLE {self.place}."{name}"')

    def _value(self, model: StoreModel) -> None:
        value = f"({model.sql})"
        if model.name in self.shared:
            name = f'"value of {model.name}"'
            self._make("TABLE", name, f"SELECT {value} AS value")
            value = f"(SELECT value FROM {self.place}.{name})"  # noqa: S608 - names of ours
        self._make("MACRO", model.name, value, "()")

    def _function(self, model: StoreModel) -> None:
        given = f"({', '.join(model.given)})"
        if model.kind == "given":
            self._make("MACRO TABLE", model.name, f"TABLE {model.sql}", given)
        else:
            self._make("MACRO", model.name, model.sql, given)


@contextmanager
def make_run_tables(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    queries: Iterable[str] = (),
    fill: Callable[[RunTables, StoreModel], None] | None = None,
    clock: Callable[[], float] = process_time,
) -> Iterator[RunTables]:
    """The tables of a run for these queries; what only one of them reads is not held."""
    shared = _find_shared_models(queries, filled=fill is not None)
    held = _TABLES_HELD.get()
    catalog = _name_catalog(connection)
    if held is not None and held.serves(catalog, run) and fill is None:
        found = RunTables(connection, run, shared, held.catalog, clock=clock, held=held)
        try:
            with _look_into_held(connection, held):
                yield found
        finally:
            _add_seconds(found.seconds)
        return
    found = RunTables(connection, run, shared, catalog, fill, clock=clock)
    try:
        # What an aborted transaction made goes with it.
        with _undo_after(found.close):
            yield found
    finally:
        _add_seconds(found.seconds)


@contextmanager
def hold_run_tables(connection: duckdb.DuckDBPyConnection, run: int) -> Iterator[None]:
    """Let what is made of a run stay until the block ends, for all connections to its store.

    Nothing of the run may be written meanwhile, and what was written before must be committed.
    """
    catalog = _name_catalog(connection)
    held = HeldTables(run, catalog, f'{catalog[:-1]}: tables of a run"')
    connection.execute(f"ATTACH ':memory:' AS {held.place} (READ_WRITE)")
    token = _TABLES_HELD.set(held)
    try:
        with _undo_after(partial(connection.execute, f"DETACH {held.place}")):
            yield
    finally:
        _TABLES_HELD.reset(token)


@contextmanager
def _look_into_held(connection: duckdb.DuckDBPyConnection, held: HeldTables) -> Iterator[None]:
    """Let names stand for what is held, else for the store's own."""
    if _name_catalog(connection) == held.place:  # it does so already
        yield
        return
    path = f"{held.place},{held.catalog}".replace("'", "''")
    connection.execute(f"SET search_path = '{path}'")
    with _undo_after(partial(connection.execute, "RESET search_path")):
        yield


@contextmanager
def _undo_after(undo: Callable[[], object]) -> Iterator[None]:
    """Undo something after the block; where that failed, its error is the one to be told."""
    done = False
    try:
        yield
        done = True
    finally:
        with nullcontext() if done else suppress(duckdb.Error):
            undo()


def _name_catalog(connection: duckdb.DuckDBPyConnection) -> str:
    ((name,),) = connection.execute("SELECT current_database()").fetchall()
    return '"' + str(name).replace('"', '""') + '"'


def _add_seconds(seconds: Mapping[str, float]) -> None:
    spent = _SPENT.get({})
    for model, taken in seconds.items():
        spent[model] = spent.get(model, 0.0) + taken


@contextmanager
def measure_models(seconds: dict[str, float]) -> Iterator[None]:
    """Add to `seconds` what each model takes that is made meanwhile."""
    token = _SPENT.set(seconds)
    try:
        yield
    finally:
        _SPENT.reset(token)


def _find_shared_models(queries: Iterable[str], *, filled: bool) -> frozenset[str]:
    """Models that several of the queries name, or of what these read; and what is `held`.

    What a store holds reads nothing, unless it is to be filled.
    """
    known = {name: each for name, each in load_models().items() if filled or each.kind != "kept"}
    readers: Counter[str] = Counter()
    waiting = [find_reads(sql, known) for sql in queries]
    seen: set[str] = set()
    while waiting:
        names = waiting.pop()
        readers.update(names)
        waiting.extend(known[name].reads & known.keys() for name in names - seen)
        seen |= names
    return frozenset(
        name
        for name, count in readers.items()
        if known[name].held is not False and (count > 1 or (filled and known[name].held))
    )
