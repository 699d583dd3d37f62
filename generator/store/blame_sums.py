"""Sums of blame over batches of gaps and samples: the arithmetic of `store.blame`, without a store.

In:  begins and ends of gaps and samples in order of time, in batches.
Out: sums by kind of gap and context, and what goes on from one batch to the next.

An idle moment counts for each sample that lasts by one over their number; what a sample is blamed
for is what has added up at its end less what had at its begin. What was sampled within a gap is
scaled to the whole of it. The squares of these scales say how unevenly, and with the number of
samples that were taken in gaps how surely, a share of the blame is known (`blame_samples` in the
views).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BEFORE = 3
"""The kind of event of a gap before the first operation of its GPU."""
KINDS = (("before", False), ("between", False), ("between", True))
"""Period of a gap, and whether it lies in steady iterations."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cuts:
    """Moments [ns] that divide gaps between operations: the steady iterations."""

    steady: tuple[int, int]

    def kinds(self, starts: Integers, before: npt.NDArray[np.bool_]) -> Integers:
        """The position in `KINDS` of gaps that begin at `starts`, some before any operation."""
        inside = (starts >= self.steady[0]) & (starts < self.steady[1])
        return np.where(before, 0, np.where(inside, 2, 1))


@dataclass(frozen=True)
class Events:
    """A batch: moments [ns], places of contexts, and 1 (sample), 2 or 3 (gap), negated at ends."""

    moment: Integers
    place: Integers
    kind: Integers


@dataclass(frozen=True)
class Cut:
    """What goes on from one batch to the next: samples and, if any, one gap."""

    moment: int
    running: Floats
    """How many threads are in each context."""
    gap: int
    """Kind of the gap, or -1."""
    length: float
    """Of the gap, up to here [ns]."""
    blamed: Floats
    """What contexts were sampled for in the gap up to here [ns]."""
    taken: Floats
    """Samples that were taken of them in the gap up to here."""


@dataclass(frozen=True)
class Pieces:
    """The times between the events of a batch, each up to one of them."""

    gap: Integers
    """Number of the gap in the batch; 0 is the one that goes on from the batch before."""
    weight: Floats
    """Idle time for each sample that lasts [ns]."""
    kinds: Integers
    """Kind of each gap, -1 where number 0 is none."""
    lengths: Floats
    """Of each gap so far [ns]."""
    sampled: Floats
    """Of each gap so far, with any sample [ns]."""
    open: bool
    """Whether the last gap goes on."""
    counts: Floats
    """Of each gap so far, the samples taken in it."""
    taken: Floats
    """What the event is as a sample taken in the gap: 1 over the threads sampled then, or 0."""


@dataclass(frozen=True)
class Sums:
    """Blame by kind of gap and context [ns]: while sampled, and of the whole gaps."""

    sampled: Floats
    whole: Floats
    square: Floats
    """While sampled, times the square of the scale from there to the whole gap [ns]."""
    samples: Floats
    """Samples that were taken in gaps, those of several threads at once as one together."""
    counted: Floats
    """Of the whole gaps by the samples taken in them, not held into them; else as `whole` [ns]."""


def advance(cut: Cut, events: Events, cuts: Cuts, sums: Sums) -> Cut:
    """Add to `sums` what a batch completes; returns what goes on beyond it."""
    pieces = _pieces(cut, events, cuts)
    last = len(pieces.kinds) - 1
    scale, each = (
        np.divide(pieces.lengths, parts, out=np.zeros(last + 1), where=parts > 0)
        for parts in (pieces.sampled, pieces.counts)
    )
    complete = pieces.gap != last if pieces.open else np.ones(len(pieces.gap), bool)
    scales = np.where(complete, scale[pieces.gap], 0.0)
    bare = np.where(pieces.counts[pieces.gap] > 0, 0.0, scales)
    counted = np.where(complete, each[pieces.gap], 0.0) * pieces.taken
    for kind in np.unique(pieces.kinds[pieces.kinds >= 0]):
        is_mine = pieces.kinds[pieces.gap] == kind
        mine = np.where(is_mine, pieces.weight, 0.0)
        sums.sampled[kind] += _shared(mine, events, cut.running)
        sums.whole[kind] += _shared(mine * scales, events, cut.running)
        sums.square[kind] += _shared(mine * scales**2, events, cut.running)
        sums.samples[kind] += _by_context(is_mine * pieces.taken, events, cut)
        sums.counted[kind] += _shared(mine * bare, events, cut.running)
        sums.counted[kind] += _by_context(is_mine * counted, events, cut)
    goes_on = pieces.open and last == 0
    if cut.gap >= 0 and not goes_on:
        whole = cut.blamed * scale[0]
        sums.whole[cut.gap] += whole
        sums.square[cut.gap] += whole * scale[0]
        sums.counted[cut.gap] += cut.taken * each[0] if pieces.counts[0] > 0 else whole
    return _cut(cut, events, pieces, goes_on=goes_on)


