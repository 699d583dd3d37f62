"""`perfolio verify`: a site against its inputs."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import PROJECT_OPTION, open_context, report_errors

_MOST = 40
"""Differences that are printed; one changed rule shows in many files."""


@click.command()
@click.argument("site", type=click.Path(path_type=Path))
@click.option(
    "--profiles",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PATH",
    help="A profile, or a folder that holds some, where they lie elsewhere now.",
)
@PROJECT_OPTION
@report_errors
def verify(site: Path, profiles: tuple[Path, ...], project: Path | None) -> None:
    """Make SITE again from its profiles and fail where anything differs.

    The inputs are those that its findings.json names; their SHA-256 must match. Every value
    and every file is compared. The site of a project needs its pages and exercises: those of the
    current folder, or of --project. Exits with 12 where something differs, and lists what.

    \b
    Examples:
      perfolio verify site
      perfolio verify site --profiles /archive/runs
    """
    from perfolio.common.errors import DriftError
    from perfolio.pipeline.verification.site_verification import verify as verified

    with open_context(project=project) as context:
        found = verified(site, profiles, context)
    for note in found.notes:
        click.echo(f"note: {note}")
    for difference in found.differences[:_MOST]:
        click.echo(str(difference))
    more = len(found.differences) - _MOST
    if more > 0:
        click.echo(f"... and {more} more")
    if found.differences:
        count = len(found.differences)
        raise DriftError(
            f"{site}: differs from its input in {count} place{'' if count == 1 else 's'}",
            hint="build it again, or find out what changed it",
        )
    click.echo(
        f"{site}: as its input gives it: {found.reports} report{'s' * (found.reports != 1)}, "
        f"{found.metrics} metrics, {found.findings} findings, {found.files} files"
    )
