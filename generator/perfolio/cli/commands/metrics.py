"""`perfolio metrics`: every metric of a run."""

from __future__ import annotations

import json
from pathlib import Path

import click

from perfolio.cli.command_options import RUN_OPTION, STORE, reported, shown_context, terminal_width


@click.command()
@STORE
@RUN_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the whole metrics document.")
@reported
def metrics(*, store: Path, slug: str | None, as_json: bool) -> None:
    """List every metric of a run: name, value with its unit, title.

    STORE is what perfolio ingest made: its file, or its folder of exported runs. What is not
    measured follows, with the reason and how to collect it.

    \b
    Examples:
      perfolio metrics dlrm.duckdb
      perfolio metrics dlrm.duckdb --json | jq '.metrics[] | {name, value}'
    """
    from perfolio.metrics.document_format import written
    from perfolio.pipeline import run_documents
    from perfolio.pipeline.inspection import listing

    with shown_context() as context:
        one = run_documents.documents_of_run(store, slug, context)
    if as_json:
        click.echo(json.dumps(written(one.metrics), ensure_ascii=False, indent=1))
        return
    for line in listing(one.metrics, width=terminal_width()):
        click.echo(line)
