"""rocpd, the database that rocprofv3 writes by default: its plain views alone.

The tables below the views have names that differ in each file, and were laid out in two ways under
one number of schema. A call and what it launched share `stack_id`, the identifier that the profiler
gave the call; `corr_id` is what the program gave it, which is 0 where it gave none.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import InputError
from perfolio.readers.events.recording import NONE, IntegerColumns, Ints, OperationKind, RangeKind
from perfolio.readers.rocm.field_values import (
    choose_copy,
    compute_product,
    count_blocks,
    find_rank,
    find_rank_counts,
    parse_agent,
    parse_direction,
    parse_whole,
    place_copy,
    to_name_text,
)
from perfolio.readers.rocm.recording_builder import GpuPlace, RecordingBuilder, RocmLaunch
from perfolio.readers.sqlite_file import SqliteFile, quote_name
from perfolio.readers.stable_file import open_input

_OWNER = (("guid",), ("nid", "node_id"), ("pid", "process_id"))
_TIMES = (("start", "start_timestamp", "begin"), ("end", "end_timestamp"))
_LINKS = (("stack_id",), ("corr_id", "correlation_id"))
_QUEUES = (("queue_id",), ("stream_id",))
_AXES = "xyz"
_KERNELS = (
    *_OWNER, *_TIMES, *_LINKS, *_QUEUES,
    ("name", "kernel_name", "display_name"), ("agent_abs_index", "agent_id", "agent_log_index"),
    ("kernel_id",), ("vgpr_count", "arch_vgpr_count"),
    ("lds_size", "lds_block_size", "group_segment_size"),
    *((f"grid_{axis}", f"grid_size_{axis}") for axis in _AXES),
    *((f"workgroup_{axis}", f"workgroup_size_{axis}") for axis in _AXES),
)  # fmt: skip
_COPIES = (
    *_OWNER, *_TIMES, *_LINKS, *_QUEUES, ("name", "direction"), ("size", "bytes"),
    ("src_agent_abs_index", "src_agent_id"), ("dst_agent_abs_index", "dst_agent_id"),
    ("src_agent_type",), ("dst_agent_type",),
)  # fmt: skip
_REGIONS = (*_OWNER, *_TIMES, *_LINKS, ("tid", "thread_id"), ("category",), ("name",), ("extdata",))
_PROCESSES = (*_OWNER, ("hostname", "machine_id"), ("environment", "env"), ("extdata",))
_SYMBOLS = (("guid",), ("id", "kernel_id"), ("arch_vgpr_count", "vgpr_count"))
_VIEWS_OF_PROCESSES = ("rocpd_info_process", "processes")
"""The first one has their environments as well, which tell their ranks."""
_LONGEST_JSON = 1 << 20
_ROWS_AT_ONCE = 4_096
_AGAIN = "record it again, or copy the whole file again"


class DatabaseReader:
    """One database, as it becomes rows of a recording."""

    def __init__(self, group: str, rank: int | None, facts: RecordingBuilder) -> None:
        self.group = group
        self.rank = rank
        self.facts = facts
        self._marks = array("q"), array("q")
        """What the program gave calls and operations to know them by, row by row."""

    def read(self, path: Path) -> str:
        """Read all views, and give the version of the schema. Raises InputError."""
        recording = self.facts.recording
        first = len(recording.ranges), len(recording.operations)
        with closing(SqliteFile(open_input(path), again=_AGAIN, has_views=True)) as database:
            self._read_processes(database)
            self._read_regions(database)
            self._read_kernels(database)
            self._read_copies(database)
            version = _read_version(database)
        _link_calls(recording.ranges, recording.operations, first, self._marks)
        return version

    def _process(self, owner: Sequence[Any], rank: int | None = None) -> int:
        guid, node, pid = owner
        key = (self.group, (str(guid), parse_whole(node), parse_whole(pid)))
        return self.facts.process(key, parse_whole(pid), self.rank if rank is None else rank)

    def _read_processes(self, database: SqliteFile) -> None:
        for view in _VIEWS_OF_PROCESSES:
            for *owner, host, environment, more in _read_view(database, view, _PROCESSES):
                said: Any = _decode_object(environment)
                if find_rank(said) is None:
                    said = _decode_object(more).get("environment")
                told = find_rank(said)
                self.facts.recording.sizes |= find_rank_counts(said)
                self.facts.on_host(self._process(owner, told), host)

    def _read_regions(self, database: SqliteFile) -> None:
        ranges = self.facts.recording.ranges
        for row in _read_view(database, "regions", _REGIONS):
            if not (times := self.facts.times(row[3], row[4])):
                continue
            stack, mark, thread, category, name, more = row[5:]
            if isinstance(more, str) and "message" in more:
                name = to_name_text(_decode_object(more).get("message")) or name
            before = len(ranges)
            named = (to_name_text(category), to_name_text(name))
            self.facts.call(self._process(row[:3]), thread, times, named, parse_whole(stack))
            if len(ranges) > before:
                self._marks[0].append(parse_whole(mark))

    def _read_kernels(self, database: SqliteFile) -> None:
        registers = _read_registers(database)
        for row in _read_view(database, "kernels", _KERNELS):
            if not (times := self.facts.kernel_times(row[3], row[4])):
                continue
            stack, mark, queue, stream, name, device, kernel, own, shared = row[5:14]
            grid, group = [
                [parse_whole(size) for size in sizes] for sizes in (row[14:17], row[17:20])
            ]
            used = parse_whole(own) if own is not None else registers.get((row[0], kernel), NONE)
            place = GpuPlace(
                self._process(row[:3]), parse_agent(device), parse_whole(queue), parse_whole(stream)
            )
            launch = RocmLaunch(
                parse_whole(stack),
                count_blocks(grid, group),
                compute_product(group),
                used,
                parse_whole(shared),
            )
            self.facts.kernel(place, times, name, launch)
            self._marks[1].append(parse_whole(mark))

    def _read_copies(self, database: SqliteFile) -> None:
        for row in _read_view(database, "memory_copies", _COPIES):
            if not (times := self.facts.times(row[3], row[4])):
                continue
            stack, mark, queue, stream, name, size, source, target, *ends = row[5:]
            kind = parse_direction(name)
            if kind is OperationKind.COPY_OTHER:
                kind = choose_copy(*[_is_gpu(end) for end in ends])
            kind, device = place_copy(kind, parse_agent(source), parse_agent(target))
            place = GpuPlace(
                self._process(row[:3]), device, parse_whole(queue), parse_whole(stream)
            )
            self.facts.copy(place, times, kind, parse_whole(stack), parse_whole(size))
            if kind is not None:
                self._marks[1].append(parse_whole(mark))


def _read_view(
    database: SqliteFile, view: str, wanted: Sequence[Sequence[str]]
) -> Iterator[tuple[Any, ...]]:
    """Of each row the columns that are wanted, each by its first known name; None for none."""
    if view not in database.list_tables():
        return
    known = {name.lower(): name for name in database.list_columns(view)}
    chosen = (next((known[name] for name in names if name in known), "") for names in wanted)
    selected = [quote_name(name) if name else "NULL" for name in chosen]
    for rows in database.read_batches(view, selected, _ROWS_AT_ONCE):
        yield from rows


def _read_registers(database: SqliteFile) -> dict[tuple[object, object], int]:
    """Vector registers by kernel; none where the view of kernels' symbols cannot be read."""
    try:
        rows = _read_view(database, "kernel_symbols", _SYMBOLS)
        return {(guid, number): parse_whole(count) for guid, number, count in rows}
    except InputError:
        return {}


