"""`perfolio query`: SQL on a store."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import click

from perfolio.cli.command_options import STORE, report_errors


@click.command()
@STORE
@click.argument("sql")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the rows.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="ROWS",
    help="Print at most so many rows.  [default: 1,000 of a table, else all]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=threading.TIMEOUT_MAX),
    metavar="SECONDS",
    help="Stop the query after this time.",
)
@click.option(
    "--run",
    metavar="NAME",
    help="Ask about this run alone, as metrics do: tables have its rows, and no column run.",
)
@report_errors
def query(
    *,
    store: Path,
    sql: str,
    form: Any,
    limit: int | None,
    timeout: float | None,
    run: str | None,
) -> None:
    """Run one SQL query on STORE, which is opened read-only and reaches no other file.

    STORE may be a folder of exported runs, too. Tables and models have the rows of all runs, with a
    column run, unless --run names one. CSV is safe to open in a spreadsheet: text that looks like a
    formula gets an apostrophe.

    \b
    Examples:
      perfolio query dlrm.duckdb "FROM total ORDER BY name"
      perfolio query dlrm.duckdb "SELECT name, value FROM cost WHERE scope = 'point'" --format csv
      perfolio query dlrm.duckdb --run dlrm "SELECT rank, device, operations FROM gpu_device"
      perfolio query dlrm.duckdb "SELECT column_name, comment FROM duckdb_columns()"
    """
    from perfolio.store.database import open_store
    from perfolio.store.user_query import run_query

    with open_store(store) as connection:
        pieces = run_query(connection, sql, form, limit=limit, timeout=timeout, run=run)
        for piece in pieces:
            click.echo(piece, nl=False)
