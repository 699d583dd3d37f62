"""`perfolio workload`: PyTorch programs that train or serve, to profile and to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import OutputPath, report_errors
from perfolio.common.errors import OutputError

_MISTAKE = "mistake"


@click.group()
def workload() -> None:
    """Programs to profile: models that train, or serve, on random input, in variants.

    Each variant differs from another one by a step that a roadmap may advise, or by a mistake.

    \b
    Examples:
      perfolio workload list
      perfolio workload run dlrm --steps 20 -o run
    """


@workload.command(name="list")
@report_errors
def list_() -> None:
    """List the variants: name, the one that it was made from, and title.

    \b
    Example:
      perfolio workload list
    """
    from perfolio.workloads.catalog import load_workloads

    known = load_workloads()
    width = max(map(len, known))
    for name, one in known.items():
        kind = _MISTAKE if one.mistake else ""
        click.echo(f"{name:<{width}}  {one.base:<{width}}  {kind:<{len(_MISTAKE)}}  {one.title}")


@workload.command()
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=OutputPath("folder", file_okay=False),
    required=True,
    metavar="DIR",
    help="Folder of the recording; it must not exist, or be empty.",
)
@click.option(
    "--steps", type=click.IntRange(2, 10_000), default=20, show_default=True,
    help="Steps to time; up to 8 are recorded, of a server 48.",
)  # fmt: skip
@click.option(
    "--warm-up", type=click.IntRange(1, 1000), default=3, show_default=True,
    help="Steps before them.",
)  # fmt: skip
@click.option(
    "--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
    help="Where to run; auto takes a GPU where PyTorch sees one.",
)  # fmt: skip
@click.option("--stacks", is_flag=True, help="Record functions of Python, too: slower, and larger.")
@click.option("--no-memory", is_flag=True, help="Record no allocations of memory.")
@report_errors
def run(  # noqa: PLR0913 - an option each
    *,
    name: str,
    output: Path,
    steps: int,
    warm_up: int,
    device: str,
    stacks: bool,
    no_memory: bool,
) -> None:
    """Run variant NAME, time its steps, and record some with PyTorch's profiler.

    DIR gets the trace, a profile.toml with what no trace knows, and performance_summary.json. Seeds
    are fixed. Needs PyTorch, the extra `torch`.

    \b
    Example:
      perfolio workload run dlrm --steps 20 -o run
      perfolio build run -o site
    """
    from perfolio.common.atomic_output import replace_folder
    from perfolio.workloads.catalog import find_workload as named
    from perfolio.workloads.torch_check import ensure_torch

    variant = named(name)
    ensure_torch()
    from perfolio.workloads.workload_run import RecordingRequest, record_workload

    if output.is_dir() and any(output.iterdir()):
        raise OutputError(f"{output}: holds files already", hint="name a new folder: -o DIR")
    request = RecordingRequest(steps, warm_up, device, stacks, memory=not no_memory)
    with replace_folder(output) as folder:
        done = record_workload(name, variant, request, folder)
    rate = f", {done.flops / done.step / 1e9:,.1f} GFLOP/s" if done.flops else ""
    click.echo(f"{output}: {steps} steps of {done.step * 1e3:.4g} ms{rate}; {done.cost_words}")
