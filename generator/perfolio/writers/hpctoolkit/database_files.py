"""All files of a database, checked, made aside and renamed together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.atomic_output import replace_folder
from perfolio.common.errors import OutputError
from perfolio.common.progress import Progress, QuietProgress
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit import profile_writer as profile_db
from perfolio.writers.hpctoolkit.cct_writer import write_contexts
from perfolio.writers.hpctoolkit.context_order import Topology, build_topology
from perfolio.writers.hpctoolkit.cost_propagation import CostBlock, propagate
from perfolio.writers.hpctoolkit.format_output import open_output
from perfolio.writers.hpctoolkit.meta_writer import write_meta
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering, number_metrics
from perfolio.writers.hpctoolkit.model import Database, Function, TracePoints, Tree, Values
from perfolio.writers.hpctoolkit.trace_writer import write_traces

FILES = ("meta.db", "profile.db", "cct.db", "trace.db")
"""What a database consists of."""


def write(
    database: Database,
    folder: Path,
    values: Iterable[Values],
    traces: Iterable[TracePoints] = (),
    progress: Progress | None = None,
    *,
    replace: bool = False,
) -> Path:
    """Write a database into `folder`, which appears whole or not at all; returns it.

    `values` come in any order of profiles, all of one profile in a row (in one piece or
    several); profiles without values may be left out. From them the writer computes the
    scopes function, lex_aware and execution, the values of context 0, the summary
    profile and cct.db. `traces` likewise; without any there is no trace.db, else each
    profile has a line. Memory is bounded by the number of contexts and by the largest
    profile, not by the number of profiles or of all values.

    An existing folder is replaced only if `replace` says so and it holds a database.

    Raises ValueError for contents that the format cannot hold, or that contradict
    themselves, and OutputError when the files cannot be written.
    """
    made = _make_plan(database)
    pieces = (list(group) for _, group in groupby(values, attrgetter("profile")))
    blocks = (propagate(made.topology, made.numbers, group) for group in pieces)
    return _write_files(made, folder, blocks, traces, progress or QuietProgress(), replace=replace)


def write_blocks(
    database: Database,
    folder: Path,
    blocks: Iterable[CostBlock],
    traces: Iterable[TracePoints] = (),
    progress: Progress | None = None,
    *,
    replace: bool = False,
) -> Path:
    """As `write`, but with the values of all scopes given: for copies of existing databases."""
    return _write_files(
        _make_plan(database), folder, blocks, traces, progress or QuietProgress(), replace=replace
    )


@dataclass(frozen=True)
class _WritePlan:
    """A database that was checked, and what follows from it for all files."""

    database: Database
    topology: Topology
    numbers: MetricNumbering


def _make_plan(database: Database) -> _WritePlan:
    check_database(database)
    return _WritePlan(database, build_topology(database), number_metrics(database.metrics))


def _write_files(
    made: _WritePlan,
    folder: Path,
    blocks: Iterable[CostBlock],
    traces: Iterable[TracePoints],
    progress: Progress,
    *,
    replace: bool,
) -> Path:
    """Write all files."""
    count = len(made.database.profiles)
    with _open_aside(folder, replace=replace) as partial:
        write_meta(partial / "meta.db", made.database, made.topology, made.numbers)
        _write_values(partial, made, blocks, progress)
        write_traces(partial / "trace.db", made.topology, count, traces, progress)
        for name, data in made.database.beside.items():
            (partial / name).write_bytes(data)
    return folder


def _write_values(
    folder: Path, made: _WritePlan, blocks: Iterable[CostBlock], progress: Progress
) -> None:
    """profile.db and cct.db."""
    path = folder / "profile.db"
    with open_output(path, profile_db.KIND) as out:
        profiles = profile_db.start_profile_file(out, made.database, made.topology.size)
        progress.start("profile.db", len(made.database.profiles))
        for block in blocks:
            profiles.add(block)
            progress.advance(1)
        write_contexts(folder / "cct.db", profiles, path, made.numbers, progress)
        profiles.finish()


@contextmanager
def _open_aside(folder: Path, *, replace: bool) -> Iterator[Path]:
    """An empty folder that takes the place of `folder` if the block succeeds, else is gone."""
    try:
        _check_target(folder, replace=replace)
        with replace_folder(folder) as partial:
            yield partial
    except OSError as problem:
        raise OutputError(
            f"{folder}: cannot be written: {problem.strerror or problem}",
            hint="choose another folder",
        ) from problem


def _check_target(folder: Path, *, replace: bool) -> None:
    """Raise OutputError unless the folder is new, empty, or a database to be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not replace:
        raise OutputError(f"{folder}: exists already", hint="choose another folder")
    if not (folder / "meta.db").is_file():
        raise OutputError(f"{folder}: is not a database", hint="choose another folder")


def check_database(database: Database) -> None:
    """Raise ValueError for the first contradiction found."""
    for function in database.functions:
        _check_function(database, function)
    for entry in database.entry_points:
        if entry.kind not in lay.ENTRY_POINTS:
            raise ValueError(f"{entry.kind} is not a kind of entry points")
    _check_tree(database, database.tree)
    for name in database.beside:
        if name in FILES or "/" in name or name in {"", ".", ".."}:
            raise ValueError(f"{name!r} is no name for a file beside those of the database")


def _check_function(database: Database, function: Function) -> None:
    if not function.name and function.module < 0 and function.file < 0:
        raise ValueError("a function has neither name, module nor file")
    modules, files = len(database.modules), len(database.files)
    if not (-1 <= function.module < modules and -1 <= function.file < files):
        raise ValueError(f"function {function.name!r}: its module or file does not exist")


def _check_tree(database: Database, tree: Tree) -> None:
    columns = {f.name: getattr(tree, f.name) for f in fields(tree)}
    lengths = {len(column) for column in columns.values() if column is not None}
    if len(lengths) != 1:
        raise ValueError("the columns of the tree differ in length")
    _check_within(columns["function"], -1, len(database.functions), "function")
    _check_within(columns["file"], -1, len(database.files), "file")
    _check_within(columns["module"], -1, len(database.modules), "module")
    _check_within(columns["relation"], 0, len(lay.RELATIONS), "relation")
    _check_within(columns["lexical_type"], 0, len(lay.LEXICAL_TYPES), "lexical type")
    _check_within(columns["parent"], 1, 1 << 32, "parent")


def _check_within(column: npt.NDArray[Any], first: int, end: int, what: str) -> None:
    if len(column) and (int(np.min(column)) < first or int(np.max(column)) >= end):
        raise ValueError(f"a context has a {what} that does not exist")
