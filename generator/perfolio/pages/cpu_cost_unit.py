"""The unit of CPU cost, which the run decides and not the catalogue of metrics.

A run ranks CPU cost by CPU time, elapsed thread time or an event. The metrics of CPU
cost therefore say unit `1`, and `cpu.event` says what the unit is in this run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.common.units import UNITS

Record = Mapping[str, Any]
"""An object of a JSON document, keys as in its schema."""

_EVENT = "cpu.event"
_PLAIN = "1"
_ELAPSED = "thread-s"
_OF_CPU_COST = ("cpu.", "tree.cpu", "balance.", "run.entry_points")
"""Metrics, or groups of them, whose numbers of unit `1` are all costs of the CPU."""


def find_cost_unit(metrics: Sequence[Record]) -> str:
    """The unit of CPU cost in the run of a metrics document; `1` where it is not known."""
    for item in metrics:
        if item["name"] == _EVENT and item["rows"]:
            names = [column["name"] for column in item["columns"]]
            unit = str(item["rows"][0][names.index("unit")])
            return unit if unit in UNITS else _PLAIN
    return _PLAIN


def apply_cost_unit(item: Record, name: str, unit: str) -> Record:
    """A metric, or evidence from metric `name`, with `unit` where it says CPU cost."""
    if unit == _PLAIN or not name.startswith(_OF_CPU_COST):
        return item
    columns = [
        {
            **column,
            "unit": unit,
            "title": _replace_cost_words(column["title"], unit) + _format_unit_suffix(unit),
        }
        if column["unit"] == _PLAIN
        else column
        for column in item["columns"]
    ]
    own = {"unit": unit} if item.get("unit") == _PLAIN else {}
    if "title" in item:
        own["title"] = _replace_cost_words(item["title"], unit)
    return {**item, **own, "columns": columns}


def _replace_cost_words(title: str, unit: str) -> str:
    """A title; of elapsed time, which passes while threads wait, it does not say CPU cost."""
    return title.replace("CPU cost", "Elapsed thread time") if unit == _ELAPSED else title


def _format_unit_suffix(unit: str) -> str:
    """Units that `quantity` prints without a symbol stand in the title."""
    return "" if UNITS[unit].symbol else f" ({unit})"
