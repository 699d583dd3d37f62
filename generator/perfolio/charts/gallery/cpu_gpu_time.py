"""How much CPU time stands against how much GPU time?

Beware: CPU time is summed over threads (CPU-seconds), GPU time over operations on the
device. Both are sums, so their ratio is no utilisation of anything.
"""

from __future__ import annotations

from perfolio.charts.axes import list_log_ticks, scale_axis
from perfolio.charts.bar_rows import BarItem, plot_dots, plot_rows
from perfolio.charts.chart_data import read_scalar
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 3

LOG_FROM = 100.0
"""From this ratio of largest to smallest on, a linear bar would be invisible."""

_CPU = (("cpu.time", "CPU time, all threads"), ("cpu.thread_time", "Elapsed time, all threads"))
_GPU = (
    ("gpu.operation_time", "GPU operations", "other"),
    ("gpu.kernel_time", "of these kernels", "kernels"),
    ("gpu.copy_time", "of these copies", "copies"),
    ("gpu.memset_time", "of these memsets", "memsets"),
)


def draw(results: Results) -> ChartFigure | None:
    """CPU and GPU totals below each other; None where one of the two is not measured."""
    shown = _select_positive(results)
    cpu = next((name for name, *_ in _CPU if name in shown), None)
    if cpu is None or "gpu.operation_time" not in shown:
        return None
    items = _make_items(results, shown)
    values = [item.length for item in items]
    logarithmic = max(values) >= LOG_FROM * min(values)
    title = "Time, summed over threads or operations"
    chart = (
        plot_dots(items, f"{title} (s, log)", list_log_ticks(min(values), max(values)))
        if logarithmic
        else plot_rows(items, scale_axis(title, max(values), "s"), max(values))
    )
    return ChartFigure(
        title=f"{items[0].text} on the CPU, {quantity(shown['gpu.operation_time'], 's')} "
        "of GPU operations",
        description="CPU time beside time of GPU operations: "
        + ", ".join(f"{item.name} {item.text}" for item in items)
        + ".",
        chart=chart,
        metric=cpu,
        metrics=tuple(shown),
        note="CPU time is added up over threads, GPU time over operations on the device. "
        "Neither is wall time, and their ratio is not a utilisation.",
    )


def _select_positive(results: Results) -> dict[str, float]:
    names = [name for name, *_ in (*_CPU, *_GPU)]
    values = {name: read_scalar(results, name) for name in names}
    return {name: value for name, value in values.items() if value}


def _make_items(results: Results, shown: dict[str, float]) -> list[BarItem]:
    rows = [(name, words, "cpu") for name, words in _CPU] + list(_GPU)
    return [
        BarItem(words, quantity(shown[name], results[name].metric.unit), ((role, shown[name]),))
        for name, words, role in rows
        if name in shown
    ]
