"""One run of a series: its commit, its moment, its figures, and the run record where there is one.

In:  a run record, or figures of another tool. Out: a file of at most 30 kB, packed JSON, which
     comes back checked: it may be from anywhere.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

import perfolio
from perfolio.common.errors import InputError, UsageError, one_line
from perfolio.common.units import UNITS
from perfolio.comparison.comparability import MATTERS
from perfolio.comparison.compared_tables import PART_TITLES
from perfolio.comparison.counted_gate import TITLES
from perfolio.comparison.recording_conditions import CONDITIONS, describe_setting
from perfolio.comparison.run_record import RunRecord, fold_small_rows, parse_record, write_record
from perfolio.comparison.timed_gate import measure_run_time

SCHEMA = "perfolio-series-entry/1"
MOST_BYTES = 30_000
"""Size of a file, at most, where rows can be added up."""
_MOST_UNPACKED = 4_000_000
MOST_FIGURES = 500
"""Of one run, that are kept."""
TIME = "time"
"""Name of the figure that a record has of how long an iteration, or the run, takes."""
_MOST_WORDS = 200
_MOST_RECORD = 24_000
"""Size of a record within it, packed: figures take the rest."""
_ROW_STEPS = (600, 300, 150, 80, 40, 20, 10, 5)
_COMMIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_OF_MACHINE = frozenset({"gpu", "gpus", "ranks"})
_NANO = 1e-9
_HINT = "add the run again: perfolio history add RUN --series NAME"

Better = Literal["higher", "lower", "neither"]
FigureKind = Literal["timed", "counted"]


@dataclass(frozen=True)
class SeriesFigure:
    """A number of a run."""

    name: str
    title: str
    unit: str
    """As in common.units."""
    better: Better
    kind: FigureKind
    """Counted ones have no noise: each difference is a change."""
    value: float


@dataclass(frozen=True)
class HistoryEntry:
    """One run of a series."""

    commit: str
    moment: str
    """When the commit was made, or the run: in UTC, to the second, as ISO 8601 has it."""
    machine: str
    """What it ran on, in words: figures of others are never joined with it."""
    work: str
    """What it did and how that was recorded, in words: the same goes for other work."""
    source: str
    """The tool that measured it."""
    figures: tuple[SeriesFigure, ...]
    digest: str = ""
    """Of the recording: the same one counts once."""
    perfolio: str = perfolio.__version__
    """Version that made the entry."""
    record: bytes | None = None
    """The file of its run record, which comparisons are made of; None of results of benchmarks."""

    def read_record(self) -> RunRecord | None:
        """Its run record, checked. Raises InputError where it is none."""
        if self.record is None:
            return None
        return parse_record(self.record.decode("utf-8"), f"run of {self.commit}")


@dataclass(frozen=True)
class _StoredEntry:
    """As in the file."""

    schema: str
    commit: str
    moment: str
    machine: str
    work: str
    source: str
    figures: tuple[SeriesFigure, ...]
    digest: str
    perfolio: str
    record: msgspec.Raw


def make_entry(record: RunRecord, commit: str, moment: str, machine: str = "") -> HistoryEntry:
    """The entry of a run. Raises UsageError where the commit or the moment is none."""
    return HistoryEntry(
        check_commit(commit),
        parse_moment(moment),
        one_line(machine or _describe_machine(record), _MOST_WORDS),
        one_line(_describe_work(record), _MOST_WORDS),
        record.tool,
        tuple(_list_figures(record)),
        record.digest,
        record=_fit_record(record),
    )


def _fit_record(record: RunRecord) -> bytes:
    """The file of a record, of which the smallest rows are added up until it packs well."""
    for most in _ROW_STEPS:
        text = write_record(fold_small_rows(record, most)).strip().encode("utf-8")
        if len(gzip.compress(text, 9)) <= _MOST_RECORD:
            break
    return text


def check_commit(text: str) -> str:
    """A commit, or what else names a version, as it is. Raises UsageError."""
    if not _COMMIT.fullmatch(text):
        raise UsageError(
            f"{one_line(text, 60)!r} names no commit",
            hint="use its hash, a tag or a date: letters, digits, and . _ - between them",
        )
    return text


def parse_moment(text: str) -> str:
    """A date or a moment, in UTC to the second. Raises UsageError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as problem:
        raise UsageError(
            f"{one_line(text, 60)!r} is no date", hint="write it as 2026-11-29T16:05:00+00:00"
        ) from problem
    zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        return zoned.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError as problem:
        raise UsageError(f"{one_line(text, 60)!r} is no date of these centuries") from problem


def name_entry_file(entry: HistoryEntry) -> str:
    """Its file in the folder of the series: files stand in the order of their moments."""
    moment = entry.moment.replace("-", "").replace(":", "")
    digest = hashlib.sha256((entry.digest or format_entry(entry)).encode()).hexdigest()[:8]
    return f"{moment}-{entry.commit[:12]}-{digest}.json.gz"


def pack_entry(entry: HistoryEntry) -> bytes:
    """The content of its file: the same entry has the same bytes."""
    return gzip.compress(format_entry(entry).encode("utf-8"), 9, mtime=0)


