"""What happens in one iteration?

Where one gap takes much of it, two panels: the whole iteration above, and below, on an
axis of its own, the part beside the longest gap.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.bar_rows import ROW_HEIGHT, BarItem, draw_words_above
from perfolio.charts.chart_data import DIRECTIONS, label, plural, read_scalar
from perfolio.charts.iteration_anatomy import (
    DrawnOperation,
    Interval,
    IterationAnatomy,
    read_iteration,
)
from perfolio.charts.label_callouts import LEVELS
from perfolio.charts.model import ChartFigure
from perfolio.charts.operation_panel import (
    NAME_ROW,
    OperationPanel,
    OperationRow,
    make_iteration_axis,
)
from perfolio.charts.theme import ROLES
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 5

NOTABLE = 0.3
"""Part of an iteration from which on its longest gap gets a panel of its own."""
MOST_ROWS = 10
"""Streams or kinds of operations with a row of their own."""
MARGIN = 0.01
"""Part of the lower panel that is left free at both ends."""


def draw(results: Results) -> ChartFigure | None:
    """One iteration's operations by kind; None where there is no iteration."""
    rows = get_rows(results, "time.typical_iteration")
    anatomy = read_iteration(rows, read_scalar(results, "time.iteration_median") or 0.0)
    if not anatomy.device or anatomy.stop <= 0.0:
        return None
    first, last = anatomy.longest_gap
    apart = last - first >= NOTABLE * anatomy.length
    window = _add_margin(anatomy.beside_gap, anatomy.stop) if apart else (0.0, anatomy.stop)
    gpus = read_scalar(results, "run.gpus") or 1.0
    gpu = f"One GPU of {quantity(gpus, 'count')}" if gpus > 1.0 else "The GPU"
    return ChartFigure(
        title=_make_title(anatomy, gpu, apart=apart),
        description=_describe_iteration(anatomy, gpu, apart=apart),
        chart=_draw_chart(anatomy, window, apart=apart),
        metric="time.typical_iteration",
        note="One iteration, whose duration is closest to the median: medians over all differ from "
        "it a little. Operations are drawn at least one pixel wide: "
        "most are much shorter. Names: the longest operations.",
    )


def _make_title(anatomy: IterationAnatomy, gpu: str, *, apart: bool) -> str:
    work = quantity(anatomy.busy, "s")
    cause = anatomy.waits_for()
    if not apart or cause is None:
        return f"{gpu} works {work} in the iteration closest to the median"
    first, last = anatomy.longest_gap
    gap = quantity(last - first, "s")
    return f"{gpu} works {work} in an iteration and waits {gap} for {label(cause.name)}"


def _describe_iteration(anatomy: IterationAnatomy, gpu: str, *, apart: bool) -> str:
    first, last = anatomy.longest_gap
    words = (
        f"{plural(anatomy.count, 'GPU operation')} of the iteration closest to the median of "
        f"{quantity(anatomy.length, 's')}, by kind. {gpu} works "
        f"{quantity(anatomy.busy, 's')} of it; "
        f"the longest gap, {quantity(last - first, 's')}, begins at "
        f"{quantity(first, 's')}."
    )
    if not apart:
        return words
    begin, end = anatomy.beside_gap
    return (
        f"{words} Above the whole iteration, below the {quantity(end - begin, 's')} beside "
        "the longest gap, magnified."
    )


def _add_margin(window: Interval, stop: float) -> Interval:
    margin = MARGIN * (window[1] - window[0])
    return (max(0.0, window[0] - margin), min(stop, window[1] + margin))


def _draw_chart(anatomy: IterationAnatomy, window: Interval, *, apart: bool) -> alt.LayerChart:
    host = [_make_host_row(anatomy)] if anatomy.host else []
    above = [*host, _make_device_row(anatomy)] if apart else []
    below = [*([] if apart else host), *_make_rows(anatomy, window)]
    height = len(above) + len(below) + NAME_ROW * LEVELS
    axis = make_iteration_axis(anatomy.stop)
    iteration = OperationPanel((0.0, anatomy.stop), axis, "top", 0, height)
    part = OperationPanel(window, axis, "bottom", len(above), height)
    panels = [
        alt.layer(*part.marks(below), *part.names(below)),
        alt.layer(*draw_words_above([row.item for row in (*above, *below)], height)),
    ]
    if apart:
        panels.insert(0, alt.layer(iteration.shade(window, len(above)), *iteration.marks(above)))
    return alt.LayerChart(
        layer=panels,
        height=round(ROW_HEIGHT * height),
        resolve=alt.Resolve(
            scale=alt.ScaleResolveMap(x="independent"), axis=alt.AxisResolveMap(x="independent")
        ),
    )


def _make_host_row(anatomy: IterationAnatomy) -> OperationRow:
    """What the CPU does in the longest gap."""
    cause = anatomy.waits_for() or anatomy.host[0]
    return OperationRow(
        BarItem(f"CPU: {label(cause.name)}", quantity(cause.length, "s"), ()), anatomy.host
    )


def _make_device_row(anatomy: IterationAnatomy) -> OperationRow:
    text = f"{quantity(anatomy.busy, 's')} · {quantity(anatomy.busy / anatomy.length, 'ratio')}"
    return OperationRow(BarItem("GPU, all operations", text, ()), anatomy.device)


def _make_rows(anatomy: IterationAnatomy, window: Interval) -> list[OperationRow]:
    """A row per stream, or per kind of operation where there is one stream."""
    inside = [each for each in anatomy.device if window[0] <= each.start <= window[1]]
    several = len({each.line for each in inside}) > 1
    groups: dict[str, list[DrawnOperation]] = {}
    for each in sorted(inside, key=lambda each: (ROLES.index(each.role), each.kind)):
        groups.setdefault(each.line if several else _name_kind(each.kind), []).append(each)
    busiest = sorted(groups, key=lambda name: -sum(each.length for each in groups[name]))
    shown = set(busiest[:MOST_ROWS])
    return [_make_row(name, operations) for name, operations in groups.items() if name in shown]


def _make_row(name: str, operations: list[DrawnOperation]) -> OperationRow:
    time = quantity(sum(each.length for each in operations), "s")
    return OperationRow(
        BarItem(name, f"{sum(each.count for each in operations):,} · {time}", ()), tuple(operations)
    )


def _name_kind(kind: str) -> str:
    what, _, way = kind.partition(" ")
    if what == "copy":
        return f"Copies {DIRECTIONS.get(way, way)}".strip()
    return {"kernel": "Kernels", "memset": "Memsets"}.get(what, label(kind).capitalize())
