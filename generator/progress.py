"""Progress of long work: bars on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


class Progress(Protocol):
    """What long work reports to: a task by name, with a total and steps."""

    def start(self, name: str, total: float | None) -> None:
        """Begin a task of `total` steps (None: unknown)."""

    def advance(self, steps: float) -> None:
        """So many further steps of the current task are done."""


class Quiet:
    """Reports nothing."""

    def start(self, name: str, total: float | None) -> None:
        """Nothing."""

    def advance(self, steps: float) -> None:
        """Nothing."""


@contextmanager
def shown() -> Iterator[Progress]:
    """A progress display on standard error if that is a terminal, else `Quiet`."""
    if not sys.stderr.isatty():
        yield Quiet()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Bars(bars)


class _Bars:
    """One bar at a time."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def start(self, name: str, total: float | None) -> None:
        if self._task is not None:
            self._bars.remove_task(self._task)
        self._task = self._bars.add_task(name, total=total)

    def advance(self, steps: float) -> None:
        if self._task is not None:
            self._bars.advance(self._task, steps)
