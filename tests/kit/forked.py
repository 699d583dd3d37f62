"""Processes that begin with all that they need imported.

In:  a function and what it is given. Out: how its process ended, and what that said.

Most of what a small process takes is its imports, a second for Hatchet or pandas: one process makes
them, and each other is a fork of it. It shares nothing with the process of the tests, and may end
as it likes.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from unittest.mock import patch

from perfolio.readers.hatchet import worker

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["pytest", "hatchet", "caliperreader", "pydot", "tests.kit.limits", "tests.kit.forked"]
)
"""What is not installed is left out."""


def forked(function: Callable[..., None], *given: object) -> subprocess.CompletedProcess[bytes]:
    """Call a function of a module in a process of its own, as `subprocess.run` runs a command."""
    with tempfile.TemporaryDirectory() as folder:
        said = [Path(folder) / name for name in ("stdout", "stderr")]
        process = _CONTEXT.Process(target=_call, args=(said, function, *given))
        process.start()
        process.join()
        out, err = (path.read_bytes() if path.exists() else b"" for path in said)
        return subprocess.CompletedProcess([], process.exitcode or 0, out, err)


def forked_program(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run` gives for a file of Python, of a command without its warnings."""
    at = next(place for place, part in enumerate(command) if part.endswith(".py"))
    return forked(_program, command[at:])


@contextmanager
def hatchet_forked() -> Iterator[None]:
    """Let Hatchet read in such processes: to import it takes longer than to read most files."""
    run = SimpleNamespace(**vars(subprocess) | {"run": forked_program})
    with patch.object(worker, "subprocess", run):
        yield


def _call(said: list[Path], function: Callable[..., None], *given: object) -> None:
    for number, path in enumerate(said, 1):
        with path.open("wb") as file:
            os.dup2(file.fileno(), number)
    function(*given)


def _program(arguments: list[str]) -> None:
    sys.argv = arguments
    warnings.simplefilter("ignore")
    run_path(arguments[0], run_name="__main__")
