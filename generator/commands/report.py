"""`perfolio report`: a store, or a findings.json, to Markdown pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.commands.common import (
    CONFIG_OPTION,
    OutputPath,
    reported,
    shown_context,
)
from generator.commands.sharing import share_options
from generator.errors import UsageError

if TYPE_CHECKING:
    from generator.sharing import Share


@click.command()
@click.argument("source", metavar="STORE|FINDINGS.json", type=click.Path(path_type=Path))
@click.option(
    "--docs",
    type=OutputPath("tree"),
    default=Path("docs/reports"),
    show_default=True,
    help="Folder that the pages are written to.",
)
@CONFIG_OPTION
@reported
@share_options
def report(*, source: Path, docs: Path, config: Path | None, share: Share | None) -> None:
    """Write the pages of every run in a store as Markdown, with charts and JSON documents.

    A report's findings.json holds all that its pages say: it alone gives them again.
    Only what changed is written, and pages of runs that are gone are removed.

    \b
    Examples:
      perfolio report dlrm.duckdb --docs docs/reports
      perfolio report site/dlrm/findings.json --docs docs/reports
    """
    from generator import reports

    if config and source.suffix == ".json":
        raise UsageError(f"{source} was judged already", hint="--config goes with a store")

    with shown_context(config, lines=True, share=share) as context:
        documents = reports.write_reports(source, docs, context)
    for one in documents:
        click.echo(f"{docs / one.slug / 'index.md'}")
