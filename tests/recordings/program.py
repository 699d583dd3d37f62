"""A recording from a seed: threads that launch, copy and wait, on GPUs that run in order.

What is recorded could have happened: an operation begins after its call, a stream runs one at a
time, a wait ends with the work that it waits for, and a collective ends on all ranks at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from tests.recordings.model import Call, Event, Operation, Range, Recording, Step
from tests.recordings.plan import Act, Earlier, Enter, Leave, Mark, Meet, Plan, Work, plan_of

BEGIN = 1_700_000_000_000_000_000
MOST = 60
"""Events of a recording."""
_LONGEST = 5_000
"""A unit of time of a call, at most [ns]."""


def recording_of(seed: int) -> Recording:
    """The recording of a seed: the same one for the same seed."""
    for attempt in count():
        dice = random.Random(f"{seed}/{attempt}")
        found = _Run(plan_of(dice), dice).recording()
        if 2 <= len(found.events) <= MOST and found.operations:
            return found
    raise AssertionError


@dataclass
class _Thread:
    """How far a thread got, and what it is in."""

    now: int
    entered: list[tuple[Enter, int]] = field(default_factory=list)


class _Process:
    """A process as it runs its plan."""

    def __init__(self, number: int, plan: Plan, dice: random.Random, numbers: Iterator[int]):
        self.number = number
        self.plan = plan
        self.dice = dice
        self.numbers = numbers
        self.events: list[Event] = []
        self.threads = {0: _Thread(BEGIN + dice.randrange(4) * plan.unit)}
        self.ready: dict[tuple[int, int], int] = {}
        """When each stream has ended all so far, by device and stream."""
        self._marked = 0
        self._last = 0

    def span(self, most: int) -> int:
        """Some time."""
        return self.dice.randrange(1, most + 1) * self.plan.unit

    def moment(self, most: int) -> int:
        """The time of a call, or until its work begins on an idle GPU: microseconds."""
        return self.dice.randrange(1, most + 1) * min(self.plan.unit, _LONGEST)

    def thread(self, number: int) -> _Thread:
        """A thread, which begins with its first call."""
        if number not in self.threads:
            now = self.threads[0].now + self.dice.randrange(4) * self.plan.unit
            self.threads[number] = _Thread(now)
        return self.threads[number]

    def calling(self, number: int) -> _Thread:
        """A thread that calls now: no sooner than the call before it, of whatever thread."""
        thread = self.thread(number)
        thread.now = self._last = max(thread.now, self._last)
        return thread

    def mark(self, item: Mark) -> None:
        """Begin or end a step."""
        now = self.thread(0).now
        if item.begins:
            self._marked = now
        else:
            self.thread(0).now = now = max(now, self._marked + self.plan.unit)
            self.events.append(Step(self.number, item.number, self._marked, now))

    def enter(self, item: Enter) -> None:
        """Enter a function."""
        thread = self.thread(item.thread)
        thread.entered.append((item, thread.now))
        thread.now += self.dice.randrange(3) * self.plan.unit

    def leave(self, item: Leave) -> None:
        """Leave it."""
        thread = self.thread(item.thread)
        entered, begin = thread.entered.pop()
        thread.now += self.dice.randrange(3) * self.plan.unit
        kind, place = ("python" if entered.is_python else "operator"), (self.number, item.thread)
        if thread.now > begin:
            self.events.append(Range(*place, kind, entered.name, begin, thread.now))  # type: ignore[arg-type]

    def act(self, item: Act) -> None:
        """Call the runtime."""
        if self.number == self.plan.idle and item.operation == "kernel" and item.names:
            return
        thread, number = self.calling(item.thread), next(self.numbers)
        begin = thread.now
        stop = begin + self.moment(5)
        ended = self._launch(thread, item, number) if item.names else 0
        if item.kind in ("wait", "free"):
            ready = [at for key, at in self.ready.items() if key[0] == item.device]
            ended = max(ready, default=0)
        if item.kind not in ("launch", "graph", "async copy") and "Async" not in item.call:
            stop = max(stop, ended + self.moment(1) if ended else 0)
        if item.lacks != "call":
            place = (self.number, item.thread)
            self.events.append(Call(*place, item.kind, item.call, begin, stop, number))
        thread.now = stop + self.dice.randrange(3) * self.plan.unit

    def _launch(self, thread: _Thread, item: Act, number: int) -> int:
        """The operations of a call, one after another, and when the last one ends."""
        place, at = (item.device, item.stream), thread.now + self.moment(7)
        slowed = 3 if self.number == self.plan.slow and item.operation == "kernel" else 1
        for name in item.names:
            at = max(at, self.ready.get(place, 0))
            took = 0 if self.dice.random() < self.plan.nothing else slowed * self.span(item.most)
            if item.lacks != "operation":
                self.events.append(
                    Operation(
                        self.number,
                        *place,
                        item.operation,
                        name,
                        at,
                        at + took,
                        number if item.lacks != "call" else 0,
                        item.direction,
                        item.size,
                        item.kind == "graph",
                    )
                )
                self.ready[place] = at + took
            at += took
        return at

    def resume(self, item: Earlier) -> None:
        """What the GPU was doing when the recording began, and goes on with."""
        at = BEGIN
        if self.number == self.plan.idle:
            return
        for name in item.names:
            stop = at + self.span(item.most)
            self.events.append(Operation(self.number, 0, 7, "kernel", name, at, stop))
            at = stop
        self.ready[0, 7] = at

    def join(self, item: Meet) -> tuple[Call, int]:
        """Call for a collective: the call, and when its kernel begins."""
        thread, number = self.calling(0), next(self.numbers)
        stop = thread.now + self.moment(5)
        call = Call(self.number, 0, "launch", "cudaLaunchKernelExC", thread.now, stop, number)
        begin = max(thread.now + self.moment(7), self.ready.get((0, item.stream), 0))
        thread.now = stop + self.dice.randrange(3) * self.plan.unit
        return call, begin


class _Run:
    """All processes of a plan."""

    def __init__(self, plan: Plan, dice: random.Random) -> None:
        self.plan = plan
        numbers = count(1)
        self.processes = [
            _Process(number, plan, random.Random(dice.random()), numbers)
            for number in range(plan.processes)
        ]

    def recording(self) -> Recording:
        """Run it."""
        plan = self.plan
        for item in plan.items:
            if isinstance(item, Meet):
                self._meet(item)
            else:
                for process in self.processes:
                    _do(process, item)
        events = [event for process in self.processes for event in process.events]
        return Recording(
            plan.processes,
            plan.ranked,
            plan.devices,
            tuple(events),
            plan.host_offsets,
            anonymous=plan.anonymous,
        )

    def _meet(self, item: Meet) -> None:
        """A kernel of each rank that ends a while after the last one has begun."""
        joined = [one for one in self.processes if one.number != self.plan.idle]
        begun = [(process, *process.join(item)) for process in joined]
        end = max(at for *_, at in begun) + self.processes[0].span(item.most)
        for process, call, at in begun:
            place = (0, item.stream)
            process.ready[place] = end
            kernel = Operation(process.number, *place, "kernel", item.name, at, end, call.number)
            process.events += [call, kernel]


def _do(process: _Process, item: Work | Act | Enter | Leave | Mark | Earlier) -> None:
    if isinstance(item, Work):
        process.thread(item.thread).now += process.span(item.most)
    elif isinstance(item, Act):
        process.act(item)
    elif isinstance(item, Enter):
        process.enter(item)
    elif isinstance(item, Leave):
        process.leave(item)
    elif isinstance(item, Earlier):
        process.resume(item)
    else:
        process.mark(item)
