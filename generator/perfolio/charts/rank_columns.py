"""A column per rank, in the order of ranks: all of them in one strip, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.theme import ROLES

MOST_BARS = 16
"""Ranks up to which each has a bar with its name; more of them are columns."""
MOST_COLUMNS = 500
"""Columns: beyond, each is the highest of some neighbours."""
HEIGHT = 220


@dataclass(frozen=True)
class RankColumn:
    """A rank: its segments are (role, length in the base unit), from the axis upwards."""

    rank: int
    segments: tuple[tuple[str, float], ...]
    text: str

    @property
    def length(self) -> float:
        """All segments together."""
        return sum(part for _, part in self.segments)


def plot_ranks(
    columns: Sequence[RankColumn], axis: ScaledAxis, line: float, legend: Sequence[str] = ()
) -> alt.LayerChart:
    """Columns by rank on `axis`, with a dashed line at `line` (base unit)."""
    drawn = merge_columns(columns)
    width = (drawn[1].rank - drawn[0].rank) if len(drawn) > 1 else 1
    data = [
        {
            "left": column.rank - 0.5 + 0.04 * width,
            "right": column.rank - 0.5 + 0.96 * width,
            "bottom": axis.at(sum(part for _, part in column.segments[:index])),
            "top": axis.at(sum(part for _, part in column.segments[: index + 1])),
            "role": role,
            "name": f"rank {column.rank}",
            "text": column.text,
        }
        for column in drawn
        for index, (role, _) in enumerate(column.segments)
    ]
    last = max(column.rank for column in columns)
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[-0.5, last + 0.5], nice=False),
        axis=alt.Axis(title="Rank", format="d", tickMinStep=1, tickCount=8, grid=False),
    )
    most = max(column.length for column in columns)
    y = alt.Y(
        "top:Q",
        scale=alt.Scale(domain=[0, axis.at(most)], nice=True),
        axis=make_value_axis(axis.title),
    )
    shown = alt.Legend(title=None, values=list(legend), symbolType="square") if legend else None
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect()
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=y,
            y2=alt.Y2("bottom:Q"),
            color=alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=shown),
            tooltip=[alt.Tooltip("name:N", title="Rank"), alt.Tooltip("text:N", title="Value")],
        )
    )
    rule = (
        alt.Chart(ChartRows([{"line": axis.at(line)}]))
        .mark_rule(style="pf-limit")
        .encode(y=alt.Y("line:Q"))
    )
    return stack_layers(bars, rule, height=HEIGHT)


def merge_columns(columns: Sequence[RankColumn]) -> list[RankColumn]:
    """In order of rank; where they are too many to be told apart, the highest of neighbours."""
    ordered = sorted(columns, key=lambda column: column.rank)
    each = -(-len(ordered) // MOST_COLUMNS)
    groups = (ordered[at : at + each] for at in range(0, len(ordered), each))
    highest = ((group[0].rank, max(group, key=lambda column: column.length)) for group in groups)
    if each == 1:
        return ordered
    return [
        RankColumn(rank, high.segments, f"{high.text}, rank {high.rank}: the highest of {each}")
        for rank, high in highest
    ]
