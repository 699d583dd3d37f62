"""What call frames are and traces say, computed once per run: `derive.sql`, and blame."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from generator.store.blame import insert_blame

_ONLY_WHERE = re.compile(r" -- only where: (\w+)$", re.MULTILINE)
"""The table without whose rows a statement adds none: planning it would take most of its time."""


def derive(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    """Fill the derived tables of `run`, within the caller's transaction.

    Resolves profiles of kind `unknown`. Raises duckdb.Error where a statement fails.

    The statements run with one thread: several insert rows in the order in which they happen to
    finish, and metrics add them as they are stored, so that last digits would differ each time.
    """
    connection.execute("SET threads = 1")
    script = Path(__file__).with_name("derive.sql").read_text("utf-8")
    for statement in connection.extract_statements(script):
        needed = _ONLY_WHERE.search(statement.query)
        if needed is None or _holds(connection, needed[1], run):
            connection.execute(statement, {"run": run})
    connection.execute("RESET threads")
    if _holds(connection, "gpu_operation", run):
        insert_blame(connection, run)


def _holds(connection: duckdb.DuckDBPyConnection, table: str, run: int) -> bool:
    sql = f"SELECT 1 FROM {table} WHERE run = $run LIMIT 1"  # noqa: S608 - tables of derive.sql
    return connection.execute(sql, {"run": run}).fetchone() is not None
