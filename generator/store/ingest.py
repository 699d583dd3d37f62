"""Sources into a store file: whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from generator.errors import InputError, OutputError, StoreError, UsageError
from generator.progress import Progress, Quiet
from generator.sources.description import Description
from generator.sources.model import Source, Stream
from generator.store.check import check_invariant
from generator.store.connect import create_store, open_store

RUN_TABLES = ("run", "setting", "profile", "module", "file", "function", "context", "metric",
              "value", "summary", "trace")
"""All tables with a column run, table run first."""
Described = tuple[Source, Description]


@dataclass(frozen=True)
class Ingested:
    """What became of one profile."""

    run: int
    slug: str
    rows: int
    """Values and trace points stored; 0 when the run was there already."""
    changed: bool


def ingest(sources: Sequence[Described], store: Path, progress: Progress | None = None
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
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        _remove(aside)
        with create_store(aside) as connection:
            result = _ingest_all(connection, sources, report)
        aside.rename(store)
    except OSError as problem:
        raise OutputError(f"{store}: cannot be written: {problem}",
                          hint="choose another --store") from problem
    finally:
        _remove(aside)
    return result


def _remove(aside: Path) -> None:
    for path in (aside, aside.with_name(aside.name + ".wal")):
        path.unlink(missing_ok=True)


def _ingest_all(connection: duckdb.DuckDBPyConnection, sources: Sequence[Described],
                progress: Progress) -> list[Ingested]:
    results = [_ingest_one(connection, source, description, progress)
               for source, description in sources]
    with _translated("checkpoint"):
        connection.execute("CHECKPOINT")
    return results


def _ingest_one(connection: duckdb.DuckDBPyConnection, source: Source, description: Description,
                progress: Progress) -> Ingested:
    progress.start(f"{source.path.name}: hashing", None)
    hashes = _hashes(source)
    digest = _digest(source, hashes, description)
    present = _present(connection, source, digest)
    if present is not None and present.digest == digest:
        return Ingested(present.run, present.slug, 0, changed=False)
    _check_hardware(connection, description)
    with _translated(str(source.path)):
        connection.execute("BEGIN TRANSACTION")
    try:
        run = present.run if present else _next_run(connection)
        if present:
            _delete(connection, run)
        slug = present.slug if present else _slug(connection, source, description)
        with _translated(str(source.path)):
            _insert_run(connection, run, slug, source, description, hashes, digest)
            _insert_tables(connection, run, source)
            rows = sum(_insert_stream(connection, run, name, stream, source, progress)
                       for name, stream in source.streams.items())
        check_invariant(connection, run, str(source.path))
        with _translated(str(source.path)):
            connection.execute("COMMIT")
    except BaseException:
        # Whatever stopped it, Ctrl-C included: nothing half-written may stay.
        connection.execute("ROLLBACK")
        raise
    return Ingested(run, slug, rows, changed=True)


class _translated:  # noqa: N801 - reads as a keyword
    """Errors of DuckDB become errors that name the profile; one of the input stays itself."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if not isinstance(problem, duckdb.Error):
            return
        text = str(problem)
        if isinstance(problem, duckdb.IOException):
            raise OutputError(f"{self._what}: the store cannot be written: {text}",
                              hint="free space, or choose another --store") from problem
        raise StoreError(f"{self._what}: cannot be stored: {text}") from problem


def _hashes(source: Source) -> list[str]:
    def sha256(path: Path) -> str:
        try:
            with path.open("rb") as handle:
                return hashlib.file_digest(handle, "sha256").hexdigest()
        except OSError as problem:
            raise InputError(f"{path}: cannot be read: {problem}") from problem

    with ThreadPoolExecutor() as pool:
        return list(pool.map(sha256, [file.path for file in source.files]))


def _digest(source: Source, hashes: list[str], description: Description) -> str:
    whole = hashlib.sha256()
    for file, sha256 in zip(source.files, hashes, strict=True):
        whole.update(f"{file.path.name} {sha256}\n".encode())
    settings = dict(description.settings)
    whole.update(json.dumps([description.title, description.description, description.hardware,
                             description.notes, settings], sort_keys=True).encode())
    return whole.hexdigest()


@dataclass(frozen=True)
class _Present:
    run: int
    slug: str
    digest: str


