"""Small lakes, from rows that say what matters alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from perfolio.fleet.lake import Lake, create_lake

BEGIN = datetime(2026, 6, 1, 12)  # noqa: DTZ001 - as the lake has it: UTC, without a zone
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "run": {
        "title": "title", "workload": "w", "tool": "Kineto", "hosts": [], "verdict": "It works.",
        "perfolio": "0.1.0",
    },
    "part": {"calls": 0},
    "gpu": {"kernel_ns": 0, "collective_ns": 0, "wait_ns": 0, "copy_ns": 0, "idle_ns": 0},
    "kernel": {},
    "finding": {
        "title": "title", "cause": "host", "denominator": "wall time", "unit": "ratio",
    },
    "document": {},
}  # fmt: skip
"""What rows say that say nothing else."""


def make_lake(root: Path, runs: Sequence[Mapping[str, Any]]) -> Lake:
    """A lake with these runs, each as often as it says: see questions/costs.yaml."""
    lake = create_lake(root)
    months: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for place, entry in enumerate(runs):
        for number in range(entry.get("times", 1)):
            run = f"{place:04x}{number:08x}"
            tables = {
                table: [{"run": run, **DEFAULTS[table], **row} for row in _list_rows(entry, table)]
                for table in DEFAULTS
            }
            (row,) = tables["run"]
            row.setdefault("name", f"run-{place}-{number}")
            if "weeks" in entry:
                first, stop = entry["weeks"]
                row["recorded"] = BEGIN + timedelta(weeks=first + number % (stop - first))
            recorded = row.get("recorded")
            months[f"{recorded:%Y-%m}" if recorded else "unknown"][run] = tables
    for number, (month, found) in enumerate(sorted(months.items())):
        lake.add_runs(f"{number:024x}", "input", month, found)
    return lake


def _list_rows(entry: Mapping[str, Any], table: str) -> Sequence[Mapping[str, Any]]:
    found = entry.get(table, {} if table == "run" else ())
    return [found] if isinstance(found, Mapping) else found
