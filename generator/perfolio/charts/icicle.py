"""Call trees as icicles: a rectangle per frame, as wide as its share, callees below.

The hot path is followed from the main thread, or from the largest root where there is none, as
long as one callee holds at least half of its caller's cost (HPCToolkit's own hot-path rule); it is
drawn in another colour and in bold. So it is not that of a pool of threads that spins.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import encode_row_y, stack_layers
from perfolio.charts.call_tree_rows import CallTreeRows, make_call_tree_rows
from perfolio.charts.chart_data import MAX_MARKS, Record, amount, label, plural
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import MODULES
from perfolio.charts.zoom import Zoom
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Cell, Results

FRAME_HEIGHT = 22
MAX_LEVELS = 30
"""Levels drawn: the image still fits a page of paper."""
HOT = 0.5
"""Part of its caller's cost that a frame on the hot path holds at least."""
NARROWEST = 46
"""Width of a frame from which on it is labelled [px]."""

TOLD = MappingProxyType({"name": "Function", "cost": "Inclusive", "share": "Share", "at": "Where"})
"""What is said of a frame under the mouse, be it on its name: titles by field."""

_MAIN = "<main thread>"
_ALL = 0.995
"""From this share on the main thread is all there is [ratio]."""
_HOT_NOTE = (
    "Orange and bold: the hot path, from the main thread where there is one, each callee with at "
    "least half of its caller's cost."
)
_HOW_TO = (
    "Click on a frame to give it the whole width, twice for all of them; frames found are purple. "
    "Keys: up and down go to the caller and the largest callee, Enter to all callers and callees "
    "of a function, Escape to all. The largest callee stands leftmost."
)

BY_PATH, BY_MODULE = "hot path", "module"
"""What colours tell, as the reader chooses."""
_PLAIN = f"colour === '{BY_PATH}'"


def draw_tree_figure(
    results: Results, metric: str, cost: CpuCost, waits: Mapping[str, str] | None = None
) -> ChartFigure | None:
    """Icicle of the `tree.*` table `metric` of `cost`; None where nothing has a share.

    `waits` says of functions that wait, by their short names, for what.
    """
    frames = _pick_largest([row for row in get_rows(results, metric) if amount(row, "share") > 0.0])
    if not frames:
        return None
    top = min(amount(row, "depth") for row in frames)
    shown = [row for row in frames if amount(row, "depth") - top < MAX_LEVELS]
    levels = 1 + int(max(amount(row, "depth") for row in shown) - top)
    path = find_hot_path(frames)
    hot = frozenset(row["context"] for row in path) if len(path) > 1 else frozenset()
    drawn = make_call_tree_rows(frames, top, hot, cost)
    zoom = _make_zoom(metric, drawn)
    deeper = f" Deeper than {MAX_LEVELS} levels: see the table." if len(shown) < len(frames) else ""
    return ChartFigure(
        title=_make_title(path, cost.words, waits or {}),
        description=f"Call tree of {plural(len(shown), 'frame')}, callers above callees, width "
        f"by inclusive {cost.words}. {_describe_hot_path(path, cost.words)}",
        chart=_draw_chart(drawn, levels, f"Share of {cost.words} (%)", zoom),
        metric=metric,
        zoom=zoom,
        note=(f"{_HOT_NOTE} " if hot else "")
        + f"{_HOW_TO} Lines and loops are merged into their function; "
        + f"small frames are left out.{deeper}",
    )


