"""Who is to blame for idle time of the GPU: sums over a merge of gaps and samples.

In:  gaps of the GPU, and what launching threads were sampled in, of one run of a store.
Out: rows of table `blame`.

Begins and ends of both come sorted by time, for one GPU after the other; samples are of the
threads that feed it. Between two of them, an idle moment counts for each sample that lasts by one
over their number; what a sample is blamed for is what has added up at its end less what had at
its begin. What was sampled within a gap is scaled to the whole of it. The squares of these scales
say how unevenly, and with the number of samples that were taken in gaps how surely, a share of
the blame is known (`blame_samples` in the views). Of several GPUs, rows hold the mean.
Batches are cut anywhere, so memory does not grow with the trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

EVENTS = """
WITH held AS (
    SELECT fed.device, held.context, held.start, held.stop
    FROM launching_interval($run) AS held
    JOIN fed_gpus($run) AS fed ON fed.profile = held.profile
),
idle AS (
    SELECT device, start, stop, CASE period WHEN 'before' THEN 3 ELSE 2 END::TINYINT AS kind
    FROM gpu_idle
    WHERE run = $run AND period <> 'after'
)
SELECT moment, context, kind
FROM (
    SELECT device, start AS moment, context, 1::TINYINT AS kind FROM held
    UNION ALL
    SELECT device, stop, context, -1 FROM held
    UNION ALL
    SELECT device, start, 0, kind FROM idle
    UNION ALL
    SELECT device, stop, 0, -kind FROM idle
)
ORDER BY device, moment, kind, context
"""
"""One GPU after the other: where one ends nothing lasts, neither a sample nor a gap.

In one order, also of what happens at once: sums of doubles depend on it.
"""
CONTEXTS = """
SELECT DISTINCT trace.context
FROM trace
JOIN trace_line AS line
    ON line.run = $run AND line.profile = trace.profile AND line.launching
WHERE trace.run = $run
ORDER BY trace.context
"""
CUTS = """
SELECT gpus($run), (SELECT count(*) / count(DISTINCT profile) FROM fed_gpus($run)),
    steady.start, steady.stop
FROM (
    SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)
) AS steady
WHERE gpus($run) > 0
"""
BEFORE = 3
"""The kind of event of a gap before the first operation of its GPU."""
BATCH_ROWS = 1 << 20
LEAST = 0.01
"""Nanoseconds of blame below which a sum is an error of summation."""
KINDS = (("before", False), ("between", False), ("between", True))
"""Period of a gap, and whether it lies in steady iterations."""

SCHEMA = pa.schema(
    [
        ("run", pa.int32()),
        ("period", pa.string()),
        ("steady", pa.bool_()),
        ("context", pa.uint32()),
        ("sampled", pa.float64()),
        ("duration", pa.float64()),
        ("samples", pa.float64()),
        ("square", pa.float64()),
        ("counted", pa.float64()),
    ]
)

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


def insert_blame(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    """Fill table `blame` of `run`, whose gaps and iterations are there already."""
    found = connection.execute(CUTS, {"run": run}).fetchall()
    contexts = _column(connection.sql(CONTEXTS, params={"run": run}).to_arrow_table(), "context")
    if not found or not len(contexts):
        return
    gpus, fed, *steady = found[0]
    cuts = Cuts((steady[0] or 0, steady[1] or 0))
    sums = Sums(*np.zeros((5, len(KINDS), len(contexts))))
    nothing = np.zeros(len(contexts))
    cut = Cut(0, nothing, -1, 0.0, nothing, nothing)
    for events in _events(connection, run, contexts):
        cut = _advance(cut, events, cuts, sums)
    _insert(connection, run, contexts, _mean(sums, gpus, fed))


def _mean(sums: Sums, gpus: int, fed: float) -> Sums:
    """The mean over GPUs; a sample counts once, whatever number of GPUs its thread feeds."""
    times = (sums.sampled / gpus, sums.whole / gpus, sums.square / gpus)
    return Sums(*times, sums.samples / fed, sums.counted / gpus)


def _events(
    connection: duckdb.DuckDBPyConnection, run: int, contexts: Integers
) -> Iterator[Events]:
    reader = connection.sql(EVENTS, params={"run": run}).to_arrow_reader(BATCH_ROWS)
    for batch in reader:
        if batch.num_rows:
            place = np.searchsorted(contexts, _column(batch, "context"))
            yield Events(
                _column(batch, "moment"),
                np.minimum(place, len(contexts) - 1),
                _column(batch, "kind"),
            )


def _column(rows: pa.Table | pa.RecordBatch, name: str) -> Integers:
    return np.asarray(rows.column(name).to_numpy(zero_copy_only=False)).astype(np.int64)


def _advance(cut: Cut, events: Events, cuts: Cuts, sums: Sums) -> Cut:
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


def _insert(
    connection: duckdb.DuckDBPyConnection, run: int, contexts: Integers, sums: Sums
) -> None:
    kind, place = np.nonzero(sums.whole > LEAST)
    rows = pa.table(
        {
            "run": np.full(len(kind), run, np.int32),
            "period": np.array([period for period, _ in KINDS], object)[kind],
            "steady": np.array([steady for _, steady in KINDS])[kind],
            "context": contexts[place].astype(np.uint32),
            "sampled": sums.sampled[kind, place],
            "duration": sums.whole[kind, place],
            "samples": sums.samples[kind, place],
            "square": sums.square[kind, place],
            "counted": sums.counted[kind, place],
        },
        schema=SCHEMA,
    )
    connection.register("blame_rows", rows)
    connection.execute("INSERT INTO blame BY NAME SELECT * FROM blame_rows")
    connection.unregister("blame_rows")
