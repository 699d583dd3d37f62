"""How much memory does the program hold, event by event of a memory snapshot?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import HEIGHT
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 6


def draw(results: Results) -> ChartFigure | None:
    """Bars of what is held, and a line of what is reserved, on the device that holds most."""
    rows = get_rows(results, "snapshot.over_time")
    top = max(rows, key=lambda row: amount(row, "allocated"), default=None)
    if top is None or amount(top, "allocated") <= 0.0:
        return None
    own = [row for row in rows if row["device"] == top["device"]]
    others = len({str(row["device"]) for row in rows}) - 1
    reserved = max(amount(row, "reserved") for row in own)
    return ChartFigure(
        title=f"The program holds {quantity(top['allocated'], 'B')} at most, of "
        f"{quantity(reserved, 'B')} that are reserved",
        description=f"Bars of the memory that was held on {top['device']} in "
        f"{plural(len(own), 'part')} of the snapshot's events: "
        f"{quantity(top['allocated'], 'B')} at most; {quantity(reserved, 'B')} were "
        "reserved at most.",
        chart=_draw_chart(own),
        metric="snapshot.over_time",
        note=f"On {top['device']}"
        + (f"; {plural(others, 'other device')} in the table. " if others else ". ")
        + "Events, not time, run to the right. Dashed: reserved by the allocator.",
    )


def _draw_chart(rows: list[Record]) -> alt.LayerChart:
    highest = max(max(amount(row, "allocated"), amount(row, "reserved")) for row in rows)
    size = scale_axis("Memory", highest, "B")
    scale = alt.Scale(domain=[0, size.at(highest) * 1.05], nice=False)
    percent = 100.0 / (amount(rows[-1], "part") + 1.0)
    x = alt.X(
        "part:Q",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(title="Events (%)", tickCount=6, format="~r"),
    )
    data = [_make_point(row, size, percent) for row in rows]
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect(style="pf-cpu", clip=True)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.Y("held:Q", scale=scale, axis=make_value_axis(size.title)),
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("held_text:N", title="Held"),
                alt.Tooltip("reserved_text:N", title="Reserved"),
                alt.Tooltip("when:N", title="From"),
            ],
        )
    )
    line = (
        alt.Chart(ChartRows(data))
        .mark_line(style="pf-limit", interpolate="step-after", clip=True)
        .encode(x=x, y=alt.Y("reserved:Q", scale=scale, axis=make_value_axis(size.title)))
    )
    return stack_layers(bars, line, height=HEIGHT)


def _make_point(row: Record, size: ScaledAxis, percent: float) -> dict[str, object]:
    return {
        "part": round(amount(row, "part") * percent, 3),
        "end": round((amount(row, "part") + 1.0) * percent, 3),
        "zero": 0.0,
        "held": size.at(amount(row, "allocated")),
        "reserved": size.at(amount(row, "reserved")),
        "held_text": quantity(row["allocated"], "B"),
        "reserved_text": quantity(row["reserved"], "B"),
        "when": quantity(row["start"], "s") if row["start"] is not None else "the begin",
    }
