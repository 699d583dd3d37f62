"""What a DuckDB file defines: its tables, views, macros and types, each as DuckDB prints it.

In:  a connection. Out: the definitions, and a fingerprint of them.

A view or macro of a stranger's store could compute anything, under the name of any of ours or
of DuckDB's: nothing of a store is run before this has told that all of it is ours. So only
functions of the system are asked, by their full names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

import duckdb

_KINDS = {
    "schemas": "schema_name",
    "tables": "schema_name, table_name, sql",
    "views": "schema_name, view_name, sql",
    "functions": (
        "schema_name, function_name, function_type, parameters, parameter_types, macro_definition"
    ),
    "types": "schema_name, type_name, logical_type, labels",
    "indexes": "schema_name, index_name, sql",
    "sequences": "schema_name, sequence_name, sql",
    "triggers": "schema_name, table_name, trigger_name, sql",
}
_OF_THE_FILE = "database_name <> 'system' AND database_name <> 'temp'"
"""Not of the databases that each connection has besides; no file can take their names.

Comparisons and AND are no functions by name, which a file could hide by its own. It spares the
objects of some thousand functions.
"""


def list_definitions(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Each object of the file: kind, schema, name, definition."""
    return sorted(_read_definitions(connection))


def compute_fingerprint(defined: list[str]) -> str:
    """Names these definitions."""
    return sha256("\n".join(defined).encode("utf-8", "surrogatepass")).hexdigest()


def has_table(defined: list[str], name: str) -> bool:
    """Whether there is a table of this name, of columns that hold what was stored in them."""
    start = repr(("tables", "main", name))[:-1]
    return any(one.startswith(start) and "GENERATED" not in one for one in defined)


def _read_definitions(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    for kind, columns in _KINDS.items():
        asked = f"SELECT {columns} FROM system.main.duckdb_{kind}() WHERE {_OF_THE_FILE}"  # noqa: S608 - constants
        with suppress(duckdb.CatalogException):  # DuckDB 1.5 has no triggers
            yield from (repr((kind, *row)) for row in connection.execute(asked).fetchall())
