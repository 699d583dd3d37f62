"""`perfolio report`: a store to Markdown pages."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands.common import STORE, reported, shown_context


@click.command()
@STORE
@click.option(
    "--docs",
    type=click.Path(path_type=Path),
    default=Path("docs/reports"),
    show_default=True,
    help="Folder that the pages are written to.",
)
@reported
def report(store: Path, docs: Path) -> None:
    """Write the pages of every run in STORE as Markdown, with charts and JSON documents.

    Only what changed is written, and pages of runs that are gone are removed.

    \b
    Example:
      perfolio report dlrm.duckdb --docs docs/reports
    """
    from generator import pipeline

    with shown_context() as context:
        documents = pipeline.write_reports(store, docs, context)
    for one in documents:
        click.echo(f"{docs / one.slug / 'index.md'}")
