"""Texts that a store keeps for a run as they were."""

from __future__ import annotations

import duckdb

_CONTENT = "SELECT content FROM attachment WHERE run = $run AND name = $name"


def read_attachment(connection: duckdb.DuckDBPyConnection, run: int, name: str) -> str:
    """The content of the file of this name that lay beside the run's profile, empty without one."""
    row = connection.execute(_CONTENT, {"run": run, "name": name}).fetchone()
    return str(row[0]) if row else ""
