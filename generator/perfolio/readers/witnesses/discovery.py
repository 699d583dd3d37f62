"""Which files beside a profile are witnesses of its run, and what they say together.

In:  a folder, or files. Out: the paths of known formats; a `Source` with their tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pyarrow as pa

from perfolio.common.errors import InputError, one_line
from perfolio.readers.events.recording import Recording
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.text_lines import UTF_16
from perfolio.readers.text_stream import open_text, read_begin
from perfolio.readers.witnesses import (
    course_json,
    dcgmi_dmon,
    deepspeed_profile,
    nccl_inspector,
    nccl_json,
    nccl_tests,
    ncu_csv,
    ncu_report,
    nvidia_smi,
    rocprof_compute,
    scaling_csv,
    zeus_log,
)
from perfolio.readers.witnesses.model import TABLES, Witness, WitnessKind, make_witness_table
from perfolio.readers.witnesses.snapshot import reader as snapshot

KINDS: tuple[WitnessKind, ...] = (
    ncu_csv.KIND,
    nccl_tests.KIND,
    nccl_json.KIND,
    dcgmi_dmon.KIND,
    nvidia_smi.KIND,
    zeus_log.KIND,
    deepspeed_profile.KIND,
    course_json.KIND,
    rocprof_compute.KIND,
    scaling_csv.KIND,
    nccl_inspector.KIND,
    ncu_report.KIND,
    snapshot.KIND,
)
ENDINGS = (
    ".csv", ".txt", ".log", ".dat", ".out", ".gz", ".json", ".jsonl", ".pickle", ".pkl", ".ncu-rep",
)  # fmt: skip
MOST_FILES = 2000
"""Of a folder, that are looked at."""
MOST_BYTES = 1 << 30
MOST_NOTES = 20
"""Of one file, that are told."""
ALONE = "counters and logs"
"""The tool of a run of which nothing else is there."""
_HEAD_LINES = 300


def detect_kind(path: Path) -> WitnessKind | None:
    """The format of a file; None where it is none of these."""
    try:
        if not path.name.lower().endswith(ENDINGS) or not path.is_file():
            return None
        head = read_begin(open_text(path))
    except (InputError, OSError):
        return None
    for kind in KINDS:
        if kind.begins is not None and kind.begins(head):
            return kind
    if b"\0" in head[:64] and not head.startswith(UTF_16):
        return None
    text = head.decode("utf-16" if head.startswith(UTF_16) else "utf-8-sig", "replace")
    lines = text.splitlines()[:_HEAD_LINES]
    return next((kind for kind in KINDS if kind.recognises(lines)), None)


def list_witnesses(folder: Path) -> list[Path]:
    """Files of a folder that are witnesses, by name."""
    if not folder.is_dir():
        return []
    return sorted(path for path in islice(folder.iterdir(), MOST_FILES) if detect_kind(path))


def has_witnesses(path: Path) -> bool:
    """Whether `path` is a witness, or a folder with some."""
    return detect_kind(path) is not None if path.is_file() else bool(list_witnesses(path))


def add_witnesses(source: Source, paths: Sequence[Path]) -> Source:
    """A source with the tables of its witnesses; one that cannot be read becomes a note.

    Raises InputError where a file is missing or of no known kind, or where there is nothing else.
    """
    kinds_of = {path: _require_kind(path) for path in paths}
    opened: list[tuple[Path, Witness, InputFile]] = []
    unreadable: dict[Path, InputError] = {}
    for path, kind in kinds_of.items():
        try:
            opened.append((path, *_read_witness(path, kind)))
        except InputError as problem:
            unreadable[path] = problem
    if source.tool == ALONE and not opened:
        raise next(iter(unreadable.values()))
    left_out = tuple(_explain_left_out(*each) for each in unreadable.items())
    source = replace(source, left_out=left_out, warnings=(*source.warnings, *left_out))
    if not opened:
        return source
    found = [witness for _, witness, _ in opened]
    kinds = pa.table(
        {
            "id": pa.array(range(1, len(found) + 1), pa.int32()),
            "kind": pa.array([kinds_of[path].name for path, *_ in opened]),
            "file": pa.array([path.name for path, *_ in opened], pa.string()),
            "tool": pa.array([each.tool for each in found], pa.string()),
            "version": pa.array([each.version or None for each in found], pa.string()),
            "device": pa.array([each.device or None for each in found], pa.string()),
        }
    )
    named = {each.device for each in found if each.device}
    return replace(
        source,
        tables={
            **source.tables,
            "witness": kinds,
            **{name: make_witness_table(name, found) for name in TABLES},
        },
        files=(*source.files, *(file for *_, file in opened)),
        warnings=(*source.warnings, *_collect_notes(source, opened)),
        device=source.device or (named.pop() if len(named) == 1 else ""),
    )


def read_alone(path: Path) -> Source:
    """A run of which only witnesses are there: an empty profile with their tables."""
    files = [path] if path.is_file() else list_witnesses(path)
    empty = Source(
        path=path,
        tool=ALONE,
        format_version="",
        title=path.name.split(".")[0],
        description="",
        files=(),
        tables=make_recording_tables(Recording(), load_measures(Path(__file__).parent)),
        streams={},
    )
    source = add_witnesses(empty, files)
    if not any(source.tables[name].num_rows for name in TABLES):
        raise InputError(
            f"{path}: {source.warnings[0] if source.warnings else 'holds no figures'}",
            hint="record it again, or give what it was made of",
        )
    return source


def _require_kind(path: Path) -> WitnessKind:
    if not path.is_file():
        raise InputError(f"{path}: there is no such file", hint="see witnesses in profile.toml")
    kind = detect_kind(path)
    if kind is None:
        raise InputError(
            f"{path}: is none of the files that are read beside a profile",
            hint="see docs/how-to/counters.md for those that are",
        )
    return kind


def _read_witness(path: Path, kind: WitnessKind) -> tuple[Witness, InputFile]:
    text = open_text(path)
    if text.opened.size > MOST_BYTES:
        raise InputError(f"{path}: is larger than {MOST_BYTES:,} bytes", hint="record for less")
    witness = kind.read(text)
    witness.notes += [note for note in (text.truncated, text.left_out) if note]
    return witness, InputFile(text.opened, witness.version)


def _explain_left_out(path: Path, problem: InputError) -> str:
    """A note on a file that is not in the report, by its name alone."""
    reason = str(problem).removeprefix(f"{path}: ").replace(str(path), path.name)
    return one_line(f"{path.name}: was left out, as it cannot be read: {reason}")


def _collect_notes(source: Source, opened: Sequence[tuple[Path, Witness, InputFile]]) -> list[str]:
    notes = [f"{path.name}: {note}" for path, one, _ in opened for note in _limit_notes(one.notes)]
    for path, witness, _ in opened:
        if source.device and witness.device and witness.device != source.device:
            notes.append(
                f"{path.name}: was recorded on {witness.device}, and the profile on "
                f"{source.device}: do not compare their figures"
            )
    return notes


def _limit_notes(notes: Sequence[str]) -> list[str]:
    """The first notes of a file, each once: one of many blocks may have one for each."""
    once = list(dict.fromkeys(notes))
    left = len(once) - MOST_NOTES
    return once if left <= 0 else [*once[:MOST_NOTES], f"{left:,} more notes are like these"]
