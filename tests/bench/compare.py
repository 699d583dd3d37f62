"""What `perfolio compare` is worth: unchanged pairs, planted changes, sums, and cost.

    python -m tests.bench compare [--seed 1] [--pairs 200] [--unchanged 1000] [--only NUMBER]
    python -m tests.bench compare --cost TRACE.json.gz [--copies 15]

- unchanged: simulated times of runs that nothing changed: the share that is called changed
- power: of changes of so much, the share that is called changed
- planted: pairs of `planted_draws`, two runs against two: where the step moves by 2 % and more, is
  the planted cause the first one; where it moves less, is no cause named; and do rows sum to what
  is measured. `--only` repeats one pair and prints its causes
- cost: processor and memory of comparing two stores of a trace that is made longer
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from perfolio.comparison.difference_causes import DifferenceCause, find_causes
from perfolio.comparison.frame_paths import clean_name
from perfolio.comparison.run_evidence import judge_times
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.waterfall import make_waterfall
from tests.bench.longer_trace import write_longer
from tests.bench.planted_draws import PER_BASE, Entries, PlantedPair, draw_pair
from tests.bench.process_costs import ProcessFailure, measure_process
from tests.comparison.planted import add_effects, record_run

RUNS = 2
LEAST = 0.02
CHANGED = ("faster", "slower")
Times = npt.NDArray[np.float64]
_TAIL = 3
"""Degrees of freedom of heavy-tailed effects, whose deviation is that of normal ones."""


def draw_effects(random: np.random.Generator, runs: int, spread: float, *, heavy: bool) -> Times:
    """Logarithms of what runs take, around 0."""
    if not heavy:
        return random.normal(0.0, spread, runs)
    scale = spread / math.sqrt(_TAIL / (_TAIL - 2))
    return np.asarray(random.standard_t(_TAIL, runs) * scale, np.float64)


def count_changed(pairs: Iterable[tuple[Times, Times]]) -> float:
    """The share of pairs that is called changed."""
    found = [judge_times(np.exp(one).tolist(), np.exp(two).tolist()).kind for one, two in pairs]
    return sum(kind in CHANGED for kind in found) / len(found)


def print_unchanged(seed: int, count: int) -> None:
    """Unchanged pairs, with and without drift, and changed ones."""
    random = np.random.default_rng(seed)
    print(f"unchanged pairs that are called changed, {count} each, seed {seed}")
    for runs in (3, 5):
        for spread in (0.01, 0.03):
            for heavy in (False, True):
                share = count_changed(
                    (
                        draw_effects(random, runs, spread, heavy=heavy),
                        draw_effects(random, runs, spread, heavy=heavy),
                    )
                    for _ in range(count)
                )
                tail = "heavy-tailed" if heavy else "normal"
                print(f"  {runs} v {runs}, runs differ by {spread:.0%}, {tail:12} {share:6.1%}")
    print("with a drift of 3 deviations over the session, runs differ by 1 %")
    for runs in (3, 5):
        for order, interleaved in (("all A, then all B", False), ("A B A B", True)):
            share = count_changed(
                _draw_drifting(random, runs, interleaved=interleaved) for _ in range(count)
            )
            print(f"  {runs} v {runs}, {order:17} {share:6.1%}")
    print("changed pairs that are called changed, 5 v 5, runs differ by 1 %")
    for change in (0.02, 0.05, 0.10):
        share = count_changed(
            (random.normal(0.0, 0.01, 5), np.log1p(change) + random.normal(0.0, 0.01, 5))
            for _ in range(count)
        )
        print(f"  slower by {change:.0%} {share:6.1%}")


def _draw_drifting(
    random: np.random.Generator, runs: int, *, interleaved: bool
) -> tuple[Times, Times]:
    spread = 0.01
    drift = np.linspace(0.0, 3 * spread, 2 * runs)
    all_runs = drift + random.normal(0.0, spread, 2 * runs)
    return (all_runs[::2], all_runs[1::2]) if interleaved else (all_runs[:runs], all_runs[runs:])


@dataclass(frozen=True)
class PairResult:
    """What became of a planted pair."""

    pair: PlantedPair
    share: float
    """Change of the step [ratio]."""
    causes: Sequence[DifferenceCause]
    is_right: bool
    rest: int
    """Sum of rows less the measure [ns]."""

    @property
    def moves(self) -> bool:
        """Whether the step moves by as much as has a cause."""
        return abs(self.share) >= LEAST


class PlantedRuns:
    """Records of runs; those that several pairs have in common are made once."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._kept: tuple[int, tuple[RunRecord, ...]] = (-1, ())

    def judge_pair(self, number: int) -> PairResult:
        """Record both sides of a pair, and compare them."""
        pair = draw_pair(self._seed, number)
        base = number // PER_BASE
        unchanged, changed = (pair.before, pair.after)[:: -1 if pair.is_undone else 1]
        if self._kept[0] != base:
            self._kept = base, self._record_runs(pair, unchanged, [base, 0])
        planted = self._record_runs(pair, changed, [number, 1])
        sides = (planted, self._kept[1]) if pair.is_undone else (self._kept[1], planted)
        return judge_records(pair, *sides)

    def _record_runs(
        self, pair: PlantedPair, entries: Entries, seeds: list[int]
    ) -> tuple[RunRecord, ...]:
        random = np.random.default_rng([self._seed, *seeds])
        found = []
        for seed in random.integers(1, 2**31, RUNS).tolist():
            varied = add_effects(entries, seed)
            with tempfile.TemporaryDirectory() as folder:
                found.append(record_run(varied, Path(folder), pair.form))
        return tuple(found)


