"""Traces of PyTorch's profiler to a `Source`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.events.missing_notes import describe_missing
from perfolio.readers.events.recording import Recording
from perfolio.readers.events.recording_parts import append_recording
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.events.stray_events import set_strays_aside
from perfolio.readers.kineto.profiler_cycles import FirstOfRanks
from perfolio.readers.kineto.profiler_options import find_option_doubts
from perfolio.readers.kineto.rank_files import is_one_run, is_trace, list_traces, read_rank_header
from perfolio.readers.kineto.rank_reading import RankOutcome, RankReading, read_ranks
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.stable_file import AGAIN, reopen_input
from perfolio.readers.text_stream import open_text, read_begin

TOOL = "PyTorch profiler"


def matches(path: Path) -> bool:
    """Whether `path` is a trace, or a folder with the traces of the ranks of one run."""
    if path.is_file():
        return is_trace(path)
    if not path.is_dir():
        return False
    found = list_traces(path)
    return is_one_run([read_rank_header(each, read_begin(open_text(each))) for each in found])


@dataclass
class _JoinedRanks:
    """What the traces of all ranks hold together."""

    recording: Recording = field(default_factory=Recording)
    files: list[InputFile] = field(default_factory=list)
    devices: set[tuple[str, int]] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    version: str = ""

    def add(self, file: Path, one: RankReading, *, is_alone: bool) -> None:
        """Add what a further trace holds. Raises InputError where it changed since it was read."""
        opened = reopen_input(file, one.state)
        if is_alone:
            self.recording = one.recording
        else:
            append_recording(self.recording, one.recording)
        self.version = one.version or self.version
        self.files.append(InputFile(opened, self.version))
        self.devices |= one.devices
        self.options |= one.options
        self.warnings += [note if is_alone else f"{file.name}: {note}" for note in one.notes]


def read(path: Path, ranks: Sequence[RankOutcome] = ()) -> Source:
    """Read a trace, or those of all ranks in a folder. Raises InputError and FormatError.

    `ranks` is what `try_rank` gave of each of its `list_files`, where that was asked before.
    """
    found = _join_ranks(path, ranks)
    recording = found.recording
    if not len(recording.ranges) and not len(recording.operations):
        raise InputError(
            f"{path}: holds no operator, call or GPU operation",
            hint="record steps of the program between profiler.start() and profiler.stop()",
        )
    strays = tuple(set_strays_aside(recording))
    recording.doubts += find_option_doubts(found.options)
    known = len(found.devices) == 1 and len(recording.operations) > 0
    device, memory = found.devices.pop() if known else ("", 0)
    return Source(
        path=path,
        tool=TOOL,
        format_version=found.version,
        title=path.title if isinstance(path, FirstOfRanks) else path.name.split(".")[0],
        description="",
        files=tuple(found.files),
        tables=make_recording_tables(recording, load_measures(Path(__file__).parent)),
        streams={},
        warnings=(*found.warnings, *strays, *_list_notes(recording)),
        device=device,
        device_memory=memory,
        ranks=recording.ranks,
    )


def _join_ranks(path: Path, ranks: Sequence[RankOutcome]) -> _JoinedRanks:
    """Raises InputError where `ranks`, if there are any, are not those of the files."""
    files = list_files(path)
    if ranks and len(ranks) != len(files):
        raise InputError(f"{path}: traces came or went while they were read", hint=AGAIN)
    found = _JoinedRanks()
    with closing(read_ranks(files)) as readings:
        for file, one in zip(files, ranks or readings, strict=True):
            if isinstance(one, InputError):
                raise one
            found.add(file, one, is_alone=len(files) == 1)
    return found


def list_files(path: Path) -> list[Path]:
    """The traces that a profile consists of, in order of their names or ranks."""
    if isinstance(path, FirstOfRanks):
        return path.files()
    return [path] if path.is_file() else list_traces(path)


def _list_notes(recording: Recording) -> Sequence[str]:
    """What the run as a whole lacks."""
    notes = list(describe_missing(recording))
    ranks = {process.rank for process in recording.processes} - {None}
    if len(ranks) < (size := recording.ranks):
        missing = sorted(set(range(min(size, 10_000))) - ranks)
        shown = ", ".join(map(str, missing[:8])) + (", …" if len(missing) > 8 else "")
        notes.append(f"{len(ranks)} of {size} ranks are here: {shown} are missing")
    return notes
