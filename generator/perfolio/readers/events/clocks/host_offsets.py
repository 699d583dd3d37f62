"""How far clocks of ranks' hosts are apart.

In:  a recording of several ranks. Out: of each rank whose clock is off, what was found.

Collectives in which each rank needs what all others have end on none before the last one has come.
The k-th one of a kind is the same on all ranks that have equally many of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perfolio.readers.events.clock_report import ClockOffset
from perfolio.readers.events.clocks.gpu_offsets import MANY, RARE, TOLERANCE
from perfolio.readers.events.recording import NONE, Ints, OperationKind, Recording
from perfolio.readers.kernel_rules import find_meeting

FEWEST = 3
"""Collectives that an offset rests on, at least, unless ranks have no moment in common."""
_PACE = 1e-3
"""No clock drifts faster [ratio]."""


@dataclass(frozen=True)
class RankMeetings:
    """Collectives of all ranks: a row each rank, in the order in which they ran."""

    processes: tuple[int, ...]
    start: Ints
    stop: Ints


def find_host_clocks(recording: Recording) -> Iterator[ClockOffset]:
    """Clocks of hosts that are off that of the first rank."""
    met = _find_meetings(recording)
    if met is None:
        return
    none = np.zeros(len(met.processes), np.int64)
    late = _find_late(met, none)
    if (
        not late.any()
        or late.mean() <= MANY
        or (late.sum() < FEWEST and not _has_separate_ranks(met))
    ):
        return
    offsets = _compute_offsets(met)
    is_constant = _find_late(met, offsets).mean() <= RARE
    if not is_constant:
        if not _is_slow_drift(met):
            return
        offsets = none + 1
        offsets[0] = 0
    for place, process in enumerate(met.processes):
        if offset := int(offsets[place]):
            known = recording.processes[process]
            low, high = _bound_offset(met, place) if is_constant else (None, None)
            yield ClockOffset(
                process, known.node, known.rank, None, offset if is_constant else 0, low, high,
                met.start.shape[1], is_constant,
            )  # fmt: skip


def _find_meetings(recording: Recording) -> RankMeetings | None:
    """Collectives that most ranks have equally many of; None where there are none."""
    operations = recording.operations
    if len(recording.processes) < 2 or not len(operations):
        return None
    of_line = np.array([line.process for line in recording.lines.all()], np.int64)
    rows: dict[tuple[str, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    chosen = np.flatnonzero(operations["kind"] == OperationKind.KERNEL)
    chosen = chosen[np.argsort(operations["start"][chosen], kind="stable")]
    kinds = _find_meeting_kinds(recording, np.unique(operations["code"][chosen]).tolist())
    asked = recording.collectives.all()
    for row in chosen[[bool(kinds[code]) for code in operations["code"][chosen]]].tolist():
        said = operations["collective"][row]
        group = asked[said].group if said != NONE else ""
        process = int(of_line[operations["line"][row]])
        rows[kinds[operations["code"][row]], group][process].append(row)
    matched = [one for one in rows.values() if len(one) > 1 and len({*map(len, one.values())}) == 1]
    if not matched:
        return None
    most = max((tuple(sorted(one)) for one in matched), key=len)
    alike = [one for one in matched if tuple(sorted(one)) == most]
    table = np.array([[row for one in alike for row in one[process]] for process in most], np.int64)
    start = operations["start"][table]
    return RankMeetings(most, start, start + operations["duration"][table])


def _find_meeting_kinds(recording: Recording, kernels: Sequence[int]) -> dict[int, str]:
    """Of each kernel the kind of collective in which ranks meet; empty of all others."""
    codes = recording.codes.all()
    return {code: find_meeting(codes[code].name) for code in kernels}


def _find_late(met: RankMeetings, offsets: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which collectives end on a rank before the last one has come."""
    moved = offsets[:, None]
    late: np.ndarray[tuple[int], np.dtype[np.bool_]] = (met.start - moved).max(axis=0) > (
        met.stop - moved
    ).min(axis=0) + TOLERANCE
    return late


def _has_separate_ranks(met: RankMeetings) -> bool:
    """Whether all collectives of a rank ended before any of another one began."""
    return bool(met.start.min(axis=1).max() > met.stop.max(axis=1).min())


def _compute_offsets(met: RankMeetings) -> Ints:
    """By ends, against the first rank; ranks whose clocks agree are of one host."""
    apart = np.median(met.stop - met.stop[0], axis=1)
    found = np.zeros(len(apart), np.int64)
    order = np.argsort(apart, kind="stable")
    groups = np.cumsum(np.diff(apart[order], prepend=apart[order[0]]) > TOLERANCE)
    for group in np.unique(groups):
        own = order[groups == group]
        found[own] = 0 if 0 in own else int(np.median(apart[own]))
    return found


def _bound_offset(met: RankMeetings, place: int) -> tuple[int, int]:
    """Offsets of a rank against the first one with which collectives of both can have met."""
    return int((met.start[place] - met.stop[0]).max()), int((met.stop[place] - met.start[0]).min())


def _is_slow_drift(met: RankMeetings) -> bool:
    """Whether ends move apart no faster than clocks may drift."""
    order = np.argsort(met.stop[0], kind="stable")
    stop = met.stop[:, order]
    moved = np.abs(np.diff(stop - stop[0], axis=1))
    is_slow = moved <= TOLERANCE + _PACE * np.diff(stop[0])
    return stop.shape[1] > FEWEST and float(is_slow.mean()) > 1.0 - MANY
