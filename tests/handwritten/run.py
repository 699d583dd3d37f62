"""Many mutants in one process, each within a limit of CPU time: a result, one line, or a defect."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType

from perfolio.common.errors import PerfolioError
from tests.handwritten.kinds import KINDS, Kind
from tests.handwritten.mutate import mutated

CPU_LIMIT = 10.0
"""Seconds of CPU time that a mutant may take."""
DONE, REFUSED, CRASH, HANG = "done", "refused", "traceback", "too long"
DEFECTS = (CRASH, HANG)


class TooLongError(BaseException):
    """A mutant took more than CPU_LIMIT; no handler of errors may catch it."""


@dataclass
class Tally:
    """What all mutants came to, by kind; and the first of each defect."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    defects: dict[str, str] = field(default_factory=dict)
    slowest: float = 0.0

    def rows(self) -> list[str]:
        """A table of the counts, and the defects with the number of a case."""
        kinds = (DONE, REFUSED, CRASH, HANG)
        lines = [f"{'':15} {'mutants':>9} " + " ".join(f"{kind:>9}" for kind in kinds)]
        whole = Counter[str]()
        for name, counts in sorted(self.counts.items()):
            whole += counts
            lines.append(_row(name, counts, kinds))
        lines.append(_row("all", whole, kinds))
        lines.append(f"slowest: {self.slowest:.2f} s of CPU time")
        return [*lines, *(f"{case}: {says}" for says, case in self.defects.items())]


def _row(name: str, counts: Counter[str], kinds: Sequence[str]) -> str:
    cells = " ".join(f"{counts[kind]:>9,}" for kind in kinds)
    return f"{name:15} {counts.total():>9,} {cells}"


def case(seed: int, number: int, kinds: Sequence[Kind] = KINDS) -> tuple[Kind, str, Random]:
    """The kind and the text of a mutant."""
    rng = Random(f"{seed}:{number}")
    (kind,) = rng.choices(kinds, [one.weight for one in kinds])
    return kind, mutated(rng.choice(_seeds(kind.name)), rng, kind.structured), rng


@cache
def _seeds(name: str) -> tuple[str, ...]:
    return tuple(next(kind for kind in KINDS if kind.name == name).seeds())


def limited(kind: Kind, text: str, folder: Path, rng: Random) -> tuple[str, str]:
    """What a mutant comes to, and what is said of it."""
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT)
    try:
        kind.attempt(text, folder, rng)
    except PerfolioError as problem:
        told = str(problem)
        return (CRASH, f"two lines: {told}") if "\n" in told else (REFUSED, told)
    except TooLongError:
        return HANG, f"{kind.name}: more than {CPU_LIMIT:g} s"
    except (Exception, RecursionError) as problem:  # noqa: BLE001 - whatever it is, it is counted
        return CRASH, _place(problem)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return DONE, ""


def _place(problem: BaseException) -> str:
    """The error, and the last of our lines that it came through: one for each defect."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [each for each in frames if "/generator/perfolio/" in each.filename] or list(frames)
    at = ours[-1]
    return f"{type(problem).__name__} at {Path(at.filename).name}:{at.lineno} ({at.name})"


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError


def run(
    seed: int,
    numbers: Sequence[int],
    folder: Path,
    kinds: Sequence[Kind] = KINDS,
    done: Callable[[Tally], object] = lambda _: None,
) -> Tally:
    """Try mutants; `done` is called after each."""
    tally = Tally()
    for number in numbers:
        kind, text, rng = case(seed, number, kinds)
        begun = time.process_time()
        outcome, says = limited(kind, text, folder / kind.name.replace(" ", "-"), rng)
        tally.slowest = max(tally.slowest, time.process_time() - begun)
        tally.counts.setdefault(kind.name, Counter())[outcome] += 1
        if outcome in DEFECTS:
            tally.defects.setdefault(f"{kind.name}: {outcome}: {says}", f"case {number}")
        done(tally)
    return tally


def keep(seed: int, tally: Tally, kinds: Sequence[Kind], folder: Path) -> None:
    """Write the mutants of defects into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for says, at in tally.defects.items():
        _, text, _ = case(seed, int(at.split()[1]), kinds)
        name = f"{at.split()[1]}.txt"
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        (folder / f"{name}.json").write_text(json.dumps(says))
    sys.stdout.flush()
