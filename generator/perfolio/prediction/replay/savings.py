"""What changes save: alone, and one after the other.

In:  a graph that can be replayed, and changes. Out: seconds of an iteration, and shares of it.

An order is found greedily: next comes what saves most after all before it, with a look one pair
ahead, as two changes may save together what neither does alone. Savings are no sum of parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from statistics import mean, stdev

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.change_kinds import apply_changes
from perfolio.prediction.replay.graph_replay import list_step_times, replay_graph
from perfolio.prediction.replay.launch_graph import LaunchGraph
from perfolio.prediction.replay.rank_meetings import list_ends

NOTHING = 0.005
"""Up to this share of an iteration a change saves nothing that shows [ratio]."""
LEAST_MARGIN = 0.02
"""What is taken off a saving that is told as the least: simulated ones were up to 0.7 points
lower, as more workers deliver their batches in order [ratio]."""
_SECOND = 1e9
_MOST_REPLAYED = 500_000
"""Operations that are replayed in the search for an order, at most."""


@dataclass(frozen=True)
class ReplayedTime:
    """Iterations of a replay."""

    step: float
    """Mean time of an iteration [s]."""
    error: float
    """Its standard error, as iterations differ; 0 of a single one [s]."""
    times: tuple[int, ...]
    """Of each iteration [ns]."""

    @property
    def steps(self) -> int:
        """Number of iterations."""
        return len(self.times)


@dataclass(frozen=True)
class ReplayedSaving:
    """What changes save together."""

    names: tuple[str, ...]
    touched: int
    """Calls or operations that were changed."""
    low: float
    """At worst, as a share of an iteration [ratio]; below 0 it takes longer."""
    high: float
    """At best; the same where nothing has a range [ratio]."""
    low_error: float
    """Twice the standard error of the share at worst [ratio]."""
    high_error: float
    """The same at best [ratio]."""
    is_least: bool = False
    """Whether more than that may be saved: see `Change.least`."""

    @property
    def error(self) -> float:
        """The larger one of both errors [ratio]."""
        return max(self.low_error, self.high_error)

    @property
    def is_nothing(self) -> bool:
        """Whether it shows in an iteration at all."""
        return abs(self.high) <= NOTHING and abs(self.low) <= NOTHING


@dataclass
class ReplayedRun:
    """A run and its replays, each made once."""

    graph: LaunchGraph
    known: dict[tuple[Change, ...], ReplayedSaving] = field(default_factory=dict)

    @cached_property
    def recorded(self) -> ReplayedTime:
        """Iterations as they were recorded."""
        first = self.graph.ranks[0]
        ends = list_ends(self.graph)[0]
        return _summarise(list_step_times(first, first.operations.start, ends))

    @cached_property
    def unchanged(self) -> ReplayedTime:
        """Iterations of a replay without a change."""
        return measure_graph(self.graph)

    @property
    def operations(self) -> int:
        """Operations of all ranks that a replay places."""
        return sum(len(rank.operations.start) for rank in self.graph.ranks)

    def compute_saving(self, changes: Sequence[Change]) -> ReplayedSaving:
        """What changes save together, in whatever order they are named."""
        asked = tuple(changes)
        if asked not in self.known:
            worst, touched, error = self._replay(changes)
            best, best_error = worst, error
            if any(change.is_range for change in changes):
                best, _, best_error = self._replay([change.at_best() for change in changes])
            is_least = any(change.least for change in changes)
            taken = min(LEAST_MARGIN, max(0.0, worst, best)) if is_least else 0.0
            ends = ((worst - taken, error), (best - taken, best_error))
            (low, low_error), (high, high_error) = sorted(ends)
            names = tuple(change.name for change in changes)
            self.known[asked] = ReplayedSaving(
                names, touched, low, high, low_error, high_error,
                is_least=is_least,
            )  # fmt: skip
        return self.known[asked]

    def find_order(self, changes: Mapping[str, Change]) -> list[ReplayedSaving]:
        """What the first, the first two, ... save together, in the order found; see above."""
        left = {
            name: change
            for name, change in changes.items()
            if self.compute_saving([change]).touched
        }
        chosen: list[Change] = []
        found: list[ReplayedSaving] = []
        spent = len(left) * self.operations
        while left:
            is_searched = spent < _MOST_REPLAYED
            name = self._choose_next(chosen, left) if is_searched else self._choose_alone(left)
            spent += len(left) * (len(left) + 1) * self.operations if is_searched else 0
            chosen.append(left.pop(name))
            found.append(self.compute_saving(chosen))
        return found

    def _choose_next(self, chosen: Sequence[Change], left: Mapping[str, Change]) -> str:
        """What saves most after what was chosen, alone or, by half, with one more.

        Two can save more than both apart only where one of them saves nothing alone.
        """
        single = {name: self._save(*chosen, change) for name, change in left.items()}
        best = max(single, key=lambda name: single[name])
        before = self._save(*chosen) if chosen else 0.0
        gain = single[best] - before
        idle = {name for name in left if single[name] - before <= NOTHING}
        for first, second in permutations(left, 2):
            if not idle & {first, second}:
                continue
            pair = (self._save(*chosen, left[first], left[second]) - before) / 2.0
            if pair > gain + NOTHING and single[first] >= single[second]:
                best, gain = first, pair
        return best

    def _choose_alone(self, left: Mapping[str, Change]) -> str:
        return max(left, key=lambda name: self._save(left[name]))

    def _save(self, *changes: Change) -> float:
        found = self.compute_saving(changes)
        return (found.low + found.high) / 2.0

    def _replay(self, changes: Sequence[Change]) -> tuple[float, int, float]:
        """The share that is saved, what was touched, and twice the share's standard error."""
        graph = self.graph.copy()
        touched = apply_changes(graph, changes)
        before, after = self.unchanged, measure_graph(graph)
        share = 1.0 - after.step / before.step if before.step else 0.0
        return share, touched, 2.0 * compute_paired_error(before, after)


def measure_graph(graph: LaunchGraph) -> ReplayedTime:
    """Iterations of a replay, on the first rank."""
    first = replay_graph(graph)[0]
    return _summarise(list_step_times(graph.ranks[0], first.start, first.stop))


def compute_paired_error(before: ReplayedTime, after: ReplayedTime) -> float:
    """Standard error of the share that is saved, iteration by iteration [ratio].

    That of a ratio of means: W. G. Cochran, Sampling Techniques, 1977, section 2.11.
    """
    pairs = list(zip(before.times, after.times, strict=False))
    if len(pairs) < 2 or not before.step:
        return 0.0
    left = after.step / before.step
    apart = [other - left * one for one, other in pairs]
    return float(stdev(apart) / len(apart) ** 0.5 / (before.step * _SECOND))


def _summarise(times: Sequence[int]) -> ReplayedTime:
    if not times:
        return ReplayedTime(0.0, 0.0, ())
    error = stdev(times) / len(times) ** 0.5 if len(times) > 1 else 0.0
    return ReplayedTime(mean(times) / _SECOND, error / _SECOND, tuple(times))
