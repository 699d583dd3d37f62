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
from perfolio.store.model_catalog import Model, mentioned, model_names, models, source_tables
from perfolio.store.run_lookup import chosen_run, run_numbers
from perfolio.store.run_tables import run_tables

_OF_ONE_RUN = frozenset({"value", "given"})


@contextmanager
def asked(connection: duckdb.DuckDBPyConnection, sql: str, slug: str | None) -> Iterator[None]:
    """Provide what `sql` reads. Raises QueryError, UsageError for an unknown run, duckdb.Error.

    Of a run that is named, all names stand for its rows, as they do for metrics. Else tables have
    the rows of all runs, as stored, and so have models.
    """
    if slug is not None:
        with run_tables(connection, chosen_run(connection, slug), [sql]) as tables:
            for name in sorted(mentioned(sql, {*source_tables(), *model_names()})):
                tables.provide_one(name)
            yield
        return
    with ExitStack() as held:
        for name in sorted(mentioned(sql, model_names())):
            _provide(connection, models()[name], held, is_called=bool(_called(name, sql)))
        yield


def _called(name: str, sql: str) -> re.Match[str] | None:
    return re.search(rf"\b{name}\s*\(", sql, re.IGNORECASE)


def _provide(
    connection: duckdb.DuckDBPyConnection, model: Model, held: ExitStack, *, is_called: bool
) -> None:
    if model.kind == "table":
        _collect(connection, model, held)
    elif _is_about_values(model):
        held.enter_context(run_tables(connection, 0)).provide_one(model.name)
    elif model.kind != "kept" and is_called:
        raise QueryError(
            f"{model.name} is about one run", hint="name the run with --run, as in the table run"
        )


def _is_about_values(model: Model) -> bool:
    """Whether it is a function that reads no table, nor do those that it calls."""
    if model.kind != "function" or model.reads & source_tables().keys():
        return False
    return all(_is_about_values(models()[name]) for name in model.reads)


def _collect(connection: duckdb.DuckDBPyConnection, model: Model, held: ExitStack) -> None:
    """The rows of all runs under the model's name."""
    place = f'temp."all of {model.name}"'
    for position, run in enumerate(run_numbers(connection)):
        with run_tables(connection, run) as tables:
            tables.provide_one(model.name)
            rows = f'SELECT {run:d} AS run, * FROM "{model.name}"'  # noqa: S608 - names of ours
            connection.execute(
                f"INSERT INTO {place} {rows}"
                if position
                else f"CREATE TEMP TABLE {place} AS {rows}"
            )
        if not position:
            held.callback(connection.execute, f"DROP TABLE {place}")
    if run_numbers(connection):
        connection.execute(f'CREATE TEMP VIEW "{model.name}" AS FROM {place}')
        held.callback(connection.execute, f'DROP VIEW temp."{model.name}"')
