"""What the host does while the GPUs idle, and in all.

In:  idle times of GPUs in a window, and a run of a store.
Out: rows of idle time that sum to it, and the work of threads that launch.

Idle is a place, not a cause. Where it is recorded what threads were in, a gap belongs to the thread
that launched the operation which ends it, by what that thread was in meanwhile; else the samples
of table blame share it. Time of a gap in which nothing was recorded is said as such.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.division import DividedLane, apportion
from perfolio.comparison.frame_paths import UNKNOWN, read_paths
from perfolio.comparison.host_activities import NOTHING, name_activity
from perfolio.comparison.recorded_operations import GpuOperations, read_column
from perfolio.comparison.run_record import HostWork, TimeRow
from perfolio.comparison.steady_window import SteadyWindow
from perfolio.store.idle_blame import find_overlaps
from perfolio.store.run_tables import RunTables

Integers = npt.NDArray[np.int64]
_IS_RECORDED = "SELECT 1 FROM host_stay LIMIT 1"
_CALLERS = "SELECT id, profile FROM host_call WHERE id IN (SELECT unnest($calls))"
_FEEDS = "SELECT device, min(profile) FROM fed_gpus GROUP BY device"
_STAYS = """
SELECT start, start + duration AS stop, context FROM host_stay
WHERE profile = $profile AND start < $high AND start + duration > $low ORDER BY start
"""
_BLAMED = """
SELECT context, sum(duration) AS duration FROM blame
WHERE period IN (SELECT unnest($periods)) GROUP BY context ORDER BY context
"""
_IDLE = """
SELECT coalesce(sum(duration), 0) / gpus() FROM idle_total WHERE period IN (SELECT unnest($periods))
"""
_WORK = """
SELECT held.context, CAST(sum(least(held.stop, $high) - greatest(held.start, $low)) AS BIGINT) AS ns
FROM cpu_interval AS held
WHERE held.profile IN (SELECT profile FROM fed_gpus) AND held.start < $high AND held.stop > $low
GROUP BY held.context ORDER BY held.context
"""
_CALLS = """
SELECT context, count(*) FROM host_call
WHERE profile IN (SELECT profile FROM fed_gpus) AND start >= $low AND start < $high
GROUP BY context ORDER BY context
"""
QUERIES = (_IS_RECORDED, _CALLERS, _FEEDS, _STAYS, _BLAMED, _IDLE, _WORK, _CALLS)
NEAR = 4
"""Frames of a path of the host that rows have: those nearest to what is done."""
_STEADY = ("steady", "outlier")
_WHOLE = (
    "before", "earlier work", "start-up", "warm-up", "steady", "outlier", "last", "end", "between",
)  # fmt: skip


def divide_idle(
    tables: RunTables,
    found: GpuOperations,
    lanes: Mapping[int, DividedLane],
    window: SteadyWindow,
) -> tuple[TimeRow, ...]:
    """Rows of the idle time of all GPUs: what the host does meanwhile."""
    if tables.rows(_IS_RECORDED):
        spent = _divide_by_stays(tables, found, lanes)
    else:
        total = sum(int((lane.idle_stop - lane.idle_start).sum()) for lane in lanes.values())
        spent = _divide_by_blame(tables, total, is_steady=window.is_steady)
    paths = read_paths(tables, [context for context in spent if context >= 0])
    summed: defaultdict[tuple[str, tuple[str, ...], str], int] = defaultdict(int)
    for context, ns in spent.items():
        path = paths.get(context, UNKNOWN)
        summed[name_activity(path), path.names[-NEAR:], path.innermost] += ns
    return tuple(
        TimeRow("idle", activity, ns, 0, names, short=short)
        for (activity, names, short), ns in summed.items()
        if ns
    )


def _divide_by_stays(
    tables: RunTables, found: GpuOperations, lanes: Mapping[int, DividedLane]
) -> dict[int, int]:
    """Idle time by context [ns]; -1 where nothing was recorded."""
    gaps = _own_gaps(tables, found, lanes)
    spent: defaultdict[int, int] = defaultdict(int)
    for profile in sorted(set(gaps.profile.tolist())):
        own = gaps.profile == profile
        start, stop = gaps.start[own], gaps.stop[own]
        order = np.argsort(start, kind="stable")
        start, stop = start[order], stop[order]
        rest = int((stop - start).sum())
        if profile >= 0:
            for context, ns in overlap_stays(tables, profile, start, stop).items():
                spent[context] += ns
                rest -= ns
        spent[-1] += rest
    return spent


@dataclass(frozen=True)
class _OwnedGaps:
    """Idle times of GPUs, and the thread that each waits for; -1 where none is known."""

    start: Integers
    stop: Integers
    profile: Integers


def _own_gaps(
    tables: RunTables, found: GpuOperations, lanes: Mapping[int, DividedLane]
) -> _OwnedGaps:
    feeds = dict(tables.rows(_FEEDS))
    starts, stops, owners, calls = [], [], [], []
    for device, lane in lanes.items():
        own = found.device == device
        begins, call = found.start[own], found.call[own]
        place = np.minimum(np.searchsorted(begins, lane.idle_stop), max(len(begins) - 1, 0))
        ends = begins[place] == lane.idle_stop if len(begins) else np.zeros(0, bool)
        starts.append(lane.idle_start)
        stops.append(lane.idle_stop)
        calls.append(np.where(ends, call[place], -1) if len(begins) else 0 * lane.idle_stop - 1)
        owners.append(np.full(len(lane.idle_start), feeds.get(device, -1), np.int64))
    call = np.concatenate(calls)
    told = dict(tables.rows(_CALLERS, {"calls": np.unique(call[call >= 0]).tolist()}))
    by_call = [told.get(one, -1) for one in call.tolist()]
    profile = np.where(np.array(by_call, np.int64) >= 0, by_call, np.concatenate(owners))
    return _OwnedGaps(np.concatenate(starts), np.concatenate(stops), profile.astype(np.int64))


def overlap_stays(
    tables: RunTables, profile: int, start: Integers, stop: Integers
) -> dict[int, int]:
    """How long a thread was in each context in gaps that do not overlap [ns]."""
    given = {"profile": profile, "low": int(start.min()), "high": int(stop.max())}
    tables.provide(_STAYS)
    stays = tables.connection.sql(_STAYS, params=given).to_arrow_table()
    begins, ends = read_column(stays, "start"), read_column(stays, "stop")
    context = read_column(stays, "context")
    _, stay, ns = find_overlaps(start, stop, begins, ends)
    contexts, inverse = np.unique(context[stay], return_inverse=True)
    summed = np.zeros(len(contexts), np.int64)
    np.add.at(summed, inverse, ns)
    return dict(zip(contexts.tolist(), summed.tolist(), strict=True))


def _divide_by_blame(tables: RunTables, total: int, *, is_steady: bool) -> dict[int, int]:
    """Idle time by context, in proportion to what samples say of such gaps."""
    given = {"periods": list(_STEADY if is_steady else _WHOLE)}
    blamed = tables.rows(_BLAMED, given)
    ((idle,),) = tables.rows(_IDLE, given) or ((0.0,),)
    weights = [float(duration) for _, duration in blamed]
    weights.append(max(float(idle or 0.0) - sum(weights), 0.0))
    contexts = [int(context) for context, _ in blamed] + [-1]
    parts = apportion(total, np.array(weights))
    return {context: int(ns) for context, ns in zip(contexts, parts.tolist(), strict=True) if ns}


def read_host_work(
    tables: RunTables, window: SteadyWindow, rows: Iterable[TimeRow]
) -> tuple[HostWork, ...]:
    """What threads that feed the GPUs do in a window, hidden or not."""
    given = {"low": window.start, "high": window.stop}
    spent, calls = dict(tables.rows(_WORK, given)), dict(tables.rows(_CALLS, given))
    paths = read_paths(tables, spent.keys() | calls.keys())
    summed: defaultdict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(lambda: [0, 0])
    for context, path in paths.items():
        key = (name_activity(path), path.names[-NEAR:])
        summed[key][0] += int(spent.get(context, 0))
        summed[key][1] += int(calls.get(context, 0))
    launched = _count_launched(rows) if not calls else {}
    return tuple(
        HostWork(activity, names, ns, count or launched.get(names))
        for (activity, names), (ns, count) in sorted(summed.items(), key=lambda one: -one[1][0])
        if activity != NOTHING
    )


def _count_launched(rows: Iterable[TimeRow]) -> dict[tuple[str, ...], int]:
    """Operations by the path that launched them."""
    found: defaultdict[tuple[str, ...], int] = defaultdict(int)
    for row in rows:
        if row.path and row.calls:
            found[row.path[-NEAR:]] += row.calls
    return found
