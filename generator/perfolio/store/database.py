"""Opening and creating store files.

A store may come from anyone: no view or macro in it is run before it is known to be ours. It could
compute anything, under the name of any of ours or of DuckDB's. So only functions of the system are
asked what a file defines, by their full names, before all of it is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import duckdb

from perfolio import __version__
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import files_digest, reload_when_edited
from perfolio.common.errors import StoreError
from perfolio.common.processes import count_workers
from perfolio.readers import engine_step_names, kernel_rules
from perfolio.readers.own_files import is_export
from perfolio.store.connections import (
    limit_to_folder,
    open_connection,
    open_in_memory,
    open_to_read,
    resolve_address,
)
from perfolio.store.model_catalog import SCHEMA, forget_models, list_kept_models
from perfolio.store.parquet_export import attach_runs
from perfolio.store.wrong_inputs import make_store_error

_HERE = Path(__file__).parent
SCHEMA_VERSION = 3
_SMALL = 20_000_000
"""Bytes of a store that two threads may query at once."""
REFERENCES = {
    "hardware": _HERE / "hardware.csv",
    "device_name": _HERE / "devices.csv",
    "phase_pattern": _HERE / "phases.csv",
    "fusable_pattern": _HERE / "fusable.csv",
    "operator_pattern": _HERE / "operators.csv",
    "operation_pattern": _HERE / "operations.csv",
    "kernel_pattern": kernel_rules.FILE,
    "engine_step_pattern": engine_step_names.FILE,
    "published_run": _HERE / "published.csv",
    "device_memory": _HERE / "memory.csv",
}
_CATALOG_COLUMNS = {
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


def open_store(
    path: Path, *, read_only: bool = True, reproducible: bool = False
) -> duckdb.DuckDBPyConnection:
    """Open an existing store. Raises StoreError when it is missing, foreign, newer or locked.

    Who only reads waits for a process of ours that writes to it.

    `reproducible`: the same query gives the same result to the last bit. Threads add
    floating-point numbers in the order in which they happen to finish, so there is one.

    A folder of exported runs is opened like a store (`parquet_export`).
    """
    if path.is_dir() and is_export(path):
        return _open_export(path, reproducible=reproducible)
    if not path.is_file():
        raise make_store_error(path)
    connection = open_to_read(path) if read_only else open_connection(path, read_only=False)
    try:
        if reproducible:
            connection.execute("SET threads = 1")
        if read_only:  # what ingests sets the number of threads
            connection.execute("SET lock_configuration = true")
        _check_ours(connection, path)
    except StoreError:
        connection.close()
        raise
    return connection


@contextmanager
def open_beside(
    connection: duckdb.DuckDBPyConnection, store: Path
) -> Iterator[duckdb.DuckDBPyConnection | None]:
    """A second connection to a store that is read, for a second thread.

    None where one processor does all, and where half of the memory may be too little.
    """
    if count_workers(2) < 2 or not is_small(store):
        yield None
        return
    with closing(connection.cursor()) as beside:
        yield beside


def is_small(store: Path) -> bool:
    """Whether what is made of its runs takes little memory."""
    return store.is_file() and store.stat().st_size <= _SMALL


def _open_export(folder: Path, *, reproducible: bool) -> duckdb.DuckDBPyConnection:
    """Nothing of the folder is read before its files are all that the connection reaches."""
    resolve_address(folder.resolve(), barred="*")  # of several folders
    connection = open_in_memory()
    try:
        create_schema(connection)
        limit_to_folder(connection, folder)
        attach_runs(connection, folder.resolve(), get_edition())
    except StoreError:
        connection.close()
        raise
    if reproducible:
        connection.execute("SET threads = 1")
    connection.execute("SET lock_configuration = true")
    return connection


def get_edition() -> dict[str, str]:
    """What stores and exports say of the version that made them."""
    return {
        "schema_version": str(SCHEMA_VERSION),
        "perfolio_version": __version__,
        "definition": get_definition_hash(),
    }


def create_store(path: Path, reach: Path | None = None) -> duckdb.DuckDBPyConnection:
    """Create an empty store at `path`, which must not exist.

    With `reach`, its connection may attach the files of that folder, and no others.

    Stores are copied from a template in the user's cache, which the first one becomes. Raises
    OSError or StoreError where `path` cannot be written.
    """
    cache, key = Cache("stores"), _make_template_key()
    template = cache.load(key)
    if template is not None and (copied := _copy_template(template, path, reach)):
        return copied
    with open_connection(path, read_only=False) as connection:
        create_schema(connection)
    cache.keep(key, path.read_bytes())
    return open_connection(path, read_only=False, reach=reach)


def _make_template_key() -> str:
    return make_key(get_definition_hash(), __version__, duckdb.__version__, *_read_code())


def _read_code() -> list[bytes]:
    names = ("database.py", "connections.py")
    return [(_HERE / name).read_bytes() for name in names]


def _copy_template(
    template: bytes, path: Path, reach: Path | None
) -> duckdb.DuckDBPyConnection | None:
    """The store at `path` made from `template`; None, and no file, where that is no store."""
    path.write_bytes(template)
    with suppress(StoreError):
        connection = open_connection(path, read_only=False, reach=reach)
        try:
            _check_version(connection, path)
        except StoreError:
            connection.close()
            raise
        return connection
    path.unlink()
    return None


def create_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of a store, also of models that it keeps, and fill the reference tables.

    In one transaction: there are hundreds of statements, and each alone would wait for the disk.
    """
    connection.execute("BEGIN TRANSACTION")
    connection.execute((_HERE / SCHEMA).read_text("utf-8"))
    for model in list_kept_models():
        connection.execute("; ".join((model.definition, *model.comments)))
    connection.executemany(
        "INSERT INTO store_info VALUES (?, ?)",
        list(get_edition().items()),
    )
    load_references(connection)
    connection.execute("COMMIT")


