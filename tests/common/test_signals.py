"""A command that is asked to end leaves nothing half-written behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perfolio.common.errors import StoreError
from perfolio.common.progress import LineProgress
from perfolio.common.signals import make_interruptible
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT

pytestmark = pytest.mark.usefixtures("on_a_terminal")


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_is_a_keyboard_interrupt_and_handlers_come_back(number: int) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        make_interruptible(send)(number)
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("problem", [RuntimeError("Query interrupted"), StoreError("closed")])
def test_what_the_database_makes_of_a_request_is_one_too(problem: Exception) -> None:
    def query() -> None:
        try:
            send(signal.SIGINT)
        except KeyboardInterrupt:
            raise problem from None

    with pytest.raises(KeyboardInterrupt):
        make_interruptible(query)()


def test_a_request_that_a_callback_swallowed_ends_the_next_task() -> None:
    def swallows() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            send(signal.SIGINT)
        LineProgress(tell=False).start("the next task", None)

    with pytest.raises(KeyboardInterrupt):
        make_interruptible(swallows)()
    LineProgress(tell=False).start("of another command", None)  # is not asked to end


def test_errors_without_a_request_stay_what_they_are() -> None:
    def fails() -> None:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError, match="a defect"):
        make_interruptible(fails)()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_nohup_ignores_stays_ignored(number: int) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        make_interruptible(send)(number)
    finally:
        signal.signal(number, before)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_build_that_is_ended_leaves_no_file(number: int, tmp_path: Path) -> None:
    write_database(tmp_path / "run.d", Shape(depth=5, fan_out=7, profiles=12))
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "perfolio", "build", str(tmp_path / "run.d"), "-o", "site"],
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(tmp_path / "tmp"),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    started = time.monotonic()
    while not any((tmp_path / "tmp").rglob("*.duckdb*")) and time.monotonic() - started < 60:
        time.sleep(0.01)  # until it writes
    process.send_signal(number)
    _, said = process.communicate(timeout=60)

    assert said.splitlines()[-1] == "perfolio: interrupted; nothing half-written was left"
    # Python ends by the signal itself where it came up in code that is made as text (a data class):
    # for a shell that is 130, too.
    assert process.returncode in {130, -signal.SIGINT}
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "site").exists()
