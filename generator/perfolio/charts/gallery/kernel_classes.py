"""What do kernels do: products, attention, or memory-bound work?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from perfolio.readers.kernel_rules import name_class

GROUP = "kernels"
ORDER = 0
_ROLES = {"memory": "copies", "shape and precision": "kernels"}


def draw(results: Results) -> ChartFigure | None:
    """Bars of kernel time by class of work; None without a kernel."""
    rows = select_positive(get_rows(results, "gpu.kernel_classes"), "time")
    if not rows:
        return None
    total = sum(amount(row, "time") for row in rows)
    moving = sum(amount(row, "time") for row in rows if row["bound"] == "memory")
    parts = ", ".join(
        f"{name_class(str(row['class']))} {quantity(row['share'], 'ratio')}" for row in rows
    )
    return ChartFigure(
        title=f"{quantity(moving / total, 'ratio')} of the kernel time is memory-bound",
        description=f"Bars of {quantity(total, 's')} of kernels by class of work: {parts}.",
        chart=plot_rows(
            [_make_item(row) for row in rows],
            scale_axis("Time of kernels", total, "s"),
            total,
        ),
        metric="gpu.kernel_classes",
        note="Durations of kernels, added up; they are classified by name. Where memory bounds a "
        "class, its kernels do few operations for each value that they read.",
    )


def _make_item(row: Record) -> BarItem:
    bound = str(row["bound"])
    time, share = quantity(row["time"], "s"), quantity(row["share"], "ratio")
    return BarItem(
        name=name_class(str(row["class"])).capitalize(),
        text=f"{time} · {share}",
        segments=((_ROLES.get(bound, "other"), amount(row, "time")),),
        details={
            "Bound by": bound,
            "Launches": quantity(row.get("launches"), "count"),
            "Largest": str(row["largest"]),
        },
    )
