"""Reports of Nsight Systems to a `Source`.

Processes without a rank that each run kernels on GPUs of their own are ranks by those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from perfolio.common.errors import InputError
from perfolio.readers.events.missing_notes import describe_missing
from perfolio.readers.events.recording import OperationKind, RangeKind, Recording
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.events.stray_events import set_strays_aside
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.nsys import report_files
from perfolio.readers.nsys.checked_tables import ReportTables
from perfolio.readers.nsys.gpu_events import read_operations, read_waits
from perfolio.readers.nsys.host_events import read_lives, read_ranges
from perfolio.readers.nsys.report_context import ReportReading
from perfolio.readers.nsys.report_metadata import ReportMetadata, list_diagnostics, read_metadata
from perfolio.readers.nsys.string_ids import StringTable
from perfolio.readers.program_command import agree_on_program

TOOL = "Nsight Systems"
LEFT_OUT = {
    "COMPOSITE_EVENTS": "samples of CPU threads",
    "GPU_METRICS": "samples of GPU counters",
}
"""Tables of which no more than times is read, and what a row of each is."""
matches = report_files.is_one_run
other_form = report_files.other_form


@dataclass(frozen=True)
class OpenedReport:
    """One report of a run, before its events are read."""

    path: Path
    tables: ReportTables
    names: StringTable
    told: ReportMetadata


def read(path: Path) -> Source:
    """Read a report, or those of all ranks in a folder. Raises InputError and FormatError."""
    paths = [path] if report_files.is_report(path) else report_files.list_reports(path)
    reports = [_open_report(each, among_others=len(paths) > 1) for each in paths]
    recording = Recording()
    warnings, gpus = [], set[str]()
    for report in reports:
        reading = _make_reading(report, reports, recording)
        notes = [*_read_report(reading), *list_diagnostics(report.tables)]
        gpus |= reading.gpus
        warnings += [f"{report.path.name}: {n}" if len(reports) > 1 else n for n in notes]
    if not len(recording.ranges) and not len(recording.operations):
        raise InputError(
            f"{path}: holds no call, range or GPU operation",
            hint="record it again: nsys profile --trace=cuda,nvtx,osrt -o report PROGRAM",
        )
    warnings += set_strays_aside(recording)
    _begin_at_zero(recording)
    warnings += rank_by_gpus(recording)
    version = reports[0].told.schema
    return Source(
        path=path,
        tool=TOOL,
        format_version=version,
        title=report_files.make_title(path),
        description="",
        files=tuple(
            InputFile(file, each.told.schema) for each in reports for file in each.tables.opened
        ),
        tables=make_recording_tables(recording, load_measures(Path(__file__).parent)),
        streams={},
        warnings=(*warnings, *_list_notes(recording, reports)),
        device=gpus.pop() if len(gpus) == 1 else "",
        ranks=recording.ranks,
        hosts=recording.hosts,
        command=agree_on_program(each.told.command for each in reports),
    )


def _open_report(path: Path, *, among_others: bool) -> OpenedReport:
    tables = report_files.open_tables(path)
    names = StringTable(tables)
    rank = report_files.parse_rank(path, among_others=among_others)
    return OpenedReport(path, tables, names, read_metadata(tables, names, rank))


def _make_reading(
    report: OpenedReport, reports: Sequence[OpenedReport], recording: Recording
) -> ReportReading:
    """One report of a run, with the clock and the hosts of all of them."""
    known = all(each.told.begin for each in reports)
    hosts = list(dict.fromkeys(each.told.host for each in reports))
    node = hosts.index(report.told.host) if len(hosts) > 1 and report.told.host else None
    base = report.told.begin if known else 0
    return ReportReading(report.tables, recording, report.names, report.told, base, node)


def _read_report(reading: ReportReading) -> Iterator[str]:
    """Add the events of one report; what had to be tolerated, or is left out."""
    read_operations(reading)
    read_ranges(reading)
    read_waits(reading)
    read_lives(reading)
    reading.name_threads()
    for reason, count in reading.tolerated.items():
        if count:
            yield f"{count:,} events {reason}"
    for table, what in LEFT_OUT.items():
        if count := reading.tables.count(table):
            yield f"{count:,} {what} are left out: this report is made of events"


def _begin_at_zero(recording: Recording) -> None:
    """Times that are not since the epoch may be before the session began: none is negative."""
    columns = [
        recording.operations["start"],
        recording.ranges["start"],
        recording.memory["time"],
    ]
    begins = [begin for begin, _ in recording.lives.values()]
    lowest = min([*begins, *(int(column.min()) for column in columns if len(column))])
    if lowest < 0:
        for column in columns:
            np.subtract(column, lowest, out=column)
        for process, (begin, end) in recording.lives.items():
            recording.lives[process] = (begin - lowest, end - lowest)


def _list_notes(recording: Recording, reports: Sequence[OpenedReport]) -> Iterator[str]:
    """What the run as a whole lacks."""
    if not len(recording.operations) and (recording.ranges["kind"] == RangeKind.SYSTEM).all():
        yield (
            "no call of CUDA or MPI and no range of NVTX was recorded: only calls of the operating "
            "system are known"
        )
    yield from describe_missing(recording)
    processes = {process.rank for process in recording.processes}
    if len(recording.processes) > 1 and processes == {None}:
        yield (
            f"{len(recording.processes)} processes were recorded, and no ranks of MPI: GPUs are "
            "numbered as each process numbers them"
        )
    is_aligned = any(clock.gpu is None for clock in recording.clocks)
    if len(reports) > 1 and not is_aligned and not all(each.told.begin for each in reports):
        yield "clocks of the ranks are not aligned: not all reports say when they begin"


def rank_by_gpus(recording: Recording) -> Iterator[str]:
    """Number processes by their GPUs, where all that run kernels have none in common."""
    if any(process.rank is not None for process in recording.processes):
        return
    gpus = _collect_process_gpus(recording)
    every = [gpu for own in gpus.values() for gpu in own]
    if len(gpus) < 2 or len(set(every)) < len(every):
        return
    for rank, number in enumerate(sorted(gpus, key=lambda number: (min(gpus[number]), number))):
        recording.processes[number] = replace(recording.processes[number], rank=rank)
    yield (
        f"{len(gpus)} processes run kernels, each on GPUs of its own, and none has a rank: they "
        "count as ranks, in the order of their GPUs"
    )


def _collect_process_gpus(recording: Recording) -> dict[int, set[tuple[int, int]]]:
    """Of each process that runs kernels, the host and number of the GPUs on which it does."""
    lines = recording.lines.all()
    kernels = recording.operations["kind"] == OperationKind.KERNEL
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for number in np.unique(recording.operations["line"][kernels]).tolist():
        line = lines[number]
        node = recording.processes[line.process].node
        found[line.process].add((-1 if node is None else node, line.device))
    return found
