"""`perfolio whatif`: what changes would save, by a replay of the run."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import (
    OUTPUT_OPTION,
    RUN_OPTION,
    format_option,
    open_context,
    print_or_write,
    report_errors,
)


@click.command()
@click.argument("subject", required=False, type=click.Path(path_type=Path))
@click.option(
    "--change",
    "texts",
    multiple=True,
    metavar="NAME|NAME=FACTOR|NAME=DEVICE|FILE",
    help="A change, by name, with another factor or a device, or in a file of yours; may be given "
    "several times, and the table adds them in this order.  [default: each known one alone]",
)
@click.option("--list", "listed", is_flag=True, help="Name all changes, and end.")
@RUN_OPTION
@format_option(("text", "markdown", "json", "html"))
@OUTPUT_OPTION
@report_errors
def whatif(
    *,
    subject: Path | None,
    texts: tuple[str, ...],
    listed: bool,
    slug: str | None,
    form: str,
    output: Path | None,
) -> None:
    """Replay a run with changes made, and say what they save of an iteration.

    SUBJECT is a profile of events (PyTorch's profiler, Nsight Systems, rocprofv3), a scenario, or a
    store. Its calls and GPU operations are played again with each change: a bound says what a step
    saves at most, a replay what it saves in this run. FACTOR multiplies a time: with 0.2, a fifth
    of it is left. A page (-o PAGE.html) draws one iteration before and after the changes.

    \b
    Examples:
      perfolio whatif --list
      perfolio whatif trace.json.gz
      perfolio whatif trace.json.gz --change cuda-graphs --change faster-kernels=0.5
      perfolio whatif trace.json.gz --change another-device=h200-sxm
      perfolio whatif runs.duckdb --run dlrm --change mine.toml --format markdown -o whatif.md
      perfolio whatif trace.json.gz --change cuda-graphs -o whatif.html
    """
    from perfolio.common.errors import UsageError
    from perfolio.pipeline.what_if import format_answer, replay_subject
    from perfolio.prediction.replay.change_file import find_change, load_changes

    if listed:
        known = load_changes()
        width = max(map(len, known))
        for name, change in known.items():
            click.echo(f"{name:<{width}}  {change.title}")
        return
    if subject is None:
        raise UsageError("no run is given", hint="perfolio whatif SUBJECT, or --list")
    changes = [find_change(text) for text in texts]
    with open_context() as context:
        answer = replay_subject(subject, slug, changes, context)
    is_page = form == "text" and output is not None and output.suffix.lower() == ".html"
    print_or_write(format_answer(answer, "html" if is_page else form), output)
