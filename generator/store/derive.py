"""What call frames are and traces say, computed once per run: `derive.sql`, and blame."""

from __future__ import annotations

from pathlib import Path

import duckdb

from generator.store.blame import insert_blame


def derive(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    """Fill the derived tables of `run`, within the caller's transaction.

    Resolves profiles of kind `unknown`. Raises duckdb.Error where a statement fails.

    With one thread: several insert rows in the order in which they happen to finish, and metrics
    add them in the order in which they are stored, so that last digits would differ each time.
    """
    connection.execute("SET threads = 1")
    script = Path(__file__).with_name("derive.sql").read_text("utf-8")
    for statement in connection.extract_statements(script):
        connection.execute(statement, {"run": run})
    insert_blame(connection, run)
    connection.execute("RESET threads")