def judge_records(
    pair: PlantedPair, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> PairResult:
    """Whether what a comparison of these says is right."""
    found = make_waterfall(before, after)
    difference = found.after_ns - found.before_ns
    causes = find_causes(found, before, after)
    rest = sum(row.difference_ns for row in found.rows) - difference
    share = difference / found.before_ns
    is_right = not causes
    if abs(share) >= LEAST:
        rows = [row for record in (*before, *after) for row in record.rows]
        shorts = {clean_name(row.name): row.short for row in rows if row.name}
        is_right = bool(causes) and any(
            _names_cause(causes[0], right, shorts) for right in pair.causes
        )
    return PairResult(pair, share, causes, is_right, rest)


def _names_cause(
    cause: DifferenceCause, right: tuple[str, str, str], shorts: dict[str, str]
) -> bool:
    kind, name, effect = right
    key = cause.key
    if name.startswith("@"):
        named = key.name == shorts.get(clean_name(name[1:]))
    else:
        named = bool(re.search(name, key.name))
    return key.kind == kind and named and bool(re.search(effect, key.effect))


def print_planted(seed: int, numbers: Sequence[int], *, in_full: bool) -> None:
    """Judge pairs; print hit rates by kind and form, and what was missed."""
    runs, results = PlantedRuns(seed), []
    begin = time.process_time()
    for number in numbers:
        result = runs.judge_pair(number)
        results.append(result)
        if in_full or not result.is_right:
            print(describe_result(result), flush=True)
        right = sum(one.is_right for one in results)
        print(f"{right} of {len(results)} right", file=sys.stderr, flush=True)
    spent = time.process_time() - begin
    print(f"planted changes, {len(results)} pairs, {RUNS} v {RUNS} runs, seed {seed}")
    print_rates("kind", results, lambda one: one.pair.kind)
    print_rates("form", results, lambda one: one.pair.form)
    print_rates("scenario", results, lambda one: one.pair.sample)
    print(f"sum of rows less the measure: {max(abs(one.rest) for one in results)} ns at most")
    print(f"{spent / len(results):.1f} CPU-s a pair")


def print_rates(
    title: str, results: Sequence[PairResult], group: Callable[[PairResult], str]
) -> None:
    """Of groups and all: how many were right of those that move the step, and of the others."""
    groups: defaultdict[str, list[PairResult]] = defaultdict(list)
    for one in results:
        groups[group(one)].append(one)
    print(f"  {title:18} first where it moves 2 %   no cause where less")
    for name, held in (*sorted(groups.items()), ("all", list(results))):
        cells = []
        for moves in (True, False):
            own = [one.is_right for one in held if one.moves is moves]
            rate = f"{sum(own) / len(own):6.1%}" if own else " " * 6
            cells.append(f"{sum(own):4} of {len(own):3} {rate}")
        print(f"  {name:18} {cells[0]:24} {cells[1]}")


def describe_result(result: PairResult) -> str:
    """A pair, what was planted, and the first causes."""
    pair = result.pair
    undone = ", undone" if pair.is_undone else ""
    said = "right" if result.is_right else "MISS"
    where = f"{pair.kind}, {pair.sample}, {pair.form}"
    lines = [f"{said} --only {pair.number}: {where}: {pair.what}{undone}; {result.share:+.1%}"]
    whole = sum(cause.difference_ns for cause in result.causes)
    for cause in result.causes[:5]:
        key = cause.key
        part = cause.difference_ns / whole
        lines.append(f"    {part:+7.1%} {key.kind}: {key.name[:60]} ({key.effect})")
    return "\n".join(lines)


def print_cost(trace: Path, copies: int) -> None:
    """What comparing two stores of a longer trace takes, without ingest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_longer(trace, folder / "trace.json", copies)
        with (folder / "trace.json").open(encoding="utf-8") as file:
            events = sum(1 for _ in file)
        _run_command(folder, "ingest", "trace.json", "--store", "before.duckdb")
        shutil.copy(folder / "before.duckdb", folder / "after.duckdb")
        took = _run_command(folder, "compare", "before.duckdb", "after.duckdb", "-o", "out.txt")
        print(f"comparing two stores of {events:,} events each, without ingest: {took}")


def _run_command(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "perfolio", *arguments]
    cost = measure_process(command, folder, dict(os.environ), 1800.0)
    if isinstance(cost, ProcessFailure):
        sys.exit(f"perfolio {arguments[0]}: {cost.reason}")
    return f"{cost.cpu:.1f} CPU-s, {cost.peak / 1e6:.0f} MB"


def main() -> None:
    """Parse arguments, and print what is asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--unchanged", type=int, default=1000)
    parser.add_argument("--only", type=int, action="append", metavar="NUMBER")
    parser.add_argument("--cost", type=Path, metavar="TRACE")
    parser.add_argument("--copies", type=int, default=15)
    given = parser.parse_args()
    if given.cost:
        print_cost(given.cost.resolve(), given.copies)
        return
    if given.only:
        print_planted(given.seed, given.only, in_full=True)
        return
    if given.unchanged:
        print_unchanged(given.seed, given.unchanged)
    if given.pairs:
        numbers = range(given.first, given.first + given.pairs)
        print_planted(given.seed, numbers, in_full=False)


if __name__ == "__main__":
    main()
