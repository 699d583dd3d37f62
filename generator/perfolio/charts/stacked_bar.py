"""Parts of one whole: a single bar, whose legend has the figures of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import label
from perfolio.charts.theme import make_colour_domain

HEIGHT = 34


@dataclass(frozen=True)
class BarPart:
    """A part, `length` in the base unit; no two parts of a whole have one role."""

    role: str
    name: str
    length: float
    text: str
    details: Mapping[str, str] = field(default_factory=dict)
    """Further lines of the tooltip by title."""


def plot_stacked_bar(parts: Sequence[BarPart], axis: ScaledAxis) -> alt.LayerChart:
    """The parts end to end on `axis`, which ends where they do."""
    words = {part.role: f"{label(part.name)} {part.text}" for part in parts}
    total = sum(part.length for part in parts)
    titles = list(parts[0].details)
    rows = [
        {
            "a": axis.at(sum(each.length for each in parts[:index])),
            "b": axis.at(sum(each.length for each in parts[: index + 1])),
            "part": words[part.role],
            "name": label(part.name),
            "text": part.text,
            **{f"detail{at}": part.details[title] for at, title in enumerate(titles)},
        }
        for index, part in enumerate(parts)
    ]
    tooltip = [
        alt.Tooltip("name:N", title="Part"),
        alt.Tooltip("text:N", title="Value"),
        *(alt.Tooltip(f"detail{at}:N", title=title) for at, title in enumerate(titles)),
    ]
    x = alt.X(
        "a:Q",
        scale=alt.Scale(domain=[0, axis.at(total)], nice=False),
        axis=make_value_axis(axis.title),
    )
    color = alt.Color(
        "part:N",
        scale=alt.Scale(domain=make_colour_domain(words)),
        legend=alt.Legend(
            title=None,
            values=[words[part.role] for part in parts],
            symbolType="square",
            columns=1,
            labelLimit=420,
        ),
    )
    bar = (
        alt.Chart(ChartRows(rows))
        .mark_rect(style="pf-operation")
        .encode(x=x, x2=alt.X2("b:Q"), color=color, tooltip=tooltip)
    )
    return stack_layers(bar, height=HEIGHT)
