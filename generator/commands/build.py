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
@reported
def build(
    *,
    paths: tuple[Path, ...],
    site: Path,
    store: Path | None,
    config: Path | None,
    timings: bool,
) -> None:
    """Build the report site of the profiles at PATHS: one report each, and a start page.

    A PATH is what a profiler wrote: a trace of PyTorch's profiler (JSON, also .gz) or a folder
    with those of all ranks; a report of Nsight Systems, exported as SQLite or parquetdir; a
    rocpd database, CSV folder or JSON of ROCm's profilers; the folder of an HPCToolkit database;
    or a folder that holds several of these. Without PATHS, the project in the current folder is
    built: its pages, and a report per profile in profiles/, judged by the thresholds of its
    perfolio.toml if there is one.

    \b
    Examples:
      perfolio build trace.json.gz -o site
      perfolio build report.sqlite -o site
      perfolio build hpctoolkit-dlrm-database -o site
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
