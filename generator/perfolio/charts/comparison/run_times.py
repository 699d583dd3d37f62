"""Do the times of the runs on both sides lie apart?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import make_value_axis, scale_axis
from perfolio.charts.bar_rows import (
    BAR_BOTTOM,
    BAR_MIDDLE,
    BAR_TOP,
    ROW_HEIGHT,
    BarItem,
    draw_words_above,
    encode_row_y,
    stack_layers,
)
from perfolio.charts.chart_data import plural
from perfolio.charts.comparison.comparison_figure import (
    NANO,
    ComparisonFigure,
    Document,
    name_basis,
)
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity

SIDES = ("before", "after")
_MARGIN = 0.05


def draw(document: Document) -> ComparisonFigure | None:
    """A dot per run; None with one run on each side, or of reports without times."""
    key = "time_ns" if document["whole"]["basis"] == "iteration" else "wall_ns"
    times = {side: [run[key] for run in document[side]] for side in SIDES}
    if max(map(len, times.values())) < 2 or any(None in each for each in times.values()):
        return None
    medians = {side: quantity(median(each) / NANO, "s") for side, each in times.items()}
    counts = {side: plural(len(each), "run") for side, each in times.items()}
    items = [
        BarItem(f"{side.capitalize()}, {counts[side]}", f"median {medians[side]}", ())
        for side in SIDES
    ]
    figure = ChartFigure(
        title=f"{_say_overlap(times['before'], times['after'])}: medians {medians['before']} "
        f"before, {medians['after']} after",
        description=f"A dot for {name_basis(document)} of each run. "
        + " ".join(
            f"{side.capitalize()}: {', '.join(quantity(each / NANO, 's') for each in times[side])}."
            for side in SIDES
        ),
        chart=_draw_dots(document, times, items),
        metric="",
        note="A dot is the median iteration of a run. The axis does not begin at zero. "
        "Thin lines are medians.",
    )
    rows = [
        (side, str(run["slug"]), run["recorded"], run[key])
        for side in SIDES
        for run in document[side]
    ]
    return ComparisonFigure(figure, ("side", "run", "recorded", "time (ns)"), rows)


def _say_overlap(before: Sequence[int], after: Sequence[int]) -> str:
    apart = max(before) < min(after) or max(after) < min(before)
    return "The runs of both sides lie apart" if apart else "The runs of both sides overlap"


def _draw_dots(
    document: Document, times: dict[str, list[int]], items: Sequence[BarItem]
) -> alt.LayerChart:
    every = [each / NANO for side in SIDES for each in times[side]]
    axis = scale_axis(f"Time of {name_basis(document)}", max(every), "s")
    room = _MARGIN * ((max(every) - min(every)) or max(every))
    x = alt.X(
        "at:Q",
        scale=alt.Scale(
            domain=[axis.at(min(every) - room), axis.at(max(every) + room)], nice=False, zero=False
        ),
        axis=make_value_axis(axis.title),
    )
    dots = [
        {
            "at": axis.at(each / NANO),
            "middle": place + BAR_MIDDLE,
            "text": quantity(each / NANO, "s"),
        }
        for place, side in enumerate(SIDES)
        for each in times[side]
    ]
    lines = [
        {
            "at": axis.at(median(times[side]) / NANO),
            "top": place + BAR_TOP,
            "bottom": place + BAR_BOTTOM,
        }
        for place, side in enumerate(SIDES)
    ]
    marks = (
        alt.Chart(ChartRows(lines))
        .mark_rule(style="pf-limit")
        .encode(x=x, y=encode_row_y("top", len(items)), y2=alt.Y2("bottom:Q")),
        alt.Chart(ChartRows(dots))
        .mark_point(style="pf-dot", filled=True)
        .encode(
            x=x,
            y=encode_row_y("middle", len(items)),
            tooltip=[alt.Tooltip("text:N", title="Time")],
        ),
    )
    return stack_layers(*marks, *draw_words_above(items), height=ROW_HEIGHT * len(items))
