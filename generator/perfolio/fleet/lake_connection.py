"""The tables of a lake as views of DuckDB.

In:  a lake. Out: a connection on which each table has its name, with the columns of this version
     and `month`; files of an earlier version give NULL for columns that they lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import duckdb

from perfolio.common.errors import BusyError, QueryError, StoreError
from perfolio.fleet.lake import COMPACTED, Lake
from perfolio.fleet.lake_tables import SCHEMA_FILE, load_table_schemas
from perfolio.store.connections import limit_to_folder, open_in_memory
from perfolio.store.parquet_export import quote_path

MACROS_FILE = Path(__file__).parent / "macros.sql"
"""What several questions count by."""
MEMORY = "900MB"
"""What a question may take, at most."""
_TRIES = 5
T = TypeVar("T")


@contextmanager
def open_lake(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the tables of the lake.

    Raises StoreError where a file is damaged, and BusyError where a compaction removed files that
    are read here or in the block.
    """
    connection, files = _open_views(lake)
    with connection:
        try:
            yield connection
        except (duckdb.Error, StoreError, QueryError) as problem:
            if isinstance(problem.__cause__ or problem, duckdb.IOException) and _is_gone(files):
                raise _make_busy_error(lake) from problem
            raise


def ask_lake(lake: Lake, ask: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
    """What a function says of a lake that is open: asked again where a compaction ends meanwhile.

    Raises as `open_lake` and the function do.
    """
    for _ in range(_TRIES - 1):
        with suppress(BusyError), open_lake(lake) as connection:
            return ask(connection)
    with open_lake(lake) as connection:
        return ask(connection)


def _open_views(lake: Lake) -> tuple[duckdb.DuckDBPyConnection, list[Path]]:
    """A connection with the tables, and their files; listed again where some are gone by then."""
    for _ in range(_TRIES):
        tables = lake.list_table_files(load_table_schemas())
        files = [path for paths in tables.values() for path in paths]
        _check_merged_once(lake, files)
        with ExitStack() as stack:
            connection = stack.enter_context(open_in_memory())
            try:
                _make_views(connection, tables)
            except duckdb.Error as problem:
                if _is_gone(files):
                    continue
                raise StoreError(f"{lake.root}: a file is damaged: {problem}") from problem
            limit_to_folder(connection, lake.root)
            stack.pop_all()
            return connection, files
    raise _make_busy_error(lake)


def _check_merged_once(lake: Lake, files: Iterable[Path]) -> None:
    """Raise StoreError where a month of a table was merged into two files: rows count twice.

    A compaction leaves one; a copy of the lake over an earlier one may have both.
    """
    merged = Counter(path.parts[-3:-1] for path in files if path.name.startswith(COMPACTED))
    if any(count > 1 for count in merged.values()):
        raise StoreError(
            f"{lake.root}: has files from before and after a compaction",
            hint="copy the lake there again with an option that removes old files, as --delete",
        )


def _is_gone(files: Iterable[Path]) -> bool:
    return not all(path.is_file() for path in files)


def _make_busy_error(lake: Lake) -> BusyError:
    return BusyError(f"{lake.root}: was compacted while it was read", hint="ask again")


def _make_views(
    connection: duckdb.DuckDBPyConnection, tables: Mapping[str, Sequence[Path]]
) -> None:
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    connection.execute("CREATE SCHEMA definition; USE definition")
    connection.execute(SCHEMA_FILE.read_text(encoding="utf-8"))
    connection.execute("USE main")
    for table, files in tables.items():
        _make_view(connection, table, files)
    connection.execute(MACROS_FILE.read_text(encoding="utf-8"))


def _make_view(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[Path]) -> None:
    """The rows of a table, with types as in schema.sql, by which files that lack a column fit."""
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
