"""What do the links reach, by size of the message?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, format_full_name, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import ROLES, make_colour_domain
from perfolio.charts.time_charts import HEIGHT
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 4
_LABELS = (
    "datum.value >= 1e9 ? format(datum.value / 1e9, '~g') + ' GB'"
    " : datum.value >= 1e6 ? format(datum.value / 1e6, '~g') + ' MB'"
    " : datum.value >= 1e3 ? format(datum.value / 1e3, '~g') + ' kB'"
    " : format(datum.value, '~g') + ' B'"
)


def draw(results: Results) -> ChartFigure | None:
    """A line of bus bandwidth for each operation that was tested; None without a test."""
    rows = [
        row for row in get_rows(results, "fabric.bandwidth") if amount(row, "bus_bandwidth") > 0.0
    ]
    if not rows:
        return None
    top = max(rows, key=lambda row: amount(row, "bus_bandwidth"))
    names = list(dict.fromkeys(map(_name_line, rows)))
    return ChartFigure(
        title=f"{str(top['operation']).replace('_', '-').capitalize()} reaches "
        f"{quantity(top['bus_bandwidth'], 'B/s')} of bus bandwidth, at "
        f"{quantity(top['bytes'], 'B')}",
        description=f"A line of bus bandwidth by size of the message for each of "
        f"{plural(len(names), 'test')}: {', '.join(names[:8])}.",
        chart=_draw_chart(rows, names[: len(ROLES)]),
        metric="fabric.bandwidth",
        note="The better of in place and out of place. Bus bandwidth compares with what a link "
        "carries."
        + (f" {len(names) - len(ROLES)} more in the table." if len(names) > len(ROLES) else ""),
    )


def _name_line(row: Record) -> str:
    ranks = row["ranks"]
    return format_full_name(row["operation"]).replace("_", "-") + (
        f", {ranks} ranks" if ranks else ""
    )


def _draw_chart(rows: list[Record], names: list[str]) -> alt.LayerChart:
    highest = max(amount(row, "bus_bandwidth") for row in rows)
    axis = scale_axis("Bus bandwidth", highest, "B/s")
    data = [
        {
            "x": max(amount(row, "bytes"), 1.0),
            "y": axis.at(amount(row, "bus_bandwidth")),
            "line": _name_line(row),
            "text": quantity(row["bus_bandwidth"], "B/s"),
            "size": quantity(row["bytes"], "B"),
            "time": quantity(row["seconds"], "s"),
        }
        for row in rows
        if _name_line(row) in names
    ]
    sizes = [max(amount(row, "bytes"), 1.0) for row in rows]
    least, most = min(sizes), max(sizes)
    lines = (
        alt.Chart(ChartRows(data))
        .mark_line(point=True, strokeWidth=1.8)
        .encode(
            x=alt.X(
                "x:Q",
                scale=alt.Scale(type="log", domain=[least, max(most, 2 * least)], nice=False),
                axis=alt.Axis(title="Size of the message (B, log)", labelExpr=_LABELS, tickCount=6),
            ),
            y=alt.Y(
                "y:Q", scale=alt.Scale(domain=[0, axis.at(highest) * 1.05], nice=False),
                axis=make_value_axis(axis.title),
            ),
            color=alt.Color(
                "line:N",
                scale=alt.Scale(domain=make_colour_domain(dict(zip(ROLES, names, strict=False)))),
                legend=alt.Legend(title=None, symbolType="stroke", values=names),
            ),
            tooltip=[
                alt.Tooltip("line:N", title="Test"),
                alt.Tooltip("size:N", title="Size"),
                alt.Tooltip("text:N", title="Bus bandwidth"),
                alt.Tooltip("time:N", title="Time"),
            ],
        )
    )  # fmt: skip
    return stack_layers(lines, height=HEIGHT)
