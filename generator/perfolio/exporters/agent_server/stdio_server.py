"""The tools of a folder over standard input and output, by the protocol's own SDK."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from perfolio import __version__
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import PerfolioError, UsageError
from perfolio.common.extra_packages import make_install_command
from perfolio.exporters.agent_server.measured_runs import MeasuredRuns
from perfolio.exporters.agent_server.run_answers import NOTICE, Answer, RunAnswers, describe_error
from perfolio.exporters.agent_server.served_folder import ServedFolder

TOOLS = ("list_runs", "summary", "finding", "metric", "query", "timeline")
_INSTRUCTIONS = (
    "Performance profiles of programs, measured and judged. Begin with list_runs, then summary. "
    f"Numbers are in base units. An upper bound of what a step saves is no forecast. {NOTICE}"
)


def check_installed() -> None:
    """Raise UsageError, with the command that installs it, where the SDK is missing."""
    if find_spec("mcp") is None:
        raise UsageError(
            "the server needs the SDK of the Model Context Protocol",
            hint=make_install_command("mcp"),
        )


def serve_folder(folder: Path) -> None:
    """Answer until standard input ends. Raises InputError for no folder of profiles."""
    served = ServedFolder(folder)
    with make_temporary_folder() as scratch:
        make_server(RunAnswers(served, MeasuredRuns(scratch))).run("stdio")


def make_server(answers: RunAnswers) -> Any:
    """The server of these answers: read-only tools, one call at a time."""
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer(
        "perfolio", version=__version__, instructions=_INSTRUCTIONS, log_level="ERROR"
    )
    hints = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    lock = Lock()
    for name in TOOLS:
        server.tool(annotations=hints)(_report_errors(getattr(answers, name), lock))
    return server


def _report_errors(tool: Callable[..., Answer], lock: Lock) -> Callable[..., Answer]:
    """A tool whose errors reach the assistant in one line, the words of a profile apart."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def call(*args: Any, **kwargs: Any) -> Answer:
        try:
            with lock:
                return tool(*args, **kwargs)
        except PerfolioError as problem:
            raise ToolError(describe_error(problem)) from problem

    return call
