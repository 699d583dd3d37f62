"""What do kernels do: products, attention, or work that mostly moves values?"""

from __future__ import annotations

from perfolio.charts.axes import scaled_axis
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, positive
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "kernels"
ORDER = 0
_ROLES = {"memory": "copies", "shape and precision": "kernels"}


def draw(results: Results) -> Figure | None:
    """Bars of kernel time by class of work; None without a kernel."""
    rows = positive(rows_of(results, "gpu.kernel_classes"), "time")
    if not rows:
        return None
    total = sum(amount(row, "time") for row in rows)
    moving = sum(amount(row, "time") for row in rows if row["bound"] == "memory")
    parts = ", ".join(f"{row['class']} {quantity(row['share'], 'ratio')}" for row in rows)
    return Figure(
        title=f"{quantity(moving / total, 'ratio')} of the kernel time mostly moves values",
        description=f"Bars of {quantity(total, 's')} of kernels by class of work: {parts}.",
        chart=row_plot(
            [_item(row) for row in rows],
            scaled_axis("Time of kernels", total, "s"),
            total,
        ),
        metric="gpu.kernel_classes",
        note="Durations of kernels, added up. Classes are told by names. Where memory bounds a "
        "class, its kernels do few operations for each value that they read.",
    )


def _item(row: Record) -> Item:
    bound = str(row["bound"])
    time, share = quantity(row["time"], "s"), quantity(row["share"], "ratio")
    return Item(
        name=str(row["class"]).capitalize(),
        text=f"{time} · {share}",
        segments=((_ROLES.get(bound, "other"), amount(row, "time")),),
        details={
            "Bound by": bound,
            "Launches": quantity(row.get("launches"), "count"),
            "Largest": str(row["largest"]),
        },
    )
