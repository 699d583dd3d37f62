"""`perfolio metrics`: every metric of a run."""

from __future__ import annotations

import json
from pathlib import Path

import click

from generator.commands.common import RUN_OPTION, STORE, reported, shown_context


@click.command()
@STORE
@RUN_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the whole metrics document.")
@reported
def metrics(*, store: Path, slug: str | None, as_json: bool) -> None:
    """List every metric of a run: name, title, value with its unit, status, reason.

    \b
    Examples:
      perfolio metrics dlrm.duckdb
      perfolio metrics dlrm.duckdb --json | jq '.metrics[] | {name, value}'
    """
    from generator import pipeline
    from generator.units import quantity

    with shown_context() as context:
        one = pipeline.documents_of_run(store, slug, context)
    if as_json:
        click.echo(json.dumps(one.metrics, ensure_ascii=False, indent=1))
        return
    for metric in one.metrics["metrics"]:
        table = metric["shape"] == "table"
        rows = f"{len(metric['rows']):,} row{'' if len(metric['rows']) == 1 else 's'}"
        value = rows if table else quantity(metric["value"], metric["unit"])
        measured = metric["status"] == "measured"
        click.echo(
            f"{metric['name']:32} {value if measured else 'not measured':>16}  "
            f"{metric['title']}" + ("" if measured else f" ({metric['reason']})")
        )
