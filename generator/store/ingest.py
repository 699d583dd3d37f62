"""Sources into a store file: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from generator.errors import OutputError, StoreError, UsageError
from generator.progress import Progress, Quiet
from generator.sources.description import Description
from generator.sources.model import Source
from generator.store.check import check_costs
from generator.store.connect import create_store, open_store
from generator.store.derive import derive
from generator.store.identity import find_present, identify, new_slug, next_run
from generator.store.rows import delete_run, insert_run, insert_stream, insert_table


@dataclass(frozen=True)
class Ingested:
    """What became of one profile."""

    run: int
    slug: str
    rows: int
    """Values and trace points stored; 0 when the run was there already."""
    changed: bool


def ingest(
    sources: Sequence[tuple[Source, Description]], store: Path, progress: Progress | None = None
) -> list[Ingested]:
    """Store each source as a run of the store at `store`, which is created if missing.

    A run with the same content is left alone; one with the same path and other content
    is replaced in one transaction. A new file is written aside and renamed.
    """
    report = progress or Quiet()
    if store.exists():
        with open_store(store, read_only=False) as connection:
            return _ingest_all(connection, sources, report)
    aside = store.with_name(f".{store.name}.new")
    with _written(store):
        store.parent.mkdir(parents=True, exist_ok=True)
        _remove(aside)
        aside.touch()  # what DuckDB would say names this file, and not why
        _remove(aside)
        try:
            with create_store(aside) as connection:
                result = _ingest_all(connection, sources, report)
            aside.rename(store)
        finally:
            _remove(aside)
    return result


@contextmanager
def _written(store: Path) -> Iterator[None]:
    """What prevents writing becomes an OutputError that names the store."""
    try:
        yield
    except OSError as problem:
        raise OutputError(
            f"{store}: cannot be written: {problem.strerror or problem}",
            hint="choose another --store",
        ) from problem


def _remove(aside: Path) -> None:
    for path in (aside, aside.with_name(aside.name + ".wal")):
        path.unlink(missing_ok=True)


def _ingest_all(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[tuple[Source, Description]],
    progress: Progress,
) -> list[Ingested]:
    results = [_ingest_one(connection, *one, progress) for one in sources]
    with _translated("the store"):
        connection.execute("CHECKPOINT")
    return results


def _ingest_one(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    description: Description,
    progress: Progress,
) -> Ingested:
    progress.start(f"{source.path.name}: hashing", None)
    candidate = identify(source, description)
    present = find_present(connection, candidate)
    if present is not None and present.digest == candidate.digest:
        return Ingested(present.run, present.slug, 0, changed=False)
    _check_hardware(connection, description)
    with _transaction(connection, str(source.path)):
        run = present.run if present else next_run(connection)
        if present:
            delete_run(connection, run)
        slug = present.slug if present else new_slug(connection, candidate)
        insert_run(connection, run, slug, candidate)
        for name, table in source.tables.items():
            insert_table(connection, run, name, table)
        rows = sum(
            insert_stream(connection, run, name, stream, progress)
            for name, stream in source.streams.items()
        )
        check_costs(connection, run, str(source.path))
        progress.start(f"{source.path.name}: calling paths and traces", None)
        derive(connection, run)
        for file in source.files:
            file.opened.check_unchanged()
    return Ingested(run, slug, rows, changed=True)


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection, what: str) -> Iterator[None]:
    """All of the block or, whatever stops it, nothing of it."""
    with _translated(what):
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
def _translated(what: str) -> Iterator[None]:
    """Errors of DuckDB become errors of ours that name the profile."""
    try:
        yield
    except (duckdb.IOException, duckdb.FatalException) as problem:
        raise OutputError(
            f"{what}: the store cannot be written: {problem}",
            hint="free space, or choose another --store",
        ) from problem
    except duckdb.Error as problem:
        raise StoreError(f"{what}: cannot be stored: {problem}") from problem


def _check_hardware(connection: duckdb.DuckDBPyConnection, description: Description) -> None:
    if not description.hardware:
        return
    names = [row[0] for row in connection.execute("SELECT name FROM hardware").fetchall()]
    if description.hardware not in names:
        raise UsageError(
            f"{description.path}: unknown hardware {description.hardware!r}",
            hint=f"known are {', '.join(sorted(names))}",
        )
