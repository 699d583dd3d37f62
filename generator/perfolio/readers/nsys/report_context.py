"""One report while it is read: its processes, threads and streams, and what was tolerated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.recording import Ints, LineKey, RecordedProcess, Recording
from perfolio.readers.nsys.checked_tables import ABSENT, CheckedRows, ReportTables, read_rows
from perfolio.readers.nsys.report_metadata import ReportMetadata
from perfolio.readers.nsys.string_ids import StringTable

Key = TypeVar("Key")
Chosen = Callable[[CheckedRows], npt.NDArray[np.bool_]]
"""Which rows are read."""
THREAD_BITS = 24
"""A global identifier of a thread is that of its process, and these bits of its own."""
_THREAD = (1 << THREAD_BITS) - 1


class NumberedKeys(dict[Key, int]):
    """A number for each key, asked for where it is not known yet."""

    def __init__(self, ask: Callable[[Key], int]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, key: Key) -> int:
        found = self[key] = self._ask(key)
        return found

    def of(self, keys: Sequence[Key]) -> Ints:
        """The numbers of many keys."""
        return np.array([self[key] for key in keys], np.int64)


@dataclass
class ReportReading:
    """A report, as its rows become rows of a recording."""

    tables: ReportTables
    recording: Recording
    names: StringTable
    told: ReportMetadata
    base: int
    """What is added to each time: the clock's begin since the epoch."""
    node: int | None
    tolerated: Counter[str] = field(default_factory=Counter)
    """Rows that were read otherwise than they stand, or left out, by the reason."""
    processes: dict[int, int] = field(default_factory=dict)
    """Numbers of processes in the recording by their global identifiers."""

    def __post_init__(self) -> None:
        self.recording.zeros.add(self.base)
        self.threads: NumberedKeys[int] = NumberedKeys(self._thread)
        self.streams: NumberedKeys[tuple[int, int, int]] = NumberedKeys(self._stream)

    def timed(
        self, table: str, wanted: Sequence[str], chosen: Chosen | None = None
    ) -> Iterator[tuple[CheckedRows, Ints, Ints]]:
        """Chosen rows of a table with begin and duration; those without times are left out."""
        for every in read_rows(self.tables, table, ("start", "end", *wanted)):
            rows = every.chosen(chosen(every)) if chosen else every
            start, stop = rows.times("start"), rows.times("end")
            known = (start != ABSENT) & (stop != ABSENT)
            self.tolerated["have no begin or no end, and are left out"] += int((~known).sum())
            duration = (stop - start)[known]
            self.tolerated["end before they begin, and count as 0"] += int((duration < 0).sum())
            if len(duration):
                yield rows.chosen(known), start[known] + self.base, np.maximum(duration, 0)

    def process(self, key: int) -> int:
        """The number of a process by its global identifier, without the bits of a thread."""
        number = self.processes.get(key)
        if number is None:
            number = self.processes[key] = len(self.recording.processes)
            rank = self.told.ranks.get(key, self.told.rank)
            own = RecordedProcess(rank, self.node, key & _THREAD, self.told.host)
            self.recording.processes.append(own)
            self.recording.sizes |= {self.told.size} - {0}
        return number

    def main_thread(self, process: int) -> int:
        """The global identifier of a process's main thread, by that of the process."""
        return process | ((process >> THREAD_BITS) & _THREAD)

    def _thread(self, identifier: int) -> int:
        key = max(identifier, 0)
        line = LineKey(self.process(key >> THREAD_BITS), False, key & _THREAD)  # noqa: FBT003
        return self.recording.lines.of(line)

    def _stream(self, key: tuple[int, int, int]) -> int:
        process, device, stream = key
        known = max(process, 0) >> THREAD_BITS
        line = LineKey(self.process(known), True, stream, self.told.devices.number(known, device))  # noqa: FBT003
        return self.recording.lines.of(line)

    @property
    def gpus(self) -> set[str]:
        """What the driver calls the GPUs that did something."""
        keys = ((max(process, 0) >> THREAD_BITS, device) for process, device, _ in self.streams)
        return {self.told.devices.name(*key) for key in keys}

    def name_threads(self) -> None:
        """Keep what threads are called, of those that did something."""
        named = {line: number for number, line in enumerate(self.recording.lines.all())}
        for rows in read_rows(self.tables, "ThreadNames", ("globalTid", "nameId")):
            pairs = zip(
                rows.numbers("globalTid").tolist(), rows.numbers("nameId").tolist(), strict=True
            )
            for identifier, name in pairs:
                text = self.names.get(name)
                number = self.processes.get(identifier >> THREAD_BITS)
                if text and number is not None and identifier >= 0:
                    line = LineKey(number, False, identifier & _THREAD)  # noqa: FBT003
                    if line in named:
                        self.recording.line_names[line] = text
