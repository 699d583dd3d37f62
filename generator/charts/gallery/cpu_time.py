"""Which threads use the CPU, and how much of it?"""

from __future__ import annotations

from generator.charts.axes import scaled_axis
from generator.charts.cpu import CpuCost, cpu_cost
from generator.charts.data import Record, amount, plural, positive, table
from generator.charts.model import Figure
from generator.charts.rowplot import Item, row_plot
from generator.metrics.model import Results
from generator.units import quantity

GROUP = "time"

MOST = 10
"""Threads with a row of their own."""


def draw(results: Results) -> Figure | None:
    """Bars of the busiest threads, the others together in one; None without CPU cost."""
    rows = positive(table(results, "cpu.threads"), "time")
    if not rows:
        return None
    cost = cpu_cost(results)
    items = [_item(cost, row) for row in rows[:MOST]]
    total = sum(amount(row, "time") for row in rows)
    longest = max(item.length for item in items)
    return Figure(
        title=_title(rows, cost, total),
        description=f"Bars of the {cost.words} of {plural(len(rows), 'thread')}, "
        f"{cost.text(total)} in all; the busiest has {items[0].text}.",
        chart=row_plot(items, scaled_axis(cost.capitalised, longest, cost.unit), longest),
        metric="cpu.threads",
        note="CPU cost is added up over threads: it is never wall time." + _rest(cost, rows[MOST:]),
    )


def _title(rows: list[Record], cost: CpuCost, total: float) -> str:
    if len(rows) == 1:
        return f"One thread has all of the {cost.words}: {cost.text(total)}"
    share = quantity(rows[0]["share"], "ratio")
    return f"The busiest of {len(rows):,} threads has {share} of the {cost.words}"


def _item(cost: CpuCost, row: Record) -> Item:
    return Item(
        name=str(row["label"]),
        text=f"{cost.text(amount(row, 'time'))} · {quantity(row['share'], 'ratio')}",
        segments=(("cpu", amount(row, "time")),),
    )


def _rest(cost: CpuCost, rows: list[Record]) -> str:
    """What is not drawn: a bar for many threads would dwarf those of single ones."""
    if not rows:
        return ""
    time = sum(amount(row, "time") for row in rows)
    share = quantity(sum(amount(row, "share") for row in rows), "ratio")
    return f" Not drawn: {plural(len(rows), 'thread')} with {cost.text(time)} ({share})."
