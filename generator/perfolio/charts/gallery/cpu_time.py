"""Which threads use the CPU, and how much of it?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, plural, read_scalar
from perfolio.charts.cpu_cost import CostSpread, CpuCost, read_cpu_cost, read_cpu_spread
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 4

MOST = 10
"""Threads with a row of their own."""


def draw(results: Results) -> ChartFigure | None:
    """Bars of the busiest threads; None without CPU cost."""
    spread = read_cpu_spread(results)
    if spread is None:
        return None
    cost = read_cpu_cost(results)
    items = [_make_item(cost, row) for row in spread.rows[:MOST]]
    return ChartFigure(
        title=_make_title(spread, cost),
        description=f"Bars of the {cost.words} of {plural(spread.threads, 'thread')}, "
        f"{cost.text(spread.total)} in all; the {'longest' if cost.elapsed else 'busiest'} has "
        f"{items[0].text}.",
        chart=plot_rows(
            items, scale_axis(cost.capitalised, spread.highest, cost.unit), spread.highest
        ),
        metric="cpu.threads",
        note="Added up over threads: this is never wall time."
        + _describe_rest(spread, cost)
        + _describe_costless(spread, results),
    )


def _make_title(spread: CostSpread, cost: CpuCost) -> str:
    if spread.threads == 1:
        return f"One thread has all of the {cost.words}: {cost.text(spread.total)}"
    share = quantity(spread.rows[0]["share"], "ratio")
    if cost.elapsed:
        return f"One of {spread.threads:,} threads has {share} of the {cost.words}, with its waits"
    return f"The busiest of {spread.threads:,} threads has {share} of the {cost.words}"


def _make_item(cost: CpuCost, row: Record) -> BarItem:
    return BarItem(
        name=str(row["label"]),
        text=f"{cost.text(amount(row, 'time'))} · {quantity(row['share'], 'ratio')}",
        segments=(("cpu", amount(row, "time")),),
    )


def _describe_costless(spread: CostSpread, results: Results) -> str:
    """How many threads were measured and have no cost."""
    none = int(read_scalar(results, "run.cpu_threads") or 0) - spread.threads
    return f" Without any cost: {plural(none, 'more thread')}." if none > 0 else ""


def _describe_rest(spread: CostSpread, cost: CpuCost) -> str:
    """What is not drawn: a bar for many threads would dwarf those of single ones."""
    if spread.threads <= MOST:
        return ""
    shown = sum(amount(row, "time") for row in spread.rows[:MOST])
    rest = max(0.0, spread.total - shown)
    share = quantity(rest / spread.total, "ratio")
    others = plural(spread.threads - MOST, "thread")
    return f" Not drawn: {others} with {cost.text(rest)} ({share})."
