"""`perfolio build`: profiles to a site."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands.common import (
    CONFIG_OPTION,
    STORE_OPTION,
    TIMINGS_OPTION,
    print_timings,
    project_here,
    reported,
    shown_context,
)
from generator.errors import UsageError


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "site",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="Folder of the site; replaced as a whole.",
)
@STORE_OPTION
@CONFIG_OPTION
@TIMINGS_OPTION
@click.option("--open", "opened", is_flag=True, help="Show the first report in a browser.")
@reported
def build(
    *,
    paths: tuple[Path, ...],
    site: Path,
    store: Path | None,
    config: Path | None,
    timings: bool,
    opened: bool,
) -> None:
    """Build the report site of the profiles at PATHS: one report each, and a start page.

    A PATH is a PyTorch trace, an Nsight Systems report, a ROCm recording or an HPCToolkit
    database. It may be a folder with the files of all ranks of one run, or one that holds
    several runs. What it is follows from its content.

    Without PATHS, the project in the current folder is built: its pages, and a report per
    profile in profiles/, judged by the thresholds of its perfolio.toml if there is one.

    \b
    Examples:
      perfolio build trace.json.gz -o site             # PyTorch
      perfolio build report.sqlite -o site             # Nsight Systems
      perfolio build run/ -o site                      # rocprofv3, or ranks of one run
      perfolio build hpctoolkit-dlrm-database -o site  # HPCToolkit
      perfolio build trace.json.gz --open              # and look at it
      perfolio build runs/ -o site --store runs.duckdb --timings
    """
    from generator import project, reports
    from generator.exposure import exposed

    with shown_context(config, lines=True, verdicts=True) as context:
        if paths:
            documents = reports.build(paths, site, store=store, context=context)
        elif store is not None:
            raise UsageError("--store goes with PATHS", hint="name the profiles to build")
        else:
            documents = project.build_project(project_here(), site, context=context)
    click.echo(f"Wrote {site / 'index.html'}")
    if told := exposed([one.findings for one in documents]):
        click.echo(f"perfolio: note: {told}", err=True)
    if timings:
        print_timings(context.timings)
    if opened:
        _show(site, [one.slug for one in documents])


def _show(site: Path, slugs: list[str]) -> None:
    """Open the summary of the only report, or the list of several, in the user's browser."""
    found = [page for slug in slugs[:1] for page in sorted(site.glob(f"**/{slug}/index.html"))]
    page = found[0] if found and len(slugs) == 1 else site / "index.html"
    if click.launch(page.resolve().as_uri()):
        click.echo(f"perfolio: note: no browser could be started; open {page}", err=True)
