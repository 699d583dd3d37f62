"""`perfolio build`: profiles to a site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    NAME_OPTION,
    PROJECT_OPTION,
    STORE_OPTION,
    TIMINGS_OPTION,
    OutputPath,
    check_project,
    find_project_here,
    open_context,
    print_timings,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options
from perfolio.common.errors import UsageError

if TYPE_CHECKING:  # what a command does not need is imported when it runs
    from perfolio.pipeline.build_context import BuiltSite, Context
    from perfolio.pipeline.run_redaction import ShareRequest


@dataclass(frozen=True)
class BuildRequest:
    """What to make, and of what."""

    paths: tuple[Path, ...]
    site: Path
    single: Path | None
    store: Path | None
    project: Path | None
    name: str | None = None

    @property
    def of_project(self) -> bool:
        """Whether the project in the current folder is meant."""
        return not self.paths

    def check(self) -> None:
        """Raise UsageError for an option that needs profiles where none are named."""
        needing = {
            "--store": self.store,
            "--single-file": self.single,
            "--project": self.project,
            "--name": self.name,
        }
        for option, value in needing.items():
            if self.of_project and value:
                raise UsageError(f"{option} goes with PATHS", hint="name the profiles to build")
        check_project(self.project)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "site",
    type=OutputPath("folder", unless="single"),
    default=Path("site"),
    show_default=True,
    help="Folder of the site; replaced as a whole.",
)
@STORE_OPTION
@CONFIG_OPTION
@PROJECT_OPTION
@NAME_OPTION
@TIMINGS_OPTION
@click.option(
    "--single-file",
    "single",
    type=OutputPath("file", dir_okay=False),
    metavar="FILE.html",
    help="Write the report of one profile as one file to mail, in place of a site.",
)
@click.option("--open", "opened", is_flag=True, help="Show the first report in a browser.")
@report_errors
@add_share_options
def build(
    *, config: Path | None, timings: bool, opened: bool, share: ShareRequest | None, **options: Any
) -> None:
    """Build the report site of the profiles at PATHS: one report each, and a start page.

    A PATH is a PyTorch trace, an Nsight Systems report, a ROCm recording, an HPCToolkit database,
    a call tree that Hatchet reads, or counters and logs alone. It may be a folder with the files of
    all ranks of one run, or one that holds several runs. What it is follows from its content.

    Without PATHS, the project in the current folder is built: its pages, and a report per
    profile in profiles/, judged by the thresholds of its perfolio.toml if there is one. With
    PATHS, nothing of the current folder is read: --project . adds its exercises.

    \b
    Examples:
      perfolio build trace.json.gz -o site             # PyTorch
      perfolio build report.sqlite -o site             # Nsight Systems
      perfolio build run/ -o site                      # rocprofv3, or ranks of one run
      perfolio build hpctoolkit-dlrm-database -o site  # HPCToolkit
      perfolio build trace.json.gz --open              # and look at it
      perfolio build trace.json.gz --single-file report.html
      perfolio build trace.json.gz --share --hide node17 -o public
      perfolio build runs/ -o site --store runs.duckdb --timings
    """
    from perfolio.redaction.disclosure import describe_exposure

    one = BuildRequest(**options)
    one.check()
    if share is not None and one.store is not None:
        raise UsageError(
            "--store goes without --share: a store keeps paths, users and hosts",
            hint="share the site alone, and keep a store for yourself: perfolio ingest",
        )
    with open_context(
        config, lines=True, verdicts=True, project=one.project, share=share, name=one.name or ""
    ) as context:
        built = _run_build(one, context)
    place = one.single or one.site / "index.html"
    if built.written:
        say_written(place)
    else:
        click.echo(f"{place} is up to date")
    if share is None and (note := describe_exposure([each.findings for each in built.documents])):
        click.echo(f"perfolio: note: {note}", err=True)
    if timings:
        print_timings(context.timings)
    if opened:
        _show_page(
            one.single or _find_first_page(one.site, [each.slug for each in built.documents])
        )


def _run_build(one: BuildRequest, context: Context) -> BuiltSite:
    from perfolio.pipeline.build_context import BuiltSite

    if one.of_project:
        from perfolio.pipeline.project import build_project

        return build_project(find_project_here(), one.site, context=context)
    from perfolio.pipeline import reports

    if one.single is not None:
        single = reports.build_single(one.paths, one.single, store=one.store, context=context)
        return BuiltSite([single])
    return BuiltSite(reports.build(one.paths, one.site, store=one.store, context=context))


def _find_first_page(site: Path, slugs: list[str]) -> Path:
    """The summary of the only report, or the list of several."""
    found = [page for slug in slugs[:1] for page in sorted(site.glob(f"**/{slug}/index.html"))]
    return found[0] if found and len(slugs) == 1 else site / "index.html"


def _show_page(page: Path) -> None:
    """Open a page in the user's browser."""
    if click.launch(page.resolve().as_uri()):
        click.echo(f"perfolio: note: no browser could be started; open {page}", err=True)
