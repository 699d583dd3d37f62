"""Which phase of the program takes the time of an iteration?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, label, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 4

WORDS = {
    "data": "Input data",
    "transfer": "Transfer",
    "forward": "Forward pass",
    "backward": "Backward pass",
    "optimizer": "Optimizer",
    "profiler": "The profiler",
    "other": "Other code",
    "not told": "Not told",
}
"""Phases as people say them."""


def draw(results: Results) -> ChartFigure | None:
    """A bar per phase of a mean steady iteration; None where no phase can be told."""
    rows = select_positive(get_rows(results, "time.iteration_phases"), "time")
    if not rows:
        return None
    largest = max(rows, key=lambda row: amount(row, "time"))
    total = sum(amount(row, "time") for row in rows)
    longest = amount(largest, "time")
    items = [_make_item(row) for row in rows]
    return ChartFigure(
        title=f"{_name_phase(largest)} takes {quantity(largest['share'], 'ratio')} of an iteration",
        description=f"Bars of the time of each phase in a mean steady iteration of "
        f"{quantity(total, 's')}: " + ", ".join(f"{i.name} {i.text}" for i in items) + ".",
        chart=plot_rows(items, scale_axis("Time per iteration", longest, "s"), longest * 1.02),
        metric="time.iteration_phases",
        note="Blue: the GPU is idle while the host runs this phase; green and brown: kernels and "
        "copies run that it launched. Phases are told by names of functions on calling paths. "
        f"Means: a few long iterations move them, and not the median.{_describe_waits(results)}",
    )


def _describe_waits(results: Results) -> str:
    """Where ranks wait for each other in kernels, whose phase that is."""
    if not get_value(results, "communication.exposed_share"):
        return ""
    return (
        " Collective operations are in the phase that launches them, with what a rank waits in "
        "them for another one."
    )


def _name_phase(row: Record) -> str:
    phase = str(row["phase"])
    return WORDS.get(phase, label(phase))


def _make_item(row: Record) -> BarItem:
    ran = "copies" if row["phase"] == "transfer" else "kernels"
    parts = ((ran, amount(row, "gpu_busy")), ("cpu", amount(row, "gpu_idle")))
    return BarItem(
        name=_name_phase(row),
        text=f"{quantity(row['time'], 's')} · {quantity(row['share'], 'ratio')}",
        segments=tuple(part for part in parts if part[1] > 0.0),
        details={
            "GPU busy": quantity(row["gpu_busy"], "s"),
            "GPU idle": quantity(row["gpu_idle"], "s"),
        },
    )
