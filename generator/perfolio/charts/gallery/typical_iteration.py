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
    found = read_iteration(rows, read_scalar(results, "time.iteration_median") or 0.0)
    if not found.device or found.stop <= 0.0:
        return None
    first, last = found.longest_gap
    apart = last - first >= NOTABLE * found.length
    window = _add_margin(found.beside_gap, found.stop) if apart else (0.0, found.stop)
    gpus = read_scalar(results, "run.gpus") or 1.0
    gpu = f"One GPU of {quantity(gpus, 'count')}" if gpus > 1.0 else "The GPU"
    return ChartFigure(
        title=_make_title(found, gpu, apart=apart),
        description=_describe_iteration(found, gpu, apart=apart),
        chart=_draw_chart(found, window, apart=apart),
        metric="time.typical_iteration",
        note="One iteration, whose duration is closest to the median: medians over all differ from "
        "it a little. Operations are drawn at least one pixel wide: "
        "most are much shorter. Names: the longest operations.",
    )


def _make_title(found: IterationAnatomy, gpu: str, *, apart: bool) -> str:
    work = quantity(found.busy, "s")
    cause = found.waits_for()
    if not apart or cause is None:
        return f"{gpu} works {work} in the iteration closest to the median"
    first, last = found.longest_gap
    gap = quantity(last - first, "s")
    return f"{gpu} works {work} in an iteration and waits {gap} for {label(cause.name)}"


def _describe_iteration(found: IterationAnatomy, gpu: str, *, apart: bool) -> str:
    first, last = found.longest_gap
    words = (
        f"{plural(found.count, 'GPU operation')} of the iteration closest to the median of "
        f"{quantity(found.length, 's')}, by kind. {gpu} works "
        f"{quantity(found.busy, 's')} of it; "
        f"the longest gap, {quantity(last - first, 's')}, begins at "
        f"{quantity(first, 's')}."
    )
    if not apart:
        return words
    begin, end = found.beside_gap
    return (
        f"{words} Above the whole iteration, below the {quantity(end - begin, 's')} beside "
        "the longest gap, magnified."
    )


def _add_margin(window: Interval, stop: float) -> Interval:
    margin = MARGIN * (window[1] - window[0])
    return (max(0.0, window[0] - margin), min(stop, window[1] + margin))


def _draw_chart(found: IterationAnatomy, window: Interval, *, apart: bool) -> alt.LayerChart:
    host = [_make_host_row(found)] if found.host else []
    above = [*host, _make_device_row(found)] if apart else []
    below = [*([] if apart else host), *_make_rows(found, window)]
    height = len(above) + len(below) + NAME_ROW * LEVELS
    axis = make_iteration_axis(found.stop)
    whole = OperationPanel((0.0, found.stop), axis, "top", 0, height)
    part = OperationPanel(window, axis, "bottom", len(above), height)
    panels = [
        alt.layer(*part.marks(below), *part.names(below)),
        alt.layer(*draw_words_above([row.item for row in (*above, *below)], height)),
    ]
    if apart:
        panels.insert(0, alt.layer(whole.shade(window, len(above)), *whole.marks(above)))
    return alt.LayerChart(
        layer=panels,
        height=round(ROW_HEIGHT * height),
        resolve=alt.Resolve(
            scale=alt.ScaleResolveMap(x="independent"), axis=alt.AxisResolveMap(x="independent")
        ),
    )


def _make_host_row(found: IterationAnatomy) -> OperationRow:
    """What the CPU does in the longest gap."""
    cause = found.waits_for() or found.host[0]
    return OperationRow(
        BarItem(f"CPU: {label(cause.name)}", quantity(cause.length, "s"), ()), found.host
    )


def _make_device_row(found: IterationAnatomy) -> OperationRow:
    text = f"{quantity(found.busy, 's')} · {quantity(found.busy / found.length, 'ratio')}"
    return OperationRow(BarItem("GPU, all operations", text, ()), found.device)


def _make_rows(found: IterationAnatomy, window: Interval) -> list[OperationRow]:
    """A row per stream, or per kind of operation where there is one stream."""
    inside = [each for each in found.device if window[0] <= each.start <= window[1]]
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
