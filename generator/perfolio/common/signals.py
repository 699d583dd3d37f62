"""A request to end a command, as the one exception after which everything is cleaned up.

In:  Ctrl-C (SIGINT), the SIGTERM of a batch system or `timeout`, or the SIGHUP of a terminal that
     was closed.
Out: KeyboardInterrupt, so that temporary folders and half-written files go.

Python alone ends on the others without any clean-up, and DuckDB reports an interrupt during a
query as RuntimeError. An exception that comes up in a destructor or in a callback of a library is
lost; `check`, which progress calls as each task begins, raises it again.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import ParamSpec

from perfolio.common.errors import PerfolioError

P = ParamSpec("P")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_requests: list[int] = []
"""The signals that the command now running was sent."""


def make_interruptible(command: Callable[P, None]) -> Callable[P, None]:
    """`command`, from which a request to end comes out as KeyboardInterrupt and nothing else."""

    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with _watch_signals():
            try:
                command(*args, **kwargs)
            except (RuntimeError, PerfolioError) as problem:
                if _requests:
                    raise KeyboardInterrupt from problem
                raise

    return run


def check_requests() -> None:
    """Raise KeyboardInterrupt where the command was asked to end and went on."""
    if _requests:
        raise KeyboardInterrupt


@contextmanager
def _watch_signals() -> Iterator[None]:
    """Note each request and raise KeyboardInterrupt; what is ignored (`nohup`) stays ignored."""

    def note(number: int, _frame: FrameType | None) -> None:
        _requests.append(number)
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()  # only it may set handlers
    watched = [each for each in SIGNALS if main and signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, note) for each in watched}
    try:
        yield
    finally:
        _requests.clear()
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)
