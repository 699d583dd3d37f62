"""Sums of blame over batches of gaps and samples: arithmetic of `idle_blame`, without a store.

In:  begins and ends of gaps and samples in order of time, in batches.
Out: sums by kind of gap and context, and what goes on from one batch to the next.

Only samples that were taken in a gap tell what ran in it: one from before the gap tells of the
time before. A gap that is long against their period has samples of its own, which share it: alike,
or by the time that each stands for where the profiler drops most samples of some code. A shorter
one has one now and then; so short gaps of one kind and of like length, within a factor of two,
share their time by all the samples taken in any of them. Where none was taken, nothing is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SAMPLE, BEFORE, EARLY = 9, 2, 4
"""Kinds of events: a sample, a gap before the first operation of its GPU; others are in `GAPS`,
with `EARLY` added before the first iteration of its GPU, or where there is none."""
PERIODS = (
    "before", "earlier work", "start-up", "warm-up", "steady", "outlier", "last", "end", "between",
)  # fmt: skip
"""When a gap begins: see macro idle_periods of the store; before is before any operation."""
STEADY = ("steady", "outlier")
"""Periods of iterations that statistics are made of."""
GAPS = {1: "other", 3: "wait", 4: "short"}
"""What gaps are by the kind of their event: see macro idle_gaps of the store. All are below
`SAMPLE`, so that at one moment a gap begins before a sample is taken in it."""
KINDS = tuple((period, gap) for period in PERIODS for gap in GAPS.values())
"""Period of a gap, and what it is."""
LONG = 10
"""Periods from which on a gap is told by its own samples."""
SHORTEST = 9
"""Octave of all gaps of less than 1.024 µs: launches follow one another."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PeriodCuts:
    """What divides gaps: when periods begin [ns], which they are, and the period of samples [ns].

    The first one has no begin. The events of gaps before the first iteration are `EARLY`: in the
    first one, or in a start-up that follows it. Of the first iteration, the begin is the mean over
    GPUs, and another one's gaps may begin before. Places are those of `PERIODS`.
    """

    begins: Integers
    periods: Integers
    period: int

    @property
    def octaves(self) -> int:
        """How many classes of length short gaps have."""
        return max(int(LONG * self.period).bit_length() - SHORTEST, 1)

    def kinds(self, starts: Integers, kinds: Integers) -> Integers:
        """The position in `KINDS` of gaps that begin at `starts`, by the kinds of their events."""
        early = kinds > EARLY
        place = np.searchsorted(self.begins, starts, "right")
        first = 1 + np.count_nonzero(self.periods[1:2] == PERIODS.index("start-up"))
        place = np.where(early, np.minimum(place, first - 1), np.maximum(place, first))
        period = self.periods[np.where(kinds == BEFORE, 0, place)]
        gap = np.searchsorted(list(GAPS), np.where(early, kinds - EARLY, kinds))
        return np.where(kinds == BEFORE, 0, period * len(GAPS) + gap)

    def octave(self, kinds: Integers, lengths: Floats) -> Integers:
        """The class of length of short gaps, from 0; -1 of those that are told by themselves."""
        octave = np.maximum(np.frexp(lengths)[1] - 1 - SHORTEST, 0)
        alone = (kinds <= 0) | (lengths >= LONG * self.period)
        return np.where(alone, -1, octave).astype(np.int64)


@dataclass(frozen=True)
class BlameEvents:
    """A batch: moments [ns], places of contexts, and kinds of events, negated at ends."""

    moment: Integers
    place: Integers
    kind: Integers
    stands: Integers
    """How long a sample stands for, if its gap is as long: a period or more [ns]."""


@dataclass(frozen=True)
class BatchState:
    """What goes on from one batch to the next: samples and, if any, one gap."""

    moment: int
    running: int
    """How many threads run."""
    gap: int
    """Kind of the gap, or -1."""
    length: float
    """Of the gap, up to here [ns]."""
    taken: Floats
    """Samples that were taken in the gap up to here, by context: see `_weigh_samples`."""


