"""`perfolio promises`: what came of the steps of earlier reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from perfolio.cli.command_options import (
    CONFIG_OPTION,
    OutputPath,
    open_context,
    report_errors,
    say_written,
)
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perfolio.comparison.promise_record import PairOutcome
    from perfolio.pipeline.run_redaction import ShareRequest

_FILE = "promises.json"


@click.group()
def promises() -> None:
    """Keep what came of the steps that reports promised: kept, exceeded, fell short, not taken.

    The record is `promises.json` in the project.

    \b
    Examples:
      perfolio promises add before.json.gz after.json.gz
      perfolio promises show
    """


@promises.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--took",
    multiple=True,
    metavar="CODE",
    help="This step was taken, whatever the runs tell; may be given several times.",
)
@click.option(
    "--file",
    "path",
    type=OutputPath("file", dir_okay=False),
    default=Path(_FILE),
    show_default=True,
    help="Where promises are kept.",
)
@CONFIG_OPTION
@report_errors
@add_share_options
def add(
    *,
    before: Path,
    after: Path,
    took: tuple[str, ...],
    path: Path,
    config: Path | None,
    share: ShareRequest | None,
) -> None:
    """Hold the steps of the report on BEFORE against AFTER, and keep what came of them.

    Each is a profile, a folder of repeats, a scenario, a store, a report's findings.json, a run
    record or a baseline. A step counts as taken where its finding is gone or half gone.

    \b
    Example:
      perfolio promises add before.json.gz after.json.gz --took M9
    """
    from perfolio.comparison.promise_file import (
        add_pair,
        keep_promises,
        read_promises,
        write_promises,
    )
    from perfolio.comparison.promises import judge_promises
    from perfolio.pipeline.run_comparison import read_records

    kept = read_promises(path)
    with open_context(config, share=share) as context:
        sides = [read_records([one], None, context) for one in (before, after)]
        pair = judge_promises(sides[0], sides[1], took)
        pairs = add_pair(kept, pair)
        context.prove([(path.name, write_promises(pairs))])
    keep_promises(pairs, path)
    for line in _describe_pair(pair):
        click.echo(line)
    say_written(path)


@promises.command()
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path(_FILE),
    show_default=True,
    help="Where promises are kept.",
)
@report_errors
def show(*, path: Path) -> None:
    """Print what came of all steps, and how often the saving was in the range that was expected.

    Each way to promise is counted: a replay of the run, a share of the bound, the bound alone.

    \b
    Example:
      perfolio promises show
    """
    from perfolio.comparison.promise_file import read_promises
    from perfolio.comparison.range_coverage import measure_coverage, measure_methods

    pairs = read_promises(path)
    for pair in pairs:
        for line in _describe_pair(pair):
            click.echo(line)
    for method in measure_methods(outcome for pair in pairs for outcome in pair.steps):
        click.echo(method.words)
    coverage = measure_coverage(pairs)
    if coverage.share is None:
        click.echo("No step with a range was taken by itself.")
        return
    click.echo(f"In their range: {coverage.counted}.")


def _describe_pair(pair: PairOutcome) -> Iterator[str]:
    from perfolio.common.escaping import to_plain_line

    yield to_plain_line(f"{pair.before}, then {pair.after}")
    if pair.reason:
        yield to_plain_line(f"  {pair.reason}")
    elif not pair.steps:
        yield "  The report promised nothing."
    for outcome in pair.steps if not pair.reason else ():
        yield f"  {to_plain_line(outcome.words)}"
