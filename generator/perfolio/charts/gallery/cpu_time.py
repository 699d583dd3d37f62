"""Which threads use the CPU, and how much of it?"""

from __future__ import annotations

from perfolio.charts.axes import scaled_axis
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, plural, scalar
from perfolio.charts.cpu_cost import CpuCost, Spread, cpu_cost, cpu_spread
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 4

MOST = 10
"""Threads with a row of their own."""


def draw(results: Results) -> Figure | None:
    """Bars of the busiest threads; None without CPU cost."""
    spread = cpu_spread(results)
    if spread is None:
        return None
    cost = cpu_cost(results)
    items = [_item(cost, row) for row in spread.rows[:MOST]]
    return Figure(
        title=_title(spread, cost),
        description=f"Bars of the {cost.words} of {plural(spread.threads, 'thread')}, "
        f"{cost.text(spread.total)} in all; the {'longest' if cost.elapsed else 'busiest'} has "
        f"{items[0].text}.",
        chart=row_plot(
            items, scaled_axis(cost.capitalised, spread.highest, cost.unit), spread.highest
        ),
        metric="cpu.threads",
        note="Added up over threads: this is never wall time."
        + _rest(spread, cost)
        + _without(spread, results),
    )


def _title(spread: Spread, cost: CpuCost) -> str:
    if spread.threads == 1:
        return f"One thread has all of the {cost.words}: {cost.text(spread.total)}"
    share = quantity(spread.rows[0]["share"], "ratio")
    if cost.elapsed:
        return f"One of {spread.threads:,} threads has {share} of the {cost.words}, with its waits"
    return f"The busiest of {spread.threads:,} threads has {share} of the {cost.words}"


def _item(cost: CpuCost, row: Record) -> Item:
    return Item(
        name=str(row["label"]),
        text=f"{cost.text(amount(row, 'time'))} · {quantity(row['share'], 'ratio')}",
        segments=(("cpu", amount(row, "time")),),
    )


def _without(spread: Spread, results: Results) -> str:
    """How many threads were measured and have no cost."""
    none = int(scalar(results, "run.cpu_threads") or 0) - spread.threads
    return f" Without any cost: {plural(none, 'more thread')}." if none > 0 else ""


def _rest(spread: Spread, cost: CpuCost) -> str:
    """What is not drawn: a bar for many threads would dwarf those of single ones."""
    if spread.threads <= MOST:
        return ""
    shown = sum(amount(row, "time") for row in spread.rows[:MOST])
    rest = max(0.0, spread.total - shown)
    share = quantity(rest / spread.total, "ratio")
    others = plural(spread.threads - MOST, "thread")
    return f" Not drawn: {others} with {cost.text(rest)} ({share})."
