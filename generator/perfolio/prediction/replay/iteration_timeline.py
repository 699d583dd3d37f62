"""One iteration before and after changes: marks on lanes of the host and of streams.

In:  a run that is replayed, and changes. Out: a `ReplayedTimeline` of at most 400 marks.

It is the iteration, on the first rank, whose times before and after are nearest the means that a
replay tells. A lane with more intervals than there is room for is cut into equal slices, each as
busy as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from perfolio.findings.model.step_replay import ReplayedTimeline
from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.change_kinds import apply_changes
from perfolio.prediction.replay.graph_replay import RankReplay, replay_graph
from perfolio.prediction.replay.launch_graph import BLOCKING, LAUNCH, WAIT, LaunchGraph, RankGraph

MOST_MARKS = 400
MOST_STREAMS = 5
"""Streams that have a lane, the busiest ones."""
HOST = "Host"
WORK, CALL, HOST_WAIT = "work", "call", "wait"
"""Kinds of marks of the host; those of streams are of operations."""
_SECOND = 1e9

Windows = Mapping[int, tuple[int, int]]
"""Begin and end of iterations [ns]."""
_ALIKE = 0.02
"""By how much shares of neighbouring slices may differ for these to be drawn as one [ratio]."""
Slice = tuple[float, float, str, float]
"""Begin, end, what takes most of it, and the share that is busy."""
Span = tuple[int, int, str]
"""Begin and end [ns], and what it is."""


@dataclass(frozen=True)
class _Side:
    """The iteration on one side: how long it is, and what is on its lanes, from 0 on [ns]."""

    length: int
    lanes: Mapping[str, list[Span]]


def draw_iteration(graph: LaunchGraph, changes: Sequence[Change]) -> ReplayedTimeline | None:
    """An iteration of a graph without and with changes; None where nothing marks one's end."""
    changed = graph.copy()
    apply_changes(changed, changes)
    replays = [(each.ranks[0], replay_graph(each)[0]) for each in (graph, changed)]
    windows = [_list_windows(rank, replay, graph) for rank, replay in replays]
    step = _choose_step(windows[0], windows[1])
    if step is None:
        return None
    sides = [
        _Side(window[step][1] - window[step][0], _cut_lanes(rank, replay, *window[step]))
        for (rank, replay), window in zip(replays, windows, strict=True)
    ]
    drawn = _join_sides(sides[0], sides[1])
    return replace(drawn, at_worst=any(change.is_range for change in changes))


def list_host_times(rank: RankGraph, replay: RankReplay) -> list[tuple[int, int, int]]:
    """Of each call when it begins, when it no longer waits, and when it ends [ns]."""
    calls, free = rank.calls, [0] * rank.streams
    for stream, end in rank.backlog.items():
        free[stream] = end
    now = calls.start[0] - calls.gap[0] if calls.start else 0
    found = []
    for place, kind in enumerate(calls.kind):
        now += calls.gap[place]
        begin = now = replay.taken.get(place, now)
        operations = range(calls.first[place], calls.first[place] + calls.count[place])
        if kind == WAIT:
            awaited = calls.awaited.get(place)
            end = replay.find_end(calls.target[place], free)
            now = max(now, end if awaited is None else replay.stop[awaited])
        elif rank.queue and kind == LAUNCH and calls.first[place] >= rank.queue:
            now = max(now, replay.start[calls.first[place] - rank.queue])
        awake = now
        now += calls.own[place]
        for number in operations:
            free[rank.operations.stream[number]] = replay.stop[number]
        if kind == BLOCKING and operations:
            awake = max(now, replay.stop[operations[-1]])
            now = awake + calls.after[place]
        found.append((begin, awake, now))
    return found


def _list_windows(
    rank: RankGraph, replay: RankReplay, graph: LaunchGraph
) -> dict[int, tuple[int, int]]:
    """From the first operation of each iteration to that of the next one, by iteration [ns]."""
    if graph.is_recording:
        return {0: (min(replay.start, default=0), max(replay.stop, default=0))}
    first: dict[int, int] = {}
    for step, begin in zip(rank.operations.step, replay.start, strict=True):
        if step >= 0 and step not in first:
            first[step] = begin
    ordered = sorted(first)
    return {one: (first[one], first[after]) for one, after in pairwise(ordered)}


def _choose_step(before: Windows, after: Windows) -> int | None:
    """The iteration nearest both means; not the first one, which leads in, where others are."""
    common = sorted(before.keys() & after.keys())
    steps = common[1:] if len(common) > 2 else common
    distance = dict.fromkeys(steps, 0.0)
    for windows in (before, after) if steps else ():
        lengths = {step: windows[step][1] - windows[step][0] for step in steps}
        middle = max(1.0, fmean(lengths.values()))
        for step, length in lengths.items():
            distance[step] += abs(length / middle - 1.0)
    return min(steps, key=distance.__getitem__, default=None)


