"""Queries about one run of a store, as metrics ask them."""

from __future__ import annotations

import math
from typing import Any

import duckdb

from perfolio.store.run_tables import make_run_tables


def rows_of(
    connection: duckdb.DuckDBPyConnection, sql: str, run: int = 1, **given: object
) -> list[tuple[Any, ...]]:
    """The rows of a query about a run."""
    with make_run_tables(connection, run) as tables:
        return tables.rows(sql, given)


def alike(one: object, other: object) -> bool:
    """Whether values agree but for the last bits, which go by the order in which threads store."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other
