"""`perfolio fleet`: many runs in one lake, and questions over all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import (
    LakePlace,
    OutputPath,
    format_count,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options
from perfolio.common.errors import UsageError
from perfolio.common.remote_folders import RemoteAddress

if TYPE_CHECKING:
    from perfolio.pipeline.fleet_ingest import FleetReport
    from perfolio.pipeline.run_redaction import ShareRequest


_LAKE = click.option(
    "--lake",
    "root",
    type=LakePlace(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="Folder of the lake.",
)
_READ_LAKE = click.option(
    "--lake",
    "place",
    type=LakePlace(path_type=Path, file_okay=False),
    required=True,
    metavar="PLACE",
    help="Folder of the lake, or its address for fsspec, such as s3://bucket/lake.",
)
_ON = click.option(
    "--on",
    default="local",
    show_default=True,
    metavar="PLACE",
    help="Where to work: local, local:N (processes), tcp://HOST:PORT (a scheduler of Dask), slurm "
    "or slurm:OPTIONS.toml.",
)
_SITE = click.option(
    "-o",
    "--output",
    "site_folder",
    type=OutputPath("folder", file_okay=False),
    default=Path("site"),
    show_default=True,
    metavar="DIR",
    help="Folder of the site.",
)
_SHOWN = 20
"""Refused inputs that are named; all are in the lake."""


@click.group()
def fleet() -> None:
    """Many runs in one lake: read them on many machines, and ask over all of them.

    A lake is a folder of Parquet files, which other tools read, too.

    \b
    Examples:
      perfolio fleet ingest runs/ --lake lake
      perfolio fleet ingest @runs.txt --lake lake --on slurm:slurm.toml
      perfolio fleet site --lake lake -o site
      perfolio fleet query "SELECT workload, count(*) FROM run GROUP BY ALL" --lake lake
    """


@fleet.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@_LAKE
@_ON
@report_errors
@add_share_options
def ingest(*, runs: tuple[str, ...], root: Path, on: str, share: ShareRequest | None) -> None:
    """Read profiles into a lake, each by a worker.

    RUN is a profile, a folder of profiles, or @FILE with one path in each line. What is in the lake
    is left out, so that the same command goes on where an earlier one ended. What cannot be read is
    named, and stops nothing.

    \b
    Examples:
      perfolio fleet ingest runs/ --lake lake --on local:8
      perfolio fleet ingest @runs.txt --lake lake --on tcp://head-node:8786
    """
    from perfolio.fleet.lake import create_lake
    from perfolio.pipeline.fleet_ingest import ingest_fleet, list_given_paths
    from perfolio.pipeline.worker_engine import open_engine

    _require_folder(root)
    paths = list_given_paths(runs)
    lake = create_lake(root)
    with open_context(lines=True) as context:
        context.progress.start(f"starting workers on {on}", None)
        with open_engine(on) as engine:
            report = ingest_fleet(paths, lake, engine, context.progress, share)
    _say_report(report, root)


@fleet.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@_LAKE
@_ON
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look.",
)
@click.option(
    "--settled",
    type=click.FloatRange(min=0.0),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="For how long a profile must not have changed.",
)
@report_errors
@add_share_options
def watch(
    *,
    folder: Path,
    root: Path,
    on: str,
    every: float,
    settled: float,
    share: ShareRequest | None,
) -> None:
    """Read profiles into a lake as they appear in FOLDER, until it is interrupted.

    \b
    Example:
      perfolio fleet watch /shared/profiles --lake /shared/lake --on local:2
    """
    import time

    from perfolio.fleet.lake import create_lake
    from perfolio.pipeline.fleet_watch import watch_fleet
    from perfolio.pipeline.worker_engine import open_engine

    _require_folder(root)
    lake = create_lake(root)
    with open_context(lines=True) as context, open_engine(on) as engine:
        click.echo(f"watching {folder}; Ctrl-C ends it", err=True)
        for report in watch_fleet(folder, lake, engine, context.progress, settled, share):
            if report is not None:
                _say_report(report, root)
            time.sleep(every)


def _require_folder(root: Path | RemoteAddress) -> None:
    """Raise UsageError of an address: nothing is written there."""
    if not isinstance(root, Path):
        raise UsageError(
            f"--lake {root}: a lake at an address is only read",
            hint="work on it in a folder, then copy that there",
        )


def _say_report(report: FleetReport, root: Path) -> None:
    for one in report.refused[:_SHOWN]:
        click.echo(to_line(f"refused: {one.name}: {one.reason}"), err=True)
    if len(report.refused) > _SHOWN:
        click.echo(f"refused: {len(report.refused) - _SHOWN:,} more", err=True)
    words = [f"{format_count(len(report.added), 'input')} came in"]
    words += [f"{report.known:,} were there"] if report.known else []
    words += [f"{report.twins:,} are others under another name"] if report.twins else []
    words += [f"{len(report.refused):,} were refused"] if report.refused else []
    click.echo(f"{root}: {', '.join(words)} ({report.seconds:.1f} s)")


@fleet.command()
@_LAKE
@report_errors
def compact(*, root: Path) -> None:
    """Put the small files of a lake together: one of each table and month.

    \b
    Example:
      perfolio fleet compact --lake lake
    """
    from perfolio.fleet.lake import Lake
    from perfolio.fleet.lake_compaction import compact_lake

    _require_folder(root)
    with open_context(lines=True) as context:
        left = compact_lake(Lake(root), context.progress)
    click.echo(f"{root}: {format_count(left, 'file')}")


@fleet.command()
@click.argument("sql")
@_READ_LAKE
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the rows.",
)
@click.option("--limit", type=click.IntRange(min=0), metavar="ROWS", help="Print at most so many.")
@report_errors
def query(*, sql: str, place: Path | RemoteAddress, form: Any, limit: int | None) -> None:
    """Run one SQL query over a lake, which reaches no other file.

    \b
    Examples:
      perfolio fleet query "SELECT workload, count(*) FROM run GROUP BY ALL" --lake lake
      perfolio fleet query "DESCRIBE run" --lake lake
      perfolio fleet query "FROM run" --lake s3://bucket/lake --limit 20
    """
    from perfolio.fleet.lake_connection import open_lake
    from perfolio.fleet.remote_lake import list_queried_tables, open_lake_place
    from perfolio.store.user_query import run_table_query

    with (
        open_lake_place(place, list_queried_tables(sql)) as lake,
        open_lake(lake) as connection,
    ):
        for piece in run_table_query(connection, sql, form, limit=limit):
            click.echo(piece, nl=False)


@fleet.command()
@_READ_LAKE
@_SITE
@click.option(
    "--reports",
    type=click.IntRange(0, 100),
    default=3,
    show_default=True,
    metavar="N",
    help="Full reports of the N runs that lose most GPU-hours.",
)
@report_errors
@add_share_options
def site(
    *, place: Path | RemoteAddress, site_folder: Path, reports: int, share: ShareRequest | None
) -> None:
    """Make a site of a lake: what costs most, which machines are slow, what changed, all runs.

    With --share, machines, people, teams and runs have other names, and sentences of reports are
    left out; full reports are of runs that came in with --share alone.

    \b
    Examples:
      perfolio fleet site --lake lake -o site
      perfolio fleet site --lake lake -o site --reports 10 --share
      perfolio fleet site --lake s3://bucket/lake -o site
    """
    from perfolio.fleet.remote_lake import list_queried_tables, open_lake_place
    from perfolio.pipeline.fleet_site import build_fleet_site
    from perfolio.site.site_marker import refuse_foreign

    refuse_foreign(site_folder)  # before any work is done
    with (
        open_lake_place(place, list_queried_tables("")) as lake,
        open_context(lines=True, share=share) as context,
    ):
        view = build_fleet_site(lake, site_folder, context, reports)
    for action in view.actions[:3]:
        click.echo(to_line(action.words))
    say_written(site_folder / "index.html")


@fleet.command()
@click.argument("run", metavar="RUN")
@_READ_LAKE
@_SITE
@report_errors
@add_share_options
def report(
    *, run: str, place: Path | RemoteAddress, site_folder: Path, share: ShareRequest | None
) -> None:
    """Make the full report of one run of a lake.

    RUN is its name, or the begin of its identifier.

    \b
    Example:
      perfolio fleet report 3d1138da --lake lake -o site
    """
    from perfolio.fleet.remote_lake import open_lake_place
    from perfolio.pipeline.fleet_site import build_fleet_report
    from perfolio.site.site_marker import refuse_foreign

    refuse_foreign(site_folder)
    with (
        open_lake_place(place, ["run"]) as lake,
        open_context(lines=True, share=share) as context,
    ):
        found = build_fleet_report(lake, run, site_folder, context)
    click.echo(to_line(found.findings["verdict"]["sentence"]))
    say_written(site_folder / "index.html")


def to_line(text: str) -> str:
    """Words of a profile for a terminal."""
    from perfolio.common.escaping import to_plain_line

    return to_plain_line(text)
