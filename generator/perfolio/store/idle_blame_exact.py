"""Who is to blame for idle time of the GPU, where it is recorded what threads were in.

In:  gaps of the GPU, and how long launching threads stayed in which context, of one run of a store.
Out: rows of table `blame`, without the error of samples.

A gap is the time that the GPU waited for the operation that ends it, so the thread that launched
that one is to blame, by what it was in meanwhile. Where no call tells, all threads that feed the
GPU share the time. Time in which a thread was in nothing that was recorded is its entry point's.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.store.run_tables import RunTables

GAPS = """
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
SELECT coalesce(launched.profile, fed.profile) AS profile, gap.start, gap.stop, gap.period, gap.gap,
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

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def is_recorded(tables: RunTables) -> bool:
    """Whether a run holds what threads were in, and not samples of it."""
    return bool(tables.rows("SELECT 1 FROM host_stay LIMIT 1"))


def compute_blame_rows(tables: RunTables) -> pa.Table:
    """Idle time [ns] by period and kind of its gap, and calling context of the host."""
    tables.provide(GAPS)
    gaps = tables.connection.sql(GAPS).to_arrow_table()
    kinds = [f"{period}\0{gap}" for period, gap in zip(*_read_gap_kinds(gaps), strict=True)]
    names, kind = np.unique(np.array(kinds, str), return_inverse=True)
    parts = list(_compute_shares(tables, gaps, kind.astype(np.int64)))
    if not parts:
        return _sum_by_context(names, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    place, context, spent = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _sum_by_context(names, place, context, spent)


def _read_gap_kinds(gaps: pa.Table) -> tuple[list[str], list[str]]:
    return gaps.column("period").to_pylist(), gaps.column("gap").to_pylist()


def _compute_shares(
    tables: RunTables, gaps: pa.Table, kind: Ints
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Kind of gap, context and time [ns], for one thread after the other."""
    owner, start, stop = (_read_integers(gaps, name) for name in ("profile", "start", "stop"))
    weight = np.asarray(gaps.column("weight").to_numpy())
    for profile in np.unique(owner).tolist():
        own = owner == profile
        stays = _read_stays(tables, profile)
        gap, stay, spent = _find_overlaps(start[own], stop[own], stays)
        yield kind[own][gap], stays[2][stay], spent * weight[own][gap]
        covered = np.bincount(gap, spent, int(own.sum()))
        rest = (stop[own] - start[own] - covered) * weight[own]
        entries = tables.rows(ENTRY, {"profile": profile})
        entry = int(entries[0][0]) if entries else 0
        yield kind[own], np.full(len(rest), entry), rest


def _read_stays(tables: RunTables, profile: int) -> tuple[Ints, Ints, Ints]:
    tables.provide(STAYS)
    found = tables.connection.sql(STAYS, params={"profile": profile}).to_arrow_table()
    return (
        _read_integers(found, "start"),
        _read_integers(found, "stop"),
        _read_integers(found, "context"),
    )


def _read_integers(table: pa.Table, name: str) -> Ints:
    return np.asarray(table.column(name).to_numpy()).astype(np.int64)


def _find_overlaps(
    start: Ints, stop: Ints, stays: tuple[Ints, Ints, Ints]
) -> tuple[Ints, Ints, Ints]:
    """Pairs of a gap and a stay that overlap, and for how long; stays follow one another."""
    begins, ends, _ = stays
    first = np.searchsorted(ends, start, "right")
    count = np.maximum(np.searchsorted(begins, stop, "left") - first, 0)
    gap = np.repeat(np.arange(len(start)), count)
    stay = (
        np.arange(len(gap)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    )
    spent = np.minimum(ends[stay], stop[gap]) - np.maximum(begins[stay], start[gap])
    return gap, stay, spent


def _sum_by_context(
    names: npt.NDArray[np.str_], kind: Ints, context: Ints, spent: Floats
) -> pa.Table:
    """One row for each kind and context with any time."""
    pairs, row = np.unique(np.stack([kind, context], 1), axis=0, return_inverse=True)
    total = np.bincount(row.ravel(), spent, len(pairs))
    kept = np.flatnonzero((total > 0) & (pairs[:, 1] > 0))
    told = [str(names[kind]).split("\0") for kind in pairs[kept, 0].tolist()]
    return pa.table(
        {
            "period": pa.array([period for period, _ in told], pa.string()),
            "gap": pa.array([gap for _, gap in told], pa.string()),
            "context": pa.array(pairs[kept, 1].astype(np.uint32)),
            "duration": pa.array(total[kept]),
        }
    )
