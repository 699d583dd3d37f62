"""Stores made from a few lines of YAML, for the cases of metrics."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import yaml

import perfolio.readers.events
import perfolio.store
from perfolio.common.content_files import load_yaml
from perfolio.store.database import create_schema
from perfolio.store.derived_tables import derive
from perfolio.store.model_catalog import (
    find_reads,
    find_source_tables,
    list_kept_models,
    list_model_names,
    list_tables_of_runs,
    list_tables_of_source,
    load_models,
)
from tests.kit.shelf import Shelf, digest_of
from tests.metrics.case_rows import Case, base_of, case_rows
from tests.metrics.other_run import RUN, Column, columns, copy_of_runs
from tests.metrics.recorded import TOOL, is_recorded, recorded_tables

__all__ = [
    "MADE_BY",
    "RUN",
    "Case",
    "Wanted",
    "case_files",
    "input_of",
    "kept_read_by",
    "made",
    "run_at",
    "store_of",
    "store_of_all",
    "tool_of",
]

HERE = Path(__file__).parent
CASES = HERE / "cases"
RAW = list_tables_of_source()
"""Tables that a source fills; the others follow from them."""
_STORE = Path(perfolio.store.__path__[0])
_EVENTS = Path(perfolio.readers.events.__path__[0])
MADE_BY = [
    *(path for path in _STORE.rglob("*") if path.suffix in {".py", ".sql", ".csv"}),
    *(path for path in _EVENTS.rglob("*") if path.suffix in {".py", ".toml"}),
    *(HERE / name for name in ("case_rows.py", "other_run.py", "recorded.py", "support.py")),
]

Tables = dict[str, pa.Table]


@cache
def case_files() -> dict[str, list[Case]]:
    """The cases of each metric, by its name: a file has those of a group, or of a part of it."""
    return {
        f"{path.stem.partition('.')[0]}.{name}": cases
        for path in sorted(CASES.glob("*.yaml"))
        for name, cases in _yaml(path).items()
    }


def _yaml(path: Path) -> Any:
    text = path.read_text()
    return Shelf("yaml", yaml.__version__).kept(digest_of([text], []), lambda: load_yaml(text))


def input_of(case: Case) -> str:
    """What the store of `case` is made from: equal for equal stores."""
    given = {key: case[key] for key in sorted(case) if key not in {"about", "expect"}}
    return json.dumps([given, base_of(case)])


@contextmanager
def store_of(
    case: Case, queries: Sequence[str] | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory store with run 1 as `case` says, and a run 2 with other numbers beside it.

    Of `queries` see `Wanted`.
    """
    with store_of_all([Wanted(case, None if queries is None else tuple(queries))]) as connection:
        yield connection


def tool_of(case: Case) -> str:
    """The tool that recorded the run of a case."""
    return TOOL if is_recorded(case) else "made"


class Wanted(NamedTuple):
    """A case, and what will be read of its run."""

    case: Case
    queries: tuple[str, ...] | None = None
    """Only these read its run: of kept models it needs no more. None: all that a store has."""

    @property
    def kept(self) -> list[str] | None:
        """Kept models that the queries read."""
        return None if self.queries is None else sorted(kept_read_by(self.queries))


def run_at(position: int) -> int:
    """The run of the case at a position of those that share a store."""
    return RUN + 2 * position


