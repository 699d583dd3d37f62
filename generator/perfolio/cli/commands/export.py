"""`perfolio export`: a run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    RUN_OPTION,
    STORE,
    OutputPath,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.pipeline.run_redaction import ShareRequest


@click.command()
@STORE
@click.argument("place", metavar="FILE|FOLDER", type=OutputPath("folder"))
@RUN_OPTION
@click.option(
    "--to",
    "form",
    type=click.Choice(["hatchet", "speedscope", "perfetto", "parquet", "csv"]),
    required=True,
    help="The program, or the form, to write for.",
)
@report_errors
@add_share_options
def export(
    *, store: Path, place: Path, slug: str | None, form: str, share: ShareRequest | None
) -> None:
    """Write a run of STORE, or of a folder of exported runs, for another program.

    \b
    hatchet     JSON for GraphFrame.from_json of Hatchet: all calling contexts and their costs
    speedscope  JSON for speedscope: flame graphs of host and GPU
    perfetto    JSON for Perfetto and Chrome: what threads and GPUs did over time
    parquet     a folder: metrics, findings, and a file for each table of the report
    csv         the same as CSV, with units in columns.csv

    Tables of what was recorded, in place of results, are exported by perfolio ingest --export.

    \b
    Examples:
      perfolio export dlrm.duckdb dlrm.json --to perfetto
      perfolio export runs.duckdb dlrm --run dlrm --to parquet
    """
    from perfolio.exporters import export_files

    with open_context(share=share) as context:
        say_written(export_files.export(store, slug, form, place, context))
