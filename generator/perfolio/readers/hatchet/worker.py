"""Hatchet in a process of its own, which may take so much memory and time, and may end as it likes.

In:  files that were checked. Out: what Hatchet makes of them, as tables; or an InputError.

Hatchet is written for files that one trusts: it prints, forks, and follows trees by recursion.
Nothing of that reaches this process, which does not import it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyarrow as pa

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import InputError, one_line
from perfolio.common.extra_packages import make_install_command
from perfolio.readers.hatchet.staged_files import StagedFiles

MEMORY = 8 << 30
"""Bytes of addresses that the process may have."""
SECONDS = 600
"""Of processor time."""
_PROGRAM = Path(__file__).with_name("worker_process.py")


class HatchetReaderMissingError(InputError):
    """There is nothing here that reads the file."""


@dataclass(frozen=True)
class HatchetTables:
    """What Hatchet read."""

    places: list[dict[str, Any]]
    """By number: parent, kind, name, module, file, line."""
    amounts: pa.Table
    """place, rank and thread where there are several, and a column for each metric."""
    edges: list[dict[str, Any]]
    """Of tools that record no paths: caller, called, and the amount of that call."""
    told: dict[str, Any]


def run_hatchet(
    held: StagedFiles, *, memory: int = MEMORY, seconds: int = SECONDS
) -> HatchetTables:
    """Let Hatchet read the files. Raises MissingHatchetError and InputError."""
    check_installed(held.path)
    with make_temporary_folder() as folder:
        source, results = folder / "source", folder / "results"
        source.mkdir()
        results.mkdir()
        target = held.copy_to(source)
        given = [held.form.name, str(target), str(results), str(memory), str(seconds)]
        _run_worker(held, [sys.executable, "-P", "-W", "ignore", str(_PROGRAM), *given], seconds)
        return HatchetTables(
            _read_table(results / "places.arrow").to_pylist(),
            _read_table(results / "amounts.arrow"),
            _read_table(results / "edges.arrow").to_pylist(),
            json.loads((results / "told.json").read_text("utf-8")),
        )


def check_installed(path: Path) -> str:
    """The version of Hatchet. Raises MissingHatchetError where it is not installed."""
    try:
        return version("llnl-hatchet")
    except PackageNotFoundError as problem:
        raise HatchetReaderMissingError(
            f"{path}: is read by Hatchet, which is not installed",
            hint=make_install_command("hatchet"),
        ) from problem


def _run_worker(held: StagedFiles, command: list[str], seconds: int) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - ours
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=2 * seconds,
        )
    except subprocess.TimeoutExpired as problem:
        raise InputError(
            f"{held.path}: Hatchet did not read it within {2 * seconds} s", hint="give less of it"
        ) from problem
    if done.returncode == 0:
        return
    raise InputError(
        f"{held.path}: Hatchet cannot read it as {held.form.value}: "
        f"{_explain_failure(done, seconds)}",
        hint="record it again, or copy the whole file again",
    )


def _explain_failure(done: subprocess.CompletedProcess[bytes], seconds: int) -> str:
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"it took more than {seconds} s of processor time, or the memory was full"
    if done.returncode < 0:
        return f"its process was ended by signal {-done.returncode}"
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return one_line(lines[-1], 200) if lines else f"it ended with {done.returncode}"


def _read_table(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all()
