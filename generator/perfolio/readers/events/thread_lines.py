"""Lines of a recording to rows of table profile: threads and streams with their numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.events.recording import NONE, LineKey, Recording


@dataclass(frozen=True)
class ProfileLines:
    """The lines of a recording, in the order of table profile."""

    recording: Recording
    order: tuple[int, ...]
    """Numbers of lines, in the order of their profiles."""
    threads: Mapping[int, int]
    """Of each line of the host, its number in its rank, or process without one; 0 is the main."""
    profiles: npt.NDArray[np.int64]
    """The profile of each line, from 1."""

    @property
    def hosts(self) -> tuple[int, ...]:
        """Lines of host threads."""
        return tuple(self.threads)

    def is_main(self, line: int) -> bool:
        """Whether a line is the main thread of its process."""
        return self.threads[line] == 0

    def table(self) -> pa.Table:
        """Rows of table profile."""
        lines = self.recording.lines.all()
        rows = [self._row(number, lines[number]) for number in self.order]
        identifiers = ("node", "rank", "thread", "gpu_context", "gpu_stream", "process")
        schema = pa.schema(
            [("index", pa.int32()), ("identifier_tuple", pa.string()), ("kind", pa.string())]
            + [(name, pa.uint64()) for name in identifiers]
        )
        return pa.Table.from_pylist(rows, schema=schema)

    def _row(self, number: int, line: LineKey) -> dict[str, object]:
        process = self.recording.processes[line.process]
        stream = line.key if line.is_gpu and isinstance(line.key, int) and line.key >= 0 else None
        identifiers = {
            "node": process.node,
            "rank": process.rank,
            "thread": None if line.is_gpu else self.threads[number],
            "gpu_context": line.device if line.is_gpu and line.device >= 0 else None,
            "gpu_stream": stream,
        }
        told = [
            f"{name.upper()} {value}" for name, value in identifiers.items() if value is not None
        ]
        return {
            "index": int(self.profiles[number]),
            "identifier_tuple": " ".join(told).replace("GPU_", "GPU"),
            "kind": "GPU stream" if line.is_gpu else "CPU thread",
            **identifiers,
            "process": line.process,
        }


def number_lines(recording: Recording) -> ProfileLines:
    """Threads by rank, or process without one: the main one, then as they begin; then streams."""
    lines, begins = recording.lines.all(), _find_first_begins(recording)
    by_rank: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    seen = {*begins, *recording.memory["line"].tolist()}
    for number, line in enumerate(lines):
        if not line.is_gpu and number in seen:
            by_rank[(*_find_rank(recording, line), _find_lone_process(recording, line))].append(
                number
            )

    def place(each: int) -> tuple[bool, int, int]:
        main = recording.processes[lines[each].process].main_thread
        return (lines[each].key != main, begins.get(each, 0), each)

    threads: dict[int, int] = {}
    for _, own in sorted(by_rank.items()):
        own.sort(key=place)
        threads |= {each: number for number, each in enumerate(own)}
    streams = [number for number, line in enumerate(lines) if line.is_gpu]
    streams.sort(
        key=lambda each: (
            _find_rank(recording, lines[each]),
            lines[each].process,
            lines[each].device,
            str(lines[each].key),
            each,
        )
    )
    order = (*threads, *streams)
    profiles = np.zeros(len(lines), np.int64)
    profiles[list(order)] = np.arange(1, len(order) + 1)
    return ProfileLines(recording, order, threads, profiles)


def _find_lone_process(recording: Recording, line: LineKey) -> int:
    """The process of a line that names no rank: a rank is one process, whatever its tool says."""
    return line.process if recording.processes[line.process].rank is None else NONE


def _find_rank(recording: Recording, line: LineKey) -> tuple[int, int]:
    """Node and rank of a line."""
    process = recording.processes[line.process]
    node, rank = process.node, process.rank
    return (NONE if node is None else node, NONE if rank is None else rank)


def _find_first_begins(recording: Recording) -> dict[int, int]:
    """When the first range of each line begins."""
    line, start = recording.ranges["line"], recording.ranges["start"]
    if not len(line):
        return {}
    order = np.lexsort((start, line))
    first = order[np.flatnonzero(np.diff(line[order], prepend=NONE))]
    return dict(zip(line[first].tolist(), start[first].tolist(), strict=True))
