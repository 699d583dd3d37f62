"""Rows: the name of each item above its bar, its number at the right edge.

Names need no margin of their own this way, so the same chart reads at 360 px and at
1600 px. Positions on the vertical axis are row numbers: row `i` spans `i` to `i + 1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import altair as alt

from perfolio.charts.altair_rows import ChartRows, reuse_marks
from perfolio.charts.axes import SI_TIME_LABELS, ScaledAxis, make_value_axis
from perfolio.charts.chart_data import format_full_name, label
from perfolio.charts.theme import ROLES
from perfolio.common.units import quantity

ROW_HEIGHT = 42
TEXT_LINE = 0.40
BAR_TOP, BAR_BOTTOM = 0.53, 0.86
CHARACTER_WIDTH = 8
"""Of a bold digit in the static image [px]: numbers keep their room, names give way."""
BAR_MIDDLE = (BAR_TOP + BAR_BOTTOM) / 2

Row = dict[str, object]


@dataclass(frozen=True)
class BarItem:
    """One row: `segments` are (role, length in the base unit), laid end to end."""

    name: str
    text: str
    """The number at the right edge, with its unit."""
    segments: tuple[tuple[str, float], ...]
    details: Mapping[str, str] = field(default_factory=dict)
    """Further lines of the tooltip by title."""
    short: str = ""
    """Name to draw, where it is not made from `name`."""

    @property
    def length(self) -> float:
        """All segments together."""
        return sum(part for _, part in self.segments)


def plot_rows(
    items: Sequence[BarItem],
    axis: ScaledAxis,
    maximum: float,
    *layers: alt.Chart,
    legend: Sequence[str] = (),
) -> alt.LayerChart:
    """Bars of `items` on `axis` from 0 to `maximum` (base unit), with `layers` on top.

    `legend` names the roles to explain, where a bar has segments.
    """
    x = alt.X(
        "start:Q",
        scale=alt.Scale(domain=[0, axis.at(maximum)], nice=False),
        axis=make_value_axis(axis.title),
    )
    tooltip = _make_tooltip(items)
    below = (
        alt.Chart(ChartRows(_make_track_rows(items, axis.at(maximum))))
        .mark_rect(style="pf-track", cornerRadius=2)
        .encode(x=x, x2=alt.X2("end:Q"), y=encode_row_y("top", len(items)), y2=alt.Y2("bottom:Q"))
    )
    bars = (
        alt.Chart(ChartRows(_make_bar_rows(items, axis)))
        .mark_rect(cornerRadius=2)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=encode_row_y("top", len(items)),
            y2=alt.Y2("bottom:Q"),
            color=_encode_role_color(legend),
            tooltip=tooltip,
        )
    )
    return stack_layers(
        below, bars, *draw_words_above(items), *layers, height=ROW_HEIGHT * len(items)
    )


def plot_dots(items: Sequence[BarItem], title: str, ticks: Sequence[float]) -> alt.LayerChart:
    """A dot per item on a logarithmic axis of seconds from the first to the last of `ticks`.

    Dots, since the length of a bar means nothing where the axis has no zero.
    """
    x = alt.X(
        "end:Q",
        scale=alt.Scale(type="log", domain=[ticks[0], ticks[-1]], nice=False),
        axis=alt.Axis(title=title, values=list(ticks), labelExpr=SI_TIME_LABELS),
    )
    rows = [
        {
            "role": item.segments[0][0],
            "end": item.length,
            "middle": index + BAR_MIDDLE,
            **_make_tooltip_fields(item),
        }
        for index, item in enumerate(items)
    ]
    dots = (
        alt.Chart(ChartRows(rows))
        .mark_point(size=150, filled=True, opacity=1)
        .encode(
            x=x,
            y=encode_row_y("middle", len(items)),
            color=_encode_role_color(()),
            shape=_encode_role_shape(),
            tooltip=_make_tooltip(items),
        )
    )
    lines = (
        alt.Chart(ChartRows(rows))
        .mark_rule(style="pf-guide")
        .encode(y=encode_row_y("middle", len(items)))
    )
    return stack_layers(lines, dots, *draw_words_above(items), height=ROW_HEIGHT * len(items))


def stack_layers(*layers: alt.Chart, height: int) -> alt.LayerChart:
    """`layers` on top of each other, `height` pixels high; the page decides on the width."""
    return alt.LayerChart(layer=reuse_marks(layers), height=height)


def draw_share_dots(shares: Sequence[float], title: str) -> alt.Chart:
    """A dot per row at a share [ratio] of its whole, on an axis of percent, called `title`."""
    rows = [
        {
            "end": 100.0 * share,
            "middle": index + BAR_MIDDLE,
            "text": quantity(share, "ratio"),
        }
        for index, share in enumerate(shares)
    ]
    dots: alt.Chart = (
        alt.Chart(ChartRows(rows))
        .mark_point(style="pf-dot", filled=True)
        .encode(
            x=alt.X("end:Q"),
            y=encode_row_y("middle", len(rows)),
            tooltip=[alt.Tooltip("text:N", title=title)],
        )
    )
    return dots


def encode_row_y(column: str, rows: float) -> alt.Y:
    """Vertical position `column`, counted in rows from the top."""
    return alt.Y(
        f"{column}:Q",
        axis=None,
        scale=alt.Scale(domain=[max(rows, 1), 0], nice=False, zero=False),
    )


def _encode_role_color(legend: Sequence[str]) -> alt.Color:
    """Colour by role, the same in all charts; the colours are the theme's."""
    shown = alt.Legend(title=None, values=list(legend), symbolType="square") if legend else None
    return alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=shown)


