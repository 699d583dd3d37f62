"""`perfolio info`: what a profile holds."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import get_terminal_width, open_context, report_errors


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--all", "full", is_flag=True, help="Name each metric, and what it lacks.")
@report_errors
def info(*, path: Path, full: bool) -> None:
    """Say what the profile at PATH holds, and what can be concluded from it.

    PATH is a PyTorch trace, an Nsight Systems report, a ROCm recording, an HPCToolkit database, a
    call tree that Hatchet reads, counters and logs alone, or a folder with the files of one run.
    It says first what commands would record in addition; --all names each metric.

    \b
    Examples:
      perfolio info trace.json.gz             # PyTorch
      perfolio info report.nsys-rep           # Nsight Systems, where nsys is; else report.sqlite
      perfolio info run/                      # rocprofv3, or ranks of one run
      perfolio info hpctoolkit-dlrm-database  # HPCToolkit
    """
    from perfolio.pipeline.inspection import inspect

    with open_context() as context:
        lines = inspect(path, context, width=get_terminal_width(), full=full)
    for line in lines:
        click.echo(line)
