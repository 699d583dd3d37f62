"""Runs as folders of Parquet files: `DIR/run=NAME/TABLE.parquet`, one file for each table of a run.

In:  a store. Out: its runs in such folders, and a connection to a folder of them, on which the same
     models and metrics work as on a store.

A run is what can be moved, kept and read apart: other programs read the files as they are. A folder
may come from anyone, so its connection reaches no other file, and a table has the columns of this
version or is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from perfolio.common.atomic_folders import replace_whole_tree
from perfolio.common.errors import OutputError, StoreError
from perfolio.readers.own_files import EXPORTED
from perfolio.store.model_catalog import list_tables_of_runs

if TYPE_CHECKING:
    import pyarrow as pa

MADE_BY = b"perfolio"
"""Key of the metadata of each file: what stored the run."""
BATCH_ROWS = 122_880
_MAY_LACK = {"hardware", "notes"}
"""Columns of table `run` that may be NULL."""
_HINT = "export the runs again with: perfolio ingest PATH --store FILE.duckdb --export DIR"


def export_runs(
    connection: duckdb.DuckDBPyConnection,
    runs: Mapping[int, str],
    folder: Path,
    edition: Mapping[str, str],
) -> list[Path]:
    """Write runs, by number and short name, below `folder`: each appears whole or not at all.

    Raises OutputError where a folder of that name is no export, or nothing can be written.
    """
    written = []
    for run, slug in runs.items():
        place = folder / f"{EXPORTED}{slug}"
        if place.exists() and not (place / "run.parquet").is_file():
            raise OutputError(f"{place}: is there, and no export", hint="choose another --export")
        try:
            with replace_whole_tree(place) as partial:
                for table in list_tables_of_runs():
                    _write_table(connection, run, table, partial / f"{table}.parquet", edition)
        except OSError as problem:
            raise OutputError(
                f"{place}: cannot be written: {problem.strerror or problem}",
                hint="choose another --export",
            ) from problem
        written.append(place)
    return written


def _write_table(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    table: str,
    path: Path,
    edition: Mapping[str, str],
) -> None:
    import pyarrow.parquet as pq

    sql = f'SELECT * EXCLUDE (run) FROM main."{table}" WHERE run = {run:d}'  # noqa: S608 - names of ours
    reader = connection.sql(sql).to_arrow_reader(BATCH_ROWS)
    schema: pa.Schema = reader.schema.with_metadata({MADE_BY: json.dumps(dict(edition))})
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)


def attach_runs(
    connection: duckdb.DuckDBPyConnection, folder: Path, edition: Mapping[str, str]
) -> None:
    """Put views on the runs below `folder` in the place of the empty tables of a new store.

    Raises StoreError where a file is of another version, damaged, or lacks columns.
    """
    places = sorted(found.parent for found in folder.glob(f"{EXPORTED}*/run.parquet"))
    for place in places:
        _check_edition(place / "run.parquet", edition)
        _check_name(place)
    for table in list_tables_of_runs():
        expected = _read_schema(connection, table)
        for place in places:
            _check_columns(place / f"{table}.parquet", expected)
        columns = connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns()"
            " WHERE table_name = $table AND column_name <> 'run' ORDER BY column_index",
            {"table": table},
        ).fetchall()
        try:
            connection.execute(f'DROP TABLE main."{table}"')
            connection.execute(_format_view(table, columns, places))
        except duckdb.Error as problem:
            raise StoreError(f"{folder}: table {table}: {problem}", hint=_HINT) from problem


def _read_schema(connection: duckdb.DuckDBPyConnection, table: str) -> pa.Schema:
    sql = f'SELECT * EXCLUDE (run) FROM main."{table}" LIMIT 0'  # noqa: S608 - names of ours
    return connection.sql(sql).to_arrow_table().schema


def _check_edition(path: Path, edition: Mapping[str, str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = (pq.read_schema(path).metadata or {}).get(MADE_BY)
    except (OSError, pa.ArrowException) as problem:
        raise StoreError(f"{path}: cannot be read: {problem}", hint=_HINT) from problem
    if _parse_edition(found) != dict(edition):
        raise StoreError(f"{path}: exported by another version of Perfolio", hint=_HINT)


def _check_name(place: Path) -> None:
    """Raise StoreError unless table `run` has one row, whole, that is called like its folder."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = place / "run.parquet"
    try:
        rows = pq.read_table(path).to_pylist()
    except (OSError, pa.ArrowException) as problem:
        raise StoreError(f"{path}: cannot be read: {problem}", hint=_HINT) from problem
    if len(rows) != 1 or rows[0].get("slug") != place.name.removeprefix(EXPORTED):
        raise StoreError(f"{path}: is not of the one run that its folder is named by", hint=_HINT)
    missing = [name for name, value in rows[0].items() if value is None and name not in _MAY_LACK]
    if missing:
        raise StoreError(f"{path}: has no {', '.join(missing)}", hint=_HINT)


def _check_columns(path: Path, expected: pa.Schema) -> None:
    """Raise StoreError unless a file has the columns of a table, of its types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise StoreError(f"{path}: is no file", hint=_HINT)
    try:
        found = pq.read_schema(path)
    except (OSError, pa.ArrowException) as problem:
        raise StoreError(f"{path}: cannot be read: {problem}", hint=_HINT) from problem
    types = {field.name: field.type for field in found}
    wrong = [field.name for field in expected if types.get(field.name) != field.type]
    if wrong:
        raise StoreError(
            f"{path}: {', '.join(wrong)}: no such column, or of another type", hint=_HINT
        )


def _parse_edition(metadata: bytes | None) -> Any:
    try:
        return json.loads(metadata or b"null")
    except ValueError:
        return None


def _format_view(table: str, columns: Sequence[tuple[str, str]], places: Sequence[Path]) -> str:
    """The rows of a table of all runs, numbered from 1 in the order of their names."""
    chosen = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in columns)
    parts = (
        f"SELECT CAST({number:d} AS INTEGER) AS run, {chosen}"  # noqa: S608 - names of ours, paths quoted
        f" FROM read_parquet({quote_path(place / f'{table}.parquet')}, hive_partitioning = false)"
        for number, place in enumerate(places, 1)
    )
    return f'CREATE VIEW main."{table}" AS {" UNION ALL ".join(parts)}'


def quote_path(path: Path) -> str:
    """A path as SQL writes it."""
    return "'" + str(path).replace("'", "''") + "'"
