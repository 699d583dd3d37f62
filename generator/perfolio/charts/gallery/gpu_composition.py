"""What do GPU operations spend their time on: kernels, copies, memsets?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, label, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import ROLES, make_colour_domain
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 1
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


def draw(results: Results) -> ChartFigure | None:
    """One bar of device time, parted by kind of operation; None without GPU time."""
    rows = select_positive(get_rows(results, "gpu.composition"), "time")
    if not rows:
        return None
    top = rows[0]
    total = sum(amount(row, "time") for row in rows)
    axis = scale_axis("Time of GPU operations", total, "s")
    parts = ", ".join(
        f"{row['operation']} {quantity(row['time'], 's')} ({quantity(row['share'], 'ratio')})"
        for row in rows
    )
    return ChartFigure(
        title=f"{str(top['operation']).capitalize()} take {quantity(top['share'], 'ratio')} "
        "of GPU-operation time",
        description=f"One bar of {quantity(total, 's')} of GPU operations by kind: {parts}.",
        chart=_plot_stacked_bar(_make_parts(rows), axis),
        metric="gpu.composition",
        note="Durations of operations on the device, added up: operations that overlap count "
        "twice, and idle time is not in it.",
    )


def _make_parts(rows: list[Record]) -> list[BarPart]:
    """A part per kind; kinds without a colour of their own are one."""
    kinds: dict[str, list[Record]] = {}
    for row in rows:
        operation = str(row["operation"])
        kinds.setdefault(operation if operation in ROLES else "other", []).append(row)
    return [_make_part(role, members) for role, members in kinds.items()]


def _make_part(role: str, rows: list[Record]) -> BarPart:
    time, share = (sum(amount(row, column) for row in rows) for column in ("time", "share"))
    counts = [quantity(row.get("count"), "count") for row in rows]
    return BarPart(
        role=role,
        name=" and ".join(str(row["operation"]) for row in rows).capitalize(),
        length=time,
        text=f"{quantity(time, 's')} · {quantity(share, 'ratio')}",
        details={"Operations": " and ".join(counts)},
    )


def _plot_stacked_bar(parts: Sequence[BarPart], axis: ScaledAxis) -> alt.LayerChart:
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
