"""How much memory is in use over time?"""

from __future__ import annotations

from collections.abc import Iterable

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
    encode_time_x,
    make_time_axis,
    make_zoomable,
    stack_categories,
)
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "memory"
ORDER = 1
_CATEGORIES = {name: told for name, told in MEMORY_CATEGORIES.items() if name != "parameters"}
_ALLOCATED = {"allocated": ("Allocated", "cpu")}


def draw(results: Results) -> ChartFigure | None:
    """Bars of what is allocated, and a line of what is reserved, on the device with most of it."""
    rows = get_rows(results, "memory.over_time")
    top = max(rows, key=lambda row: amount(row, "allocated"), default=None)
    if top is None or amount(top, "allocated") <= 0.0:
        return None
    own = [row for row in rows if row["device"] == top["device"]]
    others = len({str(row["device"]) for row in rows}) - 1
    most = quantity(top["allocated"], "B")
    reserved = max(amount(row, "reserved") for row in own)
    return ChartFigure(
        title=f"{most} of memory are in use at most",
        description=f"Bars of the memory that was allocated on {top['device']} in "
        f"{plural(len(own), 'slice')}: {most} at most"
        + (f"; {quantity(reserved, 'B')} were reserved at most." if reserved else "."),
        chart=_draw_chart(results, own),
        metric="memory.over_time",
        note=f"On {top['device']}"
        + (f"; {plural(others, 'other device')} in the table. " if others else ". ")
        + ("Dashed: reserved by the allocator. " if reserved else "")
        + "Memory of other libraries is not in it."
        + _name_largest(top),
    )


def _is_told(row: Record) -> bool:
    """Whether it is known what memory is for."""
    return to_number(row.get("gradients")) is not None


def _name_largest(top: Record) -> str:
    """The category with most of the peak; nothing where none is told."""
    if not _is_told(top):
        return ""
    largest = max(_CATEGORIES, key=lambda name: amount(top, name))
    share = quantity(amount(top, largest) / amount(top, "allocated"), "ratio")
    return f" Of the peak, {share}: {_CATEGORIES[largest][0].lower()}."


def _draw_chart(results: Results, rows: list[Record]) -> alt.LayerChart:
    highest = max(max(amount(row, "allocated"), amount(row, "reserved")) for row in rows)
    axis, size = (
        make_time_axis(results, amount(rows[-1], "stop")),
        scale_axis("Memory", highest, "B"),
    )
    x = encode_time_x(axis, amount(rows[-1], "stop"))
    scale = alt.Scale(domain=[0, size.at(highest) * 1.05], nice=False)
    is_told = any(map(_is_told, rows))
    parts = _CATEGORIES if is_told else _ALLOCATED
    data = _join_alike(
        _make_point(row, axis, size) | piece
        for row in rows
        for piece in stack_categories(row, parts, size)
    )
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect(clip=True)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.Y("low:Q", scale=scale, axis=make_value_axis(size.title)),
            y2=alt.Y2("high:Q"),
            color=encode_categories(parts, is_told=is_told),
            tooltip=[
                alt.Tooltip("since:N", title="From"),
                alt.Tooltip("what:N", title="What"),
                alt.Tooltip("text:N", title="Memory"),
                alt.Tooltip("reserved_text:N", title="Reserved"),
            ],
        )
    )
    reserved = [_make_point(row, axis, size) for row in rows if row["reserved"]]
    if not reserved:
        return stack_layers(make_zoomable(bars), height=HEIGHT)
    line = (
        alt.Chart(ChartRows(reserved))
        .mark_line(style="pf-limit", interpolate="step-after", clip=True)
        .encode(x=x, y=alt.Y("reserved:Q", scale=scale, axis=make_value_axis(size.title)))
    )
    return stack_layers(make_zoomable(bars), line, height=HEIGHT)


def _join_alike(pieces: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """Pieces of a category that follow each other and are as high, as one."""
    joined: list[dict[str, object]] = []
    open_ones: dict[object, dict[str, object]] = {}
    for piece in pieces:
        last = open_ones.get(piece["what"])
        if last is not None and last["end"] == piece["start"] and _is_alike(last, piece):
            last["end"] = piece["end"]
        else:
            joined.append(piece)
            open_ones[piece["what"]] = piece
    return joined


def _is_alike(one: dict[str, object], other: dict[str, object]) -> bool:
    return all(one[key] == other[key] for key in ("low", "high", "reserved_text"))


def _make_point(row: Record, axis: ScaledAxis, size: ScaledAxis) -> dict[str, object]:
    return {
        "start": round(axis.at(amount(row, "start")), 5),
        "end": round(axis.at(amount(row, "stop")), 5),
        "reserved_text": quantity(row["reserved"], "B") if row["reserved"] else "not recorded",
        "since": quantity(row["start"], "s"),
    } | ({"reserved": size.at(amount(row, "reserved"))} if row["reserved"] else {})
