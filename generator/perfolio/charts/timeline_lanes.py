"""The lanes of a timeline: a row per trace line, in as much detail as the shown part has room for.

In:  slices of the whole run, bursts between pauses, and operations, each of its line. Out:
layers of marks. What is finer replaces what is coarser where it is there: slices as high as their
busy share, then bursts, pale since they are several operations, then operations by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

import altair as alt

from perfolio.charts.altair_rows import ChartRows, reuse_marks
from perfolio.charts.axes import ScaledAxis
from perfolio.charts.chart_data import Record, label
from perfolio.charts.iteration_anatomy import DrawnOperation
from perfolio.charts.theme import PALE_ROLES, ROLES
from perfolio.charts.time_charts import TimeSlice
from perfolio.charts.zoom import encode_zoomed_x, make_view_filter, measure_pixels

LANE = 36
"""Height of a row [px]: its name, its bar, and room."""
_NAME, _TOP, _BOTTOM = 11, 15, 32
HEIGHTS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Height of a slice by level of its busy share: part of the row's bar."""
COARSE = 14
"""Slices that are drawn wider than this give way to bursts [px]."""
NAMED = 42
"""Width of a mark from which on it is named [px]."""
WIDE = 4
"""Width from which on a line parts an operation from its neighbours [px]."""
PALE = 0.45
"""Opacity of what is several operations, beside single ones."""
DIGIT = 8
"""Width of a digit in the figures of a lane, with room [px]."""

_TIME = (
    "({0} >= 1 ? format({0}, '.4~f') + ' s' : {0} >= 1e-3 ? format({0} * 1e3, '.4~r') + ' ms'"
    " : {0} >= 1e-6 ? format({0} * 1e6, '.4~r') + ' µs' : format({0} * 1e9, '.3~r') + ' ns')"
)


@dataclass(frozen=True)
class WorkBurst:
    """Work between two pauses [s]."""

    start: float
    stop: float
    busy: float
    count: int

    @property
    def share(self) -> float:
        """The share of it in which something ran."""
        return self.busy / (self.stop - self.start) if self.stop > self.start else 1.0


@dataclass(frozen=True)
class TimelineLane:
    """A trace line: its name, its figure, and the role that colours it."""

    name: str
    text: str
    role: str
    slices: Sequence[TimeSlice]
    bursts: Sequence[WorkBurst] = ()
    operations: Sequence[DrawnOperation] = ()