@dataclass(frozen=True)
class GapPieces:
    """The gaps of a batch, and its samples in them."""

    gap: Integers
    """Number of the gap of each event; 0 is the one that goes on from the batch before."""
    taken: Floats
    """Samples taken in gaps, by event: 1 over the threads that run then, or 0; see
    `_weigh_samples`."""
    kinds: Integers
    """Kind of each gap, -1 where number 0 is none."""
    lengths: Floats
    """Of each gap so far [ns]."""
    counts: Floats
    """Of each gap so far, the samples taken in it, by what they stand for."""
    open: bool
    """Whether the last gap goes on."""


@dataclass(frozen=True)
class BlameSums:
    """What has been added up: long gaps by kind and context, short ones by kind and octave, too.

    Samples of several threads at once count as one together. A run has few of the kinds and
    octaves that there may be, and many contexts: there are arrays for those that it has.
    """

    contexts: int
    alone: dict[int, Floats]
    """Of long gaps of a kind, by context: time that samples stand for [ns], the squares of that,
    summed over samples [ns2], samples, and one period for each, no more than it stands for [ns]."""
    shared: dict[tuple[int, int], Floats]
    """Of short gaps of a kind and octave, by context: samples as in `_weigh_samples`."""
    lengths: Floats
    """Of short gaps together, by kind and octave, sampled or not [ns]."""

    @classmethod
    def empty(cls, contexts: int, cuts: PeriodCuts) -> BlameSums:
        """Nothing yet."""
        return cls(contexts, {}, {}, np.zeros((len(KINDS), cuts.octaves)))

    def add(
        self, kind: Integers, place: Integers, taken: Floats, each: Floats, period: int
    ) -> None:
        """Add samples of long gaps, a period of which is `each` [ns], by kinds and contexts."""
        sums = _scale_samples(taken, each, period)
        for one in np.unique(kind).tolist():
            of_kind = kind == one
            rows = self.alone.setdefault(one, np.zeros((len(sums), self.contexts)))
            for row, added in zip(rows, sums, strict=True):
                np.add.at(row, place[of_kind], added[of_kind])

    def share(self, kind: Integers, octave: Integers, place: Integers, taken: Floats) -> None:
        """Add samples of short gaps, by their kinds, octaves and contexts."""
        for one in sorted(set(zip(kind.tolist(), octave.tolist(), strict=True))):
            alike = (kind == one[0]) & (octave == one[1])
            rows = self.shared.setdefault(one, np.zeros((len(taken), self.contexts)))
            for row, added in zip(rows, taken, strict=True):
                np.add.at(row, place[alike], added[alike])


@dataclass(frozen=True)
class BlameShares:
    """Rows of blame: kind of gap, octave (-1 of long gaps), place of context, and their sums."""

    kind: Integers
    octave: Integers
    place: Integers
    sums: Floats
    """Rows duration [ns], square [ns2], samples, sampled [ns]."""


def add_batch(
    cut: BatchState, events: BlameEvents, cuts: PeriodCuts, sums: BlameSums
) -> BatchState:
    """Add to `sums` what a batch completes; returns what goes on beyond it."""
    pieces = _cut_pieces(cut, events, cuts)
    number = len(pieces.kinds)
    complete = pieces.kinds >= 0
    complete[-1] &= not pieces.open
    octaves = cuts.octave(pieces.kinds, pieces.lengths)
    short = complete & (octaves >= 0)
    np.add.at(sums.lengths, (pieces.kinds[short], octaves[short]), pieces.lengths[short])
    each = np.divide(pieces.lengths, pieces.counts, out=np.zeros(number), where=pieces.counts > 0)
    before = np.flatnonzero(cut.taken[0])
    row = np.flatnonzero(pieces.taken[0])
    gap = np.concatenate([np.zeros_like(before), pieces.gap[row]])
    place = np.concatenate([before, events.place[row]])
    taken = np.concatenate([cut.taken[:, before], pieces.taken[:, row]], axis=1)
    pooled = short[gap]
    sums.share(pieces.kinds[gap[pooled]], octaves[gap[pooled]], place[pooled], taken[:, pooled])
    alone = complete[gap] & ~pooled
    gap = gap[alone]
    sums.add(pieces.kinds[gap], place[alone], taken[:, alone], each[gap], cuts.period)
    return _make_batch_state(cut, events, pieces, goes_on=pieces.open and number == 1)


