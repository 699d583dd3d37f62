"""Charts over the time of a run: the axis, slices of time, and zooming along it.

Times of `time.*` tables are seconds since the trace began, or since the first GPU
operation where a trace has no CPU part and so no wall time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import altair as alt

from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.chart_data import Record, amount, read_scalar
from perfolio.charts.theme import make_colour_domain
from perfolio.common.units import quantity
from perfolio.metrics.model import Results

HEIGHT = 240
TOLERANCE = 1e-6
"""Part of a slice's length by which neighbours may be apart and still touch."""

MEMORY_CATEGORIES = {
    "before": ("Held before recording", "waiting"), "parameters": ("Parameters", "kernels"),
    "optimizer": ("States of the optimizer", "allocation"), "gradients": ("Gradients", "copies"),
    "activations": ("Activations", "cpu"), "other": ("Other", "other"),
}  # fmt: skip
"""Columns from the bottom up, what lasts first: name and colour."""

LEVELS = (0.01, 0.1, 0.5, 0.9)
"""Ends of all levels of a busy share but the last, which ends at 1."""


@dataclass(frozen=True)
class TimeSlice:
    """A part of the run [s], and the share of it in which something was at work."""

    start: float
    stop: float
    busy: float

    @property
    def length(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start

    @property
    def level(self) -> int:
        """Which of the levels between `LEVELS` its busy share falls into."""
        return sum(self.busy > end for end in LEVELS)


def make_time_axis(results: Results, stop: float) -> ScaledAxis:
    """The axis from the beginning of the trace to `stop` [s]."""
    return scale_axis(f"Time since {describe_origin(results)}", stop, "s")


def describe_origin(results: Results) -> str:
    """What times are counted from, in words."""
    has_wall_time = read_scalar(results, "time.wall") is not None
    return "the trace began" if has_wall_time else "the first GPU operation"


def encode_time_x(axis: ScaledAxis, stop: float) -> alt.X:
    """Horizontal position `start` of 0 to `stop` [s]."""
    return alt.X(
        "start:Q",
        scale=alt.Scale(domain=[0, axis.at(stop)], nice=False),
        axis=make_value_axis(axis.title),
    )


def make_zoomable(chart: alt.Chart) -> alt.Chart:
    """`chart`, and all layers that share its axis, movable and scalable along time.

    Ctrl with the wheel zooms, dragging with a mouse moves, a double click resets: a page
    still scrolls with the wheel and under a finger.
    """
    # Named, since Altair counts charts otherwise and no two runs would give equal files.
    zoom = alt.selection_interval(
        name="zoom",
        bind="scales",
        encodings=["x"],
        zoom="wheel![event.ctrlKey]",
        translate="[mousedown, window:mouseup] > window:mousemove!",
    )
    zooming: alt.Chart = chart.properties(name="zoomed").add_params(zoom)
    return zooming


def format_span(start: float, stop: float) -> str:
    """`12.40 s to 12.72 s`, for a tooltip."""
    return f"{quantity(start, 's')} to {quantity(stop, 's')}"


def merge_slices(slices: Iterable[TimeSlice]) -> list[TimeSlice]:
    """Neighbours of equal level as one slice with their mean busy share; idle ones go."""
    merged: list[TimeSlice] = []
    for each in sorted((s for s in slices if s.busy > 0.0), key=lambda s: s.start):
        last = merged[-1] if merged else None
        if last is not None and last.level == each.level and _is_adjacent(last, each):
            merged[-1] = _join_slices(last, each)
        else:
            merged.append(each)
    return merged


def _is_adjacent(one: TimeSlice, other: TimeSlice) -> bool:
    return abs(other.start - one.stop) <= TOLERANCE * max(one.length, other.length)


def _join_slices(one: TimeSlice, other: TimeSlice) -> TimeSlice:
    busy = one.busy * one.length + other.busy * other.length
    return TimeSlice(one.start, other.stop, busy / (one.length + other.length))


def resample_slices(slices: Iterable[TimeSlice], stop: float, count: int) -> list[TimeSlice]:
    """The busy time of `slices` on `count` equal slices of 0 to `stop`; idle ones go."""
    width = stop / count
    busy = [0.0] * count
    for each in slices:
        first, last = math.floor(each.start / width), math.ceil(each.stop / width)
        for index in range(max(first, 0), min(last, count)):
            left, right = index * width, (index + 1) * width
            busy[index] += each.busy * max(0.0, min(right, each.stop) - max(left, each.start))
    return [
        TimeSlice(index * width, (index + 1) * width, min(1.0, time / width))
        for index, time in enumerate(busy)
        if time > 0.0
    ]


def sum_busy_time(slices: Iterable[TimeSlice]) -> float:
    """Seconds at work."""
    return sum(each.busy * each.length for each in slices)


def encode_categories(parts: Mapping[str, tuple[str, str]], *, is_told: bool) -> alt.Color:
    """Colours of `parts`, with a legend where categories are told."""
    names = [name for name, _ in parts.values()]
    return alt.Color(
        "what:N",
        scale=alt.Scale(domain=make_colour_domain({role: name for name, role in parts.values()})),
        legend=alt.Legend(title=None, values=names) if is_told else None,
    )


def stack_categories(
    row: Record, parts: Mapping[str, tuple[str, str]], size: ScaledAxis
) -> Iterator[dict[str, object]]:
    """A rectangle for each part of a row, one above the other, on `size`."""
    below = 0.0
    for column, (name, _) in parts.items():
        above = below + amount(row, column)
        if above > below:
            text = quantity(row[column], "B")
            yield {"low": size.at(below), "high": size.at(above), "what": name, "text": text}
        below = above
