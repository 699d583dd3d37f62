"""Sources into a store file: whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from perfolio.common.errors import InputError, OutputError, StoreError, UsageError
from perfolio.common.file_locks import reserve_place
from perfolio.common.progress import Progress, QuietProgress
from perfolio.readers.model import Source, release_memory
from perfolio.readers.run_description import RunDescription
from perfolio.store.connections import resolve_address
from perfolio.store.cost_check import check_costs
from perfolio.store.database import create_store, open_store
from perfolio.store.derived_tables import derive
from perfolio.store.row_insertion import (
    delete_run,
    describe_run,
    insert_run,
    insert_stream,
    insert_table,
)
from perfolio.store.run_identity import (
    RunCandidate,
    choose_slug,
    find_next_run,
    find_present,
    make_candidate,
)


@dataclass(frozen=True)
class RunName:
    """What a run is called in a store."""

    run: int
    slug: str


@dataclass(frozen=True)
class IngestedRun:
    """What became of one profile."""

    run: int
    slug: str
    rows: int
    """Values and trace points, or rows of all tables of a recording of events; 0 when they were
    there already."""
    changed: bool


def ingest(
    sources: Sequence[tuple[Source, RunDescription]], store: Path, progress: Progress | None = None
) -> list[IngestedRun]:
    """Store each source as a run of the store at `store`, which is created if missing.

    Waits for another process that does the same. Sources hold no rows afterwards.

    A run with the same content is left alone, but for the words that describe it; one with the
    same path and other content is replaced in one transaction. A new file is written aside and
    renamed.
    """
    report = progress or QuietProgress()

    with reserve_store(store), report_write_errors(store):
        if not store.exists():
            return _ingest_new(sources, store, report)
        remove_store(
            _get_aside_path(store)
        )  # of a run that was killed, before another one made the store
        with open_store(store, read_only=False) as connection:
            return ingest_all(connection, sources, report)


@contextmanager
def reserve_store(store: Path) -> Iterator[None]:
    """Keep other processes from ingesting into `store` meanwhile: what reads it then finds it free.

    Raises StoreError for a name that DuckDB would not open, and OutputError where nothing can be
    written beside it.
    """
    resolve_address(store)
    with ExitStack() as held:
        with report_write_errors(store):
            held.enter_context(reserve_place(store))
        yield


def remove_store(store: Path) -> None:
    """Remove a store with all that DuckDB keeps beside it. Raises OSError."""
    for suffix in ("", ".wal", ".wal.checkpoint", ".wal.recovery"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    shutil.rmtree(store.with_name(f"{store.name}.tmp"), ignore_errors=True)


def _ingest_new(
    sources: Sequence[tuple[Source, RunDescription]], store: Path, progress: Progress
) -> list[IngestedRun]:
    """Store the sources in a new file, which takes its name when it is whole."""
    with make_new_store(store) as connection:
        return ingest_all(connection, sources, progress)


@contextmanager
def make_new_store(store: Path, reach: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty store to fill, which takes its name when it is whole; `reach` as of `create_store`.

    Within `reserve_store`. Raises OSError where it cannot be written.
    """
    store = Path(os.path.realpath(store))  # a link to where it is to be stays
    aside = _get_aside_path(store)
    remove_store(aside)  # of a run that was killed
    aside.touch()  # what DuckDB would say names this file, and not why
    remove_store(aside)
    try:
        with translate_errors(str(store)):
            connection = create_store(aside, reach)
        with connection:
            yield connection
        if store.exists():  # the file system knows no locks
            raise OutputError(f"{store}: another process made it meanwhile", hint="run it again")
        aside.rename(store)
    finally:
        remove_store(aside)


def _get_aside_path(store: Path) -> Path:
    """Where a new store is filled."""
    return store.with_name(f".{store.name}.new")


@contextmanager
def report_write_errors(store: Path) -> Iterator[None]:
    """What prevents writing becomes an OutputError that names the store."""
    try:
        yield
    except OSError as problem:
        raise OutputError(
            f"{store}: cannot be written: {problem.strerror or problem}",
            hint="choose another --store",
        ) from problem


