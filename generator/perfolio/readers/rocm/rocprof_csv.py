"""Files of rocprofv3 and rocprof in CSV to kernels, copies, calls and markers."""

from __future__ import annotations

from perfolio.readers.events.recording import NONE
from perfolio.readers.rocm.csv_rows import CsvTable
from perfolio.readers.rocm.field_values import (
    compute_product,
    count_blocks,
    parse_agent,
    parse_direction,
    parse_whole,
    place_copy,
)
from perfolio.readers.rocm.recording_builder import GpuPlace, RecordingBuilder, RocmLaunch
from perfolio.readers.rocm.recording_kinds import (
    BEGIN,
    DIRECTION,
    END,
    FUNCTION,
    KERNEL,
    RocmFormat,
    count_counters,
    is_v1_table,
)

_PROCESS = ("process_id", "pid")
_THREAD = ("thread_id", "tid")
_QUEUE = ("queue_id", "queue")
_STREAM = ("stream_id", "stream")
_CORRELATION = ("correlation_id", "corr_id")
_AXES = "xyz"
_KERNELS = (
    BEGIN, END, KERNEL, _PROCESS, ("agent_id", "gpu_id", "agent"), _QUEUE, _STREAM, _CORRELATION,
    ("vgpr_count", "arch_vgpr_count", "arch_vgpr", "vgpr"),
    ("lds_block_size", "group_segment_size", "lds_per_workgroup", "lds"),
    ("grid_size", "grd", "grid"), ("workgroup_size", "wgr", "workgroup"),
    *((f"grid_size_{axis}", f"grid_{axis}") for axis in _AXES),
    *((f"workgroup_size_{axis}", f"workgroup_{axis}") for axis in _AXES),
)  # fmt: skip
_COPIES = (
    BEGIN, END, DIRECTION, _PROCESS, ("source_agent_id", "src_agent_id", "source_agent"),
    ("destination_agent_id", "dst_agent_id", "destination_agent"), _QUEUE, _STREAM, _CORRELATION,
    ("bytes", "copy_bytes", "size", "size_bytes"),
)  # fmt: skip
_CALLS = (BEGIN, END, ("domain", "kind"), FUNCTION, _PROCESS, _THREAD, _CORRELATION)


def read_table(
    table: CsvTable, form: RocmFormat, group: str, rank: int | None, facts: RecordingBuilder
) -> bool:
    """All rows of a file of one process; whether it is by rocprof, not by rocprofv3."""
    if form is RocmFormat.CALLS:
        _read_calls(table, group, rank, facts)
    elif form is RocmFormat.KERNELS:
        _read_kernels(table, group, rank, facts)
        if number := count_counters(table.columns):
            facts.tolerated[
                "counters were recorded with the kernels, which keeps these apart and lengthens "
                "the gaps between them"
            ] += number
    elif form is RocmFormat.COPIES:
        _read_copies(table, group, rank, facts)
    return is_v1_table(table.columns)


def _read_calls(table: CsvTable, group: str, rank: int | None, facts: RecordingBuilder) -> None:
    for begin, end, domain, function, process, thread, correlation in table.pick(_CALLS):
        if times := facts.times(begin, end):
            number = _find_process(facts, group, process, rank)
            facts.call(number, thread, times, (domain, function), parse_whole(correlation))


def _read_kernels(table: CsvTable, group: str, rank: int | None, facts: RecordingBuilder) -> None:
    for row in table.pick(_KERNELS):
        if times := facts.kernel_times(row[0], row[1]):
            name, process, device, queue, stream, correlation, registers, shared = row[2:10]
            number = _find_process(facts, group, process, rank)
            place = GpuPlace(number, parse_agent(device), parse_whole(queue), parse_whole(stream))
            sizes = [parse_whole(cell) for cell in row[10:]]
            grid, size = ([sizes[0]], [sizes[1]]) if sizes[2] == NONE else (sizes[2:5], sizes[5:8])
            launch = RocmLaunch(
                parse_whole(correlation),
                count_blocks(grid, size),
                compute_product(size),
                parse_whole(registers),
                parse_whole(shared),
            )
            facts.kernel(place, times, name, launch)


def _read_copies(table: CsvTable, group: str, rank: int | None, facts: RecordingBuilder) -> None:
    for row in table.pick(_COPIES):
        if times := facts.times(row[0], row[1]):
            said, process, source, target, queue, stream, correlation, size = row[2:]
            kind, device = place_copy(
                parse_direction(said), parse_agent(source), parse_agent(target)
            )
            number = _find_process(facts, group, process, rank)
            place = GpuPlace(number, device, parse_whole(queue), parse_whole(stream))
            facts.copy(place, times, kind, parse_whole(correlation), parse_whole(size))


def _find_process(facts: RecordingBuilder, group: str, pid: str, rank: int | None) -> int:
    """The process that a row names, else the one of its file or of those beside it."""
    number = parse_whole(pid)
    if number != NONE:
        return facts.process((group, number), number, rank)
    first = facts.first_of.get(group)
    return facts.process((group, NONE), rank=rank) if first is None else first
