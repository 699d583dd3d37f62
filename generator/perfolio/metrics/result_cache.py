"""Metrics of runs that are not measured again while neither their content nor a query changes.

In:  a run of a store, and the project that keeps metrics, if any. Out: its metrics document.

Only for a store whose every row comes from an ingest: the content of a run is known by the digest
of its files, hardware and settings, and what a person writes into a store is not in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from perfolio.common.cache import Cache, make_key
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_document, make_records
from perfolio.metrics.run_measurement import evaluate

_CONTENT = "SELECT content FROM run WHERE run = $run"


@dataclass(frozen=True)
class ResultCache:
    """The metrics of a project's runs by one edition of the queries."""

    project: Path
    edition: str

    def take_records(
        self, connection: duckdb.DuckDBPyConnection, run: int, slug: str
    ) -> list[dict[str, Any]]:
        """The records of a run: as kept, else as measured now, and kept where none failed."""
        ((content,),) = connection.execute(_CONTENT, {"run": run}).fetchall()
        cache, key = Cache("metrics", self.project), make_key(self.edition, str(content))
        if (stored := cache.load(key, slug)) is not None:
            records: list[dict[str, Any]] = json.loads(stored)
            return records
        records = _measure_records(connection, run)
        if not any(record["status"] == "failed" for record in records):
            cache.keep(key, json.dumps(records).encode(), slug)
        return records


def measure_run(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    facts: Mapping[str, Any],
    cache: ResultCache | None = None,
    left_out: Collection[str] = (),
    beside: duckdb.DuckDBPyConnection | None = None,
) -> dict[str, Any]:
    """The content of metrics.json of a run with these facts, but for the metrics `left_out`.

    With `beside`, a second connection, and no cache, two threads measure: see `evaluate`.
    """
    if cache is None:
        return make_document(facts, _measure_records(connection, run, left_out, beside))
    return make_document(facts, cache.take_records(connection, run, str(facts["slug"])))


def _measure_records(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    left_out: Collection[str] = (),
    beside: duckdb.DuckDBPyConnection | None = None,
) -> list[dict[str, Any]]:
    catalog = {name: one for name, one in load_catalog().items() if name not in left_out}
    return make_records(evaluate(connection, run, catalog, beside))
