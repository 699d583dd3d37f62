"""What did a monitor see of the device?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural, read_scalar, to_number
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import make_colour_domain
from perfolio.charts.time_charts import HEIGHT, make_zoomable
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 3
_LINES = {
    "gpu_active": ("With a kernel", "kernels"),
    "sm_active": ("Multiprocessors", "cpu"),
    "tensor_active": ("Tensor cores", "allocation"),
    "dram_active": ("Memory", "copies"),
}


def draw(results: Results) -> ChartFigure | None:
    """Lines of what a monitor read of the busiest device; None where nothing was read twice."""
    rows = get_rows(results, "device.over_time")
    own = _select_busiest(rows)
    measured = [name for name in _LINES if sum(to_number(row[name]) is not None for row in own) > 1]
    if not measured:
        return None
    timed = all(to_number(row["at"]) is not None for row in own)
    highest = {name: max(amount(row, name) for row in own) for name in measured}
    power = read_scalar(results, "device.power")
    others = len({str(row["device"]) for row in rows}) - 1
    return ChartFigure(
        title=_make_title(measured, highest, power),
        description=f"Lines over {plural(len(own), 'slice')} of readings: "
        + ", ".join(
            f"{_LINES[name][0].lower()} {quantity(highest[name], 'ratio')} at most"
            for name in measured
        )
        + ".",
        chart=_draw_chart(own, measured, timed=timed),
        metric="device.over_time",
        note=f"{own[0]['device']}, read by {own[0]['tool']}"
        + (f"; {plural(others, 'other device')} in the table. " if others else ". ")
        + ("" if timed else "The file gives no times, so readings are counted. ")
        + "A device counts as busy with one kernel on one multiprocessor.",
    )


def _select_busiest(rows: list[Record]) -> list[Record]:
    """The slices of the device that worked most."""
    busy: dict[str, float] = {}
    for row in rows:
        name = str(row["device"])
        busy[name] = busy.get(name, 0.0) + amount(row, "gpu_active")
    most = max(busy, key=lambda name: busy[name], default="")
    return [row for row in rows if str(row["device"]) == most]


def _make_title(measured: list[str], highest: dict[str, float], power: float | None) -> str:
    name = "tensor_active" if "tensor_active" in measured else measured[0]
    what = {
        "tensor_active": "Tensor cores were active in", "gpu_active": "A kernel ran in",
        "sm_active": "Multiprocessors were active in", "dram_active": "Memory was active in",
    }[name]  # fmt: skip
    drawn = f", at {quantity(power, 'W')} at work" if power else ""
    return f"{what} up to {quantity(highest[name], 'ratio')} of the time{drawn}"


def _draw_chart(rows: list[Record], measured: list[str], *, timed: bool) -> alt.LayerChart:
    place = "at" if timed else "reading"
    last = max(amount(row, place) for row in rows) or 1.0
    axis = (
        scale_axis("Time since the first reading", last, "s")
        if timed
        else ScaledAxis("Reading", 1.0, "")
    )
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, axis.at(last)], nice=False),
        axis=make_value_axis(axis.title),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=make_value_axis("Share of the time (%)"),
    )
    labels = [_LINES[name] for name in measured]
    lines = (
        alt.Chart(ChartRows(_make_points(rows, measured, axis, place)))
        .mark_line(interpolate="step-after", strokeWidth=1.6, clip=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "line:N",
                scale=alt.Scale(domain=make_colour_domain({role: name for name, role in labels})),
                legend=alt.Legend(
                    title=None, symbolType="stroke", values=[name for name, _ in labels]
                ),
            ),
            tooltip=[
                alt.Tooltip("line:N", title="What"),
                alt.Tooltip("text:N", title="Share"),
                alt.Tooltip("power:N", title="Power"),
                alt.Tooltip("clock:N", title="Clock"),
            ],
        )
    )
    return stack_layers(make_zoomable(lines), height=HEIGHT)


def _make_points(
    rows: list[Record], measured: list[str], axis: ScaledAxis, place: str
) -> list[dict[str, object]]:
    return [
        {
            "x": round(axis.at(amount(row, place)), 5),
            "y": round(100.0 * amount(row, name), 3),
            "line": _LINES[name][0],
            "text": quantity(row[name], "ratio"),
            "power": quantity(row["power"], "W"),
            "clock": quantity(row["sm_clock"], "Hz"),
        }
        for name in measured
        for row in rows
        if to_number(row[name]) is not None
    ]
