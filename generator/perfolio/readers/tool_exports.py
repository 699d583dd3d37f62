"""Binary reports of NVIDIA's tools, exported by the tool that wrote them.

In:  a report that is open, and its tool. Out: the place of the export, for the time of a block.

The program is the user's: from NSYS or NCU, absolute folders of PATH, or where NVIDIA installs it.
Nothing in a report chooses what runs, and no shell reads a name. Time and size are bounded. Exports
are cached by the content of the report and the program that made them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import FileCache, make_key
from perfolio.common.errors import InputError, UsageError, one_line
from perfolio.readers.stable_file import OpenedFile, open_input

SECONDS = 1800.0
"""That an export may take."""
MOST_TIMES, SMALLEST, LARGEST = 50, 1 << 30, 1 << 36
"""An export may have so many times the bytes of its report: at least 1 GiB, at most 64 GiB."""
CACHED = 4 << 30
"""Bytes of exports that are cached; the least recently used go first."""
REPORT, TARGET = "REPORT", "TARGET"
"""Arguments of a tool that stand for two paths."""
_FAILED: dict[tuple[Path, str], InputError] = {}
"""Why reports could not be exported, by path and content: no process tries one twice."""
_POLL = 0.1
_LAST = 4_000
"""Bytes of a program's messages that are looked at."""


@dataclass(frozen=True)
class ExportTool:
    """A program that exports binary reports."""

    name: str
    """Of the program; the variable of the environment is the same in capitals."""
    places: tuple[str, ...]
    """Patterns of where it is installed, below /."""
    arguments: tuple[str, ...]
    form: str
    """What it exports."""
    suffix: str
    begins: bytes = b""
    """The first bytes of an export."""
    is_printed: bool = False
    """Whether the export is what the program prints."""

    def find(self) -> Path | None:
        """The program, None where there is none, or its variable is empty.

        Raises UsageError where the variable names no program.
        """
        variable = self.name.upper()
        named = os.environ.get(variable)
        folders = os.environ.get("PATH", "").split(os.pathsep)
        safe = os.pathsep.join(each for each in folders if Path(each).is_absolute())
        if named is not None:
            found = shutil.which(named, path=safe) if named else None
            if named and found is None:
                raise UsageError(
                    f"{variable}={one_line(named, 200)}: is no program",
                    hint=f"name {self.name}, or unset the variable",
                )
            return Path(found).absolute() if found else None
        if found := shutil.which(self.name, path=safe):
            return Path(found)
        installed = (path for each in self.places for path in Path("/").glob(each))
        newest = sorted(filter(_is_program, installed), key=_read_version, reverse=True)
        return newest[0] if newest else None

    def make_command(self, program: str, report: str, target: str) -> list[str]:
        """The arguments that export a report, the program first."""
        places = {REPORT: report, TARGET: target}
        return [program, *(places.get(each, each) for each in self.arguments)]


NSYS = ExportTool(
    "nsys",
    ("opt/nvidia/nsight-systems*/*/bin/nsys", "usr/local/cuda*/bin/nsys"),
    ("export", "--type", "sqlite", "-o", TARGET, REPORT),
    "SQLite file",
    ".sqlite",
    b"SQLite format 3\0",
)
NCU = ExportTool(
    "ncu",
    ("opt/nvidia/nsight-compute/*/ncu", "usr/local/cuda*/bin/ncu"),
    ("--import", REPORT, "--csv", "--page", "raw"),
    "CSV",
    ".csv",
    is_printed=True,
)


@contextmanager
def export_report(tool: ExportTool, opened: OpenedFile) -> Iterator[Path]:
    """The export of a report. What is opened in the block stays readable after it.

    Raises InputError where there is no such program, it fails, or it exceeds its bounds, and where
    the report changes meanwhile.
    """
    program = tool.find()
    if program is None:
        raise InputError(f"{opened.path}: {tool.name} is not installed here")
    with suppress(OSError):
        program = program.resolve(strict=True)
    state = open_input(program).state
    key = make_key(tool.name, str(program), repr(state[1:]), opened.sha256())
    cache = FileCache(tool.name, CACHED)
    if cached := cache.find(key):
        yield cached
        return
    if (opened.path, key) in _FAILED:
        raise _FAILED[opened.path, key]
    with make_temporary_folder() as folder:
        target = folder / f"export{tool.suffix}"
        command = tool.make_command(str(program), str(opened.path.absolute()), str(target))
        try:
            _run_program(tool, command, opened, target)
            opened.check_unchanged()
            _check_export(tool, opened, target)
        except InputError as problem:
            _FAILED[opened.path, key] = problem
            raise
        cache.keep(key, target)
        yield target


def _run_program(
    tool: ExportTool, command: Sequence[str], opened: OpenedFile, target: Path
) -> None:
    messages = target.with_name("messages")
    with messages.open("wb") as said, target.with_name("printed").open("wb") as printed:
        code = _wait_for_end(tool, _start(command, printed, said), opened, target.parent)
    if code:
        why = _read_last_line(messages) or _read_last_line(target.with_name("printed"))
        ended = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise _make_error(tool, opened, f"cannot export it: {why or ended}")
    if tool.is_printed:
        target.with_name("printed").rename(target)


def _start(command: Sequence[str], printed: BinaryIO, said: BinaryIO) -> subprocess.Popen[bytes]:
    """In a process group of its own, in which all that it starts can be ended."""
    return subprocess.Popen(  # noqa: S603 - the user's own program, and no shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=printed,
        stderr=said,
        cwd=Path(printed.name).parent,
        start_new_session=True,
    )


def _wait_for_end(
    tool: ExportTool, process: subprocess.Popen[bytes], opened: OpenedFile, folder: Path
) -> int:
    """The exit code. Raises InputError, and ends the program, where it exceeds its bounds."""
    most = min(max(opened.size * MOST_TIMES, SMALLEST), LARGEST)
    end = time.monotonic() + SECONDS
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_POLL)
            if time.monotonic() > end:
                raise _make_error(tool, opened, f"did not export it within {SECONDS:g} s")
            if _measure_folder(folder) > most:
                raise _make_error(tool, opened, f"exports more than {most:,} bytes")
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _measure_folder(folder: Path) -> int:
    sizes = 0
    for path in folder.iterdir():
        with suppress(OSError):  # renamed meanwhile
            sizes += path.lstat().st_size
    return sizes


def _check_export(tool: ExportTool, opened: OpenedFile, target: Path) -> None:
    if target.is_symlink() or not target.is_file() or not target.stat().st_size:
        raise _make_error(tool, opened, "ended without an error, and exported nothing")
    made = open_input(target)
    if made.read(0, min(len(tool.begins), made.size)) != tool.begins:
        raise _make_error(tool, opened, f"exported something that is no {tool.form}")


def _make_error(tool: ExportTool, opened: OpenedFile, what: str) -> InputError:
    return InputError(
        f"{opened.path}: {tool.name} {what}",
        hint=f"try by hand: {describe_command(tool, opened.path)}",
    )


def describe_command(tool: ExportTool, path: Path) -> str:
    """The line of a shell that exports a report, by hand; its name is one word of it."""
    name = f"./{path.name}" if path.name.startswith("-") else path.name
    command = tool.make_command(tool.name, name, f"{name.removesuffix(path.suffix)}{tool.suffix}")
    return shlex.join(command) + (" > counters.csv" if tool.is_printed else "")


def _read_last_line(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - _LAST, 0))
        lines = file.read(_LAST).decode("utf-8", "replace").split("\n")
    return next((one_line(line, 200) for line in reversed(lines) if line.strip()), "")


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _read_version(place: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,9}", str(place))]