def format_entry(entry: HistoryEntry) -> str:
    """The entry as JSON."""
    document = {
        "schema": SCHEMA,
        "commit": entry.commit,
        "moment": entry.moment,
        "machine": entry.machine,
        "work": entry.work,
        "source": entry.source,
        "figures": [vars(figure) for figure in entry.figures],
        "digest": entry.digest,
        "perfolio": entry.perfolio,
        "record": json.loads(entry.record) if entry.record else None,
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def read_entry(path: Path) -> HistoryEntry:
    """The entry of a file. Raises InputError where it is none, and says where it is wrong."""
    try:
        with gzip.open(path, "rb") as file:
            data = file.read(_MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as problem:
        said = getattr(problem, "strerror", None) or problem
        raise InputError(f"{path}: cannot be read: {said}", hint=_HINT) from problem
    if len(data) > _MOST_UNPACKED:
        raise InputError(f"{path}: is no entry of a series: it is too large", hint=_HINT)
    return parse_entry(data, str(path))


def parse_entry(data: bytes, where: str) -> HistoryEntry:
    """The entry of such a text; `where` is named in errors. Raises InputError."""
    try:
        stored = msgspec.json.decode(data, type=_StoredEntry)
        entry = HistoryEntry(
            check_commit(stored.commit), parse_moment(stored.moment), stored.machine, stored.work,
            stored.source, stored.figures, stored.digest, stored.perfolio,
            bytes(stored.record) if bytes(stored.record) != b"null" else None,
        )  # fmt: skip
    except (ValueError, RecursionError, msgspec.DecodeError, UsageError) as problem:
        raise InputError(f"{where}: is no entry of a series: {problem}", hint=_HINT) from problem
    if stored.schema != SCHEMA:
        said = one_line(stored.schema, 60)
        raise InputError(f"{where}: is {said}, and this Perfolio reads {SCHEMA}")
    if wrong := _find_wrong_figure(entry.figures):
        raise InputError(f"{where}: is no entry of a series: {wrong}", hint=_HINT)
    return entry


def _find_wrong_figure(figures: tuple[SeriesFigure, ...]) -> str:
    """What is wrong with the figures; empty where nothing is."""
    if len(figures) > MOST_FIGURES:
        return f"it has more than {MOST_FIGURES} figures"
    names = {figure.name for figure in figures}
    if len(names) < len(figures):
        return "two of its figures have one name"
    for figure in figures:
        if figure.unit not in UNITS:
            return f"figure {one_line(figure.name, 60)}: there is no unit {figure.unit!r}"
        if not math.isfinite(figure.value):
            return f"figure {one_line(figure.name, 60)}: is no number"
    return ""


def _describe_machine(record: RunRecord) -> str:
    """The hardware in words: `8 × H100, 8 ranks`."""
    gpu, gpus, ranks = (record.conditions.get(name) for name in ("gpu", "gpus", "ranks"))
    words = []
    if gpu or gpus:
        count = f"{gpus} × " if isinstance(gpus, int) and gpus > 1 else ""
        words.append(f"{count}{describe_setting('gpu', gpu or 'GPU')}")
    if isinstance(ranks, int) and ranks > 1:
        words.append(f"{ranks} ranks")
    return ", ".join(words) or "hardware not recorded"


def _describe_work(record: RunRecord) -> str:
    """What matters of model, batch and profiler, as far as it is recorded."""
    known = {name: record.conditions.get(name) for name in MATTERS if name not in _OF_MACHINE}
    if record.whole is not None:
        known |= {"division": record.whole.of, "basis": record.whole.basis}
    return ", ".join(
        f"{CONDITIONS.get(name, name)}: {describe_setting(name, value)}"
        for name, value in known.items()
        if value is not None
    )


def _list_figures(record: RunRecord) -> Iterator[SeriesFigure]:
    """How long it takes, by part; what is counted; and the key figures of its report."""
    whole, time = record.whole, measure_run_time(record)
    if whole is not None and time is not None:
        title = "Time of an iteration" if whole.basis == "iteration" else "Wall time"
        yield SeriesFigure(TIME, title, "s", "lower", "timed", time)
        spent: defaultdict[str, int] = defaultdict(int)
        for row in record.rows:
            spent[row.part] += row.ns
        for part, ns in sorted(spent.items()):
            value = ns / whole.units * _NANO
            name = f"part.{part.replace(' ', '_')}"
            yield SeriesFigure(name, PART_TITLES[part], "s", "lower", "timed", value)
    for name, counted in sorted(record.counted.items()):
        if counted.value is not None:
            titled = (
                f"{TITLES[name]} in an iteration" if counted.per == "iteration" else TITLES[name]
            )
            yield SeriesFigure(
                f"count.{name}", titled, counted.unit, "lower", "counted", float(counted.value)
            )
    for figure in record.figures:
        if figure.is_key and figure.better != "neither":
            better: Better = "higher" if figure.better == "higher" else "lower"
            yield SeriesFigure(
                figure.name, figure.title, figure.unit, better, "timed", figure.value
            )