@contextmanager
def store_of_all(wanted: Sequence[Wanted]) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory store with a run for each case (`run_at`), each with another beside it."""
    made_from = [json.dumps([input_of(each.case), each.kept]) for each in wanted]
    tables = _shelf().kept(digest_of(made_from, []), lambda: made(wanted))
    connection = _empty_store()
    connection.execute("SET threads = 1")  # as where a report is made, and other processes run
    connection.begin()
    try:
        for name, rows in tables.items():
            _insert(connection, name, rows)
        yield connection
    finally:
        connection.rollback()


@cache
def _shelf() -> Shelf:
    return Shelf("stores", digest_of([duckdb.__version__], MADE_BY))


@cache
def _empty_store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    return connection


@cache
def _columns(table: str) -> list[Column]:
    return columns(_empty_store(), table)


@cache
def _schema(table: str) -> pa.Schema:
    return _empty_store().sql(f"FROM {table} LIMIT 0").to_arrow_table().schema


def kept_read_by(queries: Sequence[str]) -> set[str]:
    """Kept models that queries read, themselves or by other models.

    What is kept has its rows already: what it was made from is made with it, if it was made at all.
    """
    known = list_model_names() | find_source_tables().keys()
    kept = {model.name for model in list_kept_models()}
    found: set[str] = set()
    waiting = [find_reads(sql, known) for sql in queries]
    while waiting:
        names = waiting.pop() - found
        found |= names
        waiting += [load_models()[name].reads for name in names & load_models().keys() - kept]
    return found & kept


def made(wanted: Sequence[Wanted]) -> Tables:
    """All rows of a store of cases, each table in an order that no query may rely on.

    The other runs are there before anything is derived: what mixes runs then shows, too.
    """
    connection = _empty_store()
    connection.begin()
    try:
        for table, rows in _given(wanted).items():
            _insert(connection, table, rows)
        _copy(connection, RAW)
        for position, each in enumerate(wanted):
            derive(connection, run_at(position), each.kept)
        _copy(connection, list_tables_of_runs()[len(RAW) :])
        read = {table: _read(connection, table) for table in _with_rows(connection, _filled())}
        return {table: rows for table, rows in read.items() if rows.num_rows}
    finally:
        connection.rollback()


def _given(wanted: Sequence[Wanted]) -> Tables:
    """What sources and witnesses give for cases, with the numbers of their runs."""
    found: dict[str, list[pa.Table]] = defaultdict(list)
    for position, each in enumerate(wanted):
        run = run_at(position)
        told = {
            table: _arrow(table, run, rows)
            for table, rows in each.case.get("witnesses", {}).items()
        }
        given = _run_tables(run, each.case) | _profile_tables(run, each.case) | told
        for table, rows in given.items():
            found[table].append(rows)
    return {
        table: pa.concat_tables(rows, promote_options="default") for table, rows in found.items()
    }


def _profile_tables(run: int, case: Case) -> Tables:
    if not is_recorded(case):
        return {table: _arrow(table, run, rows) for table, rows in case_rows(case).items()}
    settings = [[key, value] for key, value in case.get("settings", {}).items()]
    return {"setting": _arrow("setting", run, settings)} | {
        table: _as_stored(table, rows.append_column("run", pa.array([run] * rows.num_rows)))
        for table, rows in recorded_tables(case).items()
    }


def _run_tables(run: int, case: Case) -> Tables:
    device = case.get("hardware")
    found = {}
    if isinstance(device, dict):
        given = {"vendor": "NVIDIA", "verified": True} | device
        devices = [given | {"name": f"device {each}"} for each in (run, run + 1)]
        found["hardware"] = _as_stored("hardware", pa.Table.from_pylist(devices))
        device = f"device {run}"
    row: list[Any] = [f"run-{run}", "p", "q", "d", "c", [], tool_of(case), "4.0", "t", ""]
    row += [device, None, []]
    return {**found, "run": _arrow("run", run, [row])}


def _filled() -> tuple[str, ...]:
    return ("hardware", *list_tables_of_runs())


def _copy(connection: duckdb.DuckDBPyConnection, tables: tuple[str, ...]) -> None:
    for table in _with_rows(connection, tables):
        connection.execute(copy_of_runs(table, _columns(table)))


def _with_rows(connection: duckdb.DuckDBPyConnection, tables: tuple[str, ...]) -> list[str]:
    """Those that have a row: most have none, and one question is cheaper than one of each."""
    asked = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (FROM {table})" for table in tables)
    held = {name for (name,) in connection.execute(asked).fetchall()}
    return [table for table in tables if table in held]


def _read(connection: duckdb.DuckDBPyConnection, table: str) -> pa.Table:
    """Its rows; the format promises an order of trace points only."""
    order = "run DESC, rowid" if table == "trace" else "hash(CAST(row AS VARCHAR))"
    chosen = "name LIKE 'device %'" if table == "hardware" else "true"
    sql = f"SELECT * FROM {table} AS row WHERE {chosen} ORDER BY {order}"
    return connection.sql(sql).to_arrow_table()


def _arrow(table: str, run: int, rows: list[list[Any]]) -> pa.Table:
    schema = _schema(table)
    named = [dict(zip(schema.names, [run, *row], strict=True)) for row in rows]
    return pa.Table.from_pylist(named, schema)


def _as_stored(table: str, rows: pa.Table) -> pa.Table:
    """The same rows in the types of the store."""
    schema = _schema(table)
    return rows.cast(pa.schema([schema.field(name) for name in rows.schema.names]))


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    if rows.num_rows:
        connection.execute(f"INSERT INTO {table} BY NAME FROM rows")
