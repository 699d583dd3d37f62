"""Did steps of reports save what the reports expected of them?"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
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
from perfolio.charts.comparison.comparison_figure import ComparisonFigure
from perfolio.charts.model import ChartFigure
from perfolio.common.escaping import to_plain_line
from perfolio.common.units import quantity
from perfolio.comparison.promise_record import WHOLES, ShownStep, StepOutcome
from perfolio.comparison.range_coverage import count_in_range

MOST = 40
"""Rows, the latest ones: all are in the data for download."""
OUTSIDE, INSIDE, ONE_CASE = "outside the range", "in the range", "one case, no range"
_LEAST_WIDTH = 0.008
"""Of the axis: a range of one value is seen, too."""
_MOST_LOST = -1.0
"""Where a loss is drawn at the lowest: twice the time [ratio]."""
_MARGIN = 0.03


def draw(steps: Sequence[ShownStep]) -> ComparisonFigure | None:
    """A row per step that was taken by itself, in their order; None where there is none."""
    alone = [one for one in steps if one.is_taken and not one.outcome.together]
    if not alone:
        return None
    shown = alone[-MOST:]
    figure = ChartFigure(
        title=_make_title(alone),
        description="A row for each step that was taken by itself. "
        + " ".join(_describe(one) for one in shown[:8]),
        chart=_draw_rows(shown),
        metric="",
        note="Bar: what a replay said, else what such steps usually save. Dashed line: what this "
        "one saves at most. Dot: what the runs saved."
        + (f" The latest {MOST}." if len(alone) > MOST else ""),
    )
    rows = [
        (
            one.recorded, one.runs, one.outcome.step.code, one.outcome.step.title,
            one.outcome.kind, one.saved, one.outcome.step.bound, one.outcome.step.low,
            one.outcome.step.high, WHOLES[one.outcome.step.whole], one.outcome.step.method,
        )
        for one in alone
    ]  # fmt: skip
    header = (
        "recorded", "runs", "step", "title", "outcome", "saved (ratio)", "bound (ratio)",
        "low (ratio)", "high (ratio)", "whole", "method",
    )  # fmt: skip
    return ComparisonFigure(figure, header, rows)


def _make_title(alone: Sequence[ShownStep]) -> str:
    coverage = count_in_range(one.outcome for one in alone)
    exceeded = sum(one.outcome.kind == "exceeded-bound" for one in alone)
    above = f"{exceeded or 'none'} above the bound"
    if not coverage.judged:
        return f"{plural(len(alone), 'saving')}, {above}"
    return f"{coverage.inside} of {plural(coverage.judged, 'saving')} in the range, {above}"


def _describe(one: ShownStep) -> str:
    step = one.outcome.step
    saved, bound = (quantity(each, "ratio") for each in (_find_measured(one), step.bound))
    expected = describe_range(one.outcome)
    return f"{to_plain_line(step.code)}: saved {saved}, {expected} expected, bound {bound}."


def _find_measured(one: ShownStep) -> float:
    """What was saved of what its range is of, else of its bound's whole [ratio]."""
    measured = one.outcome.measured
    return one.saved if measured is None else measured


def describe_range(outcome: StepOutcome) -> str:
    """What was expected of a step; nothing where that was nothing."""
    low, high = outcome.step.low, outcome.step.high
    if low is None or high is None:
        return "nothing"
    ends = [quantity(end, "ratio") for end in (low, high)]
    return " to ".join(dict.fromkeys(ends))