def _present(connection: duckdb.DuckDBPyConnection, source: Source, digest: str) -> _Present | None:
    """The run with this content, else the one that was read from the same path."""
    rows = connection.execute("SELECT run, slug, digest, path FROM run").fetchall()
    same = [_Present(r, s, d) for r, s, d, _ in rows if d == digest]
    here = source.path.resolve()
    moved = [_Present(r, s, d) for r, s, d, path in rows if Path(path).resolve() == here]
    return (same + moved or [None])[0]


def _next_run(connection: duckdb.DuckDBPyConnection) -> int:
    row = connection.execute("SELECT coalesce(max(run), 0) + 1 FROM run").fetchone()
    return int(row[0]) if row else 1


def _slug(connection: duckdb.DuckDBPyConnection, source: Source, description: Description) -> str:
    """Short name for addresses: the folder's, or that of the folder with profile.toml in it."""
    path = source.path.resolve()
    beside = description.path is not None and description.path.resolve().parent == path.parent
    name = path.parent.name if beside else path.name.removesuffix(".d")
    base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"
    taken = {row[0] for row in connection.execute("SELECT slug FROM run").fetchall()}
    return next(s for s in _numbered(base) if s not in taken)


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1


def _check_hardware(connection: duckdb.DuckDBPyConnection, description: Description) -> None:
    if not description.hardware:
        return
    names = [row[0] for row in connection.execute("SELECT name FROM hardware").fetchall()]
    if description.hardware not in names:
        raise UsageError(f"{description.path}: unknown hardware {description.hardware!r}",
                         hint=f"known are {', '.join(sorted(names))}")


def _delete(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    with _translated("the former run"):
        for table in RUN_TABLES:
            connection.execute(f"DELETE FROM {table} WHERE run = $run", {"run": run})  # noqa: S608


def _insert_run(connection: duckdb.DuckDBPyConnection, run: int, slug: str, source: Source,
                description: Description, hashes: list[str], digest: str) -> None:
    inputs = [
        {"name": f.path.name, "bytes": f.bytes, "sha256": h, "format_version": f.format_version}
        for f, h in zip(source.files, hashes, strict=True)
    ]
    row = pa.Table.from_pylist([{
        "run": run, "slug": slug, "path": str(source.path), "digest": digest, "files": inputs,
        "tool": source.tool, "format_version": source.format_version,
        "title": description.title or source.title or slug,
        "description": description.description or source.description,
        "hardware": description.hardware or None, "notes": description.notes or None,
        "warnings": list(source.warnings),
    }])
    _insert(connection, "run", row, "SELECT * FROM rows")
    if description.settings:
        settings = [{"run": run, "key": k, "value": v} for k, v in description.settings.items()]
        _insert(connection, "setting", pa.Table.from_pylist(settings), "SELECT * FROM rows")


def _insert_tables(connection: duckdb.DuckDBPyConnection, run: int, source: Source) -> None:
    for name, table in source.tables.items():
        _insert(connection, name, table, f"SELECT {run:d} AS run, * FROM rows")  # noqa: S608


def _insert_stream(connection: duckdb.DuckDBPyConnection, run: int, name: str, stream: Stream,
                   source: Source, progress: Progress) -> int:
    """Insert a stream's batches as they come; returns the number of rows."""
    progress.start(f"{source.path.name}: {name}", stream.rows)
    failed: list[BaseException] = []
    reader = pa.RecordBatchReader.from_batches(
        stream.schema, _watched(stream.batches, progress, failed))
    try:
        _insert(connection, name, reader, f"SELECT {run:d} AS run, * FROM rows")  # noqa: S608
    except duckdb.Error:
        # DuckDB wraps what the reader raised; the reader's own error says more.
        if failed:
            raise failed[0] from None
        raise
    return stream.rows


def _watched(batches: Callable[[], Iterator[pa.RecordBatch]], progress: Progress,
             failed: list[BaseException]) -> Iterator[pa.RecordBatch]:
    try:
        for batch in batches():
            yield batch
            progress.advance(batch.num_rows)
    except InputError as problem:
        failed.append(problem)
        raise


def _insert(connection: duckdb.DuckDBPyConnection, table: str,
            rows: pa.Table | pa.RecordBatchReader, select: str) -> None:
    connection.register("rows", rows)
    try:
        connection.execute(f"INSERT INTO {table} BY NAME {select}")  # noqa: S608
    finally:
        connection.unregister("rows")
