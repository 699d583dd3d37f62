"""How much memory does the program hold, and for what, event by event of a memory snapshot?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural, to_number
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import (
    HEIGHT,
    MEMORY_CATEGORIES,
    encode_categories,
    stack_categories,
)
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "memory"
ORDER = 2
_CATEGORIES = {name: told for name, told in MEMORY_CATEGORIES.items() if name != "before"}
_HELD = {"allocated": ("Held", "cpu")}


def draw(results: Results) -> ChartFigure | None:
    """Bars of what is held by category, and a line of what is reserved, where most is held."""
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
        + "Events, not time, run to the right. Dashed: reserved by the allocator."
        + _name_largest(top),
    )


def _name_largest(top: Record) -> str:
    """The category with most of the peak; nothing where none is told."""
    largest = max(_CATEGORIES, key=lambda name: amount(top, name))
    if amount(top, largest) <= 0.0:
        return ""
    share = amount(top, largest) / amount(top, "allocated")
    return f" {_CATEGORIES[largest][0]} hold {quantity(share, 'ratio')} of the peak."


def _draw_chart(rows: list[Record]) -> alt.LayerChart:
    highest = max(max(amount(row, "allocated"), amount(row, "reserved")) for row in rows)
    size = scale_axis("Memory", highest, "B")
    scale = alt.Scale(domain=[0, size.at(highest) * 1.05], nice=False)
    percent = 100.0 / (amount(rows[-1], "part") + 1.0)
    is_told = any(to_number(row["parameters"]) is not None for row in rows)
    parts = _CATEGORIES if is_told else _HELD
    x = alt.X(
        "part:Q",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(title="Events (%)", tickCount=6, format="~r"),
    )
    bars = (
        alt.Chart(ChartRows(_make_pieces(rows, parts, size, percent)))
        .mark_rect(clip=True)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.Y("low:Q", scale=scale, axis=make_value_axis(size.title)),
            y2=alt.Y2("high:Q"),
            color=encode_categories(parts, is_told=is_told),
            tooltip=[
                alt.Tooltip("what:N", title="What"),
                alt.Tooltip("text:N", title="Memory"),
                alt.Tooltip("held_text:N", title="Held"),
                alt.Tooltip("reserved_text:N", title="Reserved"),
                alt.Tooltip("when:N", title="From"),
            ],
        )
    )
    line = (
        alt.Chart(ChartRows([_make_point(row, size, percent) for row in rows]))
        .mark_line(style="pf-limit", interpolate="step-after", clip=True)
        .encode(x=x, y=alt.Y("reserved:Q", scale=scale, axis=make_value_axis(size.title)))
    )
    return stack_layers(bars, line, height=HEIGHT)


def _make_point(row: Record, size: ScaledAxis, percent: float) -> dict[str, object]:
    return {
        "part": round(amount(row, "part") * percent, 3),
        "reserved": size.at(amount(row, "reserved")),
    }


def _make_pieces(
    rows: list[Record], parts: dict[str, tuple[str, str]], size: ScaledAxis, percent: float
) -> list[dict[str, object]]:
    """A rectangle for each category and part of the events, one above the other."""
    return [
        {
            "part": round(amount(row, "part") * percent, 3),
            "end": round((amount(row, "part") + 1.0) * percent, 3),
            **piece,
            "held_text": quantity(row["allocated"], "B"),
            "reserved_text": quantity(row["reserved"], "B"),
            "when": "the begin" if row["start"] is None else quantity(row["start"], "s"),
        }
        for row in rows
        for piece in stack_categories(row, parts, size)
    ]
