"""`perfolio ingest`: profiles to a store."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import (
    NAME_OPTION,
    PATHS,
    TIMINGS_OPTION,
    OutputPath,
    open_context,
    print_timings,
    report_errors,
)


@click.command()
@PATHS
@click.option(
    "--store",
    type=OutputPath("store"),
    required=True,
    metavar="FILE.duckdb",
    help="Store to add the profiles to; created if missing.",
)
@click.option(
    "--export",
    type=OutputPath("parts"),
    metavar="DIR",
    help="Write each of these runs to DIR/run=NAME, too: a Parquet file for each table.",
)
@NAME_OPTION
@TIMINGS_OPTION
@report_errors
def ingest(
    *, paths: tuple[Path, ...], store: Path, export: Path | None, name: str | None, timings: bool
) -> None:
    """Read the profiles at PATHS into a DuckDB file that SQL can query.

    A PATH is a PyTorch trace, an Nsight Systems report, a ROCm recording, an HPCToolkit database, a
    call tree that Hatchet reads, counters and logs alone, or a folder with the files of one run, or
    of several. What is there already is left alone; a changed profile replaces its former run. A
    folder of exported runs takes the place of a store in every command that reads one. Stores and
    exported runs tell all that was recorded, paths and names.

    \b
    Examples:
      perfolio ingest trace.json.gz --store run.duckdb             # PyTorch
      perfolio ingest report.sqlite --store run.duckdb             # Nsight Systems
      perfolio ingest run/ --store run.duckdb                      # rocprofv3
      perfolio ingest hpctoolkit-dlrm-database --store run.duckdb  # HPCToolkit
      perfolio ingest trace.json.gz --store run.duckdb --export runs
      perfolio metrics runs
    """
    from perfolio.pipeline import run_documents

    with open_context(lines=True, name=name or "") as context:
        runs = run_documents.ingest_paths(paths, store, context)
        folders = run_documents.export_ingested(store, runs, export, context) if export else []
    for one in runs:
        what = f"{one.rows:,} rows" if one.changed else "unchanged"
        click.echo(f"run {one.run} {one.slug}: {what}")
    for folder in folders:
        click.echo(f"exported to {folder}")
    if timings:
        print_timings(context.timings)
