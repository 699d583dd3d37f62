"""How far the clock of each GPU is off that of its host.

In:  a recording, and the call that launched each operation.
Out: of each GPU whose times contradict those of the host, what was found.

An offset is what is to be taken off the GPU's times. A launch bounds it from above: no operation
begins before the call that launches it. A wait bounds it from below: what was launched before the
wait began has ended when it returns. Which stream a call waits for is not recorded: at least that
with the earliest end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.clock_report import ClockOffset
from perfolio.readers.events.recording import NONE, Ints, OperationKind, RangeKind, Recording

TOLERANCE = 20_000
"""Clocks of a recording agree to some microseconds: less than this is no offset [ns]."""
LATENCY = 5_000
"""From the begin of a launch to that of its operation on an idle GPU, at the least [ns]."""
FEWEST = 2
"""Facts that an offset rests on, at least."""
RARE = 0.01
"""Part of the facts that damaged events may contradict, whatever the clocks do [ratio]."""
MANY = 0.1
"""Part of the facts that contradict one clock where it drifts, at least [ratio]."""
_FARTHEST = 24 * 3_600 * 10**9
"""Times further apart are damaged, and of no clock [ns]."""
_NEVER = np.int64(1 << 62)
_DEVICE_WAIT = re.compile(r"(?:cuda|hip)DeviceSynchronize|cuCtxSynchronize")
_STREAM_WAIT = re.compile(r"(?:cuda|hip|cu)StreamSynchronize")
_COPY_WAIT = re.compile(r"(?:cuda|hip)Memcpy$|hipMemcpyWithStream$|(?:cu|hip)MemcpyDtoH(?:_v2)?$")


@dataclass(frozen=True)
class OffsetFacts:
    """What must hold of one GPU: bounds of its offset, and when the host did what tells them."""

    high: Ints
    """By launches [ns]."""
    launched: Ints
    low: Ints
    """By waits [ns]."""
    waited: Ints
    is_idle: npt.NDArray[np.bool_]
    """Of each launch, whether the GPU had nothing to do before its operation began."""


def find_gpu_clocks(recording: Recording, call: Ints) -> Iterator[ClockOffset]:
    """Clocks of GPUs that are off."""
    lines = recording.lines.all()
    keys = sorted({(line.process, line.device) for line in lines if line.is_gpu})
    number = {key: place for place, key in enumerate(keys)}
    of_line = np.array([number.get((line.process, line.device), NONE) for line in lines], np.int64)
    owner = of_line[recording.operations["line"]] if len(lines) else call
    waits = _find_waits(recording)
    alone = {process for process, _ in keys if sum(one == process for one, _ in keys) == 1}
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(len(keys) + 1))
    for place, (process, device) in enumerate(keys):
        own = order[bounds[place] : bounds[place + 1]]
        own = own[call[own] != NONE]
        if not len(own):
            continue
        of_process = waits.get(process, {}) if process in alone else {}
        known = recording.processes[process]
        found = decide_offset(_collect_facts(recording, call, own, of_process))
        if found is not None:
            yield ClockOffset(process, known.node, known.rank, device, *found)


def _find_waits(recording: Recording) -> dict[int, dict[str, Ints]]:
    """Calls that wait for a stream or a device, by process."""
    ranges = recording.ranges
    kinds = [_find_wait_kind(code.name) for code in recording.codes.all()]
    if not any(kinds) or not len(ranges):
        return {}
    is_wait = np.array([bool(kind) for kind in kinds])
    rows = np.flatnonzero(ranges["kind"] == RangeKind.CALL)
    rows = rows[is_wait[ranges["code"][rows]]]
    found: dict[int, dict[str, list[int]]] = {}
    lines = recording.lines.all()
    for row, line, code in zip(
        rows.tolist(), ranges["line"][rows].tolist(), ranges["code"][rows].tolist(), strict=True
    ):
        own = found.setdefault(lines[line].process, {})
        own.setdefault(kinds[code], []).append(row)
    return {
        process: {kind: np.array(own, np.int64) for kind, own in kinds.items()}
        for process, kinds in found.items()
    }


def _find_wait_kind(name: str) -> str:
    if _DEVICE_WAIT.match(name):
        return "device"
    return "stream" if _STREAM_WAIT.match(name) else ""


def _collect_facts(
    recording: Recording, call: Ints, own: Ints, waits: dict[str, Ints]
) -> OffsetFacts:
    operations, ranges = recording.operations, recording.ranges
    start, launched = operations["start"][own], ranges["start"][call[own]]
    is_sound = np.abs(start - launched) < _FARTHEST
    own, start, launched = own[is_sound], start[is_sound], launched[is_sound]
    stop = _compute_ends(operations["line"][own], start, operations["duration"][own])
    low, waited = _bound_by_copies(recording, call[own], own, stop)
    lows, moments = [low], [waited]
    for kind, rows in waits.items():
        begun = ranges["start"][rows]
        ended = begun + ranges["duration"][rows]
        reached = _find_end_of_launched(operations["line"][own], launched, stop, begun, kind)
        is_known = reached != NONE
        lows.append((reached - ended)[is_known])
        moments.append(begun[is_known])
    before = np.zeros(len(own), np.int64)
    order = np.argsort(start, kind="stable")
    if len(own):
        before[order[1:]] = np.maximum.accumulate(stop[order])[:-1]
    return OffsetFacts(
        start - launched, launched, np.concatenate(lows), np.concatenate(moments), start > before
    )


def _compute_ends(line: Ints, start: Ints, duration: Ints) -> Ints:
    """When each operation ended, at the latest: a stream runs one after the other."""
    stop = start + duration
    order = np.lexsort((start, line))
    is_same = np.diff(line[order]) == 0
    earlier, later = order[:-1][is_same], order[1:][is_same]
    stop[earlier] = np.minimum(stop[earlier], np.maximum(start[later], start[earlier]))
    return stop


def _bound_by_copies(recording: Recording, call: Ints, own: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Bounds by copies to the host whose call returns when they have ended."""
    ranges, operations = recording.ranges, recording.operations
    is_wait = np.array([bool(_COPY_WAIT.match(code.name)) for code in recording.codes.all()])
    chosen = operations["kind"][own] == OperationKind.COPY_OUT
    chosen &= is_wait[ranges["code"][call]]
    rows = call[chosen]
    return stop[chosen] - ranges["start"][rows] - ranges["duration"][rows], ranges["start"][rows]


