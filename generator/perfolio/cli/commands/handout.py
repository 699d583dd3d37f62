"""`perfolio handout`: a report on four printed sides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    RUN_OPTION,
    SUBJECT,
    OutputPath,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.pipeline.run_redaction import ShareRequest


@click.command()
@SUBJECT
@RUN_OPTION
@click.option(
    "-o",
    "--output",
    type=OutputPath("file", dir_okay=False),
    default=Path("report.pdf"),
    show_default=True,
    metavar="FILE.pdf",
    help="Where to write it.",
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size."
)
@CONFIG_OPTION
@report_errors
@add_share_options
def handout(
    *,
    subject: Path,
    slug: str | None,
    output: Path,
    paper: str,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Print the report of one run on four sides: summary, findings, roadmap, conclusion.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json. PDF needs the extra `handouts`.

    \b
    Examples:
      perfolio handout trace.json.gz -o report.pdf
      perfolio handout runs.duckdb --run dlrm --paper letter
    """
    from perfolio.pages.pdf_printing import check_printable
    from perfolio.pipeline.inputs import choose_only_run, read_documents
    from perfolio.pipeline.printed_brief import write_brief

    check_printable()
    with open_context(config, lines=True, share=share) as context:
        one = choose_only_run(read_documents(subject, slug, context))
        write_brief(one, output, paper, context)
    say_written(output)
