"""`perfolio ingest`: profiles to a store."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands.common import PATHS, print_timings, reported, shown_context


@click.command()
@PATHS
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.duckdb",
    help="Store to add the profiles to; created if missing.",
)
@click.option("--timings", is_flag=True, help="Print how long each stage took.")
@reported
def ingest(*, paths: tuple[Path, ...], store: Path, timings: bool) -> None:
    """Read the profiles at PATHS into a DuckDB file that SQL can query.

    What is there already is left alone; a changed profile replaces its former run.

    \b
    Example:
      perfolio ingest hpctoolkit-dlrm-database --store dlrm.duckdb
    """
    from generator import pipeline

    with shown_context(lines=True) as context:
        runs = pipeline.ingest_paths(paths, store, context)
    for one in runs:
        what = f"{one.rows:,} values and trace points" if one.changed else "unchanged"
        click.echo(f"run {one.run} {one.slug}: {what}")
    if timings:
        print_timings(context.timings.seconds)
