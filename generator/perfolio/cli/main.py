"""The command `perfolio`: one module of `perfolio.cli.commands` per subcommand.

perfolio build trace.json.gz -o site
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

from perfolio import __version__
from perfolio.cli import commands


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 92},
    epilog="Exit codes: 2 usage, 3 input missing, 4 format, 5 store, 6 totals disagree, "
    "7 query, 8 metric or rule file, 9 output, 10 site, 11 check failed, 12 drift, "
    "13 a process ended, 14 a recorded program failed, 15 a check cannot tell, 130 interrupted.",
)
@click.version_option(__version__, prog_name="perfolio")
def main() -> None:
    """From a profile to a report that people trust, in one command.

    A profile is a trace of PyTorch's profiler, a report of Nsight Systems, a recording of ROCm's
    profilers or a database of HPCToolkit: a file, or a folder.

    \b
    Example:
      perfolio build trace.json.gz -o site
      open site/index.html
    """


def _load_commands() -> None:
    """Add every subcommand: `cli/commands/<name>` holds a function of the same name."""
    names = (module.name for module in iter_modules(commands.__path__))
    for name in sorted(names):
        main.add_command(getattr(import_module(f"perfolio.cli.commands.{name}"), name))


_load_commands()
