"""Waits between streams: what an operation waited for on another stream.

In:  a rank's graph with its delays, and what the tool tells of waits. Out: its column `waits_for`,
     and how much of its time nothing explains.

Where the tool tells for which event of another stream a stream waits, what it is given next waits
for what the other one had been given when the event was recorded; between these two streams nothing
is inferred. Edges that begins contradict are none, and where many do the pair is inferred as ever.

Of other pairs, an operation that begins later than explained, just when an earlier one of another
stream ends, is taken to wait for it. That holds for the same places of all iterations if none
contradicts it, else for this place alone. A collective on a stream of its own waits for what its
rank submitted before, and what another thread submits next for the collective.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from perfolio.prediction.replay.delays import find_reference, walk_operations
from perfolio.prediction.replay.launch_graph import (
    ALL,
    NO_RECORD,
    NO_STREAM,
    UNKNOWN,
    WAIT,
    RankGraph,
    RecordedWait,
)

_LATE = 2_000
"""Later than this, something else held an operation [ns]."""
_CLOSE = 30_000
"""What ended longer ago held nothing: event waits of AMD take 15 µs [ns]."""
_SLACK = 500
"""By so much clocks may differ [ns]."""
_CONTRADICTED = 0.02
"""From this share of places on a rule does not hold [ratio]."""
_HABIT = 2

Pairs = AbstractSet[tuple[int, int]]
Place = tuple[int, int]
"""A stream, and the number of an operation on it within an iteration."""


def compute_lateness(rank: RankGraph) -> list[int]:
    """How much later each operation began than its stream, call and edges explain [ns]."""
    own, engines = rank.operations, [0] * 4
    late = []
    for number, place, before, _ in walk_operations(rank):
        engine = own.engine[number]
        reasons = [find_reference(rank, place) + own.delay[number]]
        if before:
            reasons.append(before + own.gap[number])
        if engine >= 0:
            reasons.append(engines[engine])
            engines[engine] = own.start[number] + own.duration[number]
        reasons += [own.start[each] + own.duration[each] for each in own.waits_for.get(number, ())]
        late.append(own.start[number] - max(reasons))
    return late


def infer_edges(rank: RankGraph, waits: Sequence[RecordedWait] = ()) -> None:
    """Fill `waits_for`, by what is recorded, then by what begins show."""
    known = _add_recorded_edges(rank, waits)
    _Inference(rank, known).infer()
    _add_collective_edges(rank, known)


def set_recorded_targets(rank: RankGraph, waits: Sequence[RecordedWait]) -> None:
    """Let calls that wait do so for the stream, or the event, that the tool tells.

    A call that returned before that had ended waited for something else, as far as it is known.
    """
    calls = rank.calls
    places = {
        (calls.thread[place], calls.start[place]): place
        for place, kind in enumerate(calls.kind)
        if kind == WAIT
    }
    submitted = _SubmittedOperations(rank)
    for wait in waits:
        place = places.get((wait.thread, wait.start))
        if wait.by_stream or place is None or _is_unknown(wait):
            continue
        before = wait.recorded if wait.recorded >= 0 else wait.start
        target = wait.source if wait.recorded >= 0 else wait.stream
        asked = range(rank.streams) if target == ALL else [target]
        end = max((submitted.find_end(each, before) for each in asked), default=0)
        if end > calls.stop[place] + _SLACK:
            continue
        calls.target[place] = target if end and wait.recorded < 0 else NO_STREAM
        last = submitted.find_last(target, before)
        if last >= 0 and wait.recorded >= 0:
            calls.awaited[place] = last
        waited = max(calls.start[place], min(end, calls.stop[place]))
        calls.own[place] = calls.stop[place] - waited


def _is_unknown(wait: RecordedWait) -> bool:
    """Whether it is for an event of which it is not recorded where it was recorded."""
    return wait.recorded == NO_RECORD or (wait.recorded >= 0 and wait.source == UNKNOWN)


class _SubmittedOperations:
    """Operations of each stream, by the begin of their calls."""

    def __init__(self, rank: RankGraph) -> None:
        self._rank = rank
        self._begins: dict[int, list[int]] = defaultdict(list)
        self._numbers: dict[int, list[int]] = defaultdict(list)
        for number, place in enumerate(rank.operations.call):
            stream = rank.operations.stream[number]
            self._begins[stream].append(rank.calls.start[place])
            self._numbers[stream].append(number)

    def find_last(self, stream: int, moment: int) -> int:
        """The last one that was submitted before a moment; -1 where there is none."""
        place = bisect_left(self._begins[stream], moment) - 1
        return self._numbers[stream][place] if place >= 0 else -1

    def find_end(self, stream: int, moment: int) -> int:
        """When what was submitted before a moment ended; 0 where there is nothing [ns]."""
        own, last = self._rank.operations, self.find_last(stream, moment)
        return (
            own.start[last] + own.duration[last] if last >= 0 else self._rank.backlog.get(stream, 0)
        )

    def find_next(self, stream: int, moment: int) -> int:
        """The first one that was submitted from a moment on; -1 where there is none."""
        place = bisect_left(self._begins[stream], moment)
        own = self._numbers[stream]
        return own[place] if place < len(own) else -1


def _add_recorded_edges(rank: RankGraph, waits: Sequence[RecordedWait]) -> Pairs:
    """Add edges that the tool tells; the pairs of streams of which it does: who waits, for whom."""
    submitted = _SubmittedOperations(rank)
    found: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for wait in waits:
        if not wait.by_stream or min(wait.stream, wait.source, wait.recorded) < 0:
            continue
        pairs = found[wait.stream, wait.source]
        number = submitted.find_next(wait.stream, wait.start)
        cause = submitted.find_last(wait.source, wait.recorded)
        if wait.stream != wait.source and 0 <= cause < number:
            pairs.append((number, cause))
    known = set()
    for streams, pairs in found.items():
        right = [pair for pair in pairs if not is_contradicted(rank, *pair)]
        if len(pairs) - len(right) <= _CONTRADICTED * len(pairs):
            known.add(streams)
            add_edges(rank, right)
    return known


@dataclass
class _Inference:
    """The search for edges of one rank."""

    rank: RankGraph
    known: Pairs
    """Pairs of streams of which nothing is inferred."""

    def infer(self) -> None:
        """Add edges that late operations show."""
        own = self.rank.operations
        if len(set(own.stream)) < 2:
            return
        places, by_place = self._number_places()
        votes: dict[tuple[Place, Place, int], list[tuple[int, int]]] = defaultdict(list)
        for number, cause in self._find_causes():
            apart = own.step[number] - own.step[cause]
            votes[places[number], places[cause], apart].append((number, cause))
        steps = sorted(set(own.step))
        for (place, before, apart), pairs in votes.items():
            every = [
                (by_place[step, place], by_place[step - apart, before])
                for step in steps
                if (step, place) in by_place and (step - apart, before) in by_place
            ]
            is_habit = len(every) >= _HABIT and not any(self._contradicts(*each) for each in every)
            add_edges(self.rank, every if is_habit else pairs)

    def _number_places(self) -> tuple[list[Place], dict[tuple[int, Place], int]]:
        own = self.rank.operations
        seen: Counter[tuple[int, int]] = Counter()
        places: list[Place] = []
        by_place: dict[tuple[int, Place], int] = {}
        for number, step in enumerate(own.step):
            place = (own.stream[number], seen[step, own.stream[number]])
            seen[step, own.stream[number]] += 1
            places.append(place)
            by_place[step, place] = number
        return places, by_place

    def _find_causes(self) -> Iterator[tuple[int, int]]:
        """Late operations, each with one of another stream that was submitted before."""
        own = self.rank.operations
        ends: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, stream in enumerate(own.stream):
            ends[stream].append((own.start[number] + own.duration[number], number))
        for each in ends.values():
            each.sort()
        for number, late in enumerate(compute_lateness(self.rank)):
            if late > _LATE:
                for stream, found in ends.items():
                    pair = (own.stream[number], stream)
                    if stream != own.stream[number] and pair not in self.known:
                        yield from self._find_cause(number, found)

    def _find_cause(
        self, number: int, ends: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int]]:
        begin = self.rank.operations.start[number]
        place = bisect_right(ends, (begin + _SLACK, len(self.rank.operations.start))) - 1
        while place >= 0 and ends[place][0] > begin - _CLOSE:
            if ends[place][1] < number:
                yield number, ends[place][1]
                return
            place -= 1

    def _contradicts(self, number: int, cause: int) -> bool:
        return is_contradicted(self.rank, number, cause)


def is_contradicted(rank: RankGraph, number: int, cause: int) -> bool:
    """Whether an operation began before what it is said to wait for had ended."""
    own = rank.operations
    return own.start[number] < own.start[cause] + own.duration[cause] - _SLACK


def add_edges(rank: RankGraph, pairs: Iterable[tuple[int, int]]) -> None:
    """Let operations wait for others, each submitted before."""
    edges = rank.operations.waits_for
    for number, cause in pairs:
        if cause < number and cause not in edges.get(number, ()):
            edges[number] = (*edges.get(number, ()), cause)


def _add_collective_edges(rank: RankGraph, known: Pairs) -> None:
    own = rank.operations
    main = Counter(
        stream for stream, one in zip(own.stream, own.collective, strict=True) if one < 0
    )
    if not main:
        return
    for every in _list_collective_pairs(rank, main.most_common(1)[0][0]).values():
        pairs = [pair for pair in every if tuple(own.stream[each] for each in pair) not in known]
        wrong = sum(is_contradicted(rank, *pair) for pair in pairs)
        if wrong <= _CONTRADICTED * len(pairs):
            add_edges(rank, [pair for pair in pairs if not is_contradicted(rank, *pair)])


def _list_collective_pairs(rank: RankGraph, main: int) -> Mapping[str, list[tuple[int, int]]]:
    """What collectives beside the main stream follow, and what follows them."""
    own, calls = rank.operations, rank.calls
    found: dict[str, list[tuple[int, int]]] = {"before": [], "after": []}
    last, collective = -1, -1
    for number, stream in enumerate(own.stream):
        if own.collective[number] >= 0 and stream != main:
            if last >= 0:
                found["before"].append((number, last))
            collective = number
        elif own.collective[number] < 0 and stream == main:
            other = collective >= 0 and (
                calls.thread[own.call[number]] != calls.thread[own.call[collective]]
            )
            if other and own.step[number] == own.step[collective]:
                found["after"].append((number, collective))
                collective = -1
            last = number
    return found
