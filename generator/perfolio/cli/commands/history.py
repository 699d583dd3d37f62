"""`perfolio history`: a run for each commit, and since when something has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    RUN_OPTION,
    LakePlace,
    OutputPath,
    format_count,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.common.remote_folders import RemoteAddress
    from perfolio.comparison.history.series_study import SeriesStudy
    from perfolio.pipeline.run_redaction import ShareRequest

_SERIES = click.option("--series", required=True, metavar="NAME", help="Name of the series.")
_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("history"),
    show_default=True,
    help="Folder of the series.",
)
_COMMIT = click.option(
    "--at", "commit", metavar="COMMIT", help="Commit of the run.  [default: that of git here]"
)
_TIME = click.option(
    "--time", "moment", metavar="TIME", help="When the commit was made, as 2026-11-29T16:05:00Z."
)
_MACHINE = click.option(
    "--machine", default="", metavar="WORDS", help="What it ran on, where the profile does not say."
)
_CHANGE = click.option(
    "--least",
    type=click.FloatRange(0.5, 100),
    default=3.0,
    show_default=True,
    metavar="PERCENT",
    help="Least change of what has noise: half of the least that matters.",
)


@click.group()
def history() -> None:
    """Keep a run for each commit, and say since when something has changed.

    A series is a folder of small files, one a run, that you keep with the program. Changes are
    found by the method of Apache Otava. Figures of another machine, or of other work, are never
    joined.

    \b
    Examples:
      perfolio history add trace.json.gz --series main
      perfolio history check --series main
      perfolio history site --series main -o site
    """


@history.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_SERIES
@_COMMIT
@_TIME
@_MACHINE
@_FOLDER
@RUN_OPTION
@report_errors
@add_share_options
def add(  # noqa: PLR0913 - one per option
    *,
    runs: tuple[Path, ...],
    series: str,
    commit: str | None,
    moment: str | None,
    machine: str,
    folder: Path,
    slug: str | None,
    share: ShareRequest | None,
) -> None:
    """Add runs of one commit to a series.

    A RUN is a profile, a folder of repeats, a scenario, a store or a report's findings.json. Three
    runs of a commit make sure that a slow one does no harm. Without --at, the commit is the one
    that is checked out here, and its time that of the commit.

    \b
    Examples:
      perfolio history add runs/*.json.gz --series main
      perfolio history add trace.json.gz --series main --at 3fa91c2 --time 2026-11-29T16:05:00Z
    """
    from perfolio.comparison.gate import drop_repeated
    from perfolio.comparison.history.series_entry import format_entry, make_entry
    from perfolio.comparison.history.series_folder import add_entries, find_series
    from perfolio.pipeline.run_comparison import read_records

    place = find_series(series, folder)
    commit, moment = complete_commit(commit, moment)
    with open_context(share=share) as context:
        records = drop_repeated(read_records(runs, slug, context))
        entries = [make_entry(record, commit, moment, machine) for record in records]
        context.prove([(f"{series}: run {n}", format_entry(one)) for n, one in enumerate(entries)])
    _say_added(add_entries(entries, place), place)


@history.command(name="import")
@click.argument("files", metavar="[FILE...]", nargs=-1,
                type=click.Path(path_type=Path, dir_okay=False))  # fmt: skip
@_SERIES
@click.option(
    "--lake",
    "place",
    type=LakePlace(path_type=Path, file_okay=False),
    metavar="PLACE",
    help="Take runs of this lake.",
)
@click.option("--workload", metavar="WORDS", help="Which runs of the lake: those of this workload.")
@_COMMIT
@_TIME
@_FOLDER
@report_errors
def import_(  # noqa: PLR0913 - one per option
    *,
    files: tuple[Path, ...],
    series: str,
    place: Path | RemoteAddress | None,
    workload: str | None,
    commit: str | None,
    moment: str | None,
    folder: Path,
) -> None:
    """Add results of pytest-benchmark or asv, or runs of a lake, to a series.

    A FILE is what `pytest --benchmark-json=FILE` writes, or one of a commit in `.asv/results`.
    --at and --time stand in for what a file does not say. Runs of a lake stand under the day of
    their recording.

    \b
    Examples:
      perfolio history import .benchmarks/run.json --series main
      perfolio history import --lake lake --workload dlrm --series dlrm
    """
    from perfolio.common.errors import UsageError
    from perfolio.comparison.history.benchmark_results import read_benchmark_results
    from perfolio.comparison.history.series_folder import add_entries, find_series
    from perfolio.fleet.remote_lake import open_lake_place
    from perfolio.pipeline.history_import import read_lake_entries

    target = find_series(series, folder)
    if bool(files) == (place is not None) or (place is None) != (workload is None):
        raise UsageError("nothing to import", hint="name files, or --lake with --workload")
    if place is not None and workload is not None:
        with open_lake_place(place) as lake:
            entries = read_lake_entries(lake, workload)
    else:
        entries = [read_benchmark_results(path, commit or "", moment or "") for path in files]
    _say_added(add_entries(entries, target), target)


@history.command(name="list")
@_FOLDER
@_CHANGE
@report_errors
def list_(*, folder: Path, least: float) -> None:
    """List the series of a folder: runs, the last commit, and whether the last 20 are worse.

    \b
    Example:
      perfolio history list
    """
    from perfolio.common.escaping import to_plain_line
    from perfolio.comparison.history.series_folder import list_series
    from perfolio.comparison.history.series_gate import judge_series

    names = list_series(folder)
    for name in names:
        study = _study(name, folder, least)
        last = study.commits[-1]
        told = f"{_count_runs(study)}, the last {last.commit} of {last.moment[:10]}"
        click.echo(to_plain_line(f"{name}: {told}; {judge_series(study).status}"))
    if not names:
        click.echo(f"{folder}: holds no series")


@history.command()
@_SERIES
@_FOLDER
@_CHANGE
@report_errors
def show(*, series: str, folder: Path, least: float) -> None:
    """Print what has changed in a series, and since which commit.

    \b
    Example:
      perfolio history show --series main
    """
    from perfolio.common.escaping import to_plain_line
    from perfolio.comparison.history.series_gate import describe_move

    study = _study(series, folder, least)
    click.echo(f"{study.name}: {_count_runs(study)}")
    for event in study.events:
        click.echo(f"{study.commits[event.place].commit}, {study.commits[event.place].moment[:10]}")
        for one in event.moved:
            click.echo(f"  {to_plain_line(describe_move(one))}")
    if not study.events:
        click.echo("No figure changed.")


@history.command()
@_SERIES
@_FOLDER
@_CHANGE
@click.option(
    "-o",
    "--output",
    "site",
    type=OutputPath("folder"),
    default=Path("site"),
    show_default=True,
    help="Folder of the site.",
)
@report_errors
def site(*, series: str, folder: Path, least: float, site: Path) -> None:
    """Make a site of a series: figures over commits, and what made each change.

    \b
    Example:
      perfolio history site --series main -o site
    """
    from perfolio.pipeline.study_sites import build_history_site
    from perfolio.site.site_marker import refuse_foreign

    refuse_foreign(site)  # before any work is done
    study = _study(series, folder, least)
    with open_context() as context:
        build_history_site(study, site, context)
    say_written(site / "index.html")


@history.command()
@_SERIES
@_FOLDER
@_CHANGE
@click.option(
    "--last",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    metavar="COMMITS",
    help="Only changes in so many of the last commits fail.",
)
@report_errors
def check(*, series: str, folder: Path, least: float, last: int) -> None:
    """Fail where the newest commits are slower than those before them.

    Exits with 11 where a time, a benchmark or a counted figure is worse since one of the last
    commits, and with 15 where there are too few commits to tell.

    \b
    Example:
      perfolio history check --series main --last 10
    """
    from perfolio.common.errors import CheckFailedError, UndecidedError
    from perfolio.common.escaping import to_plain_line
    from perfolio.comparison.history.series_gate import judge_series

    verdict = judge_series(_study(series, folder, least), last)
    for line in verdict.lines:
        click.echo(to_plain_line(line))
    if verdict.worse:
        raise CheckFailedError(
            f"{series}: {verdict.status}", hint="perfolio history site shows why"
        )
    if verdict.doubt:
        raise UndecidedError(f"{series}: {verdict.status}")
    click.echo(f"{series}: {verdict.status} in the last {format_count(last, 'commit')}.")


def complete_commit(commit: str | None, moment: str | None) -> tuple[str, str]:
    """A commit and its moment, from git where they are not given. Raises UsageError."""
    from perfolio.common.errors import UsageError
    from perfolio.comparison.history.series_entry import check_commit

    if commit:
        check_commit(commit)
    if commit and moment:
        return commit, moment
    command = ["git", "show", "--no-patch", "--format=%H %cI", commit or "HEAD", "--"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)  # noqa: S603 - no shell, and the commit is checked
        found, _, made = said.stdout.strip().rpartition("\n")[2].partition(" ")
    except (OSError, subprocess.SubprocessError) as problem:
        raise UsageError(
            "git does not say which commit this is", hint="add --at COMMIT --time TIME"
        ) from problem
    return commit or found, moment or made


def _study(series: str, folder: Path, least: float) -> SeriesStudy:
    from perfolio.comparison.history.series_folder import find_series, read_series
    from perfolio.comparison.history.series_study import study_series

    return study_series(series, read_series(find_series(series, folder)), least / 100.0)


def _count_runs(study: SeriesStudy) -> str:
    runs = sum(len(one.runs) for one in study.commits)
    return f"{format_count(runs, 'run')} of {format_count(len(study.commits), 'commit')}"


def _say_added(written: list[Path], place: Path) -> None:
    for path in written:
        say_written(path)
    if not written:
        click.echo(f"{place}: has these runs already")
