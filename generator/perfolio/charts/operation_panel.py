"""A panel of rows with operations on an axis of time, one of several in a chart.

Each panel has an axis of its own; all count rows from the top of the chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, scale_axis
from perfolio.charts.bar_rows import BAR_BOTTOM, BAR_TOP, BarItem, encode_row_y
from perfolio.charts.chart_data import format_full_name, label
from perfolio.charts.iteration_anatomy import HOST, DrawnOperation, Interval
from perfolio.charts.label_callouts import place_callouts
from perfolio.charts.theme import ROLES
from perfolio.common.units import quantity

NAMED = 6
"""Operations whose names are drawn, the longest ones."""
NAME_ROW = 0.46
"""Height of a row of names, in rows of the chart."""

Data = list[dict[str, object]]


@dataclass(frozen=True)
class OperationRow:
    """Operations below one name."""

    item: BarItem
    operations: tuple[DrawnOperation, ...]


@dataclass(frozen=True)
class OperationPanel:
    """Rows from `first` on, over a part of the iteration."""

    window: Interval
    axis: ScaledAxis
    side: Literal["top", "bottom"]
    """Where its axis stands."""
    first: int
    height: float
    """Of the whole chart, in rows."""

    def marks(self, rows: Sequence[OperationRow]) -> list[alt.Chart]:
        """Tracks, and a rectangle per operation, at least a line's width wide."""
        numbers = range(self.first, self.first + len(rows))
        tracks: Data = [{**self._ends(self.window), **_place_bar(number)} for number in numbers]
        data: Data = [
            {
                **_place_bar(number),
                **self._ends((each.start, each.stop)),
                **_describe_operation(each),
            }
            for number, row in zip(numbers, rows, strict=True)
            for each in row.operations
        ]
        return [
            self._rects(tracks).mark_rect(style="pf-track", cornerRadius=2),
            self._rects(data)
            .mark_rect(strokeWidth=1, clip=True)
            .encode(
                color=alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None),
                stroke=alt.Stroke("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None),
                tooltip=[
                    alt.Tooltip("name:N", title="Operation"),
                    alt.Tooltip("kind:N", title="Kind"),
                    alt.Tooltip("length:N", title="Duration"),
                    alt.Tooltip("begin:N", title="Starts at"),
                ],
            ),
        ]

    def shade(self, window: Interval, rows: int) -> alt.Chart:
        """A box around the part of `rows` rows that another panel magnifies."""
        row = {**self._ends(window), "top": self.first + 0.46, "bottom": self.first + rows - 0.06}
        lens: alt.Chart = self._rects([row]).mark_rect(style="pf-lens")
        return lens

    def names(self, rows: Sequence[OperationRow]) -> list[alt.Chart]:
        """The longest operations by name, below the rows, each with a line up to its mark."""
        candidates = self._candidates(rows)
        parts = [self._part(each) for each, _ in candidates]
        placed = place_callouts(
            parts, [len(_name_operation(each)) for each, _ in candidates], NAMED
        )
        below = self.first + len(rows)
        named = {True: Data(), False: Data()}
        for index, callout in placed.items():
            operation, row = candidates[index]
            ends = self._ends((operation.start, operation.start))
            middle = below + (callout.level + 0.5) * NAME_ROW
            place = {"top": row + BAR_BOTTOM, "bottom": middle + 0.3 * NAME_ROW, "middle": middle}
            named[callout.leftward].append(
                {**ends, **place, "name": _name_operation(operation), "room": callout.width}
            )
        lines = self._rects(named[False] + named[True]).mark_rule(style="pf-guide")
        texts = (self._texts(data, leftward=left) for left, data in named.items() if data)
        return [lines.encode(x2=alt.Undefined), *texts] if placed else []

    def _candidates(self, rows: Sequence[OperationRow]) -> list[tuple[DrawnOperation, int]]:
        """The longest operation of each name on the GPU, with its row, the longest first."""
        every = [
            (each, self.first + index)
            for index, row in enumerate(rows)
            for each in row.operations
            if each.line != HOST
        ]
        every.sort(key=lambda pair: -pair[0].length)
        longest: dict[str, tuple[DrawnOperation, int]] = {}
        for pair in every:
            longest.setdefault(pair[0].name, pair)
        return list(longest.values())

    def _texts(self, data: Data, *, leftward: bool) -> alt.Chart:
        texts: alt.Chart = (
            alt.Chart(ChartRows(data))
            .mark_text(
                style="pf-note",
                align="right" if leftward else "left",
                baseline="middle",
                dx=-4 if leftward else 4,
                limit=alt.expr("datum.room * width - 4"),
            )
            .encode(x=self._x(), y=encode_row_y("middle", self.height), text=alt.Text("name:N"))
        )
        return texts

    def _part(self, each: DrawnOperation) -> float:
        return (each.start - self.window[0]) / (self.window[1] - self.window[0])

    def _ends(self, interval: Interval) -> dict[str, object]:
        start, stop = (round(self.axis.at(end), 6) for end in interval)
        return {"start": start, "end": stop}

    def _x(self) -> alt.X:
        ends = [self.axis.at(end) for end in self.window]
        axis = alt.Axis(
            title=self.axis.title, tickCount=5, format=",~r", orient=self.side, grid=False
        )
        return alt.X("start:Q", scale=alt.Scale(domain=ends, nice=False), axis=axis)

    def _rects(self, data: Data) -> alt.Chart:
        rects: alt.Chart = alt.Chart(ChartRows(data)).encode(
            x=self._x(),
            x2=alt.X2("end:Q"),
            y=encode_row_y("top", self.height),
            y2=alt.Y2("bottom:Q"),
        )
        return rects


def make_iteration_axis(duration: float) -> ScaledAxis:
    """Time since the beginning, in the unit that suits an iteration of `duration` [s]."""
    return scale_axis("Time in the iteration", duration, "s")


def _place_bar(number: int) -> dict[str, object]:
    return {"top": number + BAR_TOP, "bottom": number + BAR_BOTTOM}


def _describe_operation(each: DrawnOperation) -> dict[str, object]:
    return {
        "role": "cpu" if each.line == HOST else each.role,
        "name": format_full_name(each.name),
        "kind": label(each.kind),
        "length": quantity(each.length, "s"),
        "begin": quantity(each.start, "s"),
    }


def _name_operation(each: DrawnOperation) -> str:
    """The name after its duration, which stays where a name is cut."""
    return f"{quantity(each.length, 's')} {label(each.name)}"