def ingest_all(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[tuple[Source, RunDescription]],
    progress: Progress,
    names: Sequence[RunName | None] = (),
) -> list[IngestedRun]:
    """Store each source as a run, of these names where there are any, and write all to the file."""
    each = zip(sources, names or [None] * len(sources), strict=True)
    results = [_ingest_one(connection, *one, progress, name) for one, name in each]
    write_out(connection)
    return results


def write_out(connection: duckdb.DuckDBPyConnection) -> None:
    """Write to the file of a store what it logged: what prevents that is told."""
    with translate_errors("the store"):
        connection.execute("CHECKPOINT")


def _ingest_one(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    description: RunDescription,
    progress: Progress,
    name: RunName | None,
) -> IngestedRun:
    _check_name(source.path)
    rows = sum(stream.rows for stream in source.streams.values())
    rows = rows or sum(table.num_rows for table in source.tables.values())
    progress.start(f"{source.path.name}: reading", rows)
    candidate = make_candidate(source, description)
    present = find_present(connection, candidate)
    if present is not None and present.content == candidate.content:
        if present.digest == candidate.digest:
            return IngestedRun(present.run, present.slug, 0, changed=False)
        with run_transaction(connection, str(source.path)):
            describe_run(connection, present.run, present.slug, candidate)
        return IngestedRun(present.run, present.slug, 0, changed=True)
    _check_hardware(connection, description)
    with run_transaction(connection, str(source.path)):
        if present:
            delete_run(connection, present.run)
            name = RunName(present.run, present.slug)
        name = name or RunName(find_next_run(connection), choose_slug(connection, candidate))
        _insert_all(connection, name, candidate, progress)
        check_costs(connection, name.run, str(source.path))
        progress.start(f"{source.path.name}: calling paths and traces", None)
        derive(connection, name.run)
        for file in source.files:
            file.opened.check_unchanged()
    return IngestedRun(name.run, name.slug, rows, changed=True)


def _insert_all(
    connection: duckdb.DuckDBPyConnection,
    name: RunName,
    candidate: RunCandidate,
    progress: Progress,
) -> None:
    insert_run(connection, name.run, name.slug, candidate)
    for table, rows in candidate.source.take_tables():
        insert_table(connection, name.run, table, rows)
        del rows  # before the next one is stored
    release_memory()
    for table, stream in candidate.source.take_streams():
        insert_stream(connection, name.run, table, stream, progress)
        del stream  # with what it has read
    release_memory()


@contextmanager
def run_transaction(connection: duckdb.DuckDBPyConnection, what: str) -> Iterator[None]:
    """All of the block or, whatever stops it, nothing of it."""
    with translate_errors(what):
        connection.execute("BEGIN TRANSACTION")
        done = False
        try:
            yield
            connection.execute("COMMIT")
            done = True
        finally:
            if not done:
                _roll_back(connection)


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.execute("ROLLBACK")
    except duckdb.TransactionException:
        # DuckDB has ended it already, as it does after an error of the disk.
        return


@contextmanager
def translate_errors(what: str) -> Iterator[None]:
    """Errors of DuckDB become errors of ours that name the profile."""
    try:
        yield
    except (duckdb.IOException, duckdb.FatalException, duckdb.TransactionException) as problem:
        raise OutputError(
            f"{what}: the store cannot be written: {problem}",
            hint="free space, or choose another --store",
        ) from problem
    except duckdb.Error as problem:
        raise StoreError(f"{what}: cannot be stored: {problem}") from problem


def _check_name(path: Path) -> None:
    try:
        str(path).encode()
    except UnicodeEncodeError as problem:
        raise InputError(
            f"{str(path)!a}: the path is not UTF-8, and a store holds no other",
            hint="rename it, or give a link to it",
        ) from problem


def _check_hardware(connection: duckdb.DuckDBPyConnection, description: RunDescription) -> None:
    if not description.hardware:
        return
    names = [row[0] for row in connection.execute("SELECT name FROM hardware").fetchall()]
    if description.hardware not in names:
        raise UsageError(
            f"{description.path}: unknown hardware {description.hardware!r}",
            hint=f"known are {', '.join(sorted(names))}",
        )
