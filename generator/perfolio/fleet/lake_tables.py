"""The tables of a lake, as schema.sql has them.

In:  nothing. Out: their columns as Arrow has them; rows as tables, written as Parquet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from perfolio.store.connections import open_in_memory

VERSION = 1
"""Of the tables: files of an earlier one give NULL for columns that they lack."""
SCHEMA_FILE = Path(__file__).parent / "schema.sql"
DOCUMENTS = "document"
"""The table whose rows are large, and that no question reads."""
Rows = Sequence[Mapping[str, Any]]


@cache
def load_table_schemas() -> Mapping[str, pa.Schema]:
    """The columns of each table, by its name."""
    with open_in_memory() as connection:
        connection.execute(SCHEMA_FILE.read_text(encoding="utf-8"))
        names = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
        return {name: _read_schema(connection, name) for name in names}


def _read_schema(connection: duckdb.DuckDBPyConnection, name: str) -> pa.Schema:
    schema: pa.Schema = connection.table(name).to_arrow_table().schema
    return schema


def make_table(name: str, rows: Rows) -> pa.Table:
    """Rows as a table of this name; a column that a row lacks is NULL there."""
    schema = load_table_schemas()[name]
    columns = [pa.array([row.get(field.name) for row in rows], type=field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table; equal tables make equal files."""
    pq.write_table(table, path, compression="zstd", store_schema=False)
