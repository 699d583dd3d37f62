"""The tables of a lake as views of DuckDB.

In:  a lake. Out: a connection on which each table has its name, with the columns of this version
     and `month`; files of an earlier version give NULL for columns that they lack.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from perfolio.common.errors import StoreError
from perfolio.fleet.lake import Lake
from perfolio.fleet.lake_tables import SCHEMA_FILE, load_table_schemas
from perfolio.store.connections import limit_to_folder, open_in_memory
from perfolio.store.parquet_export import quote_path

MACROS_FILE = Path(__file__).parent / "macros.sql"
"""What several questions count by."""
MEMORY = "900MB"
"""What a question may take, at most."""


@contextmanager
def open_lake(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the tables of the lake. Raises StoreError where a file is damaged."""
    with open_in_memory() as connection:
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        connection.execute("CREATE SCHEMA definition; USE definition")
        connection.execute(SCHEMA_FILE.read_text(encoding="utf-8"))
        connection.execute("USE main")
        try:
            for table in load_table_schemas():
                _make_view(connection, lake, table)
            connection.execute(MACROS_FILE.read_text(encoding="utf-8"))
        except duckdb.Error as problem:
            raise StoreError(f"{lake.root}: a file is damaged: {problem}") from problem
        limit_to_folder(connection, lake.root)
        yield connection


def _make_view(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str) -> None:
    """The rows of a table, with types as in schema.sql, by which files that lack a column fit."""
    files = lake.list_files(table)
    empty = f'SELECT *, NULL::VARCHAR AS month FROM definition."{table}" WHERE false'  # noqa: S608 - a name of ours
    if not files:
        connection.execute(f'CREATE VIEW "{table}" AS {empty}')
        return
    listed = ", ".join(map(quote_path, files))
    connection.execute(
        f'CREATE VIEW "{table}" AS {empty} UNION ALL BY NAME '  # noqa: S608 - quoted
        f'SELECT * EXCLUDE ("table") FROM read_parquet([{listed}], '
        "hive_partitioning = true, hive_types = {'month': VARCHAR}, union_by_name = true)"
    )
