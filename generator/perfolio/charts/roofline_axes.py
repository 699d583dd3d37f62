"""Roofs: the axes of a roofline, and the ceilings of a device on them.

In:  rows of roofline.ceilings. Out: axes and layers of a chart.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.chart_data import Record, amount
from perfolio.common.units import quantity

INTENSITIES = (1e-2, 1e4)
RATES = (1e9, 1e16)
"""Ends of both axes: the same in all reports, so that two of them can be laid over each other."""
_LABELS = (
    "datum.value >= 1e15 ? format(datum.value / 1e15, '~g') + ' PFLOP/s'"
    " : datum.value >= 1e12 ? format(datum.value / 1e12, '~g') + ' TFLOP/s'"
    " : format(datum.value / 1e9, '~g') + ' GFLOP/s'"
)


def make_roofline_axes(intensity: str = "x") -> tuple[alt.X, alt.Y]:
    """Arithmetic intensity, by the name of its field, and rate, on logarithmic axes."""
    x = alt.X(
        f"{intensity}:Q",
        scale=alt.Scale(type="log", domain=list(INTENSITIES), nice=False),
        axis=alt.Axis(title="Arithmetic intensity (FLOP/B, log)", format="~g",
                      values=[10.0**power for power in range(-2, 5)]),
    )  # fmt: skip
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(type="log", domain=list(RATES), nice=False),
        axis=alt.Axis(title="Rate (FLOP/s, log)", labelExpr=_LABELS,
                      values=[10.0**power for power in range(9, 17)]),
    )  # fmt: skip
    return x, y


def draw_roofs(
    memory: Record | None, ceilings: list[Record], x: alt.X, y: alt.Y
) -> tuple[list[alt.Chart], alt.Chart]:
    """Lines of nominal and of measured ceilings, and their names."""
    bandwidth = read_rate(memory, "bandwidth") if memory else 0.0
    dashed = _make_measured_roof(bandwidth, memory or {}, ceilings)
    lines = [_draw_line(_make_nominal_roof(bandwidth, ceilings), "pf-whisker", x, y)]
    names = alt.Chart(ChartRows(_make_name_rows(ceilings))).mark_text(
        style="pf-note", align="right", baseline="bottom", dy=-3
    ).encode(x=x, y=y, text=alt.Text("name:N"))  # fmt: skip
    return [*lines, *([_draw_line(dashed, "pf-limit", x, y)] if dashed else [])], names


def make_filters(field: str) -> tuple[alt.Parameter, alt.Parameter, object]:
    """A bound for the share of the time, a mark to pick by a field, and the opacity that follows.

    Rows have their share of the time in `part` [%].
    """
    least = alt.param(
        name="least", value=0,
        bind=alt.binding_range(min=0, max=10, step=0.5, name="From % of the time "),
    )  # fmt: skip
    picked = alt.selection_point(
        name="picked", fields=[field], on="click", clear="dblclick", empty=True
    )
    return least, picked, alt.condition(picked, alt.value(0.85), alt.value(0.15))


def describe_roof(roof: Record) -> str:
    """A ceiling in a sentence that lists them."""
    return f", {quantity(read_rate(roof, 'peak'), 'FLOP/s')} for {roof['ceiling']}"


def read_rate(row: Record, column: str) -> float:
    """The nominal rate of a ceiling, else what was measured."""
    return amount(row, column) or amount(row, _name_measured_column(column))


def _name_measured_column(column: str) -> str:
    return "measured_bandwidth" if column == "bandwidth" else "measured"


def _make_nominal_roof(bandwidth: float, ceilings: list[Record]) -> list[dict[str, object]]:
    top = max((read_rate(roof, "peak") for roof in ceilings), default=0.0)
    points = _make_memory_slope(bandwidth, top)
    for roof in ceilings:
        points += _make_flat_roof(str(roof["ceiling"]), read_rate(roof, "peak"), bandwidth)
    return points


def _make_measured_roof(
    bandwidth: float, memory: Record, ceilings: list[Record]
) -> list[dict[str, object]]:
    """What was measured of the roof, where that is told beside the nominal rates."""
    own = amount(memory, "measured_bandwidth") or bandwidth
    measured = [roof for roof in ceilings if amount(roof, "measured") > 0.0]
    top = max((amount(roof, "measured") for roof in measured), default=0.0)
    lines = _make_memory_slope(own, top)
    for roof in measured:
        lines += _make_flat_roof(str(roof["ceiling"]), amount(roof, "measured"), own)
    return lines


def _draw_line(rows: list[dict[str, object]], style: str, x: alt.X, y: alt.Y) -> alt.Chart:
    line: alt.Chart = (
        alt.Chart(ChartRows(rows))
        .mark_line(style=style, clip=True)
        .encode(x=x, y=y, detail=alt.Detail("line:N"))
    )
    return line


def _make_memory_slope(bandwidth: float, peak: float) -> list[dict[str, object]]:
    """Memory's roof, from the left edge to the ridge of the highest peak."""
    if not bandwidth or not peak:
        return []
    return [
        {"line": "memory", "x": at, "y": at * bandwidth}
        for at in (INTENSITIES[0], peak / bandwidth)
    ]


def _make_flat_roof(name: str, peak: float, bandwidth: float) -> list[dict[str, object]]:
    """A precision's roof, from its ridge to the right edge."""
    return [{"line": name, "x": at, "y": peak} for at in (peak / bandwidth, INTENSITIES[1])]


def _make_name_rows(ceilings: list[Record]) -> list[dict[str, object]]:
    return [
        {
            "x": INTENSITIES[1],
            "y": read_rate(roof, "peak"),
            "name": f"{roof['ceiling']} {quantity(read_rate(roof, 'peak'), 'FLOP/s')}",
        }
        for roof in ceilings
    ]
