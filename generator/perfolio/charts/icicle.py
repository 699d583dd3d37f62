"""Call trees as icicles: a rectangle per frame, as wide as its share, callees below.

The picture is for paper and for pages without scripts; the page draws the live chart itself from
`call_tree_rows.make_live_tree`.

The hot path is followed from the main thread, or from the largest root where there is none, as
long as one callee holds at least half of its caller's cost (HPCToolkit's own hot-path rule); it is
drawn in another colour and in bold. So it is not that of a pool of threads that spins.
"""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import encode_row_y, stack_layers
from perfolio.charts.call_tree_rows import (
    Row,
    find_hot_path,
    make_live_tree,
    make_picture_rows,
)
from perfolio.charts.chart_data import MAX_MARKS, Record, amount, label, plural
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Cell, Results

FRAME_HEIGHT = 22
MAX_LEVELS = 30
"""Levels of a picture: it still fits a page of paper."""
NARROWEST = 46
"""Width of a frame from which on it is labelled [px]."""

_MAIN = "<main thread>"
_ALL = 0.995
"""From this share on the main thread is all there is [ratio]."""
_HOT_NOTE = (
    "Orange and bold: the hot path, from the main thread where there is one, each callee with at "
    "least half of its caller's cost."
)
_HOW_TO = (
    "Click on a frame to give it the whole width, twice for all of them; frames found are purple. "
    "Keys: arrows go to the caller, the largest callee and the frames beside, Enter enlarges, "
    "Escape goes back to all, c shows callers and callees. The largest callee stands leftmost."
)


def draw_tree_figure(
    results: Results, metric: str, cost: CpuCost, waits: Mapping[str, str] | None = None
) -> ChartFigure | None:
    """Icicle of the `tree.*` table `metric` of `cost`; None where nothing has a share.

    `waits` says of functions that wait, by their short names, for what.
    """
    found = [row for row in get_rows(results, metric) if amount(row, "share") > 0.0]
    frames = _pick_largest(found)
    if not frames:
        return None
    top = min(amount(row, "depth") for row in frames)
    shown = [row for row in frames if amount(row, "depth") - top < MAX_LEVELS]
    path = find_hot_path(frames)
    hot = frozenset(row["context"] for row in path) if len(path) > 1 else frozenset()
    return ChartFigure(
        title=_make_title(path, cost.words, waits or {}),
        description=f"Call tree of {plural(len(shown), 'frame')}, callers above callees, width "
        f"by inclusive {cost.words}. {_describe_hot_path(path, cost.words)}",
        chart=_draw_picture(make_picture_rows(shown, top, hot), f"Share of {cost.words} (%)"),
        metric=metric,
        tree=make_live_tree(metric.rpartition(".")[2], found, cost, hot),
        note=(f"{_HOT_NOTE} " if hot else "")
        + f"{_HOW_TO} Lines and loops are merged into their function; "
        + "small frames are one below their caller. A picture on paper leaves them out, and those "
        + f"below level {MAX_LEVELS}.",
    )


def _describe_hot_path(path: list[Record], words: str) -> str:
    """The end of the hot path in a sentence."""
    end = f"{label(path[-1]['name'])} with {quantity(path[-1]['share'], 'ratio')} of {words}"
    if len(path) == 1:
        return f"The largest root is {end}; no callee holds half of its cost."
    return (
        "The hot path, where each callee holds at least half of its caller, ends "
        f"{plural(len(path) - 1, 'call')} deep in {end}."
    )


def _make_title(path: list[Record], words: str, waits: Mapping[str, str]) -> str:
    """What the hot path says, plain where there is none.

    What it has of the main thread, where it begins, comes first: of all it may be a small part.
    """
    if len(path) == 1:
        return f"Call tree of {words}: no callee of {label(path[0]['name'])} holds half of it"
    share = amount(path[-1], "share")
    name = label(path[-1]["name"])
    wait = waits.get(strip_library(path[-1]["name"]))
    end = f"ends in {name}{f', {wait}' if wait else ''}"
    main = next((amount(row, "share") for row in path if row["name"] == _MAIN), 1.0)
    if main > _ALL:
        return f"The hot path {end}: {quantity(share, 'ratio')} of {words}"
    return (
        f"The main thread's hot path {end}: {quantity(share / main, 'ratio')} of its "
        f"{words}, "
        f"{quantity(share, 'ratio')} of all"
    )


def strip_library(name: Cell) -> str:
    """A function's name without its library."""
    return str(name).partition(" [")[0]


def _pick_largest(frames: list[Record]) -> list[Record]:
    """At most `MAX_MARKS` frames; callers come before callees, so none is left hanging."""
    ordered = sorted(frames, key=lambda row: (-amount(row, "share"), amount(row, "depth")))
    return ordered[:MAX_MARKS]


def _draw_picture(frames: list[Row], title: str) -> alt.LayerChart:
    """Frames and their names."""
    levels = 1 + max(int(str(row["level"])) for row in frames)
    layers = [
        draw_frames("pf-frame", "!datum.hot", levels, title),
        draw_frames("pf-hot", "datum.hot", levels, title),
        draw_frame_names("pf-frame-name", "!datum.hot", levels),
        draw_frame_names("pf-hot-name", "datum.hot", levels),
    ]
    chart = stack_layers(*layers, height=FRAME_HEIGHT * levels)
    return place_frames(chart, frames)


def place_frames(chart: alt.LayerChart, frames: list[Row]) -> alt.LayerChart:
    """The chart with its data, and where each frame has its lower edge and its middle."""
    placed: alt.LayerChart = chart.properties(data=ChartRows(frames)).transform_calculate(
        bottom="datum.level + 1", middle="datum.level + 0.5"
    )
    return placed


def draw_frames(style: str, chosen: str, levels: int, title: str, end: float = 100.0) -> alt.Chart:
    """The chosen frames, on an axis up to `end`."""
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[0, end], nice=False),
        axis=alt.Axis(title=title, tickCount=5, grid=False),
    )
    frames: alt.Chart = (
        alt.Chart()
        .transform_filter(chosen)
        .mark_rect(style=style, clip=True)
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=encode_row_y("level", levels),
            y2=alt.Y2("bottom:Q"),
        )
    )
    return frames


def draw_frame_names(style: str, chosen: str, levels: int, end: float = 100.0) -> alt.Chart:
    """Names inside the frames that are wide enough, cut to their width."""
    width = f"(datum.right - datum.left) / {end!r} * width"
    names: alt.Chart = (
        alt.Chart()
        .transform_filter(chosen)
        .transform_filter(f"{width} >= {NARROWEST}")
        .mark_text(style=style, dx=5, limit=alt.expr(f"max(1, {width} - 10)"))
        .encode(
            x=alt.X("left:Q"),
            y=encode_row_y("middle", levels),
            text=alt.Text("label:N"),
        )
    )
    return names
