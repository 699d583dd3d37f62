"""`perfolio info`: what a profile holds."""

from __future__ import annotations

from pathlib import Path

import click

from generator.commands.common import reported, shown_context, terminal_width


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@reported
def info(path: Path) -> None:
    """Say what the profile at PATH holds, and what can be concluded from it.

    A PATH is as for `perfolio build`: a trace, a report, or a folder.

    \b
    Examples:
      perfolio info trace.json.gz
      perfolio info hpctoolkit-dlrm-database
    """
    from generator.inspection import inspect

    with shown_context() as context:
        lines = inspect(path, context, width=terminal_width())
    for line in lines:
        click.echo(line)
