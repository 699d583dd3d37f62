"""Change inputs of all formats, read them, and print what became of them, format by format.

    python -m tests.fuzz.readers --minutes 30 --seed 1
    python -m tests.fuzz.readers --seed 1 --only 12345

Each case runs within bounds of CPU time and memory, and is told by seed and number. Ends with 1
where a case ended in anything but a reading or one line that names the input.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import FrameType

from perfolio.common.errors import InputError
from perfolio.readers import registry
from tests.fuzz.inputs import Files, changed, inputs

CPU_LIMIT, MEMORY_LIMIT = 10.0, 700_000_000
"""CPU-seconds, and bytes beyond what the process has."""
STEP = 200
"""Cases that one process runs."""
READ, REFUSED, CRASH, HANG, MEMORY, SIGNAL = "read", "refused", "crash", "hang", "memory", "signal"
DEFECTS = (CRASH, HANG, MEMORY, SIGNAL)
Result = tuple[int, str, str, str]
"""Number, format, outcome and what it says."""


class TooLongError(BaseException):
    """A case took more than CPU_LIMIT; no handler of errors may catch it."""


def case_of(seed: int, number: int) -> tuple[str, Files]:
    """The format of a case, and its files."""
    rng = Random(f"{seed}:{number}")
    name = rng.choice(sorted(inputs()))
    return name, changed(inputs()[name], rng)


def run_case(files: Files, folder: Path) -> tuple[str, str]:
    """What becomes of files, within the bounds: an outcome, and what it says."""
    path = _written(files, folder)
    _reset_peak()
    before, begin = _peak(), time.process_time()
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT)
    try:
        outcome, says = _outcome(path)
    except TooLongError:
        return HANG, "".join(traceback.format_exc()[-300:].split("\n")[-4:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if (spent := time.process_time() - begin) > CPU_LIMIT:
        return HANG, f"{spent:.1f} s of CPU time"
    if (taken := _peak() - before) > MEMORY_LIMIT:
        return MEMORY, f"{taken / 1e6:.0f} MB"
    return outcome, says


def results(seed: int, first: int, count: int) -> Iterator[Result]:
    """What becomes of cases, one after the other, in a process that may die."""
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(seed, first, count, sending))
    process.start()
    sending.close()
    number = first
    try:
        while True:
            result: Result = receiving.recv()
            yield result
            number = result[0] + 1
    except EOFError:
        process.join()
    if process.exitcode:
        yield number, case_of(seed, number)[0], SIGNAL, str(process.exitcode)
    if number < first + count - 1 and process.exitcode:
        yield from results(seed, number + 1, first + count - number - 1)


def _work(seed: int, first: int, count: int, sending: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=place, prefix="perfolio-fuzz-") as folder:
        for number in range(first, first + count):
            name, files = case_of(seed, number)
            sending.send((number, name, *run_case(files, Path(folder))))


def _written(files: Files, folder: Path) -> Path:
    top = folder / "input"
    shutil.rmtree(top, ignore_errors=True)
    for name, data in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(data)
    (only, *others) = files
    return top / only.split("/")[0] if not others or "/" in only else top


def _outcome(path: Path) -> tuple[str, str]:
    try:
        source = registry.read(path)
        for stream in source.streams.values():
            for _ in stream.batches():
                pass
    except InputError as problem:
        text = str(problem)
        if "\n" in text or path.name not in text:
            return CRASH, f"not one line that names the input: {text[:200]}"
        return REFUSED, ""
    except MemoryError:
        return MEMORY, "no memory was left"
    except Exception as problem:  # noqa: BLE001 - any other is what is looked for
        own = [
            at for at in traceback.extract_tb(problem.__traceback__) if "perfolio" in at.filename
        ]
        where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
        return CRASH, f"{type(problem).__name__}: {problem}"[:200].replace(
            "\n", " "
        ) + f" at {where}"
    return READ, ""


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) * 1024 if found else 0


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, default=10**12, help="at most so many")
    parser.add_argument("--only", type=int, help="run this case alone; its files stay in ./case")
    given = parser.parse_args()
    if given.only is not None:
        name, files = case_of(given.seed, given.only)
        print(name, *run_case(files, Path("case")))
        return 0
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    end, first = time.monotonic() + 60 * given.minutes, given.first
    while time.monotonic() < end and first < given.first + given.cases:
        for number, name, outcome, says in results(given.seed, first, STEP):
            tally[name][outcome] += 1
            if outcome in DEFECTS:
                print(f"case {number}: {name}: {outcome}: {says}", flush=True)
        first += STEP
    kinds = (READ, REFUSED, *DEFECTS)
    print(f"{'':16}" + "".join(f"{kind:>10}" for kind in kinds))
    for name, counts in sorted(tally.items()):
        print(f"{name:16}" + "".join(f"{counts[kind]:>10,}" for kind in kinds))
    whole = sum(tally.values(), Counter[str]())
    print(f"{'all':16}" + "".join(f"{whole[kind]:>10,}" for kind in kinds), os.linesep, end="")
    return any(whole[kind] for kind in DEFECTS)


if __name__ == "__main__":
    sys.exit(main())
