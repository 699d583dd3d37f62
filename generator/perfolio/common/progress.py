"""Progress of long work: bars on a terminal, a line per task elsewhere, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol, TextIO

from perfolio.common.errors import one_line
from perfolio.common.signals import check_requests

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_NAME = 120
"""Characters of a task's name in a line."""
_BETWEEN_LINES = 30.0
"""Between two lines on one task [s]."""


class Progress(Protocol):
    """What long work reports to: a task by name, with a total and steps."""

    def start(self, name: str, total: float | None) -> None:
        """Begin a task of `total` steps (None: unknown)."""

    def advance(self, steps: float) -> None:
        """So many further steps of the current task are done."""

    def rename(self, name: str) -> None:
        """Say more of the current task, such as what failed so far."""


class ShownProgress(Progress, Protocol):
    """Progress that somebody sees."""

    def say(self, line: str) -> None:
        """Print a line of the result on standard output, while the work goes on."""


class QuietProgress:
    """Reports nothing."""

    def start(self, name: str, total: float | None) -> None:
        """Nothing."""

    def advance(self, steps: float) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Nothing."""


@contextmanager
def show_progress(*, lines: bool = False) -> Iterator[ShownProgress]:
    """A progress display on standard error: bars if that is a terminal, else `lines` or nothing."""
    if not sys.stderr.isatty():
        yield LineProgress(tell=lines)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _BarProgress(bars)


class LineProgress:
    """A line as each task begins, with the seconds until then."""

    def __init__(self, *, tell: bool = True) -> None:
        self._tell = tell
        self._begin = time.monotonic()
        self._said = self._begin

    def start(self, name: str, total: float | None) -> None:
        """Print the line."""
        del total
        check_requests()
        seconds = time.monotonic() - self._begin
        if self._tell:
            _print_line(f"{seconds:6.1f} s  {one_line(name, _NAME)}", sys.stderr)

    def advance(self, steps: float) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Print the line, every half minute."""
        if time.monotonic() - self._said >= _BETWEEN_LINES:
            self._said = time.monotonic()
            self.start(name, None)

    def say(self, line: str) -> None:
        """Print a line of the result."""
        _print_line(line, sys.stdout)


class _BarProgress:
    """One bar at a time."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def start(self, name: str, total: float | None) -> None:
        check_requests()
        if self._task is not None:
            self._bars.remove_task(self._task)
        self._task = self._bars.add_task(name, total=total)

    def advance(self, steps: float) -> None:
        if self._task is not None:
            self._bars.advance(self._task, steps)

    def rename(self, name: str) -> None:
        check_requests()
        if self._task is not None:
            self._bars.update(self._task, description=name)

    def say(self, line: str) -> None:
        self._bars.stop()
        _print_line(line, sys.stdout)
        self._bars.start()


def _print_line(line: str, stream: TextIO) -> None:
    """Print, unless nobody reads any more (`| head -1`): the work goes on."""
    with suppress(BrokenPipeError):
        stream.write(f"{line}\n")
        stream.flush()
