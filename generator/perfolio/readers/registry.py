"""Which reader reads a path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Protocol, cast

import pyarrow.compute as pc

from perfolio.common.errors import InputError
from perfolio.common.progress import Progress
from perfolio.readers import own_files
from perfolio.readers.kineto import reader as kineto
from perfolio.readers.kineto.profiler_cycles import merge_rank_traces
from perfolio.readers.kineto.rank_reading import RankOutcome
from perfolio.readers.model import Source
from perfolio.readers.nsys import report_files
from perfolio.readers.text_stream import open_text, read_begin
from perfolio.readers.witnesses import discovery as witnesses

READERS = (
    "hpctoolkit",
    "xla",
    "kineto",
    "nsys",
    "rocm",
    "hatchet",
)
"""Folders of readers, in which module `reader` has `matches` and `read`: the first one that knows a
path reads it, and those behind it are not even imported."""
MOST_GPUS = 10_000


class ProfileReader(Protocol):
    """A module that reads profiles of one tool."""

    def matches(self, path: Path) -> bool:
        """Whether it reads what is at a path."""

    def read(self, path: Path) -> Source:
        """The profile at a path. Raises InputError and FormatError."""


def read(path: Path, ranks: Sequence[RankOutcome] = ()) -> Source:
    """Open the profile at `path` with the first reader that knows it.

    `ranks` is what `try_rank` gave of each of its `list_ranks`, where that was asked before.
    """
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    if ranks:
        return _check_gpu_count(kineto.read(path, ranks))
    for reader in _iterate_readers():
        if reader.matches(path):
            return _check_gpu_count(reader.read(path))
    if witnesses.has_witnesses(path):
        return witnesses.read_alone(path)
    raise _explain_unknown(path)


def list_ranks(path: Path) -> list[Path]:
    """Files that `try_rank` reads one by one, of a folder that is a run with one of each rank."""
    return kineto.list_files(path) if path.is_dir() and kineto.matches(path) else []


def _check_gpu_count(source: Source) -> Source:
    """A source, unless it names more GPUs than any run has: what each did is told by itself."""
    profiles = source.tables["profile"]
    streams = profiles.filter(pc.field("kind") == "GPU stream")
    count = streams.group_by(["node", "rank", "gpu_context"]).aggregate([]).num_rows
    if count > MOST_GPUS:
        raise InputError(
            f"{source.path}: names {count:,} GPUs, and more than {MOST_GPUS:,} are not read",
            hint="give the files of fewer ranks, or record it again",
        )
    return source


def find(path: Path) -> list[Path]:
    """Profiles at `path`: itself, or those at most two folders below it, sorted by name."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    if is_known(path) or not path.is_dir():
        return [path]
    below = sorted(one for pattern in ("*", "*/*") for one in path.glob(pattern))
    found = [one for one in below if is_profile_beside(one)]
    if not found:
        folders = [one for one in (path, *below) if one.is_dir()]
        found = [one for one in folders if witnesses.has_witnesses(one)]
    if not found:
        raise _explain_unknown(path, *(one for one in below if one.is_dir()))
    return merge_rank_traces([one for one in found if one.parent not in found])


def _iterate_readers() -> Iterator[ProfileReader]:
    for folder in READERS:
        yield cast("ProfileReader", import_module(f"{__package__}.{folder}.reader"))


def is_known(path: Path) -> bool:
    """Whether a reader reads what is at `path`."""
    return any(reader.matches(path) for reader in _iterate_readers())


def is_profile_beside(path: Path) -> bool:
    """Whether a path is a profile beside others: not a report whose export lies beside it."""
    return is_known(path) and not report_files.is_superseded(path)


def announce_export(path: Path, progress: Progress) -> None:
    """Say that another program exports `path` before it is read, which may take long."""
    if exported := report_files.describe_export(path):
        progress.start(f"{path.name}: {exported}", None)


def is_readable(path: Path) -> bool:
    """Whether there is a profile at `path`, or files of other tools about a run."""
    return is_known(path) or witnesses.has_witnesses(path)


def _explain_unknown(path: Path, *below: Path) -> InputError:
    """What a path that no reader knows is, or the folders below it, and what to give instead.

    Raises InputError for a file that cannot be read.
    """
    from perfolio.readers.hpctoolkit import reader as hpctoolkit
    from perfolio.readers.nsys import reader as nsys
    from perfolio.readers.rocm import reader as rocm

    others = (hpctoolkit.other_form, nsys.other_form, rocm.other_form, own_files.other_form)
    for one, recognised in product((path, *below), others):
        other = recognised(one)
        if other is not None:
            return other
    if path.is_file():
        read_begin(open_text(path))
    return InputError(
        f"{path}: no profile found there",
        hint="give a trace of PyTorch's profiler or XLA's (.json, .json.gz), a report of Nsight "
        "Systems (.nsys-rep, .sqlite, or a folder of Parquet), a recording of rocprofv3 or rocprof "
        "(.db, .json, .csv), the folder that hpcprof wrote (meta.db), or a call tree of Caliper, "
        "cProfile, TAU or another tool that Hatchet reads",
    )