def _cut_lanes(rank: RankGraph, replay: RankReplay, begin: int, end: int) -> dict[str, list[Span]]:
    lanes: dict[str, list[Span]] = defaultdict(list)
    for start, stop, kind in _list_host_spans(rank, replay):
        if stop > begin and start < end and stop > start:
            lanes[HOST].append((max(start, begin) - begin, min(stop, end) - begin, kind))
    own = rank.operations
    for number, start in enumerate(replay.start):
        stop = replay.stop[number]
        if stop > begin and start < end and stop > start:
            span = (max(start, begin) - begin, min(stop, end) - begin, own.kind[number])
            lanes[f"Stream {own.stream[number] + 1}"].append(span)
    return lanes


def _list_host_spans(rank: RankGraph, replay: RankReplay) -> Iterator[Span]:
    """The host's work between calls, calls, and what of them is waiting."""
    before = None
    for begin, awake, end in list_host_times(rank, replay):
        if before is not None:
            yield before, begin, WORK
        before = end
        yield begin, awake, HOST_WAIT
        yield awake, end, CALL


def _join_sides(before: _Side, after: _Side) -> ReplayedTimeline:
    names = _choose_lanes(before, after)
    lanes = [
        (is_after, name, side.lanes.get(name, []), side.length)
        for is_after, side in ((False, before), (True, after))
        for name in names
    ]
    rooms = share_room([len(spans) for _, _, spans, _ in lanes], MOST_MARKS)
    rows = [
        (is_after, name, kind, round(start) / _SECOND, round(stop) / _SECOND, round(share, 3))
        for (is_after, name, spans, length), room in zip(lanes, rooms, strict=True)
        for start, stop, kind, share in cut_slices(spans, length, room)
    ]
    return ReplayedTimeline(
        before=before.length / _SECOND,
        after=after.length / _SECOND,
        is_after=tuple(row[0] for row in rows),
        lane=tuple(row[1] for row in rows),
        kind=tuple(row[2] for row in rows),
        start=tuple(row[3] for row in rows),
        stop=tuple(row[4] for row in rows),
        share=tuple(row[5] for row in rows),
    )


def _choose_lanes(before: _Side, after: _Side) -> list[str]:
    """The host, and the streams that are busiest."""
    busy: dict[str, int] = defaultdict(int)
    for side in (before, after):
        for name, spans in side.lanes.items():
            busy[name] += sum(stop - start for start, stop, _ in spans)
    busy.pop(HOST, None)
    chosen = sorted(busy, key=lambda name: (-busy[name], name))[:MOST_STREAMS]
    return [HOST, *sorted(chosen, key=lambda name: (len(name), name))]


def share_room(counts: Sequence[int], most: int) -> list[int]:
    """How many marks each lane may have: those of few leave theirs to others."""
    rooms = [0] * len(counts)
    left = most
    for done, place in enumerate(sorted(range(len(counts)), key=lambda place: counts[place])):
        rooms[place] = min(counts[place], left // (len(counts) - done))
        left -= rooms[place]
    return rooms


def cut_slices(spans: Sequence[Span], length: int, room: int) -> list[Slice]:
    """Spans as they are, or slices of equal length with the share of each that is busy."""
    if len(spans) <= room:
        return [(start, stop, kind, 1.0) for start, stop, kind in spans]
    width = length / max(1, room)
    busy: list[dict[str, float]] = [defaultdict(float) for _ in range(room)]
    for start, stop, kind in spans:
        for place in range(int(start / width), min(room, int(stop / width) + 1)):
            common = min(stop, (place + 1) * width) - max(start, place * width)
            busy[place][kind] += max(0.0, common)
    return _join_alike(
        (place * width, (place + 1) * width, max(kinds, key=kinds.__getitem__), min(1.0, share))
        for place, kinds in enumerate(busy)
        if (share := sum(kinds.values()) / width) > 0.0
    )


def _join_alike(slices: Iterable[Slice]) -> list[Slice]:
    """Neighbours of one kind that are as busy, as one: as busy as both."""
    joined: list[Slice] = []
    for start, stop, kind, share in slices:
        if joined:
            first, last, before, busy = joined[-1]
            if before == kind and last == start and abs(busy - share) <= _ALIKE:
                whole = busy * (last - first) + share * (stop - start)
                joined[-1] = (first, stop, kind, whole / (stop - first))
                continue
        joined.append((start, stop, kind, share))
    return joined