@dataclass(frozen=True)
class LaneStack:
    """Lanes below one another, from `top` [px] on, in a chart of `height` [px]."""

    lanes: Sequence[TimelineLane]
    axis: ScaledAxis
    top: float
    height: float
    few: float
    """Operations are at least a line's width wide where no more than this is shown [s]."""

    @property
    def bottom(self) -> float:
        """Where the last lane ends [px]."""
        return self.top + LANE * len(self.lanes)

    def layers(self) -> list[alt.Chart | alt.LayerChart]:
        """Marks that follow the shown part."""
        rows = reuse_marks([self._tracks(), self._slices(), self._bursts()])
        return [*rows, self._operations()]

    def labels(self) -> list[alt.Chart]:
        """Names of lanes at the left, their figures at the right."""
        rows: list[Record] = [
            {"y": self.top + index * LANE + _NAME, "name": label(lane.name), "text": lane.text}
            for index, lane in enumerate(self.lanes)
        ]
        longest = max((len(lane.text) for lane in self.lanes), default=0)
        chart = alt.Chart(ChartRows(rows))
        room = alt.expr(f"max(60, width - {DIGIT * longest + 12})")
        return [
            chart.mark_text(style="pf-lane", limit=room).encode(
                x=alt.XValue(0), y=self.y("y"), text=alt.Text("name:N")
            ),
            chart.mark_text(style="pf-lane-value").encode(
                x=alt.XValue("width"), y=self.y("y"), text=alt.Text("text:N")
            ),
        ]

    def y(self, column: str) -> alt.Y:
        """Vertical position [px]."""
        scale = alt.Scale(domain=[self.height, 0], nice=False, zero=False)
        return alt.Y(f"{column}:Q", axis=None, scale=scale)

    def _bar(self, index: int, part: float = 1.0) -> Record:
        bottom = self.top + index * LANE + _BOTTOM
        return {"top": round(bottom - part * (_BOTTOM - _TOP), 1), "bottom": bottom}

    def _wide(self) -> str:
        """Whether the shortest slice is drawn so wide that bursts tell more."""
        lengths = (each.length for lane in self.lanes for each in lane.slices)
        return f"{measure_pixels(str(self.axis.at(min(lengths, default=0.0))))} >= {COARSE}"

    def _tracks(self) -> alt.Chart:
        rows: list[Record] = [self._bar(index) for index in range(len(self.lanes))]
        tracks: alt.Chart = (
            alt.Chart(ChartRows(rows))
            .mark_rect(style="pf-track", cornerRadius=2)
            .encode(
                x=alt.XValue(0), x2=alt.X2Value("width"), y=self.y("top"), y2=alt.Y2("bottom:Q")
            )
        )
        return tracks

    def _slices(self) -> alt.Chart:
        rows: list[Record] = [
            {**self._ends(each), "role": lane.role, **self._bar(index, HEIGHTS[each.level])}
            | {"share": f"{100 * each.busy:.3g}", "told": int(bool(lane.bursts))}
            for index, lane in enumerate(self.lanes)
            for each in lane.slices
        ]
        marks = self._marks(rows)
        slices: alt.Chart = (
            marks.transform_filter(f"{make_view_filter()} && !(datum.told && {self._wide()})")
            .transform_calculate(when=self._when(), busy="datum.share + ' %'")
            .mark_rect(clip=True, fillOpacity=alt.expr(f"{self._wide()} ? {PALE} : 1"))
            .encode(tooltip=_make_tooltip(When="when", Busy="busy"))
        )
        return slices

    def _bursts(self) -> alt.Chart:
        rows: list[Record] = [
            {**self._ends(each), "role": lane.role, **self._bar(index, max(0.2, each.share))}
            | {"busy": round(each.busy, 9), "count": f"{each.count:,}"}
            for index, lane in enumerate(self.lanes)
            for each in lane.bursts
        ]
        marks = self._marks(rows)
        bursts: alt.Chart = (
            marks.transform_filter(f"{make_view_filter()} && {self._wide()}")
            .transform_calculate(when=self._when(), ran=_TIME.format("datum.busy"))
            .mark_rect(clip=True, fillOpacity=PALE, strokeOpacity=PALE, strokeWidth=1)
            .encode(
                tooltip=_make_tooltip(When="when", Running="ran", Operations="count"),
                stroke=_encode_stroke(),
            )
        )
        return bursts

    def _operations(self) -> alt.LayerChart:
        rows: list[Record] = [
            {**self._ends(each), "role": "cpu" if lane.role == "cpu" else each.role}
            | {**self._bar(index), "kind": label(each.kind), "name": label(each.name)}
            for index, lane in enumerate(self.lanes)
            for each in lane.operations
        ]
        few = f"{measure_pixels()} >= 1 || {self.axis.divisor} * (end - begin) <= {self.few}"
        marks = self._add_tooltips(
            self._marks().transform_filter(f"{make_view_filter()} && ({few})")
        )
        narrow, wide = (
            marks.transform_filter(f"{measure_pixels()} {than} {WIDE}") for than in ("<", ">=")
        )
        drawn = [
            narrow.mark_rect(clip=True, strokeWidth=1).encode(stroke=_encode_stroke()),
            wide.mark_rect(clip=True, style="pf-operation"),
        ]
        pale = f"indexof({list(PALE_ROLES)}, datum.role) >= 0"
        names = [self._names("pf-on-pale", pale), self._names("pf-on-dark", f"!({pale})")]
        data = ChartRows(rows)
        return alt.LayerChart(layer=reuse_marks([*drawn, *names]), data=data)

    def _names(self, style: str, chosen: str) -> alt.Chart:
        """Names inside of operations that are wide enough, from where one begins to be seen."""
        seen = measure_pixels("min(datum.b, end) - datum.seen")
        names: alt.Chart = (
            self._add_tooltips(alt.Chart())
            .transform_filter(f"{make_view_filter()} && {chosen} && {measure_pixels()} >= {NAMED}")
            .transform_calculate(
                seen="max(datum.a, begin)", middle="(datum.top + datum.bottom) / 2"
            )
            .transform_filter(f"{seen} >= {NAMED}")
            .mark_text(style=style, dx=3, limit=alt.expr(f"max(1, {seen} - 5)"))
            .encode(
                x=encode_zoomed_x("seen", self.axis.title),
                y=self.y("middle"),
                text=alt.Text("name:N"),
            )
        )
        return names

    def _add_tooltips(self, chart: alt.Chart) -> alt.Chart:
        """With what is said of an operation under the mouse, be it on its name."""
        long = _TIME.format(f"(datum.b - datum.a) * {self.axis.divisor}")
        tips = _make_tooltip(Name="name", Kind="kind", Duration="long", When="when")
        described: alt.Chart = chart.encode(tooltip=tips)
        return described.transform_calculate(when=self._when(), long=long)

    def _marks(self, rows: list[Record] | None = None) -> alt.Chart:
        """Rectangles from `a` to `b`; without rows, of the data around."""
        chart = alt.Chart() if rows is None else alt.Chart(ChartRows(rows))
        marks: alt.Chart = chart.encode(
            x=encode_zoomed_x("a", self.axis.title),
            x2=alt.X2("b:Q"),
            y=self.y("top"),
            y2=alt.Y2("bottom:Q"),
            color=_encode_color(),
        )
        return marks

    def _ends(self, each: TimeSlice | WorkBurst | DrawnOperation) -> Record:
        # To nanoseconds, as exact as a time stamp.
        digits = 9 + round(log10(self.axis.divisor))
        start, stop = self.axis.at(each.start), self.axis.at(each.stop)
        return {"a": round(start, digits), "b": round(stop, digits)}

    def _when(self) -> str:
        return f"'at ' + format(datum.a, ',~r') + ' {self.axis.symbol}'"


def _encode_color() -> alt.Color:
    return alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None)


def _encode_stroke() -> alt.Stroke:
    return alt.Stroke("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None)


def _make_tooltip(**fields: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{field}:N", title=title) for title, field in fields.items()]