def get_definition_hash() -> str:
    """Names the tables, models and reference rows of this version: a hash of their files."""
    return _compute_definition_hash()


@reload_when_edited(_HERE, kernel_rules.FILE, engine_step_names.FILE)
def _compute_definition_hash(path: Path) -> str:
    forget_models()  # the hash names those that are used
    own = files_digest(path, kinds=(".sql", ".csv"))
    beside = (file.read_text("utf-8") for file in (kernel_rules.FILE, engine_step_names.FILE))
    patterns = (rule.pattern for rule in kernel_rules.load_kernel_rules())
    return make_key(own, *beside, *patterns)[:16]


def load_references(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill the tables that are content of Perfolio, each from its CSV file."""
    from io import BytesIO

    import pyarrow.csv

    for table, file in REFERENCES.items():
        options = pyarrow.csv.ConvertOptions(
            strings_can_be_null=True, include_columns=connection.table(table).columns
        )
        rows = pyarrow.csv.read_csv(BytesIO(file.read_bytes()), convert_options=options)
        connection.register("reference_rows", rows)
        connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM reference_rows")  # noqa: S608 - constants
        connection.unregister("reference_rows")


def _check_ours(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise StoreError unless the file is a store of this version, and nothing else is in it."""
    try:
        defined = _list_definitions(connection)
    except duckdb.Error as problem:
        raise StoreError(f"{path}: cannot be read: {problem}") from problem
    if not _has_table(defined, "store_info"):
        raise StoreError(
            f"{path}: this DuckDB file is no store of Perfolio", hint="give another --store"
        )
    _check_version(connection, path)
    if _compute_fingerprint(defined) not in _find_own_fingerprints(_make_template_key()):
        raise StoreError(
            f"{path}: its tables, views or macros are not those of Perfolio {__version__} "
            f"with DuckDB {duckdb.__version__}",
            hint="ingest the profiles into a new store",
        )


@cache
def _find_own_fingerprints(key: str) -> frozenset[str]:
    """Fingerprints of a store: new, and after a change, when DuckDB has written it again."""
    return frozenset(Cache("catalogues").get(key, _compute_own_fingerprints).decode().split())


def _compute_own_fingerprints() -> bytes:
    found: list[str] = []
    with make_temporary_folder() as folder:
        path = folder / "store.duckdb"
        create_store(path).close()
        for _ in range(2):
            with open_connection(path, read_only=False) as connection:
                found.append(_compute_fingerprint(_list_definitions(connection)))
                connection.execute("INSERT INTO store_info VALUES ('changed', '')")
                connection.execute("DELETE FROM store_info WHERE key = 'changed'")
                connection.execute("FORCE CHECKPOINT")
    return " ".join(found).encode()


def _check_version(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    try:
        info = dict(connection.execute("SELECT key, value FROM store_info").fetchall())
    except duckdb.Error as problem:
        raise StoreError(
            f"{path}: this DuckDB file is no store of Perfolio", hint="give another --store"
        ) from problem
    version = str(info.get("schema_version", ""))
    if not re.fullmatch("[0-9]{1,9}", version):
        raise StoreError(f"{path}: the store does not say its schema version")
    if int(version) > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: schema {version} is newer than {SCHEMA_VERSION}",
            hint="update Perfolio, or ingest the profiles into another store",
        )
    if int(version) < SCHEMA_VERSION or info.get("definition") != get_definition_hash():
        made_by = info.get("perfolio_version", "?")
        raise StoreError(
            f"{path}: made by Perfolio {made_by}, whose tables or views differ from these",
            hint="ingest the profiles into a new store",
        )


def _list_definitions(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Each object of the file: kind, schema, name, definition."""
    return sorted(_read_definitions(connection))


def _compute_fingerprint(defined: list[str]) -> str:
    """Names these definitions."""
    return sha256("\n".join(defined).encode("utf-8", "surrogatepass")).hexdigest()


def _has_table(defined: list[str], name: str) -> bool:
    """Whether there is a table of this name, of columns that hold what was stored in them."""
    start = repr(("tables", "main", name))[:-1]
    return any(one.startswith(start) and "GENERATED" not in one for one in defined)


def _read_definitions(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    for kind, columns in _CATALOG_COLUMNS.items():
        asked = f"SELECT {columns} FROM system.main.duckdb_{kind}() WHERE {_OF_THE_FILE}"  # noqa: S608 - constants
        with suppress(duckdb.CatalogException):  # DuckDB 1.5 has no triggers
            yield from (repr((kind, *row)) for row in connection.execute(asked).fetchall())
