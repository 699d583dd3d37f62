"""`perfolio report`: runs to Markdown pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    SUBJECT,
    OutputPath,
    open_context,
    report_errors,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.pipeline.run_redaction import ShareRequest


@click.command()
@SUBJECT
@click.option(
    "--docs",
    type=OutputPath("tree"),
    default=Path("docs/reports"),
    show_default=True,
    help="Folder that the pages are written to.",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def report(*, subject: Path, docs: Path, config: Path | None, share: ShareRequest | None) -> None:
    """Write the pages of every run of SUBJECT as Markdown, with charts and JSON documents.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json, which holds all that its pages say and gives them again. Only what
    changed is written, and pages of runs that are gone are removed.

    \b
    Examples:
      perfolio report dlrm.duckdb --docs docs/reports
      perfolio report site/dlrm/findings.json --docs docs/reports
    """
    from perfolio.pipeline.inputs import read_documents
    from perfolio.pipeline.report_files import write_reports

    with open_context(config, lines=True, share=share) as context:
        documents = read_documents(subject, None, replace(context, draws_timeline=True))
        write_reports(documents, docs, context)
    for one in documents:
        click.echo(f"{docs / one.slug / 'index.md'}")
