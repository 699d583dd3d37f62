"""How few kernels take most of the kernel time?"""

from __future__ import annotations

from itertools import accumulate

import altair as alt

from generator.charts.axes import Scaled
from generator.charts.data import Record, amount, label, plural, positive, table
from generator.charts.model import Figure
from generator.charts.rowplot import BAR_MIDDLE, Item, row_plot, row_y
from generator.metrics.model import Results
from generator.units import quantity

GROUP = "kernels"

MOST = 12
"""Kernels with a row of their own."""
MAJORITY = 0.8
"""Share of kernel time whose kernels are counted: Pareto's 80 %."""


def draw(results: Results) -> Figure | None:
    """Share of each kernel with the cumulative share; None without kernel time."""
    rows = positive(table(results, "gpu.kernels"), "time")
    if not rows:
        return None
    total = sum(amount(row, "time") for row in rows)
    shares = [amount(row, "time") / total for row in rows]
    few = 1 + sum(1 for share in accumulate(shares) if share < MAJORITY)
    few = min(few, len(rows))
    reached = quantity(sum(shares[:few]), "ratio")
    items = [_item(row, share) for row, share in zip(rows[:MOST], shares, strict=False)]
    items += _others(rows[MOST:], sum(shares[MOST:]))
    return Figure(
        title=_title(few, len(rows), reached),
        description=f"Bars of the share of {quantity(total, 's')} of kernel time for "
        f"{plural(len(rows), 'kernel')}, largest first, with the cumulative share as dots; "
        f"the largest has {quantity(shares[0], 'ratio')}, the first {few} have {reached}.",
        chart=row_plot(
            items,
            Scaled("Share of kernel time; dots: cumulative", 0.01, "%"),
            1.0,
            _cumulative(items),
        ),
        metric="gpu.kernels",
    )


def _title(few: int, kernels: int, reached: str) -> str:
    if kernels == 1:
        return "One kernel takes all of the kernel time"
    return (
        f"{few:,} of {kernels:,} kernels {'takes' if few == 1 else 'take'} {reached} of kernel time"
    )


def _item(row: Record, share: float) -> Item:
    return Item(
        name=str(row["kernel"]),
        short=label(row.get("short") or row["kernel"]),
        text=f"{quantity(row['time'], 's')} · {quantity(share, 'ratio')}",
        segments=(("kernels", share),),
        details={
            "Launches": quantity(row.get("launches"), "count"),
            "Mean": quantity(row.get("mean"), "s"),
        },
    )


def _others(rows: list[Record], share: float) -> list[Item]:
    if not rows:
        return []
    time = sum(amount(row, "time") for row in rows)
    return [
        Item(
            name=f"{plural(len(rows), 'other kernel')} together",
            text=f"{quantity(time, 's')} · {quantity(share, 'ratio')}",
            segments=(("other", share),),
            details={"Launches": quantity(_launches(rows), "count"), "Mean": ""},
        )
    ]


def _launches(rows: list[Record]) -> float | None:
    if any(row.get("launches") is None for row in rows):
        return None
    return sum(amount(row, "launches") for row in rows)


def _cumulative(items: list[Item]) -> alt.Chart:
    sums = accumulate(item.length for item in items)
    rows = [
        {"end": 100.0 * value, "middle": index + BAR_MIDDLE, "text": quantity(value, "ratio")}
        for index, value in enumerate(sums)
    ]
    dots: alt.Chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_point(style="pf-dot", filled=True)
        .encode(
            x="end:Q",
            y=row_y("middle", len(items)),
            tooltip=[alt.Tooltip("text:N", title="Cumulative share")],
        )
    )
    return dots