def _make_zoom(metric: str, drawn: CallTreeRows) -> Zoom:
    """The whole tree first, in percent."""
    return Zoom(
        key=metric.rpartition(".")[2],
        what="Call tree",
        whole=100.0,
        unit=1.0,
        least=0.01,
        places=(),
        symbol="%",
        canvas=False,
        tree=drawn.tree,
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


def find_hot_path(frames: list[Record]) -> list[Record]:
    """From the main thread down while one callee holds at least half of its caller."""
    children: dict[object, list[Record]] = {}
    known = {row["context"] for row in frames}
    for row in frames:
        parent = row["parent"] if row["parent"] in known else None
        children.setdefault(parent, []).append(row)
    path: list[Record] = []
    below = children[None]
    while below:
        named = [row for row in below if row["name"] == _MAIN]
        largest = named[0] if named else max(below, key=lambda row: amount(row, "share"))
        if path and not named and amount(largest, "share") < HOT * amount(path[-1], "share"):
            break
        path.append(largest)
        below = children.get(largest["context"], [])
    return path


def _pick_largest(frames: list[Record]) -> list[Record]:
    """At most `MAX_MARKS` frames; callers come before callees, so none is left hanging."""
    ordered = sorted(frames, key=lambda row: (-amount(row, "share"), amount(row, "depth")))
    return ordered[:MAX_MARKS]


def _draw_chart(drawn: CallTreeRows, levels: int, title: str, zoom: Zoom) -> alt.LayerChart:
    """Frames and their names, as far as they lie in the part that `zoom` shows.

    The data have frames of all levels: what a function takes itself follows from them.
    """
    find = alt.param(
        name="find", value="", bind=alt.binding(input="search", name="Find", placeholder="a name")
    )
    colour = alt.param(
        name="colour",
        value=BY_PATH,
        bind=alt.binding_select(options=[BY_PATH, BY_MODULE], name="Colour"),
    )
    grouped = alt.Color(
        "group:N",
        scale=alt.Scale(domain=[*range(len(MODULES))], range="ordinal"),
        legend=None,
    )
    layers = [
        draw_frames("pf-frame", f"{_PLAIN} && !datum.hot", levels, title),
        draw_frames("pf-hot", f"{_PLAIN} && datum.hot", levels, title),
        draw_frames("pf-group", f"!({_PLAIN})", levels, title).encode(color=grouped),
        draw_frames("pf-found", "datum.found", levels, title),
        draw_frame_names("pf-frame-name", "!datum.hot && !datum.dark", levels),
        draw_frame_names("pf-hot-name", "datum.hot && !datum.dark", levels),
        draw_frame_names("pf-on-pale", "datum.dark", levels),
    ]
    chart = stack_layers(*layers, height=FRAME_HEIGHT * levels)
    return (
        chart.add_params(find, colour, *zoom.params())
        .properties(data=ChartRows(drawn.frames))
        .transform_filter(f"datum.level < {levels}")
        .transform_lookup(
            lookup="code",
            from_=alt.LookupData(
                data=ChartRows(drawn.functions),
                key="code",
                fields=["name", "label", "at", "group", "pale"],
            ),
        )
        .transform_calculate(
            bottom="datum.level + 1",
            middle="datum.level + 0.5",
            found="length(find) > 0 && indexof(lower(datum.name), lower(find)) >= 0",
        )
        .transform_calculate(dark=f"datum.pale && !({_PLAIN}) && !datum.found")
    )


def draw_frames(
    style: str, chosen: str, levels: int, title: str, told: Mapping[str, str] = TOLD
) -> alt.Chart:
    """The chosen frames, as far as they lie in the one that was clicked; `told` of each of them."""
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[alt.expr("begin"), alt.expr("end")], nice=False),
        axis=alt.Axis(title=title, tickCount=5, grid=False),
    )
    frames: alt.Chart = (
        alt.Chart()
        .transform_filter(chosen)
        .mark_rect(style=style, clip=True, cursor="pointer")
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=encode_row_y("level", levels),
            y2=alt.Y2("bottom:Q"),
            tooltip=_make_tooltip(told),
        )
    )
    return frames


def draw_frame_names(
    style: str, chosen: str, levels: int, told: Mapping[str, str] = TOLD
) -> alt.Chart:
    """Names inside the frames that are wide enough, cut to their width, at any page width."""
    width = "(min(datum.right, end) - datum.from) / (end - begin) * width"
    names: alt.Chart = (
        alt.Chart()
        .transform_filter(chosen)
        .transform_calculate(**{"from": "max(datum.left, begin)"})
        .transform_filter(f"{width} >= {NARROWEST}")
        .mark_text(style=style, dx=5, limit=alt.expr(f"max(1, {width} - 10)"), cursor="pointer")
        .encode(
            x=alt.X("from:Q"),
            y=encode_row_y("middle", levels),
            text=alt.Text("label:N"),
            tooltip=_make_tooltip(told),
        )
    )
    return names


def _make_tooltip(told: Mapping[str, str]) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in told.items()]
