"""What renderers print of a comparison: rows of words, the same in each form.

In:  the document. Out: tables, each with its title, heads and cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.common.units import quantity
from perfolio.comparison.promise_record import WHOLES

Document = Mapping[str, Any]
MOST_ROWS = 12
PART_TITLES: Mapping[str, str] = {
    "kernel": "Kernels",
    "collective": "Collectives",
    "collective wait": "Waiting for other ranks",
    "copy": "Copies",
    "idle": "GPU idle",
    "main thread": "Main threads",
}
"""What the time of a part of a record is called, everywhere."""
_LEAST_CAUSE = 0.01
"""Part of the difference from which on a cause is printed [ratio]."""
_EFFECTS = {
    "calls": "more or fewer",
    "duration": "slower or faster",
    "not alike": "others in their place",
    "time": "",
}
_CHANGES = {
    "new": "only after",
    "gone": "only before",
    "time": "",
    "both": "calls and duration",
}


@dataclass(frozen=True)
class ComparedTable:
    """A table of a comparison."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rest: int = 0
    """Rows that are left out."""


def list_tables(document: Document) -> list[ComparedTable]:
    """All tables that have rows."""
    tables = [
        _list_causes(document),
        _list_parts(document),
        _list_rows(document),
        _list_counted(document),
        _list_findings(document),
        _list_promises(document),
        _list_figures(document),
    ]
    return [table for table in tables if table.rows]


def describe_time(ns: int) -> str:
    """A time [ns] in words."""
    return quantity(ns / 1e9, "s")


def describe_difference(ns: int) -> str:
    """A difference [ns] with its sign."""
    return f"{'+' if ns > 0 else ''}{describe_time(ns)}"


def _list_causes(document: Document) -> ComparedTable:
    whole = document["whole"]["difference"]
    rows = [
        (
            describe_difference(cause["difference"]),
            quantity(cause["difference"] / whole, "ratio"),
            cause["kind"],
            cause["name"],
            _EFFECTS.get(cause["effect"], ""),
        )
        for cause in document["causes"]
        if abs(cause["difference"]) >= _LEAST_CAUSE * abs(whole)
    ]
    heads = ("Difference", "Of all", "Part", "What", "How")
    rest = len(document["causes"]) - len(rows[:MOST_ROWS])
    return ComparedTable("What makes the difference", heads, tuple(rows[:MOST_ROWS]), rest)


def _list_parts(document: Document) -> ComparedTable:
    rows = [
        (
            row["part"], row["kind"], describe_time(row["before"]), describe_time(row["after"]),
            describe_difference(row["difference"]),
        )
        for row in document["parts"]
    ]  # fmt: skip
    heads = ("Part", "Kind", "Before", "After", "Difference")
    return _cut_table("Where the time goes", heads, rows)


def _list_rows(document: Document) -> ComparedTable:
    rows = [
        (
            describe_difference(row["difference"]), row["part"], row["name"],
            row["path"][-1] if row["path"] else "", _describe_calls(row),
            _CHANGES.get(row["change"], row["change"]),
        )
        for row in document["waterfall"]
        if row["difference"]
    ]  # fmt: skip
    heads = ("Difference", "Part", "Name", "Within", "Calls", "Change")
    return _cut_table("Work with the largest differences", heads, rows)


def _describe_calls(row: Mapping[str, Any]) -> str:
    if not row["calls_before"] and not row["calls_after"]:
        return ""
    before, after = (quantity(row[f"calls_{side}"], "count") for side in ("before", "after"))
    return before if before == after else f"{before} to {after}"


def _list_counted(document: Document) -> ComparedTable:
    rows = [
        (
            one["name"].replace("_", " "), one["per"], quantity(one["before"], one["unit"]),
            quantity(one["after"], one["unit"]),
            "" if one["difference"] is None else _sign_count(one["difference"], one["unit"]),
        )
        for one in document["counted"]
        if one["before"] or one["after"]
    ]  # fmt: skip
    return ComparedTable("Counted", ("What", "Per", "Before", "After", "Difference"), tuple(rows))


def _sign_count(value: int, unit: str) -> str:
    return f"{'+' if value > 0 else ''}{quantity(value, unit)}"


def _list_findings(document: Document) -> ComparedTable:
    rows = [
        (
            one["code"], one["title"], one["fate"], one["severity_before"] or "",
            one["severity_after"] or "", _describe_value(one, "value_before"),
            _describe_value(one, "value_after"),
        )
        for one in document["findings"]
    ]  # fmt: skip
    heads = ("Code", "Finding", "Now", "Before", "After", "Value before", "Value after")
    return ComparedTable("What became of the findings", heads, tuple(rows))


def _describe_value(one: Mapping[str, Any], key: str) -> str:
    return "" if one[key] is None else quantity(one[key], one["unit"])


def _list_promises(document: Document) -> ComparedTable:
    rows = [
        (
            one["code"], one["title"], one["kind"].replace("-", " "), _describe_saving(one),
            f"{quantity(one['bound'], 'ratio')} {WHOLES[one['whole']]}", _describe_expected(one),
            one["reason"] or _name_others(one),
        )
        for one in document["promises"]
    ]  # fmt: skip
    heads = ("Code", "Step", "Outcome", "Saved", "At most", "Expected", "Note")
    return ComparedTable("What came of the promises", heads, tuple(rows))


def _describe_saving(one: Mapping[str, Any]) -> str:
    told = one["saved"] is not None and one["kind"] != "not-taken"
    return quantity(one["saved"], "ratio") if told else ""


def _describe_expected(one: Mapping[str, Any]) -> str:
    if one["low"] is None or one["high"] is None:
        return ""
    low, high = (quantity(one[end], "ratio") for end in ("low", "high"))
    how = " (replayed)" if one.get("method") == "replay" else ""
    return (f"{low} to {high}" if low != high else low) + how


def _name_others(one: Mapping[str, Any]) -> str:
    return f"with {', '.join(one['together'])}" if one["together"] else ""


def _list_figures(document: Document) -> ComparedTable:
    rows = [
        (one["title"], _describe_figure(one, "before"), _describe_figure(one, "after"))
        for one in document["figures"]
        if one["is_key"]
    ]
    return _cut_table("Key figures", ("Figure", "Before", "After"), rows)


def _describe_figure(one: Mapping[str, Any], side: str) -> str:
    """Its value; a dash where the side's report has no such key figure, measured or not."""
    return "–" if one[side] is None else quantity(one[side], one["unit"])


def _cut_table(
    title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]
) -> ComparedTable:
    held = list(rows)
    return ComparedTable(title, heads, tuple(held[:MOST_ROWS]), max(len(held) - MOST_ROWS, 0))