def _cut(cut: Cut, events: Events, pieces: Pieces, *, goes_on: bool) -> Cut:
    """What goes on beyond a batch; `goes_on` where that is the gap from before it."""
    running = cut.running + _by_context(_threads(events), events, cut)
    moment = int(events.moment[-1])
    nothing = np.zeros_like(cut.blamed)
    if not pieces.open:
        return Cut(moment, running, -1, 0.0, nothing, nothing)
    is_last = pieces.gap == len(pieces.kinds) - 1
    blamed = _shared(np.where(is_last, pieces.weight, 0.0), events, cut.running)
    taken = _by_context(is_last * pieces.taken, events, cut)
    if goes_on:
        blamed, taken = blamed + cut.blamed, taken + cut.taken
    return Cut(moment, running, int(pieces.kinds[-1]), float(pieces.lengths[-1]), blamed, taken)


def _by_context(parts: Floats | Integers, events: Events, cut: Cut) -> Floats:
    """Sums of what belongs to each event, by the context of the event."""
    return np.bincount(events.place, parts, len(cut.running)).astype(np.float64)


def _threads(events: Events) -> Integers:
    """How many more threads run after each event."""
    return np.where(np.abs(events.kind) == 1, events.kind, 0)


def _pieces(cut: Cut, events: Events, cuts: Cuts) -> Pieces:
    """What lies before each event of a batch, and the gaps that these pieces are of."""
    threads = _threads(events)
    gaps = np.sign(events.kind - threads)
    begins = gaps > 0
    gap = _before(begins.astype(np.int64))
    idle = (cut.gap >= 0) + _before(gaps) > 0
    running = cut.running.sum() + _before(threads)
    length = np.diff(events.moment, prepend=cut.moment or events.moment[0])
    length = np.where(idle, length, 0).astype(np.float64)
    covered = np.where(running > 0, length, 0.0)
    of_gaps = cuts.kinds(events.moment[begins], events.kind[begins] == BEFORE)
    kinds = np.concatenate([[cut.gap], of_gaps])
    lengths = np.bincount(gap, length, len(kinds)).astype(np.float64)
    sampled = np.bincount(gap, covered, len(kinds)).astype(np.float64)
    lengths[0] += cut.length
    sampled[0] += cut.blamed.sum()
    still = bool((cut.gap >= 0) + gaps.sum() > 0)
    taken = np.where(idle & (threads > 0), 1.0 / np.maximum(running + threads, 1), 0.0)
    counts = np.bincount(gap, taken, len(kinds)).astype(np.float64)
    counts[0] += cut.taken.sum()
    weight = covered / np.maximum(running, 1)
    return Pieces(gap, weight, kinds, lengths, sampled, still, counts, taken)


def _before(steps: Integers) -> Integers:
    """What `steps` add up to before each of them."""
    return (np.cumsum(steps) - steps).astype(np.int64)


def _shared(weight: Floats, events: Events, running: Floats) -> Floats:
    """What each context is blamed for, where pieces have `weight` for each sample in them."""
    total = np.cumsum(weight)
    threads = _threads(events)
    after = running + np.bincount(events.place, threads, len(running))
    begun = np.bincount(events.place, threads * total, len(running))
    return np.asarray(after * total[-1] - begun, np.float64)
