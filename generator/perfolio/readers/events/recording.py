"""What a tool recorded with begin and end: ranges of host threads, operations of GPUs.

In:  events, one at a time, as a reader finds them.
Out: columns of numbers, and the distinct names that they refer to.

A line is a thread of the host or a stream of a GPU. Times are nanoseconds of one clock.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import one_line
from perfolio.readers.events.clock_report import ClockOffset
from perfolio.readers.events.doubts import Doubt

Ints = npt.NDArray[np.int64]
Thing = TypeVar("Thing", bound=Hashable)
_ROWS = 1 << 17
"""Numbers of rows that are held before they are divided into columns."""
NONE = -1
"""Stands for what was not recorded, in a column of numbers that are not negative."""
LARGEST = 1 << 62
"""Nanoseconds from the epoch that can still be added up in 64 bits: the year 2116."""
MOST_OF_A_HOST = 253
"""Characters: the longest name that a host may have."""
MOST_HOSTS = 1 << 14
"""Ranks of a run whose machines are named."""
_ANY_HOST = frozenset({"localhost", "(none)"})
"""What machines are called that have no name."""


class RangeKind(IntEnum):
    """What a range is. Of two with the same times the larger kind lies within the other."""

    STEP = 0
    PYTHON = 1
    ANNOTATION = 2
    OPERATOR = 3
    LIBRARY = 4
    """A call of a library that is not the GPU's runtime, such as MPI."""
    CALL = 5
    SYSTEM = 6
    """A call of the operating system's libraries: known as a place where a thread was, no more."""


class OperationKind(IntEnum):
    """What a GPU does."""

    KERNEL = 0
    COPY_IN = 1
    COPY_OUT = 2
    COPY_WITHIN = 3
    COPY_OTHER = 4
    MEMSET = 5
    OTHER = 6
    COPY_PEER = 7
    """A copy from one GPU to another."""
    MIGRATION = 8
    """Pages of managed memory that the driver moves by itself."""


class LineKey(NamedTuple):
    """A thread of the host or a stream of a GPU, by what the tool identifies it with."""

    process: int
    """Number of the process in the recording: correlations are unique within it."""
    is_gpu: bool
    key: int | str
    """Thread of the host by the system's number, or stream."""
    device: int = NONE


class CodePlace(NamedTuple):
    """A place of code, by which ranges and kernels are named."""

    name: str
    module: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class RecordedProcess:
    """A process of the run, with what the tool says of it."""

    rank: int | None = None
    node: int | None = None
    main_thread: int | str | None = None
    """Key of its main thread; where it is not known, the thread that began first."""
    host: str = ""
    """The machine that it ran on, as the tool names it; empty where it does not."""


