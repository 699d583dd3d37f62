"""Call trees as icicles: a rectangle per frame, as wide as its share, callees below.

The hot path is followed from the main thread, or from the largest root where there is none, as
long as one callee holds at least half of its caller's cost (HPCToolkit's own hot-path rule); it is
drawn in another colour and in bold. So it is not that of a pool of threads that spins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import altair as alt

from generator.charts.data import MAX_MARKS, Record, amount, full_name, label, plural
from generator.charts.model import Figure
from generator.charts.rowplot import layered, row_y
from generator.metrics.model import Cell, Results
from generator.metrics.values import rows_of
from generator.units import quantity

FRAME_HEIGHT = 22
MAX_LEVELS = 30
"""Levels drawn: the image still fits a page of paper."""
HOT = 0.5
"""Part of its caller's cost that a frame on the hot path holds at least."""
NARROWEST = 46
"""Width of a frame from which on it is labelled [px]."""
WIDEST_PAGE = 1_600
"""Width of the widest page [px]: frames too narrow for a name even there need none."""

_MAIN = "<main thread>"
_ALL = 0.995
"""From this share on the main thread is all there is [ratio]."""
_HOT_NOTE = (
    "Orange and bold: the hot path, from the main thread where there is one, each callee with at "
    "least half of its caller's cost."
)

Row = dict[str, Cell]


def tree_figure(
    results: Results,
    metric: str,
    words: str,
    cost: Callable[[float], str],
    waits: Mapping[str, str] | None = None,
) -> Figure | None:
    """Icicle of the `tree.*` table `metric` of `words`; None where nothing has a share.

    `cost` writes a frame's value with its unit; `waits` says of functions that wait, by their
    short names, for what.
    """
    frames = _largest([row for row in rows_of(results, metric) if amount(row, "share") > 0.0])
    if not frames:
        return None
    top = min(amount(row, "depth") for row in frames)
    drawn = [row for row in frames if amount(row, "depth") - top < MAX_LEVELS]
    path = hot_path(frames)
    hot = frozenset(row["context"] for row in path) if len(path) > 1 else frozenset()
    deeper = f" Deeper than {MAX_LEVELS} levels: see the table." if len(drawn) < len(frames) else ""
    return Figure(
        title=_title(path, words, waits or {}),
        description=f"Call tree of {plural(len(drawn), 'frame')}, callers above callees, width "
        f"by inclusive {words}. {_hot_words(path, words)}",
        chart=_chart(drawn, _Layout(top, hot), f"Share of {words} (%)", cost),
        metric=metric,
        note=(f"{_HOT_NOTE} " if hot else "")
        + f"Lines and loops are merged into their function; small frames are left out.{deeper}",
    )


def _hot_words(path: list[Record], words: str) -> str:
    """The end of the hot path in a sentence."""
    end = f"{label(path[-1]['name'])} with {quantity(path[-1]['share'], 'ratio')} of {words}"
    if len(path) == 1:
        return f"The largest root is {end}; no callee holds half of its cost."
    return (
        "The hot path, where each callee holds at least half of its caller, ends "
        f"{plural(len(path) - 1, 'call')} deep in {end}."
    )


def _title(path: list[Record], words: str, waits: Mapping[str, str]) -> str:
    """What the hot path says, plain where there is none.

    What it has of the main thread, where it begins, comes first: of all it may be a small part.
    """
    if len(path) == 1:
        return f"Call tree of {words}: no callee of {label(path[0]['name'])} holds half of it"
    share = amount(path[-1], "share")
    name = label(path[-1]["name"])
    wait = waits.get(bare(path[-1]["name"]))
    end = f"ends in {name}{f', {wait}' if wait else ''}"
    main = next((amount(row, "share") for row in path if row["name"] == _MAIN), 1.0)
    if main > _ALL:
        return f"The hot path {end}: {quantity(share, 'ratio')} of {words}"
    return (
        f"The main thread's hot path {end}: {quantity(share / main, 'ratio')} of its {words}, "
        f"{quantity(share, 'ratio')} of all"
    )


def bare(name: Cell) -> str:
    """A function's name without its library."""
    return str(name).partition(" [")[0]


def hot_path(frames: list[Record]) -> list[Record]:
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


def _largest(frames: list[Record]) -> list[Record]:
    """At most `MAX_MARKS` frames; callers come before callees, so none is left hanging."""
    ordered = sorted(frames, key=lambda row: (-amount(row, "share"), amount(row, "depth")))
    return ordered[:MAX_MARKS]


@dataclass(frozen=True)
class _Layout:
    """Where frames stand: depth 0 is the top row, hot ones are told apart."""

    top: float
    hot: frozenset[Cell]

    def place(self, row: Record) -> Row:
        """Left and right edge in percent of the whole, and the row."""
        left, depth = amount(row, "left"), amount(row, "depth") - self.top
        return {
            "left": round(100.0 * left, 4),
            "right": round(100.0 * (left + amount(row, "share")), 4),
            "top": depth,
        }

    def split(self, rows: list[Record]) -> tuple[list[Record], list[Record]]:
        """The frames beside the hot path, and those on it."""
        hot = [row for row in rows if row["context"] in self.hot]
        return [row for row in rows if row["context"] not in self.hot], hot


def _chart(
    rows: list[Record], layout: _Layout, title: str, cost: Callable[[float], str]
) -> alt.LayerChart:
    levels = 1 + int(max(amount(row, "depth") for row in rows) - layout.top)
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(title=title, tickCount=5, grid=False),
    )
    styles = ("pf-frame", "pf-hot")
    layers = [
        layer
        for style, part in zip(styles, layout.split(rows), strict=True)
        for layer in (
            _frames(part, layout, style, cost).encode(x=x, y=row_y("top", levels)),
            _names(part, layout, f"{style}-name").encode(x=x, y=row_y("middle", levels)),
        )
        if part
    ]
    return layered(*layers, height=FRAME_HEIGHT * levels)


def _frames(
    rows: list[Record], layout: _Layout, style: str, cost: Callable[[float], str]
) -> alt.Chart:
    data = [
        {
            **(place := layout.place(row)),
            "bottom": amount(place, "top") + 1,
            "name": full_name(row["name"]),
            "share": quantity(row["share"], "ratio"),
            "cost": cost(amount(row, "time")),
        }
        for row in rows
    ]
    frames: alt.Chart = (
        alt.Chart(alt.Data(values=data))
        .mark_rect(style=style)
        .encode(
            x2="right:Q",
            y2="bottom:Q",
            tooltip=[
                alt.Tooltip("name:N", title="Function"),
                alt.Tooltip("cost:N", title="Inclusive"),
                alt.Tooltip("share:N", title="Share"),
            ],
        )
    )
    return frames


def _names(rows: list[Record], layout: _Layout, style: str) -> alt.Chart:
    """Names inside the frames that are wide enough, cut to their width, at any page width."""
    data = [
        {
            **(place := layout.place(row)),
            "middle": amount(place, "top") + 0.5,
            "name": label(row["name"]),
        }
        for row in rows
        if amount(row, "share") * WIDEST_PAGE >= NARROWEST
    ]
    width = "(datum.right - datum.left) / 100 * width"
    names: alt.Chart = (
        alt.Chart(alt.Data(values=data))
        .transform_filter(f"{width} >= {NARROWEST}")
        .mark_text(style=style, dx=5, limit=alt.expr(f"max(1, {width} - 10)"))
        .encode(text="name:N")
    )
    return names
