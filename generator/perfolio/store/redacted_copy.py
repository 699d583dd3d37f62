"""A copy of a store in which texts of a run stand otherwise, and all that follows from them.

In:  a store, a run, and what says a text in other words. Out: where the copy is, or the store.

Names are shortened and taken apart by models and queries: what is to be hidden goes before. Paths
of files and modules stay, since they decide what is a library: who writes them hides them himself.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import UsageError
from perfolio.readers.program_command import RECORDED
from perfolio.store.database import open_store
from perfolio.store.derived_tables import derive
from perfolio.store.ingest import run_transaction
from perfolio.store.model_catalog import find_source_tables, list_kept_models
from perfolio.store.run_lookup import HOSTS, read_attachment

Told = Callable[[str], str]
GIVEN = frozenset({"gpu_context", "gpu_stream", "gpu_operation", "trace_line", "cpu_time"})
"""Kept models whose rows a source may have given: they are not made again."""
SAID = frozenset({"file", "module", "run", "setting", "attachment"})
"""Tables of paths, and of what documents say of a run: documents hide it."""
_OPERATIONS = """
    UPDATE main.gpu_context SET words = function.name
    FROM main.context, main.function, words
    WHERE gpu_context.run = $run AND context.run = $run AND function.run = $run
        AND context.id = gpu_context.context AND function.id = context.function
        AND function.name = words.new AND gpu_context.words <> gpu_context.operation
"""
_DELETE_HOSTS = "DELETE FROM main.attachment WHERE run = $run AND name = $name"
_COMMANDS = "SELECT 1 FROM main.setting WHERE run = $run AND key = $key"
_DELETE_COMMAND = "DELETE FROM main.setting WHERE run = $run AND key = $key"
_TEXTS = """
    SELECT table_name, column_name FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = 'main' AND data_type = 'VARCHAR'
    ORDER BY table_name, column_index
"""


def list_texts_of_run(connection: duckdb.DuckDBPyConnection, run: int) -> Iterator[tuple[str, str]]:
    """Every text of a run with its table; those of a column each once."""
    for table, column in _list_text_columns(connection):
        yield from ((table, text) for text in _read_texts(connection, run, table, column))


@contextmanager
def redact_store(
    connection: duckdb.DuckDBPyConnection, store: Path, run: int, told: Told, *, paths: bool = False
) -> Iterator[Path]:
    """The store, or a copy where a text of the run has other words; with `paths`, also in paths.

    A copy has no names of machines, nor the command of the program.

    Raises UsageError for a folder of exported runs that has such a text.
    """
    changed = {
        (table, column): words
        for table, column in _list_text_columns(connection)
        if (paths or table not in SAID)
        and (words := _find_changed_texts(_read_texts(connection, run, table, column), told))
    }
    command = {"run": run, "key": RECORDED}
    told_of = (
        read_attachment(connection, run, HOSTS) or connection.execute(_COMMANDS, command).fetchone()
    )
    if not changed and not (paths and told_of):
        yield store
        return
    if store.is_dir():
        raise UsageError(
            f"{store}: its names hold what is private, and exported runs stay as they are",
            hint="give the store, or the profile",
        )
    with make_temporary_folder() as folder:
        place = folder / "renamed.duckdb"
        _copy_files(store, place)
        with open_store(place, read_only=False) as copy, run_transaction(copy, str(store)):
            copy.execute(_DELETE_HOSTS, {"run": run, "name": HOSTS})
            copy.execute(_DELETE_COMMAND, command)
            _rename_texts(copy, run, changed)
            derive(copy, run)
        yield place


def _list_text_columns(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """Columns of texts of what a source gives."""
    given = {name for name, of_runs in find_source_tables().items() if of_runs} | GIVEN
    return [(t, c) for t, c in connection.execute(_TEXTS).fetchall() if t in given]


def _read_texts(
    connection: duckdb.DuckDBPyConnection, run: int, table: str, column: str
) -> Iterator[str]:
    sql = f'SELECT DISTINCT "{column}" FROM main."{table}" WHERE run = $run'  # noqa: S608 - names of ours
    rows = connection.execute(sql, {"run": run}).fetchall()
    return iter(sorted(text for (text,) in rows if text))


def _find_changed_texts(texts: Iterator[str], told: Told) -> dict[str, str]:
    return {text: words for text in texts if (words := told(text)) != text}


def _copy_files(store: Path, place: Path) -> None:
    for suffix in ("", ".wal"):
        if (part := store.with_name(store.name + suffix)).is_file():
            shutil.copyfile(part, place.with_name(place.name + suffix))


def _rename_texts(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    changed: Mapping[tuple[str, str], Mapping[str, str]],
) -> None:
    for (table, column), words in changed.items():
        rows = pa.table({"old": list(words), "new": list(words.values())})
        connection.register("words", rows)
        connection.execute(
            f'UPDATE main."{table}" SET "{column}" = words.new FROM words '  # noqa: S608 - names of ours
            f'WHERE run = {run:d} AND "{column}" = words.old'
        )
        connection.unregister("words")
    _rename_operations(connection, run, changed.get(("function", "name"), {}))
    for model in list_kept_models():
        if model.name not in GIVEN:
            connection.execute(f'DELETE FROM main."{model.name}" WHERE run = {run:d}')  # noqa: S608 - names of ours


def _rename_operations(
    connection: duckdb.DuckDBPyConnection, run: int, names: Mapping[str, str]
) -> None:
    """Short names that a source gave: of `/raid/alice/secret` it is `secret`, which is no path."""
    if not names:
        return
    connection.register("words", pa.table({"new": sorted(set(names.values()))}))
    connection.execute(_OPERATIONS, {"run": run})
    connection.unregister("words")
