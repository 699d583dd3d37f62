"""Call trees as icicles: a rectangle per frame, as wide as its share, callees below.

The hot path is followed from the root as long as one callee holds at least half of its
caller's cost (HPCToolkit's own hot-path rule); it is drawn in another colour and in bold.
"""

from __future__ import annotations

from collections.abc import Callable

import altair as alt

from generator.charts.data import MAX_MARKS, Record, amount, full_name, label, plural, table
from generator.charts.model import Figure
from generator.charts.rowplot import row_y
from generator.metrics.model import Cell, Results
from generator.units import quantity

FRAME_HEIGHT = 22
MAX_LEVELS = 30
"""Levels drawn: the image still fits a page of paper."""
HOT = 0.5
"""Part of its caller's cost that a frame on the hot path holds at least."""
NARROWEST = 46
"""Width of a frame from which on it is labelled [px]."""


def tree_figure(
    results: Results, metric: str, words: str, cost: Callable[[float], str]
) -> Figure | None:
    """Icicle of the `tree.*` table `metric` of `words`; None where nothing has a share.

    `cost` writes a frame's value with its unit.
    """
    frames = _largest([row for row in table(results, metric) if amount(row, "share") > 0.0])
    if not frames:
        return None
    top = min(amount(row, "depth") for row in frames)
    path = hot_path(frames)
    hot = {row["context"] for row in path} if len(path) > 1 else set()
    drawn = [row for row in frames if amount(row, "depth") - top < MAX_LEVELS]
    rows = [_frame(row, top, hot, cost) for row in drawn]
    deepest = int(max(amount(row, "depth") for row in frames) - top) + 1
    levels = min(deepest, MAX_LEVELS)
    return Figure(
        title=_title(path, words),
        description=f"Call tree of {plural(len(drawn), 'frame')} on {plural(levels, 'level')}, "
        f"callers above callees, width by inclusive {words}. {_hot_words(path, words)}",
        chart=_chart(rows, levels, f"Share of {words} (%)"),
        metric=metric,
        note="Orange and bold: the hot path, each callee with at least half of its caller's cost. "
        "Lines and loops are merged into their function; small frames are left out."
        + (f" Deeper than {MAX_LEVELS} levels: see the table." if deepest > MAX_LEVELS else ""),
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


def _title(path: list[Record], words: str) -> str:
    """What the hot path says, plain where there is none."""
    if len(path) == 1:
        return f"Call tree of {words}: no single call holds half of it"
    share = quantity(path[-1]["share"], "ratio")
    return f"The hot path ends in {label(path[-1]['name'])}: {share} of {words}"


def hot_path(frames: list[Record]) -> list[Record]:
    """From the largest root down while one callee holds at least half of its caller."""
    children: dict[object, list[Record]] = {}
    known = {row["context"] for row in frames}
    for row in frames:
        parent = row["parent"] if row["parent"] in known else None
        children.setdefault(parent, []).append(row)
    path: list[Record] = []
    below = children[None]
    while below:
        largest = max(below, key=lambda row: amount(row, "share"))
        if path and amount(largest, "share") < HOT * amount(path[-1], "share"):
            break
        path.append(largest)
        below = children.get(largest["context"], [])
    return path


def _largest(frames: list[Record]) -> list[Record]:
    """At most `MAX_MARKS` frames; callers come before callees, so none is left hanging."""
    ordered = sorted(frames, key=lambda row: (-amount(row, "share"), amount(row, "depth")))
    return ordered[:MAX_MARKS]


def _frame(
    row: Record, top: float, hot: set[Cell], cost: Callable[[float], str]
) -> dict[str, object]:
    depth, left = amount(row, "depth") - top, amount(row, "left")
    return {
        "name": label(row["name"]),
        "full": full_name(row["name"]),
        "left": 100.0 * left,
        "right": 100.0 * (left + amount(row, "share")),
        "top": depth,
        "middle": depth + 0.5,
        "bottom": depth + 1,
        "hot": row["context"] in hot,
        "share": quantity(row["share"], "ratio"),
        "cost": cost(amount(row, "time")),
    }


def _chart(rows: list[dict[str, object]], levels: int, title: str) -> alt.LayerChart:
    base = alt.Chart().encode(
        x=alt.X(
            "left:Q",
            scale=alt.Scale(domain=[0, 100], nice=False),
            axis=alt.Axis(title=title, tickCount=5, grid=False),
        ),
        tooltip=[
            alt.Tooltip("full:N", title="Function"),
            alt.Tooltip("cost:N", title="Inclusive"),
            alt.Tooltip("share:N", title="Share"),
        ],
    )
    layers: list[alt.Chart] = [
        layer
        for style, test in (("pf-frame", "!datum.hot"), ("pf-hot", "datum.hot"))
        for layer in (
            base.transform_filter(test)
            .mark_rect(style=style)
            .encode(x2="right:Q", y=row_y("top", levels), y2="bottom:Q"),
            _names(base, levels, f"{style}-name", test),
        )
    ]
    return alt.LayerChart(layer=layers, data=alt.Data(values=rows), height=FRAME_HEIGHT * levels)


def _names(base: alt.Chart, levels: int, style: str, test: str) -> alt.Chart:
    """Names inside the frames that are wide enough, cut to their width, at any page width."""
    width = "(datum.right - datum.left) / 100 * width"
    names: alt.Chart = (
        base.transform_filter(f"{test} && {width} >= {NARROWEST}")
        .mark_text(style=style, dx=5, limit=alt.expr(f"max(1, {width} - 10)"))
        .encode(y=row_y("middle", levels), text="name:N")
    )
    return names
