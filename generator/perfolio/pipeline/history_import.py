"""Runs of a lake as entries of a series: those of one workload, by the day of their recording.

In:  a lake, and the name of a workload in it. Out: entries, in the order of recording.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import duckdb

from perfolio.common.errors import InputError, one_line
from perfolio.comparison.history.series_entry import HistoryEntry, make_entry
from perfolio.comparison.run_record import parse_record
from perfolio.fleet.lake import Lake
from perfolio.fleet.lake_connection import ask_lake

_RUNS = """
SELECT recorded, content FROM run JOIN document USING (run)
WHERE document.name = 'record' AND workload = ? AND recorded IS NOT NULL
ORDER BY recorded, run
"""
_WORKLOADS = "SELECT DISTINCT workload FROM run ORDER BY workload LIMIT 8"


def read_lake_entries(lake: Lake, workload: str) -> list[HistoryEntry]:
    """The entries; the day stands for the commit. Raises InputError where there are none."""

    def ask(connection: duckdb.DuckDBPyConnection) -> list[HistoryEntry]:
        found = connection.execute(_RUNS, [workload]).fetchall()
        if not found:
            known = ", ".join(name for (name,) in connection.execute(_WORKLOADS).fetchall())
            raise InputError(
                f"{lake.root}: has no run of {one_line(workload, 60)!r} with a date",
                hint=f"there are {one_line(known, 200)}",
            )
        return list(_make_entries(lake, found))

    return ask_lake(lake, ask)


def _make_entries(lake: Lake, rows: list[tuple[datetime, str]]) -> Iterator[HistoryEntry]:
    for recorded, content in rows:
        record = parse_record(content, f"{lake.root}: run of {recorded}")
        yield make_entry(record, recorded.date().isoformat(), recorded.isoformat())
