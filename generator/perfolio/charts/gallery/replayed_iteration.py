"""What does one iteration do before and after the changes, if the run is replayed with them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import (
    BAR_BOTTOM,
    BAR_TOP,
    ROW_HEIGHT,
    BarItem,
    draw_words_above,
    encode_row_y,
    stack_layers,
)
from perfolio.charts.chart_data import Record, amount, label
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import make_colour_domain
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "roadmap"
ORDER = 3

MOST_LANES = 12
_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "cpu": "host's work", "other": "calls", "waiting": "host waits", "kernels": "kernels",
        "copies": "copies", "memsets": "memsets",
    }
)  # fmt: skip
_ROLES: Mapping[str, str] = MappingProxyType(
    {"work": "cpu", "call": "other", "wait": "waiting", "copy": "copies", "memset": "memsets"}
)
"""By the first word of what a mark is; all else is a kernel."""
_LEAST = 0.12
"""Part of a bar's height that is seen, however little of a slice is busy."""

_ONE = (
    "the iteration nearest the means, and no mean itself, from its first operation to that of the "
    "next one"
)
Lane = tuple[str, str]
"""Side and name."""


def draw(results: Results) -> ChartFigure | None:
    """Lanes of the host and of streams on one axis; None where nothing is replayed."""
    rows = get_rows(results, "roadmap.replayed_iteration")
    lengths = {str(row["side"]): amount(row, "length") for row in rows}
    if len(lengths) < 2 or max(lengths.values()) <= 0.0:
        return None
    lanes = list(dict.fromkeys((str(row["side"]), str(row["lane"])) for row in rows))
    shown = sorted(lanes, key=lambda lane: lane[0] != "before")[:MOST_LANES]
    before, after = (quantity(lengths[side], "s") for side in ("before", "after"))
    of, end = label(rows[0]["of"]), str(rows[0]["end"])
    is_one = of == "an iteration"
    axis = scale_axis("Time", max(lengths.values()), "s")
    return ChartFigure(
        title=f"{'One iteration' if is_one else of.capitalize()} of {before} takes {after} "
        f"after the changes{', ' + end if end else ''}",
        description=f"What the host and each stream do in {of}, before the changes and after all "
        f"of them, on one axis. {_describe_lanes(rows, shown)}",
        chart=_draw_lanes(rows, shown, lengths, axis),
        metric="roadmap.replayed_iteration",
        note=f"Replayed, both: {_ONE if is_one else 'all that was recorded'}. Of several ranks, "
        "the first one. A host that is ahead of the GPU is seen at work for later iterations. "
        "Where marks would be too many, a bar is a slice of time, as high as it is busy, in the "
        "colour of what takes most of it.",
    )


def _describe_lanes(rows: Sequence[Record], shown: Sequence[Lane]) -> str:
    busy = {lane: _sum_busy(rows, lane) for lane in shown}
    told = [f"{side} the changes, {label(name).lower()}" for side, name in shown]
    return (
        "Busy: "
        + "; ".join(
            f"{words} {quantity(busy[lane], 's')}" for words, lane in zip(told, shown, strict=True)
        )
        + "."
    )


def _sum_busy(rows: Sequence[Record], lane: Lane, *, without: str = "wait") -> float:
    return sum(
        (amount(row, "stop") - amount(row, "start")) * amount(row, "share")
        for row in rows
        if (row["side"], row["lane"]) == lane and row["kind"] != without
    )


def _draw_lanes(
    rows: Sequence[Record],
    shown: Sequence[Lane],
    lengths: Mapping[str, float],
    axis: ScaledAxis,
) -> alt.LayerChart:
    most = max(lengths.values())
    x = alt.X(
        "start:Q",
        scale=alt.Scale(domain=[0, axis.at(most)], nice=False),
        axis=make_value_axis(axis.title),
    )
    items = [_make_item(rows, lane, lengths[lane[0]]) for lane in shown]
    tracks = [
        {
            "start": 0.0, "end": axis.at(lengths[side]), "top": place + BAR_TOP,
            "bottom": place + BAR_BOTTOM,
        }
        for place, (side, _) in enumerate(shown)
    ]  # fmt: skip
    below = (
        alt.Chart(ChartRows(tracks))
        .mark_rect(style="pf-track", cornerRadius=2)
        .encode(x=x, x2=alt.X2("end:Q"), y=encode_row_y("top", len(shown)), y2=alt.Y2("bottom:Q"))
    )
    marks = _make_marks(rows, shown, axis)
    bars = (
        alt.Chart(ChartRows(marks))
        .mark_rect()
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=encode_row_y("top", len(shown)),
            y2=alt.Y2("bottom:Q"),
            color=_encode_kind(marks),
            tooltip=[
                alt.Tooltip("role:N", title="What"),
                alt.Tooltip("text:N", title="From"),
                alt.Tooltip("busy:N", title="Busy"),
            ],
        )
    )
    return stack_layers(below, bars, *draw_words_above(items), height=ROW_HEIGHT * len(shown))


def _make_item(rows: Sequence[Record], lane: Lane, length: float) -> BarItem:
    busy = _sum_busy(rows, lane)
    text = (
        f"{quantity(busy, 's')} · {quantity(min(1.0, busy / length) if length else 0.0, 'ratio')}"
    )
    return BarItem(f"{lane[0].capitalize()}: {label(lane[1]).lower()}", text, ())


def _make_marks(
    rows: Sequence[Record], shown: Sequence[Lane], axis: ScaledAxis
) -> list[dict[str, object]]:
    places = {lane: place for place, lane in enumerate(shown)}
    found: list[dict[str, object]] = []
    for row in rows:
        place = places.get((str(row["side"]), str(row["lane"])))
        if place is None:
            continue
        start, stop, share = (amount(row, name) for name in ("start", "stop", "share"))
        height = max(_LEAST, min(1.0, share)) * (BAR_BOTTOM - BAR_TOP)
        found.append({
            "start": axis.at(start),
            "end": axis.at(stop),
            "top": place + BAR_BOTTOM - height,
            "bottom": place + BAR_BOTTOM,
            "role": _LABELS[_ROLES.get(str(row["kind"]).partition(" ")[0], "kernels")],
            "text": f"{quantity(start, 's')} to {quantity(stop, 's')}",
            "busy": quantity(share, "ratio"),
        })  # fmt: skip
    return found


def _encode_kind(marks: Sequence[Mapping[str, object]]) -> alt.Color:
    domain = make_colour_domain(_LABELS)
    used = {mark["role"] for mark in marks}
    seen = [name for name in domain if name in used]
    return alt.Color(
        "role:N",
        scale=alt.Scale(domain=domain),
        legend=alt.Legend(title=None, values=seen, symbolType="square"),
    )
