"""What a live timeline is told by its page: parts to go to, gaps to mark, and where names lead.

In:  the chart, metrics and fired findings. Out: JSON for an attribute, and links.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.charts.model import RenderedChart
from perfolio.charts.zoom import META
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.template_filters import anchor

TIMELINE = "t"
"""How an address names a part of the chart that shows when things ran."""
WITHIN_ITERATION = "time.typical_iteration"
"""Its times count from the iteration, not from the run."""
KERNELS = "gpu.kernels"
MOST_KERNELS = 25
"""Rows of the table of kernels."""
MOST_NAMES = 20
"""Names of one finding."""
_GAP = "Longest gap"
_NAMES = ("short", "kernel", "name", "operator")
"""Columns of names that a timeline shows."""
_TITLE = 48


@dataclass(frozen=True)
class TimelineLead:
    """A link that is about a name."""

    name: str
    kind: str
    href: str
    title: str


def write_places(
    chart: RenderedChart | None, longest: Record | None, tables: Sequence[tuple[str, Record | None]]
) -> str:
    """Name, begin, end and whether it is a gap, of each place [s].

    Gaps are the first one of the first finding that has a gap, or else a place in time, and the
    longest one.
    """
    tables = sorted(tables, key=lambda each: "gap" not in _name_metric(each[1]))
    places = [[*each, 0] for each in _list_parts(chart) if each[0] != _GAP]
    gaps = [*_list_gaps(tables), *_list_gaps([(_GAP, longest)])]
    kept = {(begin, end): [name, begin, end, 1] for name, begin, end in reversed(gaps)}
    return json.dumps([*places, *reversed(kept.values())], separators=(",", ":"))


def _list_parts(chart: RenderedChart | None) -> Iterator[tuple[str, float, float]]:
    if chart is None:
        return
    zoom = json.loads(chart.spec).get("usermeta", {}).get(META, {"places": []})
    for place in zoom["places"]:
        yield place["name"], place["begin"] * zoom["unit"], place["end"] * zoom["unit"]


def _list_gaps(
    tables: Sequence[tuple[str, Record | None]],
) -> list[tuple[str, float, float]]:
    """The first row of the first of these tables that has places in time."""
    for title, table in tables:
        row = _read_first_row(table)
        start, duration = row.get("start"), row.get("duration")
        if isinstance(start, int | float) and isinstance(duration, int | float) and duration > 0:
            return [(title[:_TITLE], start, start + duration)]
    return []


def _read_first_row(table: Record | None) -> dict[str, Any]:
    if not table or not table.get("rows"):
        return {}
    metric = _name_metric(table)
    if not metric.startswith("time.") or metric == WITHIN_ITERATION:
        return {}
    return _read_rows(table)[0]


def _name_metric(table: Record | None) -> str:
    return str((table or {}).get("metric") or (table or {}).get("name") or "")


def _read_rows(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = [column["name"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


def list_leads(kernels: Record | None, findings: Sequence[Record]) -> list[TimelineLead]:
    """Links to the row of each kernel, and to findings whose evidence names it."""
    leads = []
    for number, row in enumerate(_read_rows(kernels)[:MOST_KERNELS] if kernels else (), 1):
        href = f"kernels.html#kernel-{number}"
        leads.append(
            TimelineLead(str(row["short"]), "Kernel", href, f"Row {number} of the kernels")
        )
    for finding in findings:
        for name in _list_names(finding["evidence"]):
            href = f"findings.html#{anchor(finding['code'])}"
            leads.append(TimelineLead(name, "Finding", href, finding["title"]))
    return leads


def _list_names(table: Record | None) -> list[str]:
    if not table:
        return []
    rows = _read_rows(table)[:MOST_NAMES]
    found = (str(row[column]) for row in rows for column in _NAMES if row.get(column))
    return list(dict.fromkeys(found))
