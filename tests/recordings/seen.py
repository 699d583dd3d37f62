"""A recording as figures count it: which GPUs work, when, and in which steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from tests.recordings.intervals import Intervals, both, length, union, without
from tests.recordings.model import Call, Event, Operation, Range, Recording, Step
from tests.recordings.words import meets


class Unclear(Exception):  # noqa: N818 - no error: the definition does not reach so far
    """What a figure is of this recording does not follow from its definition."""


Gpu = tuple[int, int]
"""A process, and the number of a GPU of it."""
LEAST_SHARE = 0.01
"""A GPU takes part whose kernels run for this part of those of the GPU with most."""
FEWEST_LOST = 5
"""Launches without an operation: of fewer nothing follows."""
PERIODIC = 5
"""What runs less often is no iteration, unless it is marked."""


@dataclass(frozen=True)
class Iteration:
    """An iteration of the program on the clock."""

    start: int
    stop: int

    @property
    def duration(self) -> int:
        """How long it takes."""
        return self.stop - self.start


class Seen:
    """What a format shows of a recording."""

    def __init__(self, recording: Recording, form: str) -> None:
        self.recording = recording
        self.form = form
        self.operations: list[Operation] = [
            one for one in recording.operations if form != "rocpd" or one.kind != "memset"
        ]
        self.calls: list[Call] = recording.calls
        self.ranges: list[Range] = recording.ranges
        self.steps: list[Step] = recording.steps
        self.call_of = {one.number: one for one in self.calls}

    @property
    def has_unknown_clocks(self) -> bool:
        """Whether clocks of hosts are apart and no collective of all ranks tells by how much."""
        met = {one.process for one in self.operations if meets(one.name)}
        return bool(self.recording.host_offsets) and len(met) < self.recording.processes

    @property
    def is_partial(self) -> bool:
        """Whether so many launches are without an operation that figures are withheld."""
        launched = {one.call for one in self.operations}
        lost = [
            one
            for one in self.calls
            if one.kind in ("launch", "graph") and one.number not in launched
        ]
        return len(lost) >= FEWEST_LOST

    # The run

    @cached_property
    def span(self) -> tuple[int, int]:
        """From the first moment that was recorded to the last one."""
        every: list[Event] = [*self.calls, *self.ranges, *self.steps, *self.operations]
        return min(one.start for one in every), max(one.stop for one in every)

    @cached_property
    def wall(self) -> int:
        """How long that is."""
        return self.span[1] - self.span[0]

    @property
    def threads(self) -> set[tuple[int, int]]:
        """Threads that did something."""
        marked = {(one.process, 0) for one in self.steps}
        hosts: list[Call | Range] = [*self.calls, *self.ranges]
        return marked | {(one.process, one.thread) for one in hosts}

    # GPUs

    @cached_property
    def on(self) -> dict[Gpu, list[Operation]]:
        """Operations of each GPU that takes part."""
        every: dict[Gpu, list[Operation]] = defaultdict(list)
        for one in self.operations:
            every[one.process, one.device].append(one)

        def worked(gpu: Gpu, *kinds: str) -> int:
            return sum(one.stop - one.start for one in every[gpu] if one.kind in kinds)

        kinds = ("kernel",) if any(worked(gpu, "kernel") for gpu in every) else (
            "kernel", "copy", "memset",
        )  # fmt: skip
        most = max((worked(gpu, *kinds) for gpu in every), default=0)
        return {
            gpu: every[gpu] for gpu in sorted(every) if worked(gpu, *kinds) >= LEAST_SHARE * most
        }

    @cached_property
    def gpus(self) -> list[Gpu]:
        """GPUs that take part."""
        return list(self.on)

    def busy(self, gpu: Gpu, kind: str = "") -> Intervals:
        """When any operation of a kind ran on a GPU."""
        return union((one.start, one.stop) for one in self.on[gpu] if kind in ("", one.kind))

    def gpu_span(self, gpu: Gpu) -> tuple[int, int]:
        """From the first operation on a GPU to the end of its last one."""
        every = self.on[gpu]
        return min(one.start for one in every), max(one.stop for one in every)

    @cached_property
    def all_span(self) -> tuple[int, int]:
        """From the first operation on any GPU to the end of the last one on any."""
        spans = [self.gpu_span(gpu) for gpu in self.gpus]
        return min(start for start, _ in spans), max(stop for _, stop in spans)

    def gaps(self, gpu: Gpu) -> Intervals:
        """When a GPU ran nothing between its operations."""
        return without([self.gpu_span(gpu)], self.busy(gpu))

    def idle(self, gpu: Gpu, within: tuple[int, int]) -> Intervals:
        """When a GPU ran nothing within a time."""
        return without([within], self.busy(gpu)) if within[1] > within[0] else []

    def mean(self, times: list[int] | list[float]) -> float:
        """The mean over GPUs that take part, in seconds."""
        return sum(times) / len(self.gpus) / 1e9

    @property
    def has_moments_between(self) -> bool:
        """Whether an operation of no length lies in a gap, so that it may be one gap or two."""
        return any(
            one.start == one.stop and start < one.start < stop
            for gpu in self.gpus
            for start, stop in self.gaps(gpu)
            for one in self.on[gpu]
        )

    # Iterations

    @cached_property
    def iterating(self) -> int:
        """The process by whose steps iterations are told: that of the stream with most operations.

        -1 where several streams of several processes have as many.
        """
        streams = Counter(
            (one.process, one.device, one.stream)
            for one in self.operations
            if (one.process, one.device) in self.on
        )
        most = max(streams.values())
        found = {process for (process, *_), count in streams.items() if count == most}
        return found.pop() if len(found) == 1 else -1

    @cached_property
    def iterations(self) -> list[Iteration]:
        """Marked steps, each from when the GPUs have ended what was launched before it."""
        steps = [one for one in self.steps if one.process == self.iterating]
        if not steps:
            return []
        starts = [self._reached(step.start) for step in steps]
        ends = [*starts[1:], self._reached(steps[-1].stop)]
        return [Iteration(*each) for each in zip(starts, ends, strict=True)]

    def _reached(self, moment: int) -> int:
        """A moment of the host, or when the GPUs end what was launched until then, if later."""
        before = [
            one.stop
            for (process, _), own in self.on.items()
            for one in own
            if process == self.iterating and self._is_launched_before(one, moment)
        ]
        return max([moment, *before])

    def _is_launched_before(self, one: Operation, moment: int) -> bool:
        """Without a call that is known of work alone that a GPU did when the recording began."""
        call = self.call_of.get(one.call)
        return one in self.earlier if call is None else call.start < moment

    @cached_property
    def earlier(self) -> list[Operation]:
        """Operations before all whose call is known, of GPUs that are busy half of the time."""
        found = []
        for own in self.on.values():
            known = [one.start for one in own if one.call in self.call_of]
            early = [one for one in own if known and one.start < min(known)]
            for one in early:
                busy = union((each.start, each.stop) for each in early if each.start <= one.start)
                busy = both(busy, [(self.span[0], one.stop)])
                if 2 * length(busy) >= one.stop - self.span[0]:
                    found.append(one)
        return found

    @property
    def may_be_periodic(self) -> bool:
        """Whether something runs so often that it may be an iteration, though none is marked."""
        names = Counter((one.process, one.device, one.stream, one.name) for one in self.operations)
        return not self.steps and max(names.values()) >= PERIODIC

    @cached_property
    def warm_up(self) -> int:
        """How many leading iterations are longer than is usual."""
        durations = [one.duration for one in self.iterations]
        if not durations:
            return 0
        middle = median(durations)
        spread = 1.4826 * median(abs(each - middle) for each in durations)
        count = 0
        while count < len(durations) and durations[count] > max(middle + 3 * spread, 1.05 * middle):
            count += 1
        return count

    @property
    def steady(self) -> list[Iteration]:
        """Iterations after the warm-up."""
        return self.iterations[self.warm_up :] if self.iterations else []

    # Threads

    def waits(self, call: Call) -> bool:
        """Whether a call returns only when the GPU has done something for the host.

        A copy to the host does, unless it is asynchronous: these are of pinned memory here.
        """
        if call.kind == "wait":
            return True
        own = [one for one in self.operations if one.call == call.number]
        return call.kind == "copy" and any(one.direction == "D2H" for one in own)

    @cached_property
    def launching(self) -> dict[int, set[int]]:
        """The threads of each process that launch operations."""
        found: dict[int, set[int]] = defaultdict(set)
        for one in self.operations:
            call = self.call_of.get(one.call)
            if call is not None:
                found[one.process].add(call.thread)
        return found

    def time_in(self, calls: list[Call]) -> int:
        """The time that a thread is in any of these calls, the thread with most of it."""
        by_thread: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for one in calls:
            by_thread[one.process, one.thread].append((one.start, one.stop))
        return max((length(union(each)) for each in by_thread.values()), default=0)
