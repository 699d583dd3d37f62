"""Where does the rate between the device's peak and the model go?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import amount
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 0
_REACHED = "reached"


def draw(results: Results) -> ChartFigure | None:
    """A bar for what the model uses of the peak, and for each loss; None where it is not known."""
    rows = get_rows(results, "efficiency.waterfall")
    if not rows:
        return None
    reached = sum(amount(row, "share") for row in rows if row["kind"] == _REACHED)
    lost = max((row for row in rows if row["kind"] != _REACHED),
               key=lambda row: amount(row, "share"), default=None)  # fmt: skip
    items = [
        BarItem(
            name=str(row["part"]).capitalize(),
            text=quantity(row["share"], "ratio"),
            segments=(("kernels" if row["kind"] == _REACHED else "other", amount(row, "share")),),
            details={"Of an iteration": quantity(row["seconds"], "s")},
        )
        for row in rows
    ]
    most = max(item.length for item in items)
    loss = f"; {lost['part']} cost most" if lost else ""
    return ChartFigure(
        title=f"The model's operations use {quantity(reached, 'ratio')} of the peak{loss}",
        description="Parts of the median iteration, of which the model's operations would take the "
        "first at the device's peak: "
        + ", ".join(f"{item.name[:1].lower()}{item.name[1:]} {item.text}" for item in items)
        + ".",
        chart=plot_rows(items, scale_axis("Share of the iteration", most, "ratio"), most),
        metric="efficiency.waterfall",
        note="100 % is the median iteration.",
    )
