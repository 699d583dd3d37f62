"""Who is to blame for idle time of the GPU: the rows of table `blame` of a run.

In:  gaps of the GPU, and what launching threads were in meanwhile, of one run of a store.
Out: rows of table `blame`. Of several GPUs, they hold the mean.

Where it is recorded what threads were in, blame is without the error of samples. A gap is the time
that the GPU waited for the operation that ends it, so the thread that launched that one is to
blame, by what it was in meanwhile. Where no call tells, all threads that feed the GPU share the
time. Time in which a thread was in nothing that was recorded is its entry point's.

Else begins and ends of gaps and samples are merged: they come sorted by time, for one GPU after the
other, with samples of the threads that feed it. Batches are cut anywhere, so memory does not grow
with the trace. Only samples that were taken in a gap tell what ran in it: one from before the gap
tells of the time before. A gap that is long against their period has samples of its own, which
share it: alike, or by the time that each stands for where the profiler drops most samples of some
code. A shorter one has one now and then; so short gaps of one kind and of like length, within a
factor of two, share their time by all the samples taken in any of them. Where none was taken,
nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from perfolio.store.run_tables import RunTables

PERIODS = (
    "before", "earlier work", "start-up", "warm-up", "steady", "outlier", "last", "end", "between",
)  # fmt: skip
"""When a gap begins: see model idle_gaps."""
KINDS = tuple((period, gap) for period in PERIODS for gap in ("other", "wait", "short"))
"""Kinds of gaps: when each begins, and what it is."""
KIND_NAMES = [" ".join(kind) for kind in KINDS]
SAMPLE = len(KINDS) + 1
"""The event of a sample; those of gaps are the places of their kinds, from 1. At one moment, a gap
therefore begins before a sample is taken in it."""
LONG = 10
"""Periods from which on a gap is told by its own samples."""
SHORTEST = 9
"""Octave of all gaps of less than 1.024 µs: launches follow one another."""
BATCH_ROWS = 1 << 18

EVENTS = """
SELECT moment, context, kind, stands
FROM (
    SELECT device, unnest([taken, stop]) AS moment, context,
        unnest([$sample, -$sample]) AS kind, unnest([stands, 0]) AS stands
    FROM {samples}
    UNION ALL
    SELECT device, unnest([moment, least(moment + $period, taken)]), context,
        unnest([$sample, -$sample]), 0
    FROM (
        SELECT fed.device, trace.context, sample.sample AS taken,
            unnest(range(sample.start + $period // 2, sample.sample, $period)) AS moment
        FROM long_sample AS sample
        JOIN fed_gpus AS fed ON fed.profile = sample.profile
        JOIN trace ON trace.profile = sample.profile AND trace."time" = sample.sample
        WHERE trace.context <> 0
    )
    UNION ALL
    SELECT device, unnest([start, stop]), 0, unnest([kind, -kind]), 0
    FROM (
        SELECT device, start, stop, list_position($kinds, period || ' '
            || if(gap = 'wait' AND period NOT IN ('steady', 'outlier'), 'other', gap)) AS kind
        FROM idle_gaps
        WHERE inside OR period = 'before'
    )
)
ORDER BY device, moment, kind, context
"""
"""One GPU after the other: where one ends nothing lasts, neither a sample nor a gap.

In one order, also of what happens at once: sums of doubles depend on it, and a sample at the
begin of a gap is in it. A long one that also stands for the time before it counts there as one in
each period. A wait is one of steady iterations: what begins before the first of its GPU is none.
"""
CONTEXTS = """
SELECT DISTINCT trace.context
FROM trace
JOIN trace_line AS line
    ON line.profile = trace.profile AND line.launching
ORDER BY trace.context
"""
SCALES = """
SELECT gpus(), (SELECT count(*) / count(DISTINCT profile) FROM fed_gpus),
    launch_period(), drops_samples()
WHERE gpus() > 0 AND launch_period() > 0
"""
RECORDED_GAPS = """
WITH launched AS (
    SELECT stream.device, ran.start, min(call.profile) AS profile
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN host_call AS call ON call.id = ran.call
    GROUP BY ALL
),
fed AS (
    SELECT device, profile, count(*) OVER (PARTITION BY device) AS threads FROM fed_gpus
)
SELECT coalesce(launched.profile, fed.profile) AS profile, gap.start, gap.stop,
    list_position($kinds, gap.period || ' ' || gap.gap) AS kind,
    CASE WHEN launched.profile IS NULL THEN 1 / fed.threads ELSE 1 END / gpus() AS weight
FROM idle_gaps AS gap
LEFT JOIN launched ON launched.device = gap.device AND launched.start = gap.stop
LEFT JOIN fed ON fed.device = gap.device AND launched.profile IS NULL
WHERE (gap.inside OR gap.period = 'before') AND coalesce(launched.profile, fed.profile) IS NOT NULL
ORDER BY 1, 2
"""
STAYS = """
SELECT start, start + duration AS stop, context
FROM host_stay WHERE profile = $profile ORDER BY start
"""
STAYED = "SELECT DISTINCT context FROM host_stay"
ENTRY = """
WITH RECURSIVE above AS (
    SELECT context.id, context.parent
    FROM context
    WHERE context.id = (SELECT min(context) FROM host_stay WHERE profile = $profile)
    UNION ALL
    SELECT context.id, context.parent FROM above JOIN context ON context.id = above.parent
)
SELECT id FROM above WHERE parent = 0
"""
INSERT = """
INSERT INTO {} BY NAME
SELECT $run AS run, *, period IN ('steady', 'outlier') AS steady FROM blame_rows
"""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def insert_blame(tables: RunTables) -> None:
    """Fill table `blame` of a run, whose gaps and iterations are there already."""
    is_recorded = tables.rows("SELECT 1 FROM host_stay LIMIT 1")
    found = list((_share_by_stays if is_recorded else _share_by_samples)(tables))
    if found:
        tables.connection.register("blame_rows", pa.concat_tables(found))
        tables.connection.execute(INSERT.format(tables.stored("blame")), {"run": tables.run})
        tables.connection.unregister("blame_rows")


def _make_rows(kind: int, octave: int, contexts: Integers, shares: Floats) -> pa.Table:
    """Rows of one kind and octave (-1: NULL): contexts with any time.

    Of all contexts duration [ns], square [ns2], samples, and sampled [ns]: see table `blame`.
    """
    place = np.flatnonzero(shares[0])
    period, gap = KINDS[kind]
    columns = dict(zip(("duration", "square", "samples", "sampled"), shares[:, place], strict=True))
    octaves = pa.array([None if octave < 0 else octave + SHORTEST] * len(place), pa.int8())
    periods, gaps = (pa.array([name] * len(place), pa.string()) for name in (period, gap))
    return pa.table(
        {"period": periods, "gap": gaps, "octave": octaves, "context": contexts[place], **columns}
    )


def _read_column(rows: pa.Table | pa.RecordBatch, name: str) -> Integers:
    found = np.asarray(rows.column(name).to_numpy(zero_copy_only=False))
    return found.astype(np.int64, copy=False)


def _share_by_stays(tables: RunTables) -> Iterator[pa.Table]:
    """Rows of a run that tells what threads were in: no sample stands for any of them."""
    tables.provide(RECORDED_GAPS)
    gaps = tables.connection.sql(RECORDED_GAPS, params={"kinds": KIND_NAMES}).to_arrow_table()
    entries = {
        owner: next((int(entry) for (entry,) in tables.rows(ENTRY, {"profile": owner})), 0)
        for owner in np.unique(_read_column(gaps, "profile")).tolist()
    }
    for sql in (STAYED, STAYS):
        tables.provide(sql)
    stayed = _read_column(tables.connection.sql(STAYED).to_arrow_table(), "context")
    contexts = np.union1d(stayed, [*entries.values()]).astype(np.int64)
    times = np.zeros((len(KINDS), len(contexts)))
    for owner, entry in entries.items():
        own = gaps.filter(pc.equal(gaps.column("profile"), owner))
        _add_times(times, contexts, own, _read_stays(tables, owner), entry)
    times[:, contexts == 0] = 0.0
    for kind in sorted(range(len(KINDS)), key=KINDS.__getitem__):
        time = times[kind]
        yield _make_rows(kind, -1, contexts, np.array([time, 0 * time, 0 * time, time]))


def _read_stays(tables: RunTables, profile: int) -> Iterator[list[Integers]]:
    """Begins, ends and contexts of what a thread was in, one after another."""
    stays = tables.connection.sql(STAYS, params={"profile": profile})
    for batch in stays.to_arrow_reader(BATCH_ROWS):
        if batch.num_rows:
            yield [_read_column(batch, name) for name in ("start", "stop", "context")]


def _add_times(
    times: Floats, contexts: Integers, gaps: pa.Table, stays: Iterable[list[Integers]], entry: int
) -> None:
    """Add the time of a thread's gaps [ns], by their kind and the context that it was in.

    In the order of time, and what is in no stay at last: sums of doubles depend on it.
    """
    start, stop, kind = (_read_column(gaps, name) for name in ("start", "stop", "kind"))
    weight = np.asarray(gaps.column("weight").to_numpy())
    rest = (stop - start).astype(np.float64)
    for begins, ends, context in stays:
        here = np.flatnonzero((stop > begins[0]) & (start < ends[-1]))
        found, stay, spent = find_overlaps(start[here], stop[here], begins, ends)
        gap, place = here[found], np.searchsorted(contexts, context)[stay]
        np.add.at(times, (kind[gap] - 1, place), spent * weight[gap])
        rest -= np.bincount(gap, spent, len(rest))
    np.add.at(times, (kind - 1, np.searchsorted(contexts, entry)), rest * weight)


def find_overlaps(
    start: Integers, stop: Integers, begins: Integers, ends: Integers
) -> tuple[Integers, Integers, Integers]:
    """Pairs of a gap and a stay that overlap, and for how long; stays follow one another."""
    first = np.searchsorted(ends, start, "right")
    count = np.maximum(np.searchsorted(begins, stop, "left") - first, 0)
    gap = np.repeat(np.arange(len(start)), count)
    stay = np.arange(len(gap)) + np.repeat(first - (np.cumsum(count) - count), count)
    return gap, stay, np.minimum(ends[stay], stop[gap]) - np.maximum(begins[stay], start[gap])


def _share_by_samples(tables: RunTables) -> Iterator[pa.Table]:
    """Rows of a run that has samples of threads."""
    connection = tables.connection
    for sql in (SCALES, CONTEXTS):
        tables.provide(sql)
    scales = connection.execute(SCALES).fetchall()
    contexts = _read_column(connection.sql(CONTEXTS).to_arrow_table(), "context")
    if not scales or not len(contexts):
        return
    gpus, fed, period, drops = scales[0]
    sums = BlameSums(period, len(contexts))
    sql = format_events_query(drops=bool(drops))
    tables.provide(sql)
    given = {"period": period, "sample": SAMPLE, "kinds": KIND_NAMES}
    for batch in connection.sql(sql, params=given).to_arrow_reader(BATCH_ROWS):
        if batch.num_rows:
            place = np.searchsorted(contexts, _read_column(batch, "context"))
            sums.add_batch(
                _read_column(batch, "moment"),
                np.minimum(place, len(contexts) - 1),
                _read_column(batch, "kind"),
                _read_column(batch, "stands"),
            )
    # A sample counts once, whatever number of GPUs its thread feeds.
    times = np.array([gpus, gpus**2 / fed, fed, gpus])
    for kind, octave, shares in sums.compute_shares():
        yield _make_rows(kind, octave, contexts, shares / times[:, None])


def format_events_query(*, drops: bool) -> str:
    """What samples stand for costs memory to tell, so only where the profiler drops some."""
    return EVENTS.format(samples="launching_samples" if drops else "fed_samples")


@dataclass
class BlameSums:
    """Sums over gaps and their samples, and what goes on from one batch of events to the next.

    Samples of several threads at once count as one together. A run has few of the kinds and
    octaves that there may be, and many contexts: there are arrays for those that it has.
    """

    period: int
    """Of samples [ns]."""
    contexts: int
    samples: dict[tuple[int, int], Floats] = field(default_factory=dict)
    """By kind and octave, and by context: of short gaps samples as in `_weigh_samples`, of long
    ones, whose octave is -1, what they come to as in `_scale_samples`."""
    lengths: Floats = field(default_factory=lambda: np.zeros((len(KINDS), 64)))
    """Of short gaps together, by kind and octave, sampled or not [ns]."""
    moment: int = 0
    """Of the last event [ns]."""
    running: int = 0
    """How many threads run."""
    kind: int = -1
    """Of the gap that goes on, or -1."""
    length: float = 0.0
    """Of that gap, up to here [ns]."""
    taken: Floats = field(init=False)
    """Samples that were taken in it up to here, by context: see `_weigh_samples`."""

    def __post_init__(self) -> None:
        """Without a gap there are no samples in it."""
        self.taken = np.zeros((3, self.contexts))

    def add_batch(
        self, moment: Integers, place: Integers, kind: Integers, stands: Integers
    ) -> None:
        """Add the gaps that a batch of events completes.

        Of each event the moment [ns], the place of its context, its kind, negated at ends, and of a
        sample how long it stands for, if its gap is as long: a period or more [ns].
        """
        threads = np.where(np.abs(kind) == SAMPLE, np.sign(kind), 0)
        steps = np.sign(kind) - threads
        begins = steps > 0
        gap = _sum_before(begins.astype(np.int64))  # 0: the one that goes on from before
        idle = (self.kind >= 0) + _sum_before(steps) > 0
        goes_on = bool((self.kind >= 0) + steps.sum() > 0)
        running = self.running + np.cumsum(threads)
        kinds = np.concatenate([[self.kind], kind[begins] - 1])
        passed = np.where(idle, np.diff(moment, prepend=self.moment or moment[0]), 0)
        lengths = np.bincount(gap, passed, len(kinds)).astype(np.float64)
        lengths[0] += self.length
        starts = np.concatenate([[self.moment - round(self.length)], moment[begins]])
        taken = _weigh_samples(
            np.where(idle & (threads > 0), 1.0 / np.maximum(running, 1), 0.0),
            np.maximum(np.minimum(stands, moment - starts[gap]) / self.period, 1.0),
        )
        complete = kinds >= 0
        complete[-1] &= not goes_on
        self._add_gaps(kinds, lengths, complete, gap, place, taken)
        self.moment, self.running = int(moment[-1]), int(running[-1])
        self._keep_open_gap(kinds, lengths, gap, place, taken, goes_on=goes_on)

    def _add_gaps(
        self, kinds: Integers, lengths: Floats, complete: npt.NDArray[np.bool_],
        gap: Integers, place: Integers, taken: Floats,
    ) -> None:  # fmt: skip
        """Add complete gaps: samples, those before this batch first, and lengths of short ones."""
        counts = np.bincount(gap, taken[1], len(kinds)).astype(np.float64)
        counts[0] += self.taken[1].sum()
        each = np.divide(lengths, counts, out=np.zeros(len(kinds)), where=counts > 0)
        octaves = self._find_octaves(kinds, lengths)
        short = complete & (octaves >= 0)
        np.add.at(self.lengths, (kinds[short], octaves[short]), lengths[short])
        before, here = np.flatnonzero(self.taken[0]), np.flatnonzero(taken[0])
        gap = np.concatenate([np.zeros_like(before), gap[here]])
        place = np.concatenate([before, place[here]])
        taken = np.concatenate([self.taken[:, before], taken[:, here]], axis=1)
        sampled = gap[complete[gap]]
        for key in sorted(
            set(zip(kinds[sampled].tolist(), octaves[sampled].tolist(), strict=True))
        ):
            alike = complete[gap] & (kinds[gap] == key[0]) & (octaves[gap] == key[1])
            added = taken[:, alike]
            if key[1] < 0:
                added = _scale_samples(added, each[gap[alike]], self.period)
            rows = self.samples.setdefault(key, np.zeros((len(added), self.contexts)))
            for row, values in zip(rows, added, strict=True):
                np.add.at(row, place[alike], values)

    def _find_octaves(self, kinds: Integers, lengths: Floats) -> Integers:
        """The class of length of short gaps, from 0; -1 of those that are told by themselves."""
        octave = np.maximum(np.frexp(lengths)[1] - 1 - SHORTEST, 0)
        alone = (kinds <= 0) | (lengths >= LONG * self.period)
        return np.where(alone, -1, octave).astype(np.int64)

    def _keep_open_gap(
        self, kinds: Integers, lengths: Floats, gap: Integers, place: Integers, taken: Floats,
        *, goes_on: bool,
    ) -> None:  # fmt: skip
        """Keep the last gap of a batch with its samples, where it goes on beyond it."""
        before = self.taken if goes_on and len(kinds) == 1 else np.zeros_like(self.taken)
        self.kind, self.length, self.taken = -1, 0.0, before
        if goes_on:
            last = gap == len(kinds) - 1
            here = [np.bincount(place, last * row, self.contexts) for row in taken]
            self.kind, self.length = int(kinds[-1]), float(lengths[-1])
            self.taken = np.array(here) + before

    def compute_shares(self) -> Iterator[tuple[int, int, Floats]]:
        """Kind, octave (-1 of long gaps, which come first) and what samples come to, by context."""
        for key in sorted(self.samples, key=lambda key: (key[1] >= 0, key)):
            shares = self.samples[key]
            if key[1] >= 0:
                count = float(shares[1].sum())
                each = np.float64(self.lengths[key] / count if count > 0.0 else 0.0)
                shares = _scale_samples(shares, each, self.period)
            yield *key, shares


def _weigh_samples(taken: Floats, weight: Floats) -> Floats:
    """Samples, the periods that they stand for, and the squares of these, one sample for each."""
    return np.array([taken, taken * weight, taken * weight**2])


def _scale_samples(taken: Floats, each: Floats | np.float64, period: int) -> Floats:
    """What samples come to in gaps a period of which is `each` [ns].

    The time that they stand for [ns], the squares of that, summed over samples [ns2], samples, and
    one period for each, no more than it stands for [ns].
    """
    samples, weights, squares = taken
    sampled = np.minimum(weights * each, samples * period)
    return np.array([weights * each, squares * each**2, samples, sampled])


def _sum_before(steps: Integers) -> Integers:
    """What `steps` add up to before each of them."""
    return (np.cumsum(steps) - steps).astype(np.int64)
