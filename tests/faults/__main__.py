"""Lets faults happen, and prints what came of them; see the package."""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import mkdocs.commands.build

from perfolio.common.errors import PerfolioError
from perfolio.common.signals import make_interruptible
from tests.faults.faults import KINDS, Fault, install, watch
from tests.faults.operations import DEFECTIVE, OPERATIONS, Operation

SOME = 4
"""Moments of an operation, unless all are asked for."""
OUR_ERROR, INTERRUPTED, CRASHED = 20, 21, 22
KILLED = {-signal.SIGKILL, -signal.SIGXFSZ}


def main() -> None:
    """Print a line per operation, and one per failure; exit 1 where there is any."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every moment, each kind of fault")
    names = [*OPERATIONS, *DEFECTIVE]
    parser.add_argument("--only", choices=names, help="this operation only")
    given = parser.parse_args()
    assert mkdocs.commands.build  # imported here once, and not in each process
    failures = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        for name in [given.only] if given.only else OPERATIONS:
            work = Path(folder) / name.replace(" ", "-")
            work.mkdir()
            failures += _all_faults(name, work, every=given.all)
    for failure in failures:
        sys.stdout.write(f"FAILED {failure}\n")
    sys.exit(bool(failures))


def _all_faults(name: str, work: Path, *, every: bool) -> list[str]:
    operation, before = (OPERATIONS | DEFECTIVE)[name], work / "before"
    before.mkdir()
    _learn(operation, work / "learnt")
    states = _prepare(operation, before, work)
    faults = list(_faults(operation, before, work, every=every))
    ends: Counter[str] = Counter()
    failures = []
    for fault in faults:
        ended, problems = _one(operation, before, work / "now", fault, states)
        ends[ended] += 1
        failures += [f"{name}, {fault}: {problem}" for problem in problems]
    told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    sys.stdout.write(f"{name}: {len(faults)} faults: {told}; {len(failures)} failures\n")
    return failures


def _learn(operation: Operation, folder: Path) -> None:
    """Run it in this process, so that those forked of it need not import and parse it all again."""
    folder.mkdir()
    operation.prepare(folder, 1)
    with patch.dict(os.environ, XDG_CACHE_HOME=str(folder / "cache")):
        operation.run(folder)
        operation.look(folder)
    shutil.rmtree(folder)


def _prepare(operation: Operation, before: Path, work: Path) -> tuple[str, str]:
    """Fill the folder that each run begins with; returns what outputs say, old and new."""
    if operation.begins_with:
        operation.prepare(before, 1)
        _forked(before, lambda: operation.run(before))
    old = _told(before, lambda: operation.look(before))
    operation.prepare(before, 2)
    trial = work / "trial"
    _copy(before, trial)
    _forked(trial, lambda: operation.run(trial))
    new = _told(trial, lambda: operation.look(trial))
    assert old != new
    shutil.rmtree(before / "cache", ignore_errors=True)
    if (trial / "cache").exists():
        shutil.copytree(trial / "cache", before / "cache")
    shutil.rmtree(trial)
    return old, new


def _faults(operation: Operation, before: Path, work: Path, *, every: bool) -> Iterator[Fault]:
    """Each moment of an undisturbed run and sizes up to its largest file, or some of them."""
    trial = work / "trial"
    _copy(before, trial)

    def counted() -> str:
        moments: list[str] = []
        watch(trial, moments.append)
        operation.run(trial)
        return json.dumps(len(moments))

    moments = range(int(_told(trial, counted)))
    largest = max(path.stat().st_size for path in trial.rglob("*") if path.is_file())
    shutil.rmtree(trial)
    sizes = range(0, largest, max(4096, largest // 40))
    for moment in moments if every else _spread(moments):
        for kind in KINDS if every else [KINDS[moment % 3]]:
            yield Fault(kind, moment=moment)
    for size in sizes if every else _spread(sizes):
        for kind in ("full disk", "kill"):
            yield Fault(kind, size=size)


def _spread(values: Sequence[int]) -> list[int]:
    """Some of the values, the first and the last among them."""
    last = len(values) - 1
    return sorted({values[last * i // (SOME - 1)] for i in range(SOME)}) if values else []


def _one(
    operation: Operation, before: Path, now: Path, fault: Fault, states: tuple[str, str]
) -> tuple[str, list[str]]:
    """How the run with a fault ended, and what was wrong after it."""
    _copy(before, now)

    def disturbed() -> None:
        install(fault, now)
        make_interruptible(operation.run)(now)

    code = _forked(now, disturbed)
    problems = ["ended in a traceback"] if code == CRASHED else []
    old, new = states
    found = _told(now, lambda: operation.look(now))
    whole = {old, new} if code not in KILLED else {old, new, "nothing"}
    if found not in ({new} if code == 0 else whole):
        problems.append(f"left {found[:200]}")
    if _forked(now, lambda: operation.run(now)) != 0:
        problems.append("the next run failed")
    elif _told(now, lambda: operation.look(now)) != new:
        problems.append("the next run made something else")
    problems += [f"left {name}" for name in _others(operation, now)]
    shutil.rmtree(now)
    ends = {0: "done", OUR_ERROR: "in one line", INTERRUPTED: "interrupted", CRASHED: "crashed"}
    return ends.get(code, "killed"), problems


def _others(operation: Operation, folder: Path) -> list[str]:
    """What is there besides outputs; below them, names of what is half written."""
    there = {path.name for path in folder.iterdir()} - operation.outputs - {"cache", "tmp"}
    half = (".partial", ".earlier", ".lock", ".scratch", ".new", ".wal")
    below = (path.name for path in folder.rglob("*") if path.name.endswith(half))
    return [*there, *(path.name for path in (folder / "tmp").iterdir()), *below]


def _copy(before: Path, now: Path) -> None:
    shutil.copytree(before, now)
    (now / "tmp").mkdir(exist_ok=True)


def _forked(folder: Path, work: Callable[[], None]) -> int:
    """The exit code of a process that does the work with all its temporary files in `folder`."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    code = CRASHED
    try:
        code = _code(folder, work)
    finally:
        os._exit(code)


def _code(folder: Path, work: Callable[[], None]) -> int:
    try:
        (folder / "tmp").mkdir(exist_ok=True)
        tempfile.tempdir = str(folder / "tmp")
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        work()
    except PerfolioError as problem:
        return OUR_ERROR if str(problem).isprintable() else CRASHED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BaseException:  # noqa: BLE001 - a process of its own, whose end is looked at
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        traceback.print_exc()
        return CRASHED
    return 0


def _told(folder: Path, ask: Callable[[], str]) -> str:
    """What a function says in a process of its own."""
    answer = folder / "tmp" / "answer"
    code = _forked(folder, lambda: (answer.write_text(ask()), None)[1])
    assert code == 0, code
    text = answer.read_text()
    answer.unlink()
    return text


if __name__ == "__main__":
    main()
