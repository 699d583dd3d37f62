"""`perfolio metrics`: every metric of a run."""

from __future__ import annotations

import json
from pathlib import Path

import click

from perfolio.cli.command_options import (
    RUN_OPTION,
    STORE,
    get_terminal_width,
    open_context,
    report_errors,
)


@click.command()
@STORE
@RUN_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the whole metrics document.")
@report_errors
def metrics(*, store: Path, slug: str | None, as_json: bool) -> None:
    """List every metric of a run: name, value with its unit, title.

    STORE is what perfolio ingest made: its file, or its folder of exported runs. What is not
    measured follows, with the reason and how to collect it.

    \b
    Examples:
      perfolio metrics dlrm.duckdb
      perfolio metrics dlrm.duckdb --json | jq '.metrics[] | {name, value}'
    """
    from perfolio.metrics.document_format import shorten_document
    from perfolio.pipeline import run_documents
    from perfolio.pipeline.inspection import list_metrics

    with open_context() as context:
        one = run_documents.make_documents_of_run(store, slug, context)
    if as_json:
        click.echo(json.dumps(shorten_document(one.metrics), ensure_ascii=False, indent=1))
        return
    for line in list_metrics(one.metrics, width=get_terminal_width()):
        click.echo(line)
