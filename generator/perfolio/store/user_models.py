"""Models in a query that anyone may ask: of one run, or of all runs with a column `run`.

In:  a connection to a store, the query, and the short name of a run, if one was given.
Out: names of models that the query can read, until the block ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import duckdb

from perfolio.common.errors import QueryError
from perfolio.store.model_catalog import (
    StoreModel,
    find_mentioned,
    find_source_tables,
    list_known_names,
    list_model_names,
    load_models,
)
from perfolio.store.run_lookup import find_run, list_run_numbers
from perfolio.store.run_tables import make_run_tables

_OF_ONE_RUN = frozenset({"value", "given"})


@contextmanager
def make_query_models(
    connection: duckdb.DuckDBPyConnection, sql: str, slug: str | None
) -> Iterator[None]:
    """Provide what `sql` reads. Raises QueryError, UsageError for an unknown run, duckdb.Error.

    Of a run that is named, all names stand for its rows, as they do for metrics. Else tables have
    the rows of all runs, as stored, and so have models.
    """
    if slug is not None:
        with make_run_tables(connection, find_run(connection, slug), [sql]) as tables:
            for name in sorted(find_mentioned(sql, list_known_names())):
                tables.provide_one(name)
            yield
        return
    with ExitStack() as held:
        for name in sorted(find_mentioned(sql, list_model_names())):
            _make_query_model(
                connection, load_models()[name], held, is_called=bool(_find_call(name, sql))
            )
        yield


def _find_call(name: str, sql: str) -> re.Match[str] | None:
    return re.search(rf"\b{name}\s*\(", sql, re.IGNORECASE)


def _make_query_model(
    connection: duckdb.DuckDBPyConnection, model: StoreModel, held: ExitStack, *, is_called: bool
) -> None:
    if model.kind == "table":
        _collect_runs(connection, model, held)
    elif _is_about_values(model):
        held.enter_context(make_run_tables(connection, 0)).provide_one(model.name)
    elif model.kind != "kept" and is_called:
        raise QueryError(
            f"{model.name} is about one run", hint="name the run with --run, as in the table run"
        )


def _is_about_values(model: StoreModel) -> bool:
    """Whether it is a function that reads no table, nor do those that it calls."""
    if model.kind != "function" or model.reads & find_source_tables().keys():
        return False
    return all(_is_about_values(load_models()[name]) for name in model.reads)


def _collect_runs(
    connection: duckdb.DuckDBPyConnection, model: StoreModel, held: ExitStack
) -> None:
    """The rows of all runs under the model's name."""
    place = f'temp."all of {model.name}"'
    for position, run in enumerate(list_run_numbers(connection)):
        with make_run_tables(connection, run) as tables:
            tables.provide_one(model.name)
            rows = f'SELECT {run:d} AS run, * FROM "{model.name}"'  # noqa: S608 - names of ours
            connection.execute(
                f"INSERT INTO {place} {rows}"
                if position
                else f"CREATE TEMP TABLE {place} AS {rows}"
            )
        if not position:
            held.callback(connection.execute, f"DROP TABLE {place}")
    if list_run_numbers(connection):
        connection.execute(f'CREATE TEMP VIEW "{model.name}" AS FROM {place}')
        held.callback(connection.execute, f'DROP VIEW temp."{model.name}"')