def _draw_rows(shown: Sequence[ShownStep]) -> alt.LayerChart:
    axis = scale_axis("Saved of the step's time", 1.0, "ratio")
    savings = [max(_find_measured(one), _MOST_LOST) for one in shown]
    steps = [one.outcome.step for one in shown]
    most = max(*savings, *(max(step.bound, step.high or 0.0) for step in steps))
    least = min(0.0, *savings, *(max(step.low or 0.0, _MOST_LOST) for step in steps))
    room = _MARGIN * (most - least)
    ends = (least - room if least < 0.0 else 0.0, most + room)
    x = alt.X(
        "start:Q",
        scale=alt.Scale(domain=[axis.at(end) for end in ends], nice=False, zero=False),
        axis=make_value_axis(axis.title),
    )
    items = [
        BarItem(
            f"{one.recorded} {one.outcome.step.code} {one.outcome.step.title}".strip(),
            quantity(_find_measured(one), "ratio"),
            (),
            {
                "Runs": to_plain_line(one.runs),
                "Expected": describe_range(one.outcome),
                "At most": quantity(one.outcome.step.bound, "ratio"),
                "Outcome": one.outcome.kind.replace("-", " "),
            },
        )
        for one in shown
    ]
    return stack_layers(
        _draw_ranges(shown, axis, x, _LEAST_WIDTH * (ends[1] - ends[0])),
        *_draw_marks(shown, savings, axis, x),
        *draw_words_above(items),
        height=ROW_HEIGHT * len(items),
    )


def _draw_ranges(shown: Sequence[ShownStep], axis: ScaledAxis, x: alt.X, least: float) -> alt.Chart:
    rows = []
    for place, one in enumerate(shown):
        low, high = one.outcome.step.low, one.outcome.step.high
        if low is None or high is None:
            continue
        if one.outcome.step.is_replayed and one.outcome.in_range is None:
            continue  # nothing of it was measured
        rows.append({
            "start": axis.at(max(low, _MOST_LOST)),
            "end": axis.at(max(high, low + least)),
            "top": place + BAR_TOP,
            "bottom": place + BAR_BOTTOM,
            "fate": {None: ONE_CASE, True: INSIDE, False: OUTSIDE}[one.outcome.in_range],
            "text": describe_range(one.outcome),
        })  # fmt: skip
    fates = [OUTSIDE, INSIDE, ONE_CASE]
    seen = [fate for fate in fates if any(row["fate"] == fate for row in rows)]
    ranges: alt.Chart = (
        alt.Chart(ChartRows(rows))
        .mark_rect(cornerRadius=2, opacity=0.55)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=encode_row_y("top", len(shown)),
            y2=alt.Y2("bottom:Q"),
            color=alt.Color(
                "fate:N",
                scale=alt.Scale(domain=fates, range="diverging"),
                legend=alt.Legend(title=None, values=seen, symbolType="square") if seen else None,
            ),
            tooltip=[alt.Tooltip("text:N", title="Expected")],
        )
    )
    return ranges


def _draw_marks(
    shown: Sequence[ShownStep], savings: Sequence[float], axis: ScaledAxis, x: alt.X
) -> tuple[alt.Chart, alt.Chart]:
    """Bounds as lines, savings as dots."""
    rows = [
        {
            "start": axis.at(one.outcome.step.bound),
            "saved": axis.at(saved),
            "top": place + BAR_TOP,
            "middle": place + BAR_MIDDLE,
            "bottom": place + BAR_BOTTOM,
            "bound": quantity(one.outcome.step.bound, "ratio"),
            "text": quantity(saved, "ratio"),
        }
        for place, (one, saved) in enumerate(zip(shown, savings, strict=True))
    ]
    bounds = (
        alt.Chart(ChartRows(rows))
        .mark_rule(style="pf-limit")
        .encode(
            x=x,
            y=encode_row_y("top", len(shown)),
            y2=alt.Y2("bottom:Q"),
            tooltip=[alt.Tooltip("bound:N", title="At most")],
        )
    )
    dots = (
        alt.Chart(ChartRows(rows))
        .mark_point(style="pf-dot", filled=True)
        .encode(
            x=alt.X("saved:Q"),
            y=encode_row_y("middle", len(shown)),
            tooltip=[alt.Tooltip("text:N", title="Saved")],
        )
    )
    return bounds, dots
