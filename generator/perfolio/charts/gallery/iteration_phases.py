"""Which phase of the program takes the time of an iteration?"""

from __future__ import annotations

from perfolio.charts.axes import scaled_axis
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, label, positive
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import measured, rows_of
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


def draw(results: Results) -> Figure | None:
    """A bar per phase of a mean steady iteration; None where no phase can be told."""
    rows = positive(rows_of(results, "time.iteration_phases"), "time")
    if not rows:
        return None
    largest = max(rows, key=lambda row: amount(row, "time"))
    whole = sum(amount(row, "time") for row in rows)
    longest = amount(largest, "time")
    items = [_item(row) for row in rows]
    return Figure(
        title=f"{_name(largest)} takes {quantity(largest['share'], 'ratio')} of an iteration",
        description=f"Bars of the time of each phase in a mean steady iteration of "
        f"{quantity(whole, 's')}: " + ", ".join(f"{i.name} {i.text}" for i in items) + ".",
        chart=row_plot(items, scaled_axis("Time per iteration", longest, "s"), longest * 1.02),
        metric="time.iteration_phases",
        note="Blue: the GPU is idle while the host runs this phase; green and brown: kernels and "
        "copies run that it launched. Phases are told by names of functions on calling paths. "
        f"Means: a few long iterations move them, and not the median.{_waits(results)}",
    )


def _waits(results: Results) -> str:
    """Where ranks wait for each other in kernels, whose phase that is."""
    if not measured(results, "communication.exposed_share"):
        return ""
    return (
        " Collective operations are in the phase that launches them, with what a rank waits in "
        "them for another one."
    )


def _name(row: Record) -> str:
    phase = str(row["phase"])
    return WORDS.get(phase, label(phase))


def _item(row: Record) -> Item:
    ran = "copies" if row["phase"] == "transfer" else "kernels"
    parts = ((ran, amount(row, "gpu_busy")), ("cpu", amount(row, "gpu_idle")))
    return Item(
        name=_name(row),
        text=f"{quantity(row['time'], 's')} · {quantity(row['share'], 'ratio')}",
        segments=tuple(part for part in parts if part[1] > 0.0),
        details={
            "GPU busy": quantity(row["gpu_busy"], "s"),
            "GPU idle": quantity(row["gpu_idle"], "s"),
        },
    )
