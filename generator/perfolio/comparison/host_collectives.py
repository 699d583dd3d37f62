"""Time of main threads in collectives of the host: waiting for other ranks, and transfer.

In:  a run of a store with several main threads, and a window. Out: `HostWaits`.

A collective of gloo runs on a thread of its own: the main thread is in it while it records nothing
else. One of MPI is a call of the main thread. Collectives are matched by their order, where all
ranks have the same ones: until the last rank comes a rank waits, then it is transfer. Where they do
not match, all of it is transfer, and nobody waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.instant_network import (
    ProcessorMeetings,
    join_spans,
    measure_instant_time,
)
from perfolio.comparison.steady_window import SteadyWindow
from perfolio.store.idle_blame import find_overlaps
from perfolio.store.run_tables import RunTables

Integers = npt.NDArray[np.int64]
_COLLECTIVES = """
SELECT CAST(coalesce(profile.rank, 0) AS BIGINT) AS rank, stay.context,
    stay.start, stay.start + stay.duration AS stop,
    coalesce(named.function_name, named.name) AS name
FROM host_stay AS stay
JOIN profile ON profile."index" = stay.profile
JOIN context_name AS named ON named.context = stay.context
WHERE regexp_matches(coalesce(named.function_name, named.name), '^(gloo|mpi|ucc):')
    OR is_mpi_call(coalesce(named.function_name, named.name))
ORDER BY rank, stay.start, stop
"""
_MAIN = """
SELECT main.profile, CAST(coalesce(profile.rank, 0) AS BIGINT) AS rank
FROM main_threads AS main JOIN profile ON profile."index" = main.profile ORDER BY main.profile
"""
_WORK = """
SELECT start, start + duration AS stop FROM host_stay
WHERE profile = $profile AND start < $high AND start + duration > $low
    AND context NOT IN (SELECT unnest($collectives))
ORDER BY start
"""
QUERIES = (_COLLECTIVES, _MAIN, _WORK)


@dataclass(frozen=True)
class HostWaits:
    """What main threads spend in collectives."""

    contexts: frozenset[int]
    """Contexts of collectives."""
    wait: Mapping[int, int]
    """Waiting of the main threads of a rank in the window [ns]."""
    transfer: Mapping[int, int]
    instant: int | None = None
    """Length of the window with a network that takes no time [ns]; None where that is not told."""


@dataclass(frozen=True)
class _Collectives:
    """Of one rank, in their order."""

    start: Integers
    stop: Integers
    names: tuple[str, ...]


def measure_host_waits(tables: RunTables, window: SteadyWindow) -> HostWaits:
    """Of all ranks; of nothing where no collectives are recorded."""
    rows = tables.rows(_COLLECTIVES)
    lanes: defaultdict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for rank, _, start, stop, name in rows:
        lanes[rank].append((start, stop, name))
    if len(lanes) < 2:
        return HostWaits(frozenset(), {}, {})
    contexts = frozenset(int(row[1]) for row in rows)
    found = {rank: _make_collectives(lane) for rank, lane in lanes.items()}
    arrival = _find_arrivals(list(found.values()))
    wait: defaultdict[int, int] = defaultdict(int)
    transfer: defaultdict[int, int] = defaultdict(int)
    processors = []
    for profile, rank in tables.rows(_MAIN):
        own = found.get(rank)
        if own is None:
            continue
        work = _find_work(tables, profile, window, contexts)
        free = _find_free(work, window)
        processors.append(ProcessorMeetings(own.start, own.stop, work))
        until = own.start if arrival is None else np.clip(arrival, own.start, own.stop)
        waited = _overlap(free, join_spans(own.start, until))
        wait[rank] += waited
        transfer[rank] += _overlap(free, join_spans(own.start, own.stop)) - waited
    bounds = window.start, window.stop
    instant = None if arrival is None else measure_instant_time(processors, bounds)
    return HostWaits(contexts, wait, transfer, instant)


def _make_collectives(lane: Sequence[tuple[int, int, str]]) -> _Collectives:
    start, stop = (np.array([one[place] for one in lane], np.int64) for place in (0, 1))
    return _Collectives(start, stop, tuple(one[2] for one in lane))


def _find_arrivals(found: Sequence[_Collectives]) -> Integers | None:
    """When the last rank comes to each collective; None where ranks have others."""
    if len({one.names for one in found}) != 1:
        return None
    arrival: Integers = np.stack([one.start for one in found]).max(axis=0)
    return arrival


def _find_work(
    tables: RunTables, profile: int, window: SteadyWindow, collectives: frozenset[int]
) -> tuple[Integers, Integers]:
    """When a main thread does something that is recorded and no collective."""
    given = {"profile": profile, "low": window.start, "high": window.stop}
    rows = tables.rows(_WORK, given | {"collectives": sorted(collectives)})
    start, stop = (np.array([one[place] for one in rows], np.int64) for place in (0, 1))
    return join_spans(start, stop)


def _find_free(work: tuple[Integers, Integers], window: SteadyWindow) -> tuple[Integers, Integers]:
    """The rest of a window."""
    begin = np.clip(np.append(window.start, work[1]), window.start, window.stop)
    end = np.clip(np.append(work[0], window.stop), window.start, window.stop)
    kept = end > begin
    return begin[kept], end[kept]


def _overlap(one: tuple[Integers, Integers], other: tuple[Integers, Integers]) -> int:
    return int(find_overlaps(*one, *other)[2].sum()) if len(other[0]) else 0
