"""What the difference of two groups of runs comes from, in the order of size.

In:  a waterfall, and the run records that it was made of. Out: causes, which sum to the difference.

Rows of one kernel at several places are one cause. Idle time is a place, not a cause: its change
belongs to what the host does more of, hidden or not, where that accounts for half of it; calls by
what they launch, durations by what the host does. Else it is host time that nothing hides any more.
Kernels that all became slower by one factor are one cause: the clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from perfolio.comparison.host_activities import WAITS, WAITS_FOR_GPU
from perfolio.comparison.host_time import NEAR
from perfolio.comparison.kernel_matching import OF_MANY, ZERO, MatchedWork, SideTime
from perfolio.comparison.run_record import RunRecord, TimeRow
from perfolio.comparison.waterfall import Waterfall, round_to_sum, split_change

CauseKind = Literal[
    "kernel", "collective", "collective wait", "copy", "idle", "main thread", "clock"
]
Effect = Literal["calls", "duration", "not alike", "time"]
Path = tuple[str, ...]
LEAST_DIFFERENCE = Fraction(2, 100)
"""Part of an iteration below which a difference has no cause."""
SHOWN = "host time that nothing hides any more"
HIDDEN = "host time that is hidden now"
_CLOCK_SHARE = 0.8
"""Part of kernel time that must have one factor."""
_CLOCK_WIDTH = 0.015
_LEAST_CLOCK = Fraction(2, 100)
_LEAST_KERNELS = 3
_HALF = Fraction(1, 2)
_SURE = 2
"""Standard deviations from which on a change of sampled time counts."""
_SAME_CALLS = Fraction(1, 50)


@dataclass(frozen=True)
class CauseKey:
    """What a cause is."""

    kind: CauseKind
    name: str
    """Short name of a kernel, operation of a copy, rank that is waited for, what the host does."""
    effect: Effect
    """More or fewer calls, slower or faster ones, calls that are not alike, or time alone."""


@dataclass(frozen=True)
class DifferenceCause:
    """A cause and its part of the difference, per iteration and lane."""

    key: CauseKey
    difference_ns: int


@dataclass(frozen=True)
class ClockChange:
    """That the same kernels run at another clock."""

    factor: float
    """Duration after over that before, of all of them."""
    share: float
    """Part of kernel time before that has this factor, to 1.5 % [ratio]."""
    kernels: int

    def holds(self, factor: Fraction) -> bool:
        """Whether a kernel's own factor is this one."""
        return abs(float(factor) / self.factor - 1.0) <= _CLOCK_WIDTH


_Causes = defaultdict[CauseKey, Fraction]


