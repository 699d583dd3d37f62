"""The whole of a run above its enlarged part: phases, a thin strip per lane, and a lens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from perfolio.charts.altair_rows import ChartRows, reuse_marks
from perfolio.charts.axes import ScaledAxis
from perfolio.charts.chart_data import Record, amount, format_full_name, label
from perfolio.charts.theme import ROLES
from perfolio.charts.timeline_lanes import HEIGHTS, TimelineLane
from perfolio.charts.zoom import encode_zoomed_x, make_view_filter, measure_pixels
from perfolio.common.units import quantity

FRAMES = 18
"""Height of a row of frames [px]."""
GAP = 6
_STRIPS = 26
"""Height of all strips together [px], as far as each has at least two."""
_NARROWEST = 0.07
"""Part of the axis from which on a phase has its name in it."""
_NAMED = 20
"""Width of an iteration from which on it has its number in it [px]."""


@dataclass(frozen=True)
class RunOverview:
    """The whole of a run, in a chart of `height` [px]; `y` places by a column [px]."""

    lanes: Sequence[TimelineLane]
    phases: Sequence[Record]
    axis: ScaledAxis
    length: float
    """[s]"""
    height: float

    @property
    def strip(self) -> float:
        """Height of one strip [px]."""
        return max(2.0, min(9.0, _STRIPS / max(1, len(self.lanes))))

    @property
    def bottom(self) -> float:
        """Where it ends [px]."""
        return (FRAMES + 3 if self.phases else 0) + self.strip * len(self.lanes)

    def layers(self) -> list[alt.Chart]:
        """Marks that never move, but for the lens."""
        top = FRAMES + 3 if self.phases else 0
        rows: list[Record] = [
            {
                "a": round(self.axis.at(each.start), 6),
                "b": round(self.axis.at(each.stop), 6),
                "role": lane.role,
                "top": round(top + (index + 0.9 - 0.85 * HEIGHTS[each.level]) * self.strip, 1),
                "bottom": round(top + (index + 0.9) * self.strip, 1),
            }
            for index, lane in enumerate(self.lanes)
            for each in lane.slices
        ]
        color = alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None)
        strips = self._placed(ChartRows(rows)).mark_rect(clip=True)
        return [strips.encode(color=color), *self._phases(), self._lens()]

    def _phases(self) -> list[alt.Chart]:
        if not self.phases:
            return []
        data = [self._phase(row) for row in self.phases]
        frames = self._placed(ChartRows(data)).mark_rect(style="pf-frame", clip=True)
        tips = [alt.Tooltip("full:N", title="Phase"), alt.Tooltip("when:N", title="Duration")]
        named = ChartRows([row for row in data if amount(row, "room") >= _NARROWEST])
        limit = alt.expr("max(1, datum.room * width - 8)")
        names = alt.Chart(named).mark_text(style="pf-frame-name", dx=5, clip=True, limit=limit)
        return [
            frames.encode(tooltip=tips),
            names.encode(
                x=self._x("a"), y=self._y("middle"), text=alt.Text("name:N"), tooltip=tips
            ),
        ]

    def _phase(self, row: Record) -> Record:
        start, length = amount(row, "start"), amount(row, "duration")
        return {
            "a": self.axis.at(start),
            "b": self.axis.at(start + length),
            "top": 0,
            "bottom": FRAMES,
            "middle": FRAMES / 2,
            "room": length / self.length,
            "name": label(row["phase"]),
            "full": format_full_name(row["phase"]),
            "when": f"{quantity(length, 's')} · {quantity(row['share'], 'ratio')}",
        }

    def _lens(self) -> alt.Chart:
        """A box around the part that is shown below, never too narrow to see."""
        least = f"{self.axis.at(self.length)} * 3 / width"
        data = ChartRows([{"top": 0, "bottom": self.bottom}])
        box = self._placed(data).transform_calculate(a="begin", b=f"max(end, begin + {least})")
        lens: alt.Chart = box.mark_rect(style="pf-lens", clip=True)
        return lens

    def _placed(self, data: ChartRows) -> alt.Chart:
        placed: alt.Chart = alt.Chart(data).encode(
            x=self._x("a"), x2=alt.X2("b:Q"), y=self._y("top"), y2=alt.Y2("bottom:Q")
        )
        return placed

    def _x(self, column: str) -> alt.X:
        scale = alt.Scale(domain=[0, self.axis.at(self.length)], nice=False)
        axis = alt.Axis(title=None, tickCount=5, format=",~r", orient="top", grid=False)
        return alt.X(f"{column}:Q", scale=scale, axis=axis)

    def _y(self, column: str) -> alt.Y:
        scale = alt.Scale(domain=[self.height, 0], nice=False, zero=False)
        return alt.Y(f"{column}:Q", axis=None, scale=scale)


def draw_iterations(
    rows: Sequence[Record], axis: ScaledAxis, top: float, y: alt.Y, middle: alt.Y
) -> alt.LayerChart:
    """A row of frames, an iteration each, with its number where it is wide enough."""
    data = [
        {
            "a": round(axis.at(amount(row, "start")), 9),
            "b": round(axis.at(amount(row, "start") + amount(row, "duration")), 9),
            "number": str(row["iteration"]),
            "long": quantity(row["duration"], "s"),
            "mark": str(row["mark"] or "steady"),
        }
        for row in rows
    ]
    edges = {"top": str(top), "bottom": str(top + FRAMES), "middle": str(top + FRAMES / 2)}
    fields = {"Iteration": "number", "Duration": "long", "Mark": "mark"}
    tips = [alt.Tooltip(f"{field}:N", title=title) for title, field in fields.items()]
    frames = (
        alt.Chart()
        .transform_filter(f"{make_view_filter()} && {measure_pixels()} >= 3")
        .transform_calculate(**edges)
        .mark_rect(style="pf-frame", clip=True)
        .encode(
            x=encode_zoomed_x("a", ""),
            x2=alt.X2("b:Q"),
            y=y,
            y2=alt.Y2("bottom:Q"),
            tooltip=tips,
        )
    )
    seen = measure_pixels("min(datum.b, end) - datum.seen")
    names = (
        alt.Chart()
        .transform_filter(f"{make_view_filter()} && {measure_pixels()} >= {_NAMED}")
        .transform_calculate(seen="max(datum.a, begin)", **edges)
        .transform_filter(f"{seen} >= {_NAMED}")
        .mark_text(style="pf-frame-name", dx=4, limit=alt.expr(f"max(1, {seen} - 6)"))
        .encode(x=encode_zoomed_x("seen", ""), y=middle, text=alt.Text("number:N"), tooltip=tips)
    )
    return alt.LayerChart(layer=reuse_marks([frames, names]), data=ChartRows(data))
