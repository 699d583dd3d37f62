"""`perfolio mcp`: runs of a folder for assistants."""

from __future__ import annotations

import os
from pathlib import Path

import click

from perfolio.cli.command_options import INTERRUPTED, report_errors


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@report_errors
def mcp(folder: Path) -> None:
    """Serve the profiles, stores and reports of FOLDER to an assistant, which only reads them.

    A server of the Model Context Protocol on standard input and output: an assistant starts it, and
    lists runs, reads summaries, findings and metrics, asks SQL and looks at the time line. Nothing
    outside of FOLDER can be read. Needs the extra `mcp`.

    \b
    Example:
      perfolio mcp ~/profiles
    """
    from perfolio.exporters.agent_server import check_installed, serve_folder

    check_installed()
    try:
        serve_folder(folder)
    except KeyboardInterrupt:
        click.echo("perfolio: interrupted", err=True)
        os._exit(INTERRUPTED)  # Python would wait for the thread that reads standard input
