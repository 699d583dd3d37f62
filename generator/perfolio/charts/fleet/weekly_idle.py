"""Do GPUs idle more than they did some weeks ago?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.comparison.comparison_figure import ComparisonFigure
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity

HEIGHT = 200
MOST = 260
"""Weeks that are drawn, the latest ones."""
_ROOM = 1.15


def draw(weeks: Sequence[Mapping[str, Any]]) -> ComparisonFigure | None:
    """A dot per week of all runs; None with less than two weeks of which it is known."""
    known = [row for row in weeks if row["idle_share"] is not None][-MOST:]
    if len(known) < 2:
        return None
    first, last = (quantity(known[place]["idle_share"], "ratio") for place in (0, -1))
    figure = ChartFigure(
        title=f"GPUs idle {last} of GPU-hours in the last week, {first} in the first",
        description=f"A dot for each of {len(known)} weeks, from that of {known[0]['week']} to "
        f"that of {known[-1]['week']}. The share is {first} in the first and {last} in the last.",
        chart=_draw_line(known),
        metric="",
        note="Share of GPU-hours in which GPUs idle or wait for other ranks, by the week in which "
        "runs were recorded. The axis begins at zero.",
    )
    rows = [(row["week"], row["runs"], row["gpu_hours"], row["idle_share"]) for row in known]
    return ComparisonFigure(figure, ("week", "runs", "GPU-hours", "idle (ratio)"), rows)


def _draw_line(known: Sequence[Mapping[str, Any]]) -> alt.LayerChart:
    most = max(row["idle_share"] for row in known)
    axis = scale_axis("GPU idle", most or 1.0, "ratio")
    data = [
        {
            "week": f"{row['week']}T00:00:00Z",
            "idle": axis.at(row["idle_share"]),
            "text": quantity(row["idle_share"], "ratio"),
            "hours": quantity(row["gpu_hours"], "GPU-h"),
            "runs": quantity(row["runs"], "count"),
            "day": row["week"],
        }
        for row in known
    ]
    base = alt.Chart(ChartRows(data)).encode(
        x=alt.X(
            "week:T",
            scale=alt.Scale(type="utc", padding=12),
            axis=alt.Axis(title="Week of", format="%d %b %Y", grid=False, tickCount=6),
        ),
        y=alt.Y(
            "idle:Q",
            scale=alt.Scale(domain=[0, min(100.0, axis.at(most) * _ROOM) or 1.0], nice=False),
            axis=make_value_axis(axis.title),
        ),
    )
    tooltip = [
        alt.Tooltip(f"{name}:N", title=title)
        for name, title in (
            ("day", "Week of"), ("text", "Idle"), ("hours", "GPU-hours"), ("runs", "Runs"),
        )
    ]  # fmt: skip
    return stack_layers(
        base.mark_line(style="pf-whisker"),
        base.mark_point(style="pf-dot", filled=True).encode(tooltip=tooltip),
        height=HEIGHT,
    )
