"""Recordings of ROCm's profilers to a `Source`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from perfolio.common.errors import InputError
from perfolio.readers.events.clock_report import describe_clocks
from perfolio.readers.events.gpu_operations import COPIES
from perfolio.readers.events.recording import Recording
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.events.stray_events import set_strays_aside
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.program_command import agree_on_program
from perfolio.readers.rocm.csv_rows import CsvTable
from perfolio.readers.rocm.recording_builder import LONGEST, RecordingBuilder, list_process_spans
from perfolio.readers.rocm.recording_kinds import HINT, RocmFormat
from perfolio.readers.rocm.rocpd import DatabaseReader
from perfolio.readers.rocm.rocprof_csv import read_table
from perfolio.readers.rocm.rocprof_json import read_chrome
from perfolio.readers.rocm.rocprofv3_json import read_sdk
from perfolio.readers.rocm.run_grouping import RunFile, is_empty, list_other_files, list_run_files
from perfolio.readers.stable_file import open_input
from perfolio.readers.text_stream import open_text

TOOL, OLD_TOOL = "rocprofv3", "rocprof"
_NEVER = ("memset_time", "memset_count")
"""HIP fills memory by kernels."""
_COPIES = ("copy_time", "copy_count")
_BESIDE = "give results.json or results.csv beside it"


def matches(path: Path) -> bool:
    """Whether `path` is a recording of ROCm's profilers, or the folder of one run."""
    return bool(list_run_files(path))


def other_form(path: Path) -> InputError | None:
    """What a file of ROCm's tools without a time line is, or the first one in a folder."""
    if is_empty(path):
        return InputError(f"{path}: the file is empty", hint=HINT)
    for found, form in list_other_files(path):
        hint = _BESIDE if form is RocmFormat.V1_DATABASE else HINT
        return InputError(f"{found}: {form.value}", hint=hint)
    return None


def read(path: Path) -> Source:
    """Read a recording, or all files of a folder. Raises InputError and FormatError."""
    reading = _RunReading()
    files = list_run_files(path)
    _check_forms(path, files)
    for file in files:
        notes = reading.read(file)
        reading.warnings += [f"{file.path.name}: {n}" if len(files) > 1 else n for n in notes]
    facts = reading.facts
    recording = facts.finish()
    tables = _make_tables(recording)
    if not len(recording.ranges) and not len(recording.operations):
        raise InputError(f"{path}: holds no kernel, copy, call or marker with its times", hint=HINT)
    _check_span(path, recording)
    reading.warnings += set_strays_aside(recording)
    return Source(
        path=path,
        tool=OLD_TOOL if reading.is_old else TOOL,
        format_version=reading.version,
        title=path.name.split(".")[0],
        description="",
        files=tuple(reading.opened),
        tables=tables,
        streams={},
        warnings=(*reading.warnings, *describe_clocks(recording.clocks), *facts.notes()),
        ranks=recording.ranks,
        hosts=recording.hosts,
        command=agree_on_program(facts.commands),
    )


def _make_tables(recording: Recording) -> dict[str, pa.Table]:
    """All tables; what is recorded only if asked for, and is not there, is no measure with 0."""
    tables = make_recording_tables(recording, load_measures(Path(__file__).parent))
    has_copies = bool(np.isin(recording.operations["kind"], COPIES).any())
    unknown = _NEVER if has_copies else (*_NEVER, *_COPIES)
    metric = tables["metric"]
    kept = [measure not in unknown for measure in metric["measure"].to_pylist()]
    return {**tables, "metric": metric.filter(pa.array(kept, pa.bool_()))}


def _check_span(path: Path, recording: Recording) -> None:
    """Raise InputError where times cannot be of one clock."""
    spans = list_process_spans(recording)
    length = max(end for _, end in spans) - spans[0][0]
    if length > LONGEST:
        days = length // (LONGEST // 100)
        raise InputError(
            f"{path}: its times are {days:,} days apart: some are damaged, or of another run",
            hint="give the files of one run",
        )


def _check_forms(path: Path, files: list[RunFile]) -> None:
    """Raise InputError where files in a folder cannot be of one run."""
    kinds = {
        file.form if file.form in (RocmFormat.DATABASE, RocmFormat.SDK, RocmFormat.CHROME) else None
        for file in files
    }
    if len(kinds) > 1:
        told = ", ".join(sorted({file.path.name for file in files})[:4])
        raise InputError(
            f"{path}: holds recordings of several forms, which cannot be of one run: {told}",
            hint="give one of them, or a folder with the files of one run",
        )


class _RunReading:
    """Files of a run, one after the other."""

    def __init__(self) -> None:
        self.facts = RecordingBuilder()
        self.opened: list[InputFile] = []
        self.warnings: list[str] = []
        self.version = ""
        self.is_old = False

    def read(self, file: RunFile) -> list[str]:
        """Read a file; what had to be tolerated in it."""
        if file.form is RocmFormat.DATABASE:
            return self._database(file)
        text = open_text(file.path)
        notes: list[str] = []
        version = "CSV"
        if file.form is RocmFormat.SDK:
            version = "JSON"
            read_sdk(text, file.group, file.rank, self.facts)
        elif file.form is RocmFormat.CHROME:
            version, self.is_old = "JSON", True
            notes = read_chrome(text, file.group, file.rank, self.facts)
        else:
            table = CsvTable(text)
            self.is_old |= read_table(table, file.form, file.group, file.rank, self.facts)
            notes += table.notes
        if text.truncated:
            notes.append(f"{text.truncated}: it was read as far as it goes")
        if text.left_out:
            notes.append(text.left_out)
        self.opened.append(InputFile(text.opened, version))
        self.version = version
        return notes

    def _database(self, file: RunFile) -> list[str]:
        opened = open_input(file.path)
        group = f"{file.group}/{len(self.opened)}"
        schema = DatabaseReader(group, file.rank, self.facts).read(file.path)
        self.version = f"rocpd {schema}".strip()
        self.opened.append(InputFile(opened, self.version))
        log = file.path.with_name(file.path.name + "-wal")
        if log.is_file() and log.stat().st_size:
            return [
                f"{log.name} lies beside it, with what was not yet written to it: that is not read"
            ]
        return []
