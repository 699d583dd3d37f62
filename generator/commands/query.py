"""`perfolio query`: SQL on a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.commands.common import STORE, reported


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
@reported
def query(store: Path, sql: str, form: Any) -> None:
    """Run one SQL query on STORE, which is opened read-only.

    \b
    Examples:
      perfolio query dlrm.duckdb "FROM total ORDER BY name"
      perfolio query dlrm.duckdb "SELECT name, value FROM cost WHERE scope = 'point'" --format csv
      perfolio query dlrm.duckdb "SELECT column_name, comment FROM duckdb_columns()"
    """
    from generator.store.connect import open_store
    from generator.store.query import run_query

    with open_store(store) as connection:
        for piece in run_query(connection, sql, form):
            click.echo(piece, nl=False)
