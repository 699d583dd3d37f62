"""Which part of the work holds up a run: iterations replayed with one part of it made alike.

In:  times of pieces of work of ranks, in columns, and a function that replays them with other
     times. Out: a `StraggledRun`.

Computing is made alike by means, so that none of it is lost; what a transfer takes beyond the last
begin by the median, as one long transfer says nothing of the others. The cause is what recovers
most: iterations of a rank alike (long sequences), ranks of a stage (a slow machine), stages (an
uneven partition), or transfers. To mend the last stage alone may explain much of what long
sequences cost: so all are held against each other, and a rank is named only where mending it alone
recovers half of what is lost. J. Lin and others, Understanding Stragglers in Large Model Training
Using What-if Analysis, OSDI 2025.

Of few iterations that differ, some rank has the longer ones by chance: ranks are to blame only
where one of them is behind by more than that, in a test of differences of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import stdev

import numpy as np
import numpy.typing as npt

from perfolio.common.units import quantity
from perfolio.findings.model.step_replay import NOTABLE, MendedPart, StraggledRun

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Replay = Callable[[Floats], Sequence[float]]
"""Times of iterations, if pieces of work take other times."""
BLAMED = 0.5
"""What mending a rank alone has to recover before it is named [ratio]."""
_LONGER = "made alike, ranks would take longer, so that times of transfers cannot be right"
_FREEDOM = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 30.0, 120.0)
_RARE = (31.82, 6.96, 4.54, 3.75, 3.36, 3.14, 2.90, 2.76, 2.60, 2.46, 2.36)
"""Degrees of freedom, and what Student's t exceeds once in a hundred times by chance [errors]."""
CAUSES = {
    "steps": "Iterations of a rank alike",
    "ranks": "Ranks of a stage alike",
    "stages": "Stages alike",
    "transfers": "Transfers alike",
}
_ADVICE = {
    "steps": "Give iterations alike work: those of a rank differ, as with uneven sequences",
    "ranks": "Divide the work anew: several ranks take longer than the others",
    "stages": "Divide the layers anew: stages take differently long",
    "transfers": "Look at the network: transfers of the same data differ",
}


@dataclass(frozen=True)
class RankWork:
    """Pieces of work: what takes time by itself, waiting left out."""

    time: Floats
    """As recorded; of a transfer, from the last begin of those that take part."""
    kind: Integers
    """Pieces of one kind do the same, on whatever rank and in whatever iteration."""
    worker: Integers
    """Place of the rank, from 0."""
    stage: Integers
    """Part of the model that the rank holds."""
    category: Integers
    """What the piece is called in a table."""
    is_transfer: Booleans
    is_host: Booleans
    """Whether it is the host's, and not the GPU's."""


def make_ideal(work: RankWork) -> Floats:
    """All pieces of a kind take the same."""
    even = average_by(work.time, work.kind)
    return np.where(work.is_transfer, find_medians(work.time, work.kind), even)


def even_within_workers(work: RankWork) -> Floats:
    """Computing of a kind takes on each rank what it takes there on average."""
    return _compute_changed(work, average_by(work.time, _join(work.kind, work.worker)))


def even_among_workers(work: RankWork) -> Floats:
    """Ranks of a stage are alike on average; how a rank's iterations differ stays."""
    own = average_by(work.time, _join(work.kind, work.worker))
    return _compute_changed(work, _scale(work, own, _average_stages(work)))


def even_among_stages(work: RankWork) -> Floats:
    """Stages are alike on average; how ranks of a stage differ stays."""
    return _compute_changed(
        work, _scale(work, _average_stages(work), average_by(work.time, work.kind))
    )


def mend_worker(work: RankWork, worker: int) -> Floats:
    """Computing of one rank takes what it takes on average in its stage."""
    return np.where(work.worker == worker, _compute_changed(work, _average_stages(work)), work.time)


def choose_times(chosen: Booleans, times: Floats, others: Floats) -> Floats:
    """Some pieces take one time, and all others another one."""
    return np.where(chosen, times, others)


def average_by(values: Floats, group: Integers) -> Floats:
    """Of each value the mean of its group."""
    _, places = np.unique(group, return_inverse=True)
    sums, counts = np.bincount(places, values), np.bincount(places)
    return np.asarray((sums / counts)[places], np.float64)


