"""`perfolio brief`: a report in few words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    OUTPUT_OPTION,
    RUN_OPTION,
    SUBJECT,
    open_context,
    print_or_write,
    report_errors,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.pipeline.run_redaction import ShareRequest


@click.command()
@SUBJECT
@RUN_OPTION
@OUTPUT_OPTION
@CONFIG_OPTION
@report_errors
@add_share_options
def brief(
    *,
    subject: Path,
    slug: str | None,
    output: Path | None,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Print the report of one run in at most 16,000 characters, some 4,000 tokens, of Markdown.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json. It has the verdict, key figures, steps and findings by the names of
    metrics and checks, and what was not measured: for an assistant, a chat or a mail. A site has it
    as report.md of each report.

    \b
    Examples:
      perfolio brief trace.json.gz
      perfolio brief site/dlrm/findings.json -o report.md
      perfolio brief runs.duckdb --run dlrm --share
    """
    from perfolio.pages.report_rendering import render_short_report
    from perfolio.pages.report_view import Report
    from perfolio.pipeline.inputs import choose_only_run, read_documents

    with open_context(config, share=share) as context:
        one = choose_only_run(read_documents(subject, slug, context))
        text = render_short_report(Report(one.metrics, one.findings, charts={}))
        context.prove([(output.name if output else "standard output", text)])
    print_or_write(text, output)
