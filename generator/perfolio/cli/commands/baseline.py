"""`perfolio baseline`: runs that later ones are held against."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    RUN_OPTION,
    format_count,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from perfolio.comparison.run_record import RunRecord
    from perfolio.pipeline.run_redaction import ShareRequest

_NAME = click.argument("name")
_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("baselines"),
    show_default=True,
    help="Folder of the baselines.",
)


@click.group()
def baseline() -> None:
    """Keep runs that later ones are held against: see perfolio check --against.

    A baseline is a small document in `baselines/`, with figures and no private path: keep it with
    the program.

    \b
    Examples:
      perfolio baseline add main trace.json.gz
      perfolio check new.json.gz --against main
    """


@baseline.command()
@_NAME
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_FOLDER
@RUN_OPTION
@click.option("--replace", is_flag=True, help="Replace the baseline of this name.")
@report_errors
@add_share_options
def add(
    *,
    name: str,
    runs: tuple[Path, ...],
    folder: Path,
    slug: str | None,
    replace: bool,
    share: ShareRequest | None,
) -> None:
    """Keep runs as the baseline NAME.

    A RUN is a profile, a folder of repeats, a scenario, a store or a report's findings.json. One is
    enough for what is counted, such as launches and bytes.

    \b
    Example:
      perfolio baseline add main runs/first.json.gz runs/second.json.gz
    """
    from perfolio.common.errors import UsageError
    from perfolio.comparison.baseline_file import check_name, keep_baseline, write_baseline
    from perfolio.comparison.counted_gate import find_unlike
    from perfolio.comparison.gate import drop_repeated
    from perfolio.pipeline.run_comparison import read_records

    check_name(name)
    with open_context(share=share) as context:
        records = drop_repeated(read_records(runs, slug, context))
    if unlike := find_unlike(records):
        raise UsageError(f"the runs are no repeats of one: they differ in {unlike}", hint=_APART)
    context.prove([(f"{name}.json", write_baseline(name, records))])
    say_written(keep_baseline(name, records, folder, replace=replace))


_APART = "keep them as baselines of different names; --run chooses one of a store"


@baseline.command(name="list")
@_FOLDER
@report_errors
def list_(*, folder: Path) -> None:
    """List the baselines: name, how many runs, and of what.

    \b
    Example:
      perfolio baseline list
    """
    from perfolio.common.escaping import to_plain_line
    from perfolio.comparison.baseline_file import find_baseline, list_baselines, read_baseline

    for name in list_baselines(folder):
        records = read_baseline(find_baseline(name, folder)).records
        click.echo(f"{name}  {format_count(len(records), 'run')}  {to_plain_line(records[0].slug)}")


@baseline.command()
@_NAME
@_FOLDER
@report_errors
def show(*, name: str, folder: Path) -> None:
    """Print what the baseline NAME holds: its runs, and their figures.

    \b
    Example:
      perfolio baseline show main
    """
    from perfolio.comparison.baseline_file import find_baseline, read_baseline

    found = read_baseline(find_baseline(name, folder))
    click.echo(f"{found.name}: {format_count(len(found.records), 'run')}")
    for record in found.records:
        for line in _describe_run(record):
            click.echo(line)


@baseline.command()
@_NAME
@_FOLDER
@report_errors
def remove(*, name: str, folder: Path) -> None:
    """Remove the baseline NAME.

    \b
    Example:
      perfolio baseline remove main
    """
    from perfolio.comparison.baseline_file import remove_baseline

    click.echo(f"Removed {remove_baseline(name, folder)}")


def _describe_run(record: RunRecord) -> list[str]:
    from perfolio.common.escaping import to_plain_line
    from perfolio.common.units import quantity
    from perfolio.comparison.counted_gate import TITLES
    from perfolio.comparison.timed_gate import measure_run_time

    when = record.recorded or "no date"
    lines = [f"{to_plain_line(record.slug)}: {to_plain_line(record.tool)}, {when}"]
    width = max(map(len, TITLES.values()))
    for name, title in TITLES.items():
        figure = record.counted.get(name)
        if figure is not None and figure.value is not None:
            per = " in an iteration" if figure.per == "iteration" else ""
            lines.append(f"  {title:{width}}  {quantity(figure.value, figure.unit)}{per}")
    time = measure_run_time(record)
    if time is not None:
        lines.append(f"  {'Time, for information':{width}}  {quantity(time, 's')}")
    return lines
