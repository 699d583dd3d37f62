"""Work in several processes: in order, errors as they are, nothing of the current folder."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event, Thread
from unittest.mock import patch

import pytest

from perfolio.common import processes
from perfolio.common.errors import FormatError, PerfolioError, UsageError, WorkerError
from tests.kit.shared import ROOT


def _square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def _fail(number: int) -> int:
    if number == 2:
        raise UsageError("two is too many", hint="give one")
    return number


@pytest.fixture(autouse=True)
def _two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "count_processors", lambda: 2)


@pytest.mark.slow
def test_results_come_in_the_order_of_the_arguments_from_other_processes() -> None:
    found = list(processes.map_in_processes(_square, range(6)))

    assert [square for square, _ in found] == [0, 1, 4, 9, 16, 25]
    assert os.getpid() not in {process for _, process in found}


def test_a_single_piece_of_work_stays_in_this_process() -> None:
    assert list(processes.map_in_processes(_square, [3])) == [(9, os.getpid())]


def _square_apart(numbers: list[int]) -> tuple[list[tuple[int, int]], int]:
    return list(processes.map_in_processes(_square, numbers)), os.getpid()


@pytest.mark.slow
def test_one_of_several_processes_begins_no_further_ones() -> None:
    for found, own in processes.map_in_processes(_square_apart, [[1, 2], [3, 4]]):
        assert {process for _, process in found} == {own}


def test_an_error_of_ours_is_raised_as_it_was() -> None:
    with pytest.raises(UsageError, match="two is too many; give one"):
        list(processes.map_in_processes(_fail, [1, 2, 3]))


def _misread(number: int) -> int:
    raise FormatError(Path("profile.db"), number, "no value", hint="look at it")


def test_an_error_that_knows_its_place_is_raised_as_it_was() -> None:
    with pytest.raises(FormatError) as found:
        list(processes.map_in_processes(_misread, [16, 17]))
    assert str(found.value) == "profile.db: at byte 0x10: no value; look at it"
    assert (found.value.path, found.value.offset) == (Path("profile.db"), 16)


def _fail_at_first(number: int) -> None:
    if number == 0:
        raise UsageError("the first", hint="none")
    time.sleep(600)


def test_what_waits_when_an_error_is_raised_ends_in_silence(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(UsageError):
        list(processes.map_in_processes(_fail_at_first, range(12)))
    assert multiprocessing.active_children() == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_no_code_of_the_current_folder_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pickle", "struct", "hashlib"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)

    assert [square for square, _ in processes.map_in_processes(_square, [1, 2])] == [1, 4]
    assert not (tmp_path / "ran").exists()
    assert "PYTHONSAFEPATH" not in os.environ


def _told(name: str) -> str | None:
    return os.environ.get(name)


@pytest.mark.slow
@pytest.mark.parametrize("said", [None, "glibc.malloc.arena_max=4"])
def test_what_a_user_says_of_memory_stays(
    said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "GLIBC_TUNABLES"
    monkeypatch.setenv(name, said or "")
    if said is None:
        monkeypatch.delenv(name)

    found = set(processes.map_in_processes(_told, [name, name]))

    assert found == {said or "glibc.malloc.tcache_count=1000"}
    assert os.environ.get(name) == said


def _end(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_is_ended_from_outside_is_one_line() -> None:
    with pytest.raises(WorkerError, match="ended from outside; free memory"):
        list(processes.map_in_processes(_end, [1, 2]))


def _wait(folder: str) -> None:
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)


def _work(folder: str) -> None:
    list(processes.map_in_processes(_wait, [folder, folder]))


@pytest.mark.slow
def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path.parent / "work.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom tests.common.test_processes import "
        "_work\n"
        f"if __name__ == '__main__':\n    _work({str(tmp_path)!r})\n"
    )
    with subprocess.Popen([sys.executable, str(script)]) as parent:
        _until(lambda: len(list(tmp_path.iterdir())) == 2)
        parent.kill()
    _until(lambda: not any(Path(f"/proc/{each.name}").exists() for each in tmp_path.iterdir()))


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


_prepared: list[bool] = []


def _prepare() -> None:
    _prepared.append(True)


def _tell() -> tuple[bool, int]:
    return bool(_prepared), os.getpid()


def _map_words(words: list[str]) -> list[tuple[str, int]]:
    ending = f" of {words[0]}"  # a copy has it, although nothing could pickle the function

    def extend(word: str) -> tuple[str, int]:
        time.sleep(0.2)  # in which others take the next ones
        return word + ending, os.getpid()

    return processes.map_in_copies(extend, words)


def _map_failing_in_copies() -> list[tuple[str, int]]:
    """Words that only the copied process can do: one copy fails, and another one is killed."""
    here = os.getpid()

    def fail(word: str) -> tuple[str, int]:
        if os.getpid() != here and word == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.getpid() != here:
            raise ValueError(word)
        time.sleep(0.1)  # until the copy has taken one
        return word, here

    return [
        answer
        for word in ("failing", "killed")
        for answer in processes.map_in_copies(fail, [word] * 3)
    ]


def _map_what_begins_threads() -> list[object]:
    """Who did what is left to copies, and in how many processes more would be done then."""

    def begin(_: int) -> int:
        time.sleep(0.1)  # until the copy has taken one
        processes.leave_to_copy()
        Thread(target=time.sleep, args=(60,), daemon=True).start()
        return os.getpid()

    return [processes.map_in_copies(begin, range(4)), processes.count_copies(4)]


def _map_errors() -> int:
    def fail(number: int) -> int:
        time.sleep(0.1)
        if number in (1, 3):
            raise UsageError(f"number {number}")
        return number

    return len(processes.map_in_copies(fail, range(6)))


def _map_without_pipes() -> int:
    with patch("os.pipe", side_effect=OSError(24, "Too many open files")):
        return len(_map_words(["a", "b"]))


def _map_words_beside_a_thread(words: list[str]) -> list[tuple[str, int]]:
    ended = Event()
    thread = Thread(target=ended.wait)
    thread.start()
    try:
        return _map_words(words)
    finally:
        ended.set()
        thread.join()


def _sleep(folder: str) -> None:
    processes.map_in_copies(_wait, [folder, folder])


def _try(function: Callable[[], object]) -> str:
    with pytest.raises(PerfolioError) as problem:
        processes.start_beside(function).get_result()
    return f"{type(problem.value).__name__}: {problem.value}"


def _tell_of_side_process() -> None:
    """What a process with another one beside it sees, as JSON."""
    processes.count_processors = lambda: 2
    found: dict[str, object] = {"alone": processes.start_beside(_tell).get_result()}
    found["copies of none"] = _map_words(["a", "b"])
    processes.begin_side_process(_prepare)
    found["beside"] = processes.start_beside(_tell).get_result()
    found["copies"] = processes.start_beside(_map_words, ["a", "b", "c", "d"]).get_result()
    found["failed copies"] = processes.start_beside(_map_failing_in_copies).get_result()
    found["threads"] = processes.start_beside(_map_what_begins_threads).get_result()
    found["errors"] = [_try(_map_errors) for _ in range(2)]
    found["no pipes"] = processes.start_beside(_map_without_pipes).get_result()
    found["no copies"] = processes.start_beside(_map_words_beside_a_thread, ["a"] * 2).get_result()
    found["error"] = _try(partial(_fail, 2))
    found["after an error"] = processes.start_beside(_tell).get_result()
    found["ended"] = _try(partial(_end, 2))
    processes.begin_side_process(_prepare)
    for process in multiprocessing.active_children():
        process.kill()
        process.join()
    time.sleep(0.1)  # until it is known
    found["killed"] = processes.start_beside(_tell).get_result()
    found["own"] = os.getpid()
    sys.stdout.write(json.dumps(found))


def _run_beside(call: str) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    return [sys.executable, "-c", f"{code}from tests.common import test_processes as t; t.{call}"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies a process safely")
def test_a_process_beside_this_one_works_in_copies_of_itself() -> None:
    said = subprocess.run(_run_beside("_tell_of_side_process()"), capture_output=True, check=True)
    found = json.loads(said.stdout)
    own, (ready, beside) = found["own"], found["beside"]

    assert found["alone"] == [False, own]
    assert {process for _, process in found["copies of none"]} == {own}
    assert ready
    assert beside != own
    assert [word for word, _ in found["copies"]] == ["a of a", "b of a", "c of a", "d of a"]
    doing = {process for _, process in found["copies"]}
    assert own not in doing
    assert len(doing | {beside}) == 2
    assert {process for _, process in found["failed copies"]} == {beside}
    workers, copies = found["threads"]
    assert {own, beside}.isdisjoint(workers)
    assert copies == 2
    assert found["errors"] == ["UsageError: number 1"] * 2
    assert found["no pipes"] == 2
    assert {process for _, process in found["no copies"]} == {beside}
    assert found["error"] == "UsageError: two is too many; give one"
    assert found["after an error"] == [True, beside]
    assert found["killed"] == [False, own]
    assert found["ended"].startswith("WorkerError: one of several processes was ended from outside")


@pytest.mark.parametrize(
    ("place", "refusal"),
    [
        ("os.fork", BlockingIOError(11, "no more processes")),
        ("threading.Thread.start", RuntimeError("can't start new thread")),
        ("_multiprocessing.SemLock", OSError(38, "no semaphores")),
        ("pathlib.Path.iterdir", FileNotFoundError("no /proc")),
    ],
)
def test_where_no_process_can_begin_all_is_done_in_this_one(
    place: str, refusal: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_can_copy", lambda: True)
    if place == "pathlib.Path.iterdir":
        monkeypatch.undo()
    with patch(place, side_effect=refusal):
        processes.begin_side_process(_prepare)
        assert processes.start_beside(_tell).get_result() == (False, os.getpid())
    assert multiprocessing.active_children() == []


def _sleep_beside(folder: str) -> None:
    processes.count_processors = lambda: 2
    processes.begin_side_process(_prepare)
    processes.start_beside(_sleep, folder).get_result()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies a process safely")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_process_beside_one_that_ends_ends_with_its_copies(tmp_path: Path, end: int) -> None:
    call = _run_beside(f"_sleep_beside({str(tmp_path)!r})")
    with subprocess.Popen(call, stderr=subprocess.DEVNULL) as parent:
        _until(lambda: len(list(tmp_path.iterdir())) == 2)
        parent.send_signal(end)
    _until(lambda: not any(Path(f"/proc/{each.name}").exists() for each in tmp_path.iterdir()))
