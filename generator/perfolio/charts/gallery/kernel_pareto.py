"""How few kernels take most of the kernel time?"""

from __future__ import annotations

from itertools import accumulate

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, draw_share_dots, plot_rows
from perfolio.charts.chart_data import Record, amount, label, plural, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "kernels"
ORDER = 1

MOST = 12
"""Kernels with a row of their own."""
COMPLETE = 0.999_999
"""Sum of shares from which on a table holds all kernels."""
MAJORITY = 0.8
"""Share of kernel time whose kernels are counted: Pareto's 80 %."""


def draw(results: Results) -> ChartFigure | None:
    """Share of each kernel with the cumulative share; None without kernel time."""
    rows = select_positive(get_rows(results, "gpu.kernels"), "time")
    if not rows:
        return None
    shares = [amount(row, "share") for row in rows]
    complete = sum(shares) > COMPLETE
    few = min(len(rows), 1 + sum(share < MAJORITY for share in accumulate(shares)))
    count = f"{len(rows):,}" if complete else f"more than {len(rows):,}"
    reached = quantity(sum(shares[:few]), "ratio")
    items = [_make_item(row, share) for row, share in zip(rows[:MOST], shares, strict=False)]
    if len(rows) > MOST:
        items.append(_make_others_item(rows[MOST:], shares, complete=complete))
    unnamed = str(rows[0]["short"]).startswith("unnamed kernels")
    which = "all kernels, unnamed" if unnamed and len(rows) == 1 else f"{count} kernels"
    which = "1 kernel" if len(rows) == 1 and not unnamed else which
    return ChartFigure(
        title="Unnamed kernels take all of the kernel time"
        if unnamed and len(rows) == 1
        else _make_title(few, count, reached),
        description=f"Bars of the share of kernel time of {which}, largest first, with "
        f"the cumulative share as dots; the largest has {quantity(shares[0], 'ratio')} "
        f"({quantity(rows[0]['time'], 's')})."
        + (f" {few:,} of them together have {reached}." if few > 1 else ""),
        chart=plot_rows(
            items,
            ScaledAxis("Share of kernel time; dots: cumulative", 0.01, "%"),
            1.0,
            draw_share_dots([*accumulate(item.length for item in items)], "Cumulative share"),
        ),
        metric="gpu.kernels",
    )


def _make_title(few: int, count: str, reached: str) -> str:
    if count == "1":
        return "One kernel takes all of the kernel time"
    return f"{few:,} of {count} kernels {'takes' if few == 1 else 'take'} {reached} of kernel time"


def _make_item(row: Record, share: float) -> BarItem:
    return BarItem(
        name=str(row["kernel"]),
        short=label(row.get("short") or row["kernel"]),
        text=f"{quantity(row['time'], 's')} · {quantity(share, 'ratio')}",
        segments=(("kernels", share),),
        details={
            "Launches": quantity(row.get("launches"), "count"),
            "Mean": quantity(row.get("mean"), "s"),
        },
    )


def _make_others_item(rows: list[Record], shares: list[float], *, complete: bool) -> BarItem:
    """What is left of the whole: the table may be cut, its shares are of all kernels."""
    share = max(0.0, 1.0 - sum(shares[:MOST]))
    launches = quantity(_sum_launches(rows), "count") if complete else "not listed"
    return BarItem(
        name=f"{plural(len(rows), 'other kernel')} together" if complete else "All other kernels",
        text=quantity(share, "ratio"),
        segments=(("other", share),),
        details={"Launches": launches, "Mean": "not listed"},
    )


def _sum_launches(rows: list[Record]) -> float | None:
    if any(row.get("launches") is None for row in rows):
        return None
    return sum(amount(row, "launches") for row in rows)
