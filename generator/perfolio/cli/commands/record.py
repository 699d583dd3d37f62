"""`perfolio record`: a program that trains with PyTorch, recorded in passes."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import OutputPath, report_errors
from perfolio.common.errors import OutputError


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "-o", "--output", type=OutputPath("folder", file_okay=False), default=Path("recorded"),
    show_default=True, metavar="DIR", help="Folder of the recordings; must not exist, or be empty.",
)  # fmt: skip
@click.option(
    "--steps", "steps_text", default="5:15", show_default=True, metavar="FIRST:LAST",
    help="Steps of the optimizer, from the end of the first to that of the last.",
)  # fmt: skip
@click.option(
    "--with", "tools_text", metavar="TOOLS",
    help="Tools, by commas: torch, hpcrun, nsys, ncu, dcgm, smi. Without it, all that are there.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print the commands, and run nothing.")
@click.option("--to-the-end", is_flag=True, help="Let the program end by itself, not after LAST.")
@click.option(
    "--no-shapes", is_flag=True,
    help="Record no sizes of arguments: costs less, and tells less of operators.",
)  # fmt: skip
@report_errors
def record(  # noqa: PLR0913 - an option each
    *,
    program: tuple[str, ...],
    output: Path,
    steps_text: str,
    tools_text: str | None,
    dry_run: bool,
    to_the_end: bool,
    no_shapes: bool,
) -> None:
    """Run PROGRAM once for each tool, unchanged, and record some steps of its training.

    The first pass only looks at the clock, so that the report can say what each tool costs. Steps
    are those of the program's first optimizer of PyTorch; it ends after the last one. Everything
    behind `--` is the program.

    \b
    Examples:
      perfolio record -- python train.py
      perfolio record --steps 20:30 --with torch -o run -- python train.py --batch-size 64
      perfolio record --dry-run -- torchrun --nproc-per-node 4 train.py
    """
    from perfolio.workloads.recorder import pass_plan

    has_gpu = pass_plan.detect_gpu()
    steps = pass_plan.parse_steps(steps_text)
    names = None if tools_text is None else [name for name in tools_text.split(",") if name]
    tools = pass_plan.choose_tools(names, has_gpu=has_gpu)
    options = {"has_gpu": has_gpu, "to_the_end": to_the_end, "shapes": not no_shapes}
    if dry_run:
        for each in pass_plan.plan_passes(program, steps, tools, output, **options):
            click.echo("\n".join(pass_plan.format_shell(each)))
        return
    from perfolio.common.atomic_output import replace_folder
    from perfolio.common.progress import show_progress
    from perfolio.workloads.recorder.passes import describe_cost, run_passes, write_descriptions

    if output.is_dir() and any(output.iterdir()):
        raise OutputError(f"{output}: holds files already", hint="name a new folder: -o DIR")
    with replace_folder(output) as folder, show_progress(lines=True) as display:
        passes = list(pass_plan.plan_passes(program, steps, tools, folder, **options))
        clock, *others = run_passes(passes, steps, display)
        write_descriptions([clock, *others], program, steps)
    click.echo(f"{output}: a step takes {clock.step * 1e3:.4g} ms")
    for other in others:
        click.echo(f"  {describe_cost(clock, other)}")
    click.echo(f"Next: perfolio build {output} -o site")
