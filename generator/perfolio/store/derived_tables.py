"""What follows from a run's tables, computed once when it is stored: the models that are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import duckdb

from perfolio.store.idle_blame import insert_blame
from perfolio.store.model_catalog import StoreModel, list_kept_models
from perfolio.store.punctual_distances import insert_distances
from perfolio.store.run_tables import RunTables, make_run_tables
from perfolio.store.step_parts import insert_step_parts
from perfolio.store.trace_bins import insert_bins

_MADE_BY: Mapping[str, Callable[[RunTables], None]] = {
    "insert_bins": insert_bins,
    "insert_blame": insert_blame,
    "insert_distances": insert_distances,
    "insert_step_parts": insert_step_parts,
}


def derive(
    connection: duckdb.DuckDBPyConnection, run: int, only: Collection[str] | None = None
) -> Mapping[str, float]:
    """Fill the kept models of `run`, within the caller's transaction: processor time of each.

    `only`: names of those that will be read; what they read is filled, too.

    Resolves profiles of kind `unknown`. Raises duckdb.Error where a statement fails.

    The statements run with one thread: several insert rows in the order in which they happen to
    finish, and metrics add them as they are stored, so that last digits would differ each time.
    """
    connection.execute("SET threads = 1")
    with make_run_tables(connection, run) as tables:
        if _has_unknown_kinds(tables):
            tables.provide_one("line_kind")
            stored = tables.stored("profile")
            connection.execute(
                f"UPDATE {stored} AS stored SET kind = line_kind.kind FROM line_kind"  # noqa: S608 - a name of ours
                ' WHERE stored.run = $run AND stored."index" = line_kind.profile',
                {"run": run},
            )
    wanted = [model for model in list_kept_models() if only is None or model.name in only]
    with make_run_tables(connection, run, [model.sql for model in wanted], fill) as tables:
        for model in wanted:
            tables.provide_one(model.name)
    connection.execute("RESET threads")
    return tables.seconds


def _has_unknown_kinds(tables: RunTables) -> bool:
    return bool(tables.rows("SELECT 1 FROM profile WHERE kind = 'unknown' LIMIT 1"))


def fill(tables: RunTables, model: StoreModel) -> None:
    """Insert the rows of a kept model."""
    if model.made_by:
        _MADE_BY[model.made_by](tables)
        return
    pieces: list[dict[str, object]] = [{}]
    if model.pieces:
        found = tables.execute(f'FROM "{model.pieces}"')
        names = [column[0] for column in found.description or ()]
        pieces = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    insert = f"INSERT INTO {tables.stored(model.name)} SELECT $run, * FROM ({model.sql})"  # noqa: S608 - a model
    for piece in pieces:
        tables.execute(insert, piece | {"run": tables.run})