def _encode_role_shape() -> alt.Shape:
    shapes = ["square", *["circle"] * (len(ROLES) - 1)]
    return alt.Shape("role:N", scale=alt.Scale(domain=list(ROLES), range=shapes), legend=None)


def draw_words_above(items: Sequence[BarItem], rows: float = 0.0) -> tuple[alt.Chart, alt.Chart]:
    """The names at the left and the numbers at the right edge, above the bars.

    `rows` is the height of the chart in rows, where it has more than those of `items`.
    """
    names = alt.Chart(ChartRows(_make_name_rows(items)))
    y, tooltip = encode_row_y("line", max(rows, len(items))), _make_tooltip(items)
    taken = max((len(item.text) for item in items), default=0) * CHARACTER_WIDTH + 12
    room = alt.expr(f"max(60, width - {taken})")
    return (
        names.mark_text(style="pf-name", limit=room).encode(
            x=alt.XValue(0), y=y, text=alt.Text("name:N"), tooltip=tooltip
        ),
        names.mark_text(style="pf-value").encode(
            x=alt.XValue("width"), y=y, text=alt.Text("text:N"), tooltip=tooltip
        ),
    )


def _make_track_rows(items: Sequence[BarItem], end: float) -> list[Row]:
    return [
        {"start": 0.0, "end": end, "top": index + BAR_TOP, "bottom": index + BAR_BOTTOM}
        for index in range(len(items))
    ]


def _make_bar_rows(items: Sequence[BarItem], axis: ScaledAxis) -> list[Row]:
    bars: list[Row] = []
    for index, item in enumerate(items):
        start = 0.0
        for role, length in item.segments:
            bars.append(
                {
                    "role": role,
                    "start": axis.at(start),
                    "end": axis.at(start + length),
                    "top": index + BAR_TOP,
                    "bottom": index + BAR_BOTTOM,
                    **_make_tooltip_fields(item),
                }
            )
            start += length
    return bars


def _make_name_rows(items: Sequence[BarItem]) -> list[Row]:
    return [
        {
            "line": index + TEXT_LINE,
            "name": item.short or label(item.name),
            **_make_tooltip_fields(item),
        }
        for index, item in enumerate(items)
    ]


def _make_tooltip_fields(item: BarItem) -> Row:
    """The fields that tooltips read: numbered, since titles are ours but not field names."""
    details = {f"detail{i}": text for i, text in enumerate(item.details.values())}
    return {"full": format_full_name(item.name), "text": item.text, **details}


def _make_tooltip(items: Sequence[BarItem]) -> list[alt.Tooltip]:
    titles = list(items[0].details) if items else []
    return [
        alt.Tooltip("full:N", title="Name"),
        alt.Tooltip("text:N", title="Value"),
        *(alt.Tooltip(f"detail{i}:N", title=title) for i, title in enumerate(titles)),
    ]
