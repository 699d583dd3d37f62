"""Queries about one run of a store, as metrics ask them."""

from __future__ import annotations

from typing import Any

import duckdb

from generator.store.run_tables import run_tables


def rows_of(
    connection: duckdb.DuckDBPyConnection, sql: str, run: int = 1, **given: object
) -> list[tuple[Any, ...]]:
    """The rows of a query about a run."""
    with run_tables(connection, run) as tables:
        return tables.rows(sql, given)
