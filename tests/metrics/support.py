"""Stores made from a few lines of YAML, for the cases of metrics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

import generator.store
from generator.content import load_yaml
from generator.store.connect import create_schema
from generator.store.derive import derive
from generator.store.models import tables_of_runs, tables_of_source
from tests.metrics.case_rows import Case, base_of, case_rows
from tests.metrics.other_run import OTHER, RUN, Column, columns, copy_of_run
from tests.metrics.recorded import TOOL, is_recorded, recorded_tables
from tests.shelf import Shelf, digest_of

__all__ = ["RUN", "Case", "case_files", "input_of", "made", "store_of"]

HERE = Path(__file__).parent
CASES = HERE / "cases"
RAW = tables_of_source()
"""Tables that a source fills; the others follow from them."""
_STORE = Path(generator.store.__path__[0])
_MADE_BY = [
    *(path for path in _STORE.rglob("*") if path.suffix in {".py", ".sql", ".csv"}),
    *(HERE / name for name in ("case_rows.py", "other_run.py", "recorded.py", "support.py")),
]

Tables = dict[str, pa.Table]


@cache
def case_files() -> dict[str, list[Case]]:
    """The cases of each metric that has a file, by the metric's name."""
    return {path.stem: _yaml(path) for path in sorted(CASES.glob("*.yaml"))}


def _yaml(path: Path) -> Any:
    return load_yaml(path.read_text())


def input_of(case: Case) -> str:
    """What the store of `case` is made from: equal for equal stores."""
    given = {key: case[key] for key in sorted(case) if key not in {"about", "expect"}}
    return json.dumps([given, base_of(case)])


@contextmanager
def store_of(case: Case) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory store with run 1 as `case` says, and a run 2 with other numbers beside it."""
    tables = _shelf().kept(digest_of([input_of(case)], []), lambda: made(case))
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
    return Shelf("stores", digest_of([duckdb.__version__], _MADE_BY))


@cache
def _empty_store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    return connection


@cache
def _columns(table: str) -> list[Column]:
    return columns(_empty_store(), table)


def made(case: Case) -> Tables:
    """All rows of a case's store, each table in an order that no query may rely on.

    The other run is there before anything is derived: what mixes runs then shows, too.
    """
    connection = _empty_store()
    connection.begin()
    try:
        _insert_run(connection, case)
        for table, rows in _tables(case).items():
            _insert(connection, table, rows)
        _copy(connection, RAW)
        derive(connection, RUN)
        _copy(connection, tables_of_runs()[len(RAW) :])
        read = {table: _read(connection, table) for table in _with_rows(connection, _filled())}
        return {table: rows for table, rows in read.items() if rows.num_rows}
    finally:
        connection.rollback()


def _tables(case: Case) -> Tables:
    """What a source and its witnesses give for a case, with the number of its run."""
    told = {table: _arrow(table, rows) for table, rows in case.get("witnesses", {}).items()}
    return {**_profile_tables(case), **told}


def _profile_tables(case: Case) -> Tables:
    if not is_recorded(case):
        return {table: _arrow(table, rows) for table, rows in case_rows(case).items()}
    found = recorded_tables(case)
    settings = [[key, value] for key, value in case.get("settings", {}).items()]
    return {"setting": _arrow("setting", settings)} | {
        table: rows.append_column("run", pa.array([RUN] * rows.num_rows, pa.int32()))
        for table, rows in found.items()
    }


def _filled() -> tuple[str, ...]:
    return ("hardware", *tables_of_runs())


def _copy(connection: duckdb.DuckDBPyConnection, tables: tuple[str, ...]) -> None:
    for table in _with_rows(connection, tables):
        connection.execute(copy_of_run(table, _columns(table)))


def _with_rows(connection: duckdb.DuckDBPyConnection, tables: tuple[str, ...]) -> list[str]:
    """Those that have a row: most have none, and one question is cheaper than one of each."""
    asked = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (FROM {table})" for table in tables)
    held = {name for (name,) in connection.execute(asked).fetchall()}
    return [table for table in tables if table in held]


def _read(connection: duckdb.DuckDBPyConnection, table: str) -> pa.Table:
    """Its rows; the format promises an order of trace points only."""
    order = "run DESC, rowid" if table == "trace" else "hash(CAST(row AS VARCHAR))"
    chosen = "name LIKE 'device %'" if table == "hardware" else f"run IN ({RUN}, {OTHER})"
    sql = f"SELECT * FROM {table} AS row WHERE {chosen} ORDER BY {order}"
    return connection.sql(sql).to_arrow_table()


def _arrow(table: str, rows: list[list[Any]]) -> pa.Table:
    named = [column.name for column in _columns(table)]
    return pa.Table.from_pylist([dict(zip(named, [RUN, *row], strict=True)) for row in rows])


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    if rows.num_rows:
        connection.execute(f"INSERT INTO {table} BY NAME FROM rows")


def _insert_run(connection: duckdb.DuckDBPyConnection, case: Case) -> None:
    device = case.get("hardware")
    if isinstance(device, dict):
        for run in (RUN, OTHER):
            row = {"name": f"device {run}", "vendor": "NVIDIA", "verified": True} | device
            _insert(connection, "hardware", pa.Table.from_pylist([row]))
        device = f"device {RUN}"
    connection.execute(
        "INSERT INTO run VALUES"
        " (?, 'run-1', 'p', 'q', 'd', 'c', [], ?, '4.0', 't', '', ?, NULL, [])",
        [RUN, TOOL if is_recorded(case) else "made", device],
    )