def find_medians(values: Floats, group: Integers) -> Floats:
    """Of each value the median of its group."""
    _, places, counts = np.unique(group, return_inverse=True, return_counts=True)
    ordered = values[np.lexsort((values, places))]
    first = np.cumsum(counts) - counts
    middle = (ordered[first + (counts - 1) // 2] + ordered[first + counts // 2]) / 2.0
    return np.asarray(middle[places], np.float64)


def _average_stages(work: RankWork) -> Floats:
    return average_by(work.time, _join(work.kind, work.stage))


def _scale(work: RankWork, before: Floats, after: Floats) -> Floats:
    """Times whose mean is `after` in place of `before`; where there was none, that mean."""
    ratio = np.divide(after, before, out=np.zeros_like(after), where=before > 0.0)
    return np.where(before > 0.0, work.time * ratio, after)


def _compute_changed(work: RankWork, times: Floats) -> Floats:
    """Other times of computing; transfers stay."""
    return np.where(work.is_transfer, work.time, times)


def _join(one: Integers, other: Integers) -> Integers:
    """A group for each pair of groups."""
    return one * (int(other.max(initial=0)) + 1) + other


@dataclass
class WorkReplays:
    """Work that is replayed, as it is and ideal."""

    work: RankWork
    replay: Replay

    def __post_init__(self) -> None:
        self.ideal = make_ideal(self.work)
        self.measured = self.replay(self.work.time)
        self.best = self.replay(self.ideal)

    @property
    def slowdown(self) -> float:
        """Iterations as they are, over ideal ones [ratio]."""
        return _divide(float(np.mean(self.measured)), float(np.mean(self.best)))

    @property
    def error(self) -> float:
        """Twice the standard error of the slowdown, iteration by iteration [ratio]."""
        pairs = list(zip(self.measured, self.best, strict=True))
        if len(pairs) < 2 or not np.mean(self.best):
            return 0.0
        apart = [one - self.slowdown * other for one, other in pairs]
        return float(2.0 * stdev(apart) / len(apart) ** 0.5 / np.mean(self.best))

    def replay_kept(self, kept: Booleans) -> Sequence[float]:
        """Iterations where only some pieces are as recorded, and all others ideal."""
        return self.replay(choose_times(kept, self.work.time, self.ideal))

    def compute_slowdown(self, found: Sequence[float]) -> float:
        """Other iterations, over ideal ones [ratio]."""
        return _divide(float(np.mean(found)), float(np.mean(self.best)))

    def compute_recovered(self, times: Floats) -> float:
        """What other times save, of all that is lost [ratio]."""
        before = float(np.mean(self.measured))
        return _divide(
            before - float(np.mean(self.replay(times))), before - float(np.mean(self.best))
        )


def find_stragglers(
    work: RankWork, replay: Replay, numbers: Sequence[int], titles: Sequence[str], most: int
) -> StraggledRun:
    """What is lost, and to what; `numbers` name ranks, `titles` categories.

    At most so many ranks, and categories, are mended one by one, from the one that works most.
    """
    replays = WorkReplays(work, replay)
    found = StraggledRun(
        reason="",
        slowdown=replays.slowdown,
        lost=max(0.0, 1.0 - _divide(1.0, replays.slowdown)),
        error=replays.error,
        iterations=len(replays.measured),
        recorded=len(numbers),
        stages=len(np.unique(work.stage)),
    )
    if replays.slowdown * NOTABLE < 1.0:
        return StraggledRun(reason=_LONGER)
    if replays.slowdown < NOTABLE:
        return replace(found, advice=advise(found))
    causes = _try_causes(replays, found.stages)
    alone = {
        worker: replays.replay_kept(work.worker == worker)
        for worker in _choose_largest(work, work.worker, most)
    }
    ranks = {
        worker: _try_rank(replays, worker, str(numbers[worker]), times)
        for worker, times in alone.items()
    }
    cause = max(causes, key=lambda name: causes[name].recovers)
    worst = max(ranks, key=lambda worker: ranks[worker].recovers)
    stages = find_worker_stages(work)
    peers = [one for one, stage in stages.items() if stage == stages[worst] and one not in alone]
    others = {worker: replays.replay_kept(work.worker == worker) for worker in peers[:most]}
    behind = find_behind(alone | others, stages)
    blamed = worst in behind and ranks[worst].recovers >= BLAMED
    found = replace(
        found,
        cause="" if cause == "ranks" and not behind else cause,
        rank=numbers[worst] if blamed else None,
        on_host=blamed and _is_late_by_host(replays, worst),
        causes=tuple(causes.values()),
        ranks=_order(ranks.values()),
        kinds=_order(_try_categories(replays, titles, most)),
    )
    return replace(found, advice=advise(found))


def _try_causes(replays: WorkReplays, stages: int) -> dict[str, MendedPart]:
    """Computing made alike in each way; stages only where there are several."""
    work = replays.work
    times = {"steps": even_within_workers(work), "ranks": even_among_workers(work)}
    if stages > 1:
        times["stages"] = even_among_stages(work)
    times["transfers"] = choose_times(work.is_transfer, replays.ideal, work.time)
    return {
        name: MendedPart(name, _name_cause(name, stages), None, replays.compute_recovered(each))
        for name, each in times.items()
    }


def _name_cause(name: str, stages: int) -> str:
    return CAUSES[name] if stages > 1 else CAUSES[name].replace(" of a stage", "")


def find_worker_stages(work: RankWork) -> dict[int, int]:
    """The stage of each rank that has work."""
    workers, first = np.unique(work.worker, return_index=True)
    return dict(zip(workers.tolist(), work.stage[first].tolist(), strict=True))


def find_behind(alone: Mapping[int, Sequence[float]], stages: Mapping[int, int]) -> set[int]:
    """Ranks that make iterations longer than others of their stage do, by more than chance.

    `alone` has iterations with only that rank as recorded. What differs from iteration to iteration
    tells how far a mean of so few is off.
    """
    found: set[int] = set()
    for stage in {stages[worker] for worker in alone}:
        workers = [worker for worker in alone if stages[worker] == stage]
        times = np.array([alone[worker] for worker in workers], np.float64)
        number, iterations = times.shape
        if number < 2 or iterations < 2:
            continue
        means, freedom = times.mean(axis=1), (number - 1) * (iterations - 1)
        left = times - means[:, None] - times.mean(axis=0) + times.mean()
        error = np.sqrt((left**2).sum() / freedom * number / ((number - 1) * iterations))
        lead = (means - times.mean()) * number / (number - 1)
        least = np.interp(1.0 / freedom, 1.0 / np.array(_FREEDOM)[::-1], _RARE[::-1]) * error
        found |= {workers[place] for place in np.flatnonzero((lead > least) & (lead > 0.0))}
    return found


def _try_rank(replays: WorkReplays, worker: int, number: str, alone: Sequence[float]) -> MendedPart:
    return MendedPart(
        number,
        f"Rank {number}",
        replays.compute_slowdown(alone),
        replays.compute_recovered(mend_worker(replays.work, worker)),
    )


def _try_categories(replays: WorkReplays, titles: Sequence[str], most: int) -> Iterator[MendedPart]:
    work = replays.work
    for number in _choose_largest(work, work.category, most):
        kept, title = work.category == number, titles[number]
        mended = choose_times(kept, replays.ideal, work.time)
        yield MendedPart(
            title,
            title,
            replays.compute_slowdown(replays.replay_kept(kept)),
            replays.compute_recovered(mended),
        )


def advise(found: StraggledRun) -> str:
    """What to do, in a sentence."""
    if not found.causes:
        share = quantity(found.lost, "ratio")
        return f"Leave the ranks as they are: alike, they would save {share} of an iteration."
    if not found.cause:
        return (
            f"Record more iterations: in {found.iterations}, no rank is behind the others by more "
            "than chance."
        )
    if found.rank is not None:
        what, saves = ("host", "it saves") if found.on_host else ("kernels and GPU", "they save")
        share = _format_saved(found, found.ranks[0])
        return (
            f"Look at the {what} of rank {found.rank}: as fast as the mean, {saves} {share} of an "
            "iteration."
        )
    cause = next(part for part in found.causes if part.key == found.cause)
    return f"{_ADVICE[found.cause]}, which costs {_format_saved(found, cause)} of an iteration."


def _format_saved(found: StraggledRun, part: MendedPart) -> str:
    """What mending a part alone saves of an iteration."""
    return quantity(max(0.0, (found.lost or 0.0) * part.recovers), "ratio")


def _is_late_by_host(replays: WorkReplays, worker: int) -> bool:
    """Whether mending a rank's host alone recovers more than mending its GPU alone."""
    work = replays.work
    if not work.is_host.any():
        return False
    mended = mend_worker(work, worker)
    host, device = (
        replays.compute_recovered(choose_times(kept, mended, work.time))
        for kept in (work.is_host, ~work.is_host)
    )
    return host > device


def _choose_largest(work: RankWork, group: Integers, most: int) -> list[int]:
    """Groups of pieces from the one that takes most time: only these are mended one by one."""
    spent = np.bincount(group, work.time)
    return [int(each) for each in np.argsort(-spent, kind="stable")[:most]]


def _order(parts: Iterable[MendedPart]) -> tuple[MendedPart, ...]:
    return tuple(sorted(parts, key=lambda part: -part.recovers))


def _divide(one: float, other: float) -> float:
    return float(one / other) if other else 0.0
