"""What monitors call the measures of a device."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("monitor_names.csv")


@dataclass(frozen=True)
class MonitorColumn:
    """A column of a monitor."""

    measure: str
    factor: float | None
    """To base units; None where the file gives the unit."""


@cache
def load_monitor_columns() -> dict[str, MonitorColumn]:
    """By the monitor's own name, in lower case."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {
            row["name"].lower(): MonitorColumn(
                row["measure"], float(row["factor"]) if row["factor"] else None
            )
            for row in csv.DictReader(file)
        }