def _find_end_of_launched(line: Ints, launched: Ints, stop: Ints, begun: Ints, kind: str) -> Ints:
    """When what had been launched at these moments has ended; NONE where nothing had been."""
    ends = []
    for stream in np.unique(line):
        own = np.flatnonzero(line == stream)
        own = own[np.argsort(launched[own], kind="stable")]
        place = np.searchsorted(launched[own], begun) - 1
        latest = np.maximum.accumulate(stop[own])
        ends.append(np.where(place >= 0, latest[np.maximum(place, 0)], _NEVER))
    every = np.array(ends) if ends else np.full((1, len(begun)), _NEVER)
    if kind == "stream":
        found = every.min(axis=0)
    else:
        found = np.where(every == _NEVER, NONE, every).max(axis=0)
    return np.where(found == _NEVER, NONE, found)


Found = tuple[int, int | None, int | None, int, bool]
"""Offset, its bounds, facts and whether it is constant, as in `ClockOffset`."""


def decide_offset(facts: OffsetFacts) -> Found | None:
    """What the bounds say of a clock; None where it agrees with that of the host."""
    early, late = int((facts.high < -TOLERANCE).sum()), int((facts.low > TOLERANCE).sum())
    part = max(early / max(len(facts.high), 1), late / max(len(facts.low), 1))
    if max(early, late) < FEWEST or part <= RARE:
        return None
    number = len(facts.high) + len(facts.low)
    for rare in (0.0, RARE):
        low, high = _compute_quantile(facts.low, 1.0 - rare), _compute_quantile(facts.high, rare)
        if low is None or high is None or low <= high + TOLERANCE:
            return _choose_offset(facts, low, high), low, high, number, True
    if part > MANY and _has_drift(facts):
        return 0, None, None, number, False
    return None


def _compute_quantile(bounds: Ints, place: float) -> int | None:
    if not len(bounds):
        return None
    return int(np.quantile(bounds, place, method="lower" if place < 0.5 else "higher"))


def _choose_offset(facts: OffsetFacts, low: int | None, high: int | None) -> int:
    """Within the bounds: as launches say where the GPU was idle, else as waits say."""
    if high is None:
        return low or 0
    if low is None:
        return high - LATENCY
    told = facts.high[facts.is_idle & (facts.high <= high + LATENCY)]
    return max(low, high - LATENCY) if len(told) else low


def _has_drift(facts: OffsetFacts) -> bool:
    """Whether what contradicts the host's clock agrees with what was launched just before it."""
    late = facts.low > TOLERANCE
    if not late.any():
        return True
    order = np.argsort(facts.launched, kind="stable")
    launched, high = facts.launched[order], facts.high[order]
    moments = np.sort(facts.waited)
    agrees = 0
    for moment, low in zip(facts.waited[late].tolist(), facts.low[late].tolist(), strict=True):
        earlier = moments[moments < moment]
        first = np.searchsorted(launched, earlier[-1]) if len(earlier) else 0
        own = high[first : np.searchsorted(launched, moment)]
        agrees += int(not len(own) or low <= int(own.min()) + TOLERANCE)
    return agrees >= (1.0 - MANY) * int(late.sum())