def find_causes(
    waterfall: Waterfall, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> tuple[DifferenceCause, ...]:
    """Causes, the largest first; none of a difference below 2 % of what was before.

    Nor of runs whose GPU work is recorded in part: kernels that are not recorded are not gone.
    """
    whole = waterfall.after_ns - waterfall.before_ns
    hidden = any(one.whole is not None and one.whole.doubts for one in (*before, *after))
    if hidden or abs(whole) < LEAST_DIFFERENCE * waterfall.before_ns:
        return ()
    clock = find_clock_change(waterfall.works, before, after)
    found, idle = _sum_rows(waterfall.works, clock)
    for key, value in _explain_idle(idle, before, after).items():
        found[key] += value
    ordered = sorted(found.items(), key=lambda one: (-abs(one[1]), one[0].kind, one[0].name))
    rounded = round_to_sum([value for _, value in ordered], whole)
    return tuple(
        DifferenceCause(key, value)
        for (key, _), value in zip(ordered, rounded, strict=True)
        if value
    )


def _sum_rows(works: Iterable[MatchedWork], clock: ClockChange | None) -> tuple[_Causes, Fraction]:
    """Causes of all but idle time, and the change of that."""
    found: _Causes = defaultdict(Fraction)
    idle = ZERO
    for work in works:
        difference = work.after.ns - work.before.ns
        change, by_calls = split_change(work)
        if work.key.part == "idle":
            idle += difference
        elif change in ("new", "gone"):
            found[_name_work(work, "calls")] += difference
        elif change in ("calls", "both"):
            found[_name_work(work, "calls")] += by_calls
            found[_name_duration(work, clock)] += difference - by_calls
        elif change == "duration":
            found[_name_duration(work, clock)] += difference
        else:
            found[_name_work(work, "not alike" if change == "not alike" else "time")] += difference
    return found, idle


def _name_duration(work: MatchedWork, clock: ClockChange | None) -> CauseKey:
    """The cause of slower or faster calls: the clock, where all kernels have its factor."""
    factor = _find_factor(work)
    if clock is not None and factor is not None and clock.holds(factor):
        return CauseKey("clock", "all kernels", "duration")
    return _name_work(work, "duration")


def _find_factor(work: MatchedWork) -> Fraction | None:
    """Mean duration of a kernel after over that before."""
    before, after = work.before, work.after
    if work.key.part != "kernel" or work.stage in OF_MANY:
        return None
    if not (before.ns and before.calls and after.ns and after.calls):
        return None
    return after.ns * before.calls / (after.calls * before.ns)


def _name_work(work: MatchedWork, effect: Effect) -> CauseKey:
    key = work.key
    named = key.part in ("kernel", "collective") and key.short
    kind: CauseKind = key.part
    return CauseKey(kind, key.short if named else key.kind, effect)


def find_clock_change(
    works: Iterable[MatchedWork], before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> ClockChange | None:
    """The factor by which nearly all kernels became slower or faster, on all ranks alike.

    None where there is none: one slow rank of eight would look like a clock of all.
    """
    if not _have_ranks_alike(before, after):
        return None
    works = tuple(works)
    told = ((_find_factor(work), work.before.ns) for work in works)
    factors = sorted((factor, ns) for factor, ns in told if factor is not None)
    whole = sum((work.before.ns for work in works if work.key.part == "kernel"), ZERO)
    if len(factors) < _LEAST_KERNELS or not whole:
        return None
    middle = _find_median(factors)
    if abs(middle - 1) < _LEAST_CLOCK:
        return None
    like = [ns for factor, ns in factors if abs(float(factor / middle) - 1.0) <= _CLOCK_WIDTH]
    share = float(sum(like, ZERO) / whole)
    if share < _CLOCK_SHARE or len(like) < _LEAST_KERNELS:
        return None
    return ClockChange(float(middle), share, len(like))


def _have_ranks_alike(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> bool:
    """Whether the kernel time of each rank changed by one factor, as far as ranks are known."""
    first, second = _sum_kernels(before), _sum_kernels(after)
    factors = [second[rank] / first[rank] for rank in first if second.get(rank) and first[rank]]
    return not factors or max(factors) <= min(factors) * (1.0 + 2.0 * _CLOCK_WIDTH)


def _sum_kernels(records: Sequence[RunRecord]) -> dict[int, float]:
    """Kernel time of each rank in an iteration, summed over runs [ns]."""
    found: defaultdict[int, float] = defaultdict(float)
    for record in records:
        iterations = record.whole.iterations if record.whole is not None else 1
        for one in record.ranks:
            found[one.rank] += one.parts.get("kernel", 0) / iterations
    return found


def _find_median(weighted: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    half, passed = sum((weight for _, weight in weighted), ZERO) / 2, ZERO
    for value, weight in weighted:
        passed += weight
        if passed >= half:
            return value
    return weighted[-1][0]


def _explain_idle(
    idle: Fraction,
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
) -> Mapping[CauseKey, Fraction]:
    """The change of idle time by what the host does more of, where that is half of it."""
    if not idle:
        return {}
    first, second = _average_host(before), _average_host(after)
    changes = _change_host(first, second)
    more = {key: change for key, change in changes.items() if change * idle > 0}
    if sum(more.values(), ZERO) / idle < _HALF:
        more = {key: _add_waiting(key, change, first, second) for key, change in more.items()}
    told = sum(more.values(), ZERO)
    if not told or told / idle < _HALF:
        return {CauseKey("idle", SHOWN if idle > 0 else HIDDEN, "time"): idle}
    return {key: idle * change / told for key, change in more.items()}


def _add_waiting(key: CauseKey, change: Fraction, first: _HostSide, second: _HostSide) -> Fraction:
    """The change of an activity with what threads wait in it, which samples do not see [ns].

    Idle time in it has that.
    """
    if key.kind != "idle" or not (first.noise.get(key.name) or second.noise.get(key.name)):
        return change
    idle = second.idle.get(key.name, ZERO) - first.idle.get(key.name, ZERO)
    return max(change, idle, key=abs) if change * idle > 0 else change


class _HostSide:
    """What the host does on one side, per iteration and lane."""

    def __init__(self) -> None:
        self.spent: defaultdict[tuple[str, Path], Fraction] = defaultdict(Fraction)
        """By activity and path [ns]."""
        self.launched: defaultdict[Path, Fraction] = defaultdict(Fraction)
        """Operations by the path that launches them."""
        self.called: defaultdict[str, Fraction] = defaultdict(Fraction)
        """Operations by their name in causes."""
        self.works: defaultdict[Path, dict[CauseKey, SideTime]] = defaultdict(dict)
        """By path: operations that it launches, by the cause that more of them are."""
        self.noise: defaultdict[str, Fraction] = defaultdict(Fraction)
        """Variance of the time of an activity, where that is told by samples [ns2]."""
        self.idle: defaultdict[str, Fraction] = defaultdict(Fraction)
        """Idle time by what the host does meanwhile [ns]."""

    def add_row(self, row: TimeRow, units: int) -> None:
        """Add a row of a run of so many iterations, lanes and runs."""
        if row.part == "idle":
            self.idle[row.kind] += Fraction(row.ns, units)
        if not row.calls:
            return
        path, name, calls = row.path[-NEAR:], _name_row(row), Fraction(row.calls, units)
        self.launched[path] += calls
        self.called[name] += calls
        if path:
            key = CauseKey(row.part, name, "calls")
            self.works[path].setdefault(key, SideTime()).add(
                SideTime(Fraction(row.ns, units), calls)
            )


def _change_host(first: _HostSide, second: _HostSide) -> Mapping[CauseKey, Fraction]:
    """Changes of the host's work by cause, of activities those beyond what samples miss [ns]."""
    names = _name_launches(first, second)
    found: _Causes = defaultdict(Fraction)
    rest: defaultdict[str, Fraction] = defaultdict(Fraction)
    for place in first.spent.keys() | second.spent.keys():
        activity, path = place
        by_calls = ZERO
        if path in names and _has_other_calls(first, second, names[path].name):
            by_calls = _split_launches(first, second, place)
            found[names[path]] += by_calls
        rest[activity] += second.spent.get(place, ZERO) - first.spent.get(place, ZERO) - by_calls
    for activity, change in rest.items():
        noise = first.noise.get(activity, ZERO) + second.noise.get(activity, ZERO)
        idle = second.idle.get(activity, ZERO) - first.idle.get(activity, ZERO)
        # Samples may keep step with iterations: then they miss, or double, one activity.
        if not noise or (change**2 > _SURE**2 * noise and change * idle > 0):
            found[CauseKey("idle", activity, "time")] += change
    return found


def _has_other_calls(first: _HostSide, second: _HostSide, name: str) -> bool:
    """Whether there are more or fewer of an operation, wherever it is launched from."""
    calls = [side.called.get(name, ZERO) for side in (first, second)]
    return abs(calls[1] - calls[0]) >= _SAME_CALLS * max(calls) > 0


def _split_launches(first: _HostSide, second: _HostSide, place: tuple[str, Path]) -> Fraction:
    """The part of a change of the host's time that more or fewer launches make."""
    calls = [side.launched.get(place[1], ZERO) for side in (first, second)]
    more = calls[1] - calls[0]
    if abs(more) < _SAME_CALLS * max(calls) or not more:
        return ZERO
    spent = [side.spent.get(place, ZERO) for side in (first, second)]
    each = [ns / count for ns, count in zip(spent, calls, strict=True) if count]
    return more * sum(each, ZERO) / len(each)


def _average_host(records: Sequence[RunRecord]) -> _HostSide:
    side = _HostSide()
    for record in records:
        if record.whole is None:
            continue
        units = record.whole.units * len(records)
        for row in record.rows:
            side.add_row(row, units)
        for work in record.host:
            if work.activity not in (WAITS, WAITS_FOR_GPU):
                side.spent[work.activity, work.path] += Fraction(work.ns, units)
                period = record.host_period_ns or 0
                side.noise[work.activity] += Fraction(work.ns * period, units**2)
    return side


def _name_row(row: TimeRow) -> str:
    """As the causes of its work are named."""
    return row.short if row.part in ("kernel", "collective") and row.short else row.kind


def _name_launches(first: _HostSide, second: _HostSide) -> dict[Path, CauseKey]:
    """The cause that more operations of a path are: that of which there are more, or the largest.

    Several kernels may be launched from one path.
    """
    found = {}
    for path in set(first.works) | set(second.works):
        before, after = first.works[path], second.works[path]
        told = []
        for key in before.keys() | after.keys():
            low, high = before.get(key, SideTime()), after.get(key, SideTime())
            told.append((abs(high.calls - low.calls), low.ns + high.ns, key.name, key))
        found[path] = max(told, key=lambda one: one[:3])[3]
    return found
