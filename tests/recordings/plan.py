"""What the processes of a recording do, in order: what dice choose before anything has a time."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.recordings.model import CallKind, Direction, OperationKind
from tests.recordings.words import COLLECTIVES, KERNELS

FUNCTIONS = ("load_batch", "forward", "update", "log_loss")
OPERATORS = ("aten::mm", "aten::add", "aten::copy_")
_UNITS = (1_000, 1_007, 10_000, 1_000_000)
"""How long a unit of time is [ns]: some recordings take microseconds, others a second."""
_SYNCHRONOUS = {"P2P": "cudaMemcpyPeer"}
_ASYNCHRONOUS = {"P2P": "cudaMemcpyPeerAsync"}
_DIRECTIONS: tuple[Direction, ...] = ("H2D", "H2D", "D2H", "D2H", "D2D", "P2P")


@dataclass(frozen=True)
class Work:
    """A thread does something of its own."""

    thread: int
    most: int


@dataclass(frozen=True)
class Act:
    """A thread calls the runtime, which may launch operations."""

    thread: int
    kind: CallKind
    call: str
    device: int = 0
    stream: int = 7
    operation: OperationKind = "kernel"
    names: tuple[str, ...] = ()
    most: int = 20
    """The longest that an operation takes, in units of time."""
    direction: Direction = ""
    size: int = 0
    lacks: str = ""
    """What was not recorded of it: call or operation."""


@dataclass(frozen=True)
class Enter:
    """A thread enters a function."""

    thread: int
    is_python: bool
    name: str


@dataclass(frozen=True)
class Leave:
    """A thread leaves the function that it entered last."""

    thread: int


@dataclass(frozen=True)
class Mark:
    """The main thread begins or ends a step."""

    number: int
    begins: bool


@dataclass(frozen=True)
class Earlier:
    """What a GPU was doing when the recording began, launched by calls before it."""

    names: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class Meet:
    """All processes communicate."""

    name: str
    stream: int
    most: int


Item = Work | Act | Enter | Leave | Mark | Earlier | Meet


@dataclass(frozen=True)
class Plan:
    """A program, run by some processes."""

    processes: int
    ranked: bool
    devices: int
    unit: int
    nothing: float
    """How often an operation takes no time."""
    slow: int
    """The process whose kernels take longer; -1 is none."""
    idle: int
    """The process without kernels; -1 is none."""
    host_offsets: tuple[int, ...]
    anonymous: bool
    """Whether the threads of several processes have no names that tell ranks."""
    items: tuple[Item, ...]


def plan_of(dice: random.Random) -> Plan:
    """A program, by dice."""
    processes = dice.choices((1, 2, 3, 4), (54, 25, 7, 14))[0]
    devices = dice.choices((1, 2, 3), (68, 22, 10))[0] if processes < 3 else 1
    planner = _Planner(dice, processes, devices)
    items = tuple(planner.items())
    is_apart = processes > 1 and planner.library is not None and dice.random() < 0.15
    offset = dice.choice((5_000_000_000, -3_000_000_000))
    offsets = tuple(offset if number % 2 else 0 for number in range(processes))
    return Plan(
        processes,
        processes > 1 or dice.random() < 0.2,
        devices,
        dice.choice(_UNITS),
        dice.choice((0.0, 0.0, 0.15)),
        dice.randrange(processes) if processes > 1 and dice.random() < 0.4 else -1,
        processes - 1 if processes > 1 and dice.random() < 0.08 else -1,
        offsets if is_apart else (),
        dice.random() < 0.3,
        items,
    )


class _Planner:
    """Chooses what happens, for so many events as a recording may have."""

    def __init__(self, dice: random.Random, processes: int, devices: int) -> None:
        self.dice = dice
        self.processes = processes
        self.devices = devices
        self.threads = dice.choices((1, 2, 3), (60, 30, 10))[0]
        self.streams = dice.choice((1, 1, 2))
        communicates = dice.random() < (0.75 if processes > 1 else 0.25)
        self.library = dice.choice(sorted(COLLECTIVES)) if communicates else None
        self.has_graphs = dice.random() < 0.15
        self.is_python = dice.random() < 0.6
        self.has_ranges = dice.random() < 0.6
        self.missing = 0.15 if dice.random() < 0.1 else 0.0
        self.copies = dice.choice((0.1, 0.3, 0.5))

    def items(self) -> list[Item]:
        dice = self.dice
        steps = dice.choices((0, 1, 2, 3, 4), (45, 10, 20, 17, 8))[0]
        room = max(26 // self.processes, 4)
        found = self._blocks(room // 3 if steps else room)
        if steps and dice.random() < 0.4:
            found = []
        each = max(room // (2 * steps), 1) if steps else 0
        for number in range(steps):
            is_empty = steps > 1 and dice.random() < 0.12
            found.append(Mark(number, begins=True))
            found += [Work(0, 10)] if is_empty else self._blocks(each)
            found.append(Mark(number, begins=False))
        if steps and dice.random() < 0.4:
            found += self._blocks(max(room // 4, 1))
        if self.devices > 1 and dice.random() < 0.25:
            found.insert(0, self._stray())
        if dice.random() < 0.08:
            names = tuple(self._kernel() for _ in range(dice.randrange(1, 4)))
            found.insert(0, Earlier(names, 30))
        return found

    def _stray(self) -> Item:
        return Act(
            0, "set", "cudaMemsetAsync", self.devices - 1, 7, "memset", ("memset",), 1, size=512
        )

    def _blocks(self, room: int) -> list[Item]:
        """Calls in functions, as many as there is room for."""
        found: list[Item] = []
        while room > 0:
            thread = self.dice.randrange(self.threads)
            inside: list[Item] = []
            for _ in range(self.dice.randrange(1, 4)):
                inside.append(self._act(thread))
                room -= 1
                if self.dice.random() < 0.5:
                    inside.append(Work(thread, self.dice.choice((3, 20, 60))))
            if self.library and self.dice.random() < 0.4:
                inside.append(self._meet())
            found += self._within(thread, inside)
        return found

    def _within(self, thread: int, inside: list[Item]) -> list[Item]:
        if not self.has_ranges or self.dice.random() < 0.3:
            return inside
        is_python = self.is_python and self.dice.random() < 0.6
        name = self.dice.choice(FUNCTIONS if is_python else OPERATORS)
        if self.dice.random() < 0.3:
            inside = self._within(thread, inside)
        return [Enter(thread, is_python, name), *inside, Leave(thread)]

    def _meet(self) -> Item:
        names = COLLECTIVES[str(self.library)]
        stream = 7 if self.streams == 1 else 13
        return Meet(self.dice.choice(names), stream, self.dice.choice((10, 40)))

    def _act(self, thread: int) -> Act:
        dice = self.dice
        device = dice.randrange(self.devices)
        stream = 7 + 10 * thread + dice.randrange(self.streams)
        lacks = dice.choice(("call", "operation")) if dice.random() < self.missing else ""
        kind = dice.random()
        if kind < self.copies:
            return self._copy(thread, device, stream)
        if kind < self.copies + 0.05:
            call = dice.choice(("cudaMemset", "cudaMemsetAsync"))
            return Act(thread, "set", call, device, stream, "memset", ("memset",), 4, size=4096)
        if kind < self.copies + 0.17:
            call = dice.choice(("cudaDeviceSynchronize", "cudaStreamSynchronize"))
            return Act(thread, "wait", call, device, stream)
        if kind < self.copies + 0.22:
            free = dice.random() < 0.5
            call = "cudaFree" if free else "cudaMalloc"
            return Act(thread, "free" if free else "allocate", call, device, stream)
        most = dice.choice((5, 20, 20, 80))
        if self.has_graphs and kind > 0.8:
            names = tuple(self._kernel() for _ in range(dice.randrange(1, 4)))
            return Act(thread, "graph", "cudaGraphLaunch", device, stream, "kernel", names, most)
        names = (self._kernel(),)
        return Act(
            thread, "launch", "cudaLaunchKernel", device, stream, "kernel", names, most, lacks=lacks
        )

    def _kernel(self) -> str:
        return self.dice.choice(KERNELS[self.dice.choice(sorted(KERNELS))])

    def _copy(self, thread: int, device: int, stream: int) -> Act:
        direction = self.dice.choice(_DIRECTIONS)
        if direction == "P2P" and self.devices == 1:
            direction = "D2D"
        is_async = self.dice.random() < 0.5
        names = _ASYNCHRONOUS if is_async else _SYNCHRONOUS
        call = names.get(direction, "cudaMemcpyAsync" if is_async else "cudaMemcpy")
        size = self.dice.choice((64, 4_096, 1_000_000))
        return Act(
            thread, "async copy" if is_async else "copy", call, device, stream, "copy",
            (direction,), self.dice.choice((4, 30)), direction, size,
        )  # fmt: skip