class NumberedItems(Generic[Thing]):
    """Distinct things in the order in which they came, each with a number from 0."""

    def __init__(self) -> None:
        self._numbers: dict[Thing, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, thing: Thing) -> int:
        """The number of a thing, a new one where it has none yet."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def all(self) -> list[Thing]:
        """All of them, by number."""
        return list(self._numbers)


class IntegerColumns:
    """Rows of 64-bit integers by name, each written once."""

    NAMES: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._columns = tuple(array("q") for _ in self.NAMES)
        self._rows = array("q")
        """The last rows, one after the other: to add one to an array is faster than to many."""

    def __len__(self) -> int:
        return len(self._columns[0]) + len(self._rows) // len(self.NAMES)

    def __getitem__(self, name: str) -> Ints:
        """A column; rows cannot be added while it is in use."""
        self._divide_rows()
        return np.frombuffer(self._columns[self.NAMES.index(name)], np.int64)

    def append(self, *row: int) -> None:
        """Add a row, in the order of `NAMES`. Raises OverflowError beyond 64 bits."""
        if len(row) != len(self.NAMES):
            raise ValueError(f"a row has {len(self.NAMES)} numbers, not {len(row)}")
        self._rows.extend(row)
        if len(self._rows) >= _ROWS:
            self._divide_rows()

    def _divide_rows(self) -> None:
        """The last rows to the columns."""
        if not self._rows:
            return
        rows = np.frombuffer(self._rows, np.int64).reshape(-1, len(self.NAMES))
        for column, values in zip(self._columns, rows.T, strict=True):
            column.frombytes(values.tobytes())
        self._rows = array("q")

    def extend(self, count: int, **columns: Ints | int) -> None:
        """Add rows; a column that is not given is `NONE` in all of them."""
        self._divide_rows()
        for name, column in zip(self.NAMES, self._columns, strict=True):
            values = np.broadcast_to(np.asarray(columns.get(name, NONE), np.int64), (count,))
            column.frombytes(values.tobytes())

    def keep(self, mask: npt.NDArray[np.bool_]) -> None:
        """Only the rows that a mask selects."""
        if not mask.all():
            self._columns = tuple(array("q", self[name][mask].tobytes()) for name in self.NAMES)


class RangeColumns(IntegerColumns):
    """Ranges of host threads."""

    NAMES = ("line", "start", "duration", "kind", "code", "correlation", "arguments")


class OperationColumns(IntegerColumns):
    """Operations of GPU streams. Threads and shared memory are per block, registers per thread.

    `shared` is for tools that tell static and dynamic shared memory only together; `pinned` is
    whether a copy is to or from pinned memory of the host; `sequence` is the number that the group
    of ranks gives a collective.
    """

    NAMES = (
        "line", "start", "duration", "kind", "code", "correlation", "bytes",
        "blocks", "threads", "registers", "static_shared", "dynamic_shared", "shared",
        "pinned", "collective", "sequence",
    )  # fmt: skip


class MemoryColumns(IntegerColumns):
    """Allocations and releases, with what is held afterwards; device NONE is the host."""

    NAMES = ("line", "time", "device", "bytes", "allocated", "reserved", "address")


class WaitKind(IntEnum):
    """What a call does with streams and events."""

    RECORD = 0
    """It records an event in a stream."""
    STREAM = 1
    """It lets a stream wait for an event."""
    HOST = 2
    """It waits itself: for an event, else for a stream, else for all streams."""


class WaitColumns(IntegerColumns):
    """Records of events and waits, by the calls that make them.

    `correlation` is that of the call, `record` that of the call that recorded the event, and
    `source` the stream in which it did. Streams are as the tool numbers those of the device.
    """

    NAMES = (
        "process", "correlation", "kind", "device", "stream", "event", "record", "source",
    )  # fmt: skip


class CollectiveCall(NamedTuple):
    """What a kernel of a communication library was asked to do."""

    name: str
    group: str
    ranks: int
    bytes: int
    type: str


class OperatorArguments(NamedTuple):
    """What is known of the arguments of an operator, as text; empty where nothing is."""

    shapes: str = ""
    types: str = ""
    flags: str = ""
    """Those that are true or false, in order, separated by commas."""
    settings: str = ""
    """All of a convolution, with empty texts for tensors."""


@dataclass
class Recording:
    """All that was recorded of a run."""

    processes: list[RecordedProcess] = field(default_factory=list)
    lines: NumberedItems[LineKey] = field(default_factory=NumberedItems)
    codes: NumberedItems[CodePlace] = field(default_factory=NumberedItems)
    arguments: NumberedItems[OperatorArguments] = field(default_factory=NumberedItems)
    collectives: NumberedItems[CollectiveCall] = field(default_factory=NumberedItems)
    ranges: RangeColumns = field(default_factory=RangeColumns)
    operations: OperationColumns = field(default_factory=OperationColumns)
    memory: MemoryColumns = field(default_factory=MemoryColumns)
    waits: WaitColumns = field(default_factory=WaitColumns)
    line_names: dict[LineKey, str] = field(default_factory=dict)
    """What the tool calls a thread."""
    lives: dict[int, tuple[int, int]] = field(default_factory=dict)
    """From when to when processes, by number, lived at least, where more than events tells it: when
    their threads were scheduled, or sampled [ns]."""
    clocks: list[ClockOffset] = field(default_factory=list)
    """Clocks that are off those of the others, as far as they were compared."""
    sizes: set[int] = field(default_factory=set)
    """How many ranks the whole run has, as each of its files says."""

    @property
    def ranks(self) -> int:
        """Ranks of the whole run; 0 where files do not say, or differ."""
        return next(iter(self.sizes)) if len(self.sizes) == 1 else 0

    @property
    def hosts(self) -> dict[int, str]:
        """Machines by rank, as far as they are named."""
        return find_hosts(self.processes)

    zeros: set[int] = field(default_factory=lambda: {0})
    """Times that stand for 0 in a file: profilers write it where a time was not recorded."""
    recorded: dict[tuple[int, int], int] = field(default_factory=dict)
    """Durations as recorded, of operations whose own was mended, by line and begin."""
    doubts: list[Doubt] = field(default_factory=list)
    """What of it cannot be as it says, as far as it was examined."""


def find_hosts(processes: Sequence[RecordedProcess]) -> dict[int, str]:
    """Machines by rank, of a rank with several the first by name.

    Without any rank, processes count as rank 0; else those without one, such as launchers, do not.
    """
    is_ranked = any(process.rank is not None for process in processes)
    found: defaultdict[int, set[str]] = defaultdict(set)
    for process in processes:
        host = clean_host(process.host)
        if host and not (is_ranked and process.rank is None):
            found[process.rank or 0].add(host)
    return {rank: min(found[rank]) for rank in sorted(found)[:MOST_HOSTS]}


def clean_host(name: str) -> str:
    """The name of a host in one line; empty for one that any machine may have, and for signs."""
    text = one_line(name, len(name) + 1)[:MOST_OF_A_HOST].rstrip()
    is_name = any(sign.isalnum() for sign in text)
    return text if is_name and text.partition(".")[0].lower() not in _ANY_HOST else ""


def find_spans_by_owner(
    owner: Ints, table: RangeColumns | OperationColumns
) -> tuple[Ints, Ints, Ints, Ints]:
    """Owners of rows, in order; of each how many it has, when the first begins and the last ends.

    Each row is looked at once, however many owners there are.
    """
    order = np.argsort(owner, kind="stable")
    owners, first, counts = np.unique(owner[order], return_index=True, return_counts=True)
    if not len(owners):
        return owners, counts, owners, owners
    start, stop = table["start"][order], (table["start"] + table["duration"])[order]
    return owners, counts, np.minimum.reduceat(start, first), np.maximum.reduceat(stop, first)