def _read_version(database: SqliteFile) -> str:
    for tag, value in _read_view(database, "rocpd_metadata", (("tag",), ("value",))):
        if tag == "schema_version":
            return to_name_text(value)[:20]
    return ""


def _is_gpu(kind: object) -> bool | None:
    return None if not isinstance(kind, str) or not kind else "GPU" in kind.upper()


def _decode_object(text: object) -> dict[str, Any]:
    """An object of JSON; empty for anything else."""
    if not isinstance(text, str) or len(text) > _LONGEST_JSON:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _link_calls(
    ranges: IntegerColumns,
    operations: IntegerColumns,
    first: tuple[int, int],
    marks: tuple[array[int], array[int]],
) -> None:
    """Know calls by what the program gave them, where that links more operations to calls."""
    if len(ranges) == first[0] or len(operations) == first[1]:
        return
    is_call = ranges["kind"][first[0] :] == RangeKind.CALL
    calls, wanted = ranges["correlation"][first[0] :], operations["correlation"][first[1] :]
    given = [np.frombuffer(each, np.int64) for each in marks]
    own, other = _count_found(calls[is_call], wanted), _count_found(given[0][is_call], given[1])
    if other > own:
        calls[:] = np.where(is_call & (given[0] > 0), given[0], NONE)
        wanted[:] = np.where(given[1] > 0, given[1], NONE)


def _count_found(calls: Ints, wanted: Ints) -> int:
    known: npt.NDArray[np.bool_] = np.isin(wanted, np.unique(calls[calls > 0]))
    return int(known.sum())
