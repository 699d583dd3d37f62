"""Rows of one run into the tables of a store, within the caller's transaction."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import duckdb
import pyarrow as pa

from perfolio.common.errors import PerfolioError
from perfolio.common.progress import Progress
from perfolio.readers.model import BATCH_ROWS, Source, Stream
from perfolio.readers.program_command import RECORDED
from perfolio.readers.run_description import CLAIMS
from perfolio.store.model_catalog import list_tables_of_runs
from perfolio.store.run_identity import RunCandidate, is_generic, make_title
from perfolio.store.run_lookup import HOSTS

_INTERPRETER = re.compile(r"(?:python|pypy|perl|ruby|java|julia|node|[Rr]script|bash|sh)[\d.]*")
"""Programs that run others: their name tells no run from another."""


def delete_run(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    """Remove every row of a run."""
    for table in list_tables_of_runs():
        connection.execute(f"DELETE FROM {table} WHERE run = $run", {"run": run})  # noqa: S608 - constants


def _choose_title(title: str) -> str:
    """The title of a source, empty where many runs have it."""
    return "" if _INTERPRETER.fullmatch(title) or is_generic(title) else title


def insert_run(
    connection: duckdb.DuckDBPyConnection, run: int, slug: str, candidate: RunCandidate
) -> None:
    """Insert the rows of tables run, setting and attachment."""
    if settings := {**_collect_settings(candidate.source), **candidate.description.settings}:
        rows = [{"run": run, "key": key, "value": value} for key, value in settings.items()]
        _insert_rows(connection, "setting", pa.Table.from_pylist(rows), "SELECT * FROM rows")
    describe_run(connection, run, slug, candidate)


def _collect_settings(source: Source) -> dict[str, str]:
    """What the tool says of the GPUs, how many ranks ran, and how it began, as settings."""
    memory = str(source.device_memory) if source.device_memory > 0 else ""
    ranks = str(source.ranks) if source.ranks > 0 else ""
    said = {
        "device.name": source.device,
        "device.memory": memory,
        "run.ranks": ranks,
        RECORDED: source.command,
    }
    return {key: value for key, value in said.items() if value}


def describe_run(
    connection: duckdb.DuckDBPyConnection, run: int, slug: str, candidate: RunCandidate
) -> None:
    """Put what is said of a run in place of what was: its rows of tables run and attachment."""
    for table in ("run", "attachment"):
        connection.execute(f"DELETE FROM {table} WHERE run = $run", {"run": run})  # noqa: S608 - constants
    row = _make_run_row(run, slug, candidate, _find_hardware(connection, candidate.source.device))
    _insert_rows(connection, "run", pa.Table.from_pylist([row]), "SELECT * FROM rows")
    if kept := [
        {"run": run, "name": name, "content": content}
        for name, content in _list_attachments(candidate)
    ]:
        _insert_rows(connection, "attachment", pa.Table.from_pylist(kept), "SELECT * FROM rows")


def _list_attachments(candidate: RunCandidate) -> Iterator[tuple[str, str]]:
    """Names and contents of texts that are kept: claims, and the names of machines."""
    if candidate.description.claims:
        yield CLAIMS, candidate.description.claims
    if candidate.source.hosts:
        yield HOSTS, json.dumps(dict(candidate.source.hosts), ensure_ascii=False)


def _find_hardware(connection: duckdb.DuckDBPyConnection, device: str) -> str | None:
    """The device of table hardware that a driver calls so."""
    sql = "SELECT hardware FROM device_name WHERE device = $device"
    found = connection.execute(sql, {"device": device}).fetchall()
    return str(found[0][0]) if found else None


def _make_run_row(
    run: int, slug: str, candidate: RunCandidate, hardware: str | None
) -> dict[str, object]:
    """The row of table run; `hardware` is for where profile.toml names none."""
    source, description = candidate.source, candidate.description
    inputs = [
        {"name": f.path.name, "bytes": f.bytes, "sha256": h, "format_version": f.format_version}
        for f, h in zip(source.files, candidate.hashes, strict=True)
    ]
    return {
        "run": run,
        "slug": slug,
        "path": str(source.path),
        "place": candidate.place,
        "digest": candidate.digest,
        "content": candidate.content,
        "files": inputs,
        "tool": source.tool,
        "format_version": source.format_version,
        "title": description.title or _choose_title(source.title) or make_title(candidate, slug),
        "description": description.description or source.description,
        "hardware": description.hardware or hardware,
        "notes": description.notes or None,
        "warnings": list(source.warnings),
    }


def insert_table(
    connection: duckdb.DuckDBPyConnection, run: int, name: str, table: pa.Table
) -> None:
    """Insert a table that is in memory.

    In batches of what DuckDB compresses as one: rows that fill no row group are compressed
    once more by the checkpoint, by one thread. As a stream, whose rows are let go as they are
    stored: DuckDB holds a table that was registered until the transaction ends.
    """
    batches = table.combine_chunks().to_batches(BATCH_ROWS)
    rows = pa.RecordBatchReader.from_batches(table.schema, iter(batches))
    del table, batches
    _insert_rows(connection, name, rows, f"SELECT {run:d} AS run, * FROM rows")  # noqa: S608 - a number


def insert_stream(
    connection: duckdb.DuckDBPyConnection, run: int, name: str, stream: Stream, progress: Progress
) -> None:
    """Insert a stream's batches as they come.

    Raises what the source raised where its bytes turn out to be damaged.
    """
    failed: list[PerfolioError | KeyboardInterrupt] = []
    reader = pa.RecordBatchReader.from_batches(
        stream.schema, _watch_batches(stream, progress, failed)
    )
    try:
        _insert_rows(connection, name, reader, f"SELECT {run:d} AS run, * FROM rows")  # noqa: S608 - a number
    except duckdb.Error:
        # DuckDB wraps what the reader raised; the reader's own error says more.
        if failed:
            raise failed[0] from None
        raise


def _watch_batches(
    stream: Stream, progress: Progress, failed: list[PerfolioError | KeyboardInterrupt]
) -> Iterator[pa.RecordBatch]:
    try:
        for batch in stream.batches():
            yield batch
            progress.advance(batch.num_rows)
    except (PerfolioError, KeyboardInterrupt) as problem:
        failed.append(problem)
        raise


def _insert_rows(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    rows: pa.Table | pa.RecordBatchReader,
    select: str,
) -> None:
    connection.register("rows", rows)
    connection.execute(f"INSERT INTO {table} BY NAME {select}")
    # Not after an error: nothing runs in an aborted transaction, and it would hide the error.
    connection.unregister("rows")