def compute_shares(sums: BlameSums, cuts: PeriodCuts) -> BlameShares:
    """What all that was added up comes to: rows with any time."""
    parts = [_make_kind_rows(kind, rows) for kind, rows in sorted(sums.alone.items())]
    for (kind, octave), taken in sorted(sums.shared.items()):
        length, count = sums.lengths[kind, octave], float(taken[1].sum())
        each = np.float64(length / count if count > 0.0 else 0.0)
        parts.append(
            _make_kind_rows(kind, _scale_samples(taken, each, cuts.period), octave + SHORTEST)
        )
    return _join_shares(parts)


def _weigh_samples(taken: Floats, weight: Floats) -> Floats:
    """Samples, the periods that they stand for, and the squares of these, one sample for each."""
    return np.array([taken, taken * weight, taken * weight**2])


def _scale_samples(taken: Floats, each: Floats | np.float64, period: int) -> Floats:
    """What samples come to in gaps a period of which is `each` [ns]: see `BlameSums`."""
    samples, weights, squares = taken
    sampled = np.minimum(weights * each, samples * period)
    return np.array([weights * each, squares * each**2, samples, sampled])


def _make_kind_rows(kind: int, rows: Floats, octave: int = -1) -> BlameShares:
    """Rows of one kind: contexts that have samples."""
    place = np.flatnonzero(rows[2])
    number = len(place)
    return BlameShares(np.full(number, kind), np.full(number, octave), place, rows[:, place])


def _join_shares(parts: list[BlameShares]) -> BlameShares:
    if not parts:
        nothing = np.zeros(0, np.int64)
        return BlameShares(nothing, nothing, nothing, np.zeros((4, 0)))
    return BlameShares(
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.octave for part in parts]),
        np.concatenate([part.place for part in parts]),
        np.concatenate([part.sums for part in parts], axis=1),
    )


def _make_batch_state(
    cut: BatchState, events: BlameEvents, pieces: GapPieces, *, goes_on: bool
) -> BatchState:
    """What goes on beyond a batch; `goes_on` where that is the gap from before it."""
    running = cut.running + int(_count_thread_changes(events).sum())
    moment = int(events.moment[-1])
    nothing = np.zeros_like(cut.taken)
    if not pieces.open:
        return BatchState(moment, running, -1, 0.0, nothing)
    is_last = pieces.gap == len(pieces.kinds) - 1
    taken = np.array(
        [np.bincount(events.place, is_last * row, nothing.shape[1]) for row in pieces.taken]
    )
    if goes_on:
        taken += cut.taken
    return BatchState(moment, running, int(pieces.kinds[-1]), float(pieces.lengths[-1]), taken)


def _count_thread_changes(events: BlameEvents) -> Integers:
    """How many more threads run after each event."""
    return np.where(np.abs(events.kind) == SAMPLE, np.sign(events.kind), 0)


def _cut_pieces(cut: BatchState, events: BlameEvents, cuts: PeriodCuts) -> GapPieces:
    """The gaps that the times before each event of a batch are of, and the samples in them."""
    threads = _count_thread_changes(events)
    gaps = np.sign(events.kind) - threads
    begins = gaps > 0
    gap = _sum_before(begins.astype(np.int64))
    idle = (cut.gap >= 0) + _sum_before(gaps) > 0
    running = cut.running + np.cumsum(threads)
    length = np.diff(events.moment, prepend=cut.moment or events.moment[0])
    of_gaps = cuts.kinds(events.moment[begins], events.kind[begins])
    kinds = np.concatenate([[cut.gap], of_gaps])
    lengths = np.bincount(gap, np.where(idle, length, 0), len(kinds)).astype(np.float64)
    lengths[0] += cut.length
    starts = np.concatenate([[cut.moment - round(cut.length)], events.moment[begins]])
    stands = np.minimum(events.stands, events.moment - starts[gap]) / cuts.period
    taken = np.where(idle & (threads > 0), 1.0 / np.maximum(running, 1), 0.0)
    taken = _weigh_samples(taken, np.maximum(stands, 1.0))
    counts = np.bincount(gap, taken[1], len(kinds)).astype(np.float64)
    counts[0] += cut.taken[1].sum()
    return GapPieces(gap, taken, kinds, lengths, counts, bool((cut.gap >= 0) + gaps.sum() > 0))


def _sum_before(steps: Integers) -> Integers:
    """What `steps` add up to before each of them."""
    return (np.cumsum(steps) - steps).astype(np.int64)
