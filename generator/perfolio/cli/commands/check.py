"""`perfolio check`: findings for CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    OUTPUT_OPTION,
    RUN_OPTION,
    SUBJECT,
    format_option,
    open_context,
    print_or_write,
    report_errors,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.pipeline.run_redaction import ShareRequest

LEVELS = ("critical", "high", "medium", "low", "info", "never")
FORMATS = ("github", "json", "junit", "markdown", "sarif", "text")


@click.command()
@SUBJECT
@RUN_OPTION
@click.option(
    "--fail-on",
    "level",
    type=click.Choice(LEVELS),
    default="high",
    show_default=True,
    help="Fail where a finding is as severe as this, or more.",
)
@format_option(FORMATS)
@OUTPUT_OPTION
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="Folder of the sources: files in it are named relative to it. [default: here]",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def check(  # noqa: PLR0913 - one per option
    *,
    subject: Path,
    slug: str | None,
    level: str,
    form: str,
    output: Path | None,
    root: Path,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Fail where a run has severe findings, and say so in a form that CI understands.

    SUBJECT is a profile, file or folder; a scenario; a store, or a folder of exported runs; or a
    report's findings.json. Exits with 11 where a finding is as severe as --fail-on says. Without
    --run, all runs are checked.

    \b
    Examples:
      perfolio check trace.json.gz
      perfolio check dlrm.duckdb
      perfolio check site/dlrm/findings.json --fail-on medium --format sarif -o dlrm.sarif
      perfolio check runs/dlrm.d --format markdown >> "$GITHUB_STEP_SUMMARY"
    """
    from perfolio.common.errors import CheckFailedError
    from perfolio.exporters.ci_checks.formats import load_renderer
    from perfolio.exporters.ci_checks.level_check import check_findings as checked
    from perfolio.exporters.ci_checks.source_places import make_locator, make_relative
    from perfolio.pipeline.inputs import read_documents

    with open_context(config, share=share) as context:
        documents = read_documents(subject, slug, context)
    locate, where = make_locator(root), make_relative(subject, root)
    checks = [checked(one.findings, level, locate, where) for one in documents]
    text = load_renderer(form)(checks)
    context.prove([(output.name if output else "standard output", text)])
    print_or_write(text, output)
    failing = [one for one in checks if one.failing]
    if failing:
        outcomes = "; ".join(f"{one.slug}: {one.outcome}" for one in failing)
        raise CheckFailedError(outcomes, hint="--fail-on sets the severity that fails")
