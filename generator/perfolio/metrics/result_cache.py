"""Metrics of runs that are not measured again while neither their content nor a query changes.

In:  a run of a store, and where metrics are kept, if anywhere. Out: its metrics document.

Only for a store whose every row comes from an ingest: the content of a run is known by the digest
of its files, hardware and settings, and what a person writes into a store is not in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from perfolio.common.cache import keep_content, load_kept, make_key
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_document, make_records
from perfolio.metrics.run_measurement import evaluate

_CONTENT = "SELECT content FROM run WHERE run = $run"


@dataclass(frozen=True)
class ResultCache:
    """A folder with the metrics of one edition of the queries."""

    folder: Path
    edition: str


def measure_run(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    facts: Mapping[str, Any],
    kept: ResultCache | None = None,
) -> dict[str, Any]:
    """The content of metrics.json of a run with these facts: as kept, else as measured now."""
    if kept is None:
        return make_document(facts, _measure_records(connection, run))
    ((content,),) = connection.execute(_CONTENT, {"run": run}).fetchall()
    key, path = make_key(kept.edition, str(content)), kept.folder / str(facts["slug"])
    held = _read_kept(path)
    if held.get("key") != key:
        held = {"key": key, "metrics": _measure_records(connection, run)}
        if not any(record["status"] == "failed" for record in held["metrics"]):
            keep_content(path, json.dumps(held).encode())
    return make_document(facts, held["metrics"])


def _measure_records(connection: duckdb.DuckDBPyConnection, run: int) -> list[dict[str, Any]]:
    return make_records(evaluate(connection, run, load_catalog()))


def _read_kept(path: Path) -> Mapping[str, Any]:
    found = load_kept(path)
    return json.loads(found) if found else {}
