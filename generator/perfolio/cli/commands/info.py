"""`perfolio info`: what a profile holds."""

from __future__ import annotations

from pathlib import Path

import click

from perfolio.cli.command_options import get_terminal_width, open_context, report_errors


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@report_errors
def info(path: Path) -> None:
    """Say what the profile at PATH holds, and what can be concluded from it.

    PATH is a PyTorch trace, an Nsight Systems report, a ROCm recording, an HPCToolkit database, a
    call tree that Hatchet reads, counters and logs alone, or a folder with the files of one run.
    What was not recorded is listed with the command that records it.

    \b
    Examples:
      perfolio info trace.json.gz             # PyTorch
      perfolio info report.nsys-rep           # Nsight Systems, where nsys is; else report.sqlite
      perfolio info run/                      # rocprofv3, or ranks of one run
      perfolio info hpctoolkit-dlrm-database  # HPCToolkit
    """
    from perfolio.pipeline.inspection import inspect

    with open_context() as context:
        lines = inspect(path, context, width=get_terminal_width())
    for line in lines:
        click.echo(line)
