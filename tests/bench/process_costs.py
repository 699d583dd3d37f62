"""What one command costs: seconds of the processor and on the clock, and memory.

In:  a command, run as a process of its own with all processes that it starts.
Out: `ProcessCost`, or why there is none.

Seconds of the processor are those of the process and of all that it waited for, as the system
counts them. Memory is of all of its processes together, as often as it is looked at (shared pages
count once), and at least what the system says of the largest one.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LOOK = 0.25
"""Seconds between two looks at memory."""
_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of `ru_maxrss`."""
_ADDRESS = re.compile(r"\b[a-z][a-z+]*://[^\s'\"]+|(?<=host: )\S+|(?<=host=)[^\s,)]+")
_FOLDERS = re.compile(r"(?<![\w.])/(?:[^\s/'\"]+/)+")
_LONGEST = 160


@dataclass(frozen=True)
class ProcessCost:
    """What a process took, and the last line that it printed."""

    cpu: float
    """Seconds of the processor, user and system."""
    wall: float
    """Seconds on the clock."""
    peak: float
    """Bytes."""
    said: str


@dataclass(frozen=True)
class ProcessFailure:
    """Why a process gave nothing, in words without addresses and folders."""

    reason: str


def measure_process(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> ProcessCost | ProcessFailure:
    """Run a command in `folder` to its end, or kill it with what it started after `timeout` s."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdout=out, stderr=errors,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        status, usage, largest = _wait_for(process.pid, begin + timeout)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if wall >= timeout:
            return ProcessFailure(f"not done after {timeout:.0f} s")
        if process.returncode != 0:
            return ProcessFailure(
                name_failure(_text_of(errors.fileno())) or f"ended with {process.returncode}"
            )
        said = _text_of(out.fileno()).strip().splitlines()
    return ProcessCost(
        usage.ru_utime + usage.ru_stime,
        wall,
        max(usage.ru_maxrss * _UNIT, largest),
        said[-1] if said else "",
    )


def name_failure(text: str) -> str:
    """The line of what a program printed that says why it failed, without addresses and folders."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if re.match(r"fatal:|ERROR:|\S*(?:Error|Exception):? ", line)]
    chosen = next((line for line in told if line.startswith("fatal:")), "")
    line = chosen or (told[-1] if told else lines[-1] if lines else "")
    line = re.sub(r"^(?:fatal|ERROR): ", "", line)
    plain = " ".join(_FOLDERS.sub("", _ADDRESS.sub("…", line)).split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def _text_of(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(os.dup(file), "rb") as opened:
        return opened.read().decode("utf-8", "replace")


def _wait_for(process: int, deadline: float) -> tuple[int, resource.struct_rusage, float]:
    """Exit status, usage, and the largest memory seen of the process and its descendants."""
    largest, looked = 0.0, 0.0
    while True:
        done, status, usage = os.wait4(process, os.WNOHANG)
        if done:
            return status, usage, largest
        now = time.monotonic()
        if now >= deadline:
            _kill_all(find_family(process))
            _, status, usage = os.wait4(process, 0)
            return status, usage, largest
        if now - looked >= _LOOK:
            largest = max(largest, sum(map(_proportional_memory, find_family(process))))
            looked = time.monotonic()
        time.sleep(0.02)


def find_family(process: int) -> list[int]:
    """A process and all that descend from it; itself alone where the system does not tell."""
    family = [process]
    for one in family:  # grows while it is read
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                family += map(int, path.read_text("ascii").split())
            except OSError:  # the thread has ended
                continue
    return family


def _proportional_memory(process: int) -> float:
    """Bytes, with a part of each page that processes share; 0 where it has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8")
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return float(found[1]) * 1024 if found else 0.0


def _kill_all(processes: Sequence[int]) -> None:
    for one in processes:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue
