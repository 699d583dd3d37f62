"""Connections to files of DuckDB, none of which reaches out.

Extensions are never installed or loaded by themselves, and a connection has no access to other
files from its beginning.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from perfolio.common.errors import BusyError, StoreError, one_line
from perfolio.common.file_locks import is_written, say_waiting
from perfolio.readers.own_files import is_duckdb
from perfolio.store.parquet_export import quote_path
from perfolio.store.wrong_inputs import make_store_error

_AGAIN = 0.1
"""Until a store that another process writes is looked at again [s]."""
MEMORY_LIMIT = "500MB"
STORAGE_VERSION = "v1.5.0"
"""Written so that DuckDB 1.5, which clusters still have, can open the file."""
_TO_WRITE = {"storage_compatibility_version": STORAGE_VERSION, "memory_limit": "350MB"}
"""Of what stores a run: what is read of it takes memory beside DuckDB's."""
_DAMAGED = duckdb.SerializationException, duckdb.FatalException, duckdb.Error
"""The last by itself is an error of a library that reads for DuckDB."""
_UNREAD = re.compile(r"Failed to read file|Could not read|[Cc]orrupt|[Cc]hecksum")
"""What DuckDB says of a damaged file in errors that it raises for other reasons, too."""
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "enable_external_access": False,
    "memory_limit": MEMORY_LIMIT,
    "asof_loop_join_threshold": 0,
}
"""Without loops in ASOF joins: DuckDB takes them where it expects few rows, and is often wrong:
then they take time by the product of both sides."""


def open_in_memory() -> duckdb.DuckDBPyConnection:
    """A connection to an empty database in memory, with access to files until it is confined."""
    return duckdb.connect(config=_CONFIG | {"enable_external_access": True})


def limit_to_folder(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Let a connection with access to all files have it to those of `folder` alone."""
    connection.execute(f"SET allowed_directories = [{quote_path(folder.resolve())}]")
    connection.execute("SET enable_external_access = false")


def open_to_read(path: Path) -> duckdb.DuckDBPyConnection:
    """A connection to read a store, after a process of ours that writes to it."""
    waits = False
    while True:
        writing = is_written(path)
        try:
            return open_connection(path, read_only=True)
        except BusyError:
            if not writing and not is_written(path):  # else it may have ended meanwhile
                raise
        if not waits:
            say_waiting(path.name)
            waits = True
        time.sleep(_AGAIN)


def open_connection(
    path: Path, *, read_only: bool, reach: Path | None = None
) -> duckdb.DuckDBPyConnection:
    """A connection to a file, which is made if it may be written; with `reach`, to a folder too.

    Raises StoreError where it cannot be, BusyError where another process uses the file.
    """
    config = _CONFIG | {"enable_external_access": reach is not None}
    if not read_only:
        config |= _TO_WRITE
    try:
        connection = duckdb.connect(resolve_address(path), read_only=read_only, config=config)
    except duckdb.IOException as problem:
        if "lock on file" not in str(problem):
            raise _make_open_error(path, problem) from problem
        raise BusyError(
            f"{path}: cannot be opened: another process uses it", hint="try again when it has ended"
        ) from problem
    except duckdb.Error as problem:
        raise _make_open_error(path, problem) from problem
    if reach is not None:
        limit_to_folder(connection, reach)
    return connection


def is_damage_error(problem: duckdb.Error) -> bool:
    """Whether an error is about a file that is not as it was written, and not about a query."""
    return type(problem) in _DAMAGED or bool(_UNREAD.search(str(problem)))


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Raise StoreError where a part of a store, or of exported runs, turns out to be damaged."""
    try:
        yield
    except duckdb.Error as problem:
        if not is_damage_error(problem):
            raise
        raise StoreError(
            f"{path}: cannot be read: {one_line(str(problem))}",
            hint="it is damaged: ingest the profile again",
        ) from problem


def resolve_address(path: Path, barred: str = "?\\") -> str:
    """The path as DuckDB takes it for that of a file. Raises StoreError where it does not.

    It takes `md:x` or `~x` for something else, but no whole path. In that of a store a question
    mark begins options and a backslash divides folders, wherever they stand.
    """
    whole = str(path.absolute())
    try:
        whole.encode()
    except UnicodeEncodeError as problem:
        raise StoreError(f"{str(path)!a}: the path is not UTF-8", hint="rename it") from problem
    if faulty := sorted(set(barred) & set(whole)):
        raise StoreError(f"{path}: DuckDB opens no path with a {faulty[0]} in it", hint="rename it")
    return whole


def _make_open_error(path: Path, problem: duckdb.Error) -> StoreError:
    if not is_duckdb(path):
        return make_store_error(path)
    return StoreError(
        f"{path}: cannot be opened: {problem}", hint="it may be another kind of file, or damaged"
    )
