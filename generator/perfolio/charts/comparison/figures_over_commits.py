"""When did which figure change?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.bar_rows import encode_row_y, stack_layers
from perfolio.charts.chart_data import plural
from perfolio.charts.comparison.comparison_figure import ComparisonFigure
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.comparison.history.series_gate import describe_move
from perfolio.comparison.history.series_study import FigureHistory, MovedFigure, SeriesStudy

MOST_FIGURES = 6
"""One below the other."""
MOST_DOTS = 1_500
"""Of the latest commits, that are drawn; all are in the document."""
_HEIGHT = 92
"""Of one figure [px]."""
_WORDS, _TOP, _BOTTOM = 0.14, 0.28, 0.92
"""Where a figure has its words, its largest and its least value, in its height."""
_SHORT = 8
"""Characters of a commit that are shown."""


def draw(study: SeriesStudy) -> ComparisonFigure | None:
    """A small chart for each figure, those that changed first; None without any."""
    shown = choose_figures(study)
    if not shown:
        return None
    first = max(0, len(study.commits) - MOST_DOTS // len(shown))
    changed = [figure.title for figure in shown if figure.changes]
    figure = ChartFigure(
        title=_write_title(study),
        description=f"{plural(len(shown), 'figure')} over {plural(len(study.commits), 'commit')}: "
        "a dot for each, a line for each level, and a rule at each change. "
        + (f"Changed: {', '.join(changed)}." if changed else "None changed."),
        chart=_draw_figures(study, shown, first),
        metric="",
        note="A dot is the median of a commit's runs, a dashed line the mean of a level, an "
        "upright one a change. Each figure is drawn from its least value to its largest.",
    )
    rows = [
        (one.title, study.commits[place].commit, study.commits[place].moment, value, one.unit)
        for one in shown
        for place, value in one.points
    ]
    return ComparisonFigure(figure, ("figure", "commit", "moment", "value", "unit"), rows)


def choose_figures(study: SeriesStudy) -> list[FigureHistory]:
    """Those of the newest commit's segment: the time, what changed, and then the others."""
    segment = study.commits[-1].segment
    own = [one for one in study.figures if one.segment == segment and len(one.points) > 1]
    varied = [one for one in own if len({value for _, value in one.points}) > 1]
    return sorted(varied, key=lambda one: not one.changes)[:MOST_FIGURES]


def _write_title(study: SeriesStudy) -> str:
    moved = [one for event in study.events for one in event.moved]
    worse = sum(one.is_worse for one in moved)
    if not moved:
        return "No figure changed"
    return f"{plural(len(moved), 'change')}, {worse} for the worse"


def _draw_figures(study: SeriesStudy, shown: Sequence[FigureHistory], first: int) -> alt.LayerChart:
    dots: list[dict[str, object]] = []
    levels: list[dict[str, object]] = []
    rules: list[dict[str, object]] = []
    words: list[dict[str, object]] = []
    for row, figure in enumerate(shown):
        points = [(place, value) for place, value in figure.points if place >= first]
        place_value = _make_scale(row, [value for _, value in points])
        dots += [
            {
                "place": place,
                "at": place_value(value),
                "text": quantity(value, figure.unit),
                "commit": study.commits[place].commit[:_SHORT],
                "day": study.commits[place].moment[:10],
            }
            for place, value in points
        ]
        levels += [
            {"place": begin, "stop": end, "at": place_value(value)}
            for begin, end, value in _list_levels(figure, first, points[-1][0])
        ]
        rules += [
            {
                "place": one.place,
                "at": row + _TOP,
                "stop": row + _BOTTOM,
                "text": describe_move(MovedFigure(figure, one)),
                "commit": study.commits[one.place].commit[:_SHORT],
            }
            for one in figure.changes
            if one.place >= first
        ]
        last = quantity(points[-1][1], figure.unit)
        words.append({"line": row + _WORDS, "name": figure.title, "text": last})
    return stack_layers(
        *_make_marks(dots, levels, rules, (first, len(study.commits) - 1), len(shown)),
        *_write_words(words, len(shown)),
        height=_HEIGHT * len(shown),
    )


def _make_scale(row: int, values: Sequence[float]) -> Callable[[float], float]:
    """Where a value stands in the row of its figure."""
    least, most = min(values), max(values)

    def place_value(value: float) -> float:
        share = (value - least) / (most - least) if most > least else 0.5
        return row + _BOTTOM - min(1.0, max(0.0, share)) * (_BOTTOM - _TOP)

    return place_value


def _list_levels(figure: FigureHistory, first: int, last: int) -> Iterator[tuple[int, int, float]]:
    """From which commit to which each level lasts, and how high it is."""
    if not figure.changes:
        return
    begins = [first, *(one.place for one in figure.changes)]
    ends = [*(one.place - 1 for one in figure.changes), last]
    heights = [figure.changes[0].before, *(one.after for one in figure.changes)]
    for begin, end, height in zip(begins, ends, heights, strict=True):
        if end >= first:
            yield max(begin, first), end, height


def _make_marks(
    dots: Sequence[dict[str, object]],
    levels: Sequence[dict[str, object]],
    rules: Sequence[dict[str, object]],
    ends: tuple[int, int],
    rows: int,
) -> list[alt.Chart]:
    x = alt.X(
        "place:Q",
        scale=alt.Scale(domain=[ends[0], max(ends[0] + 1, ends[1])], nice=False, padding=6),
        axis=alt.Axis(title="Commits in the order of time", format="d", grid=False, tickMinStep=1),
    )
    y, shown = encode_row_y("at", rows), [("commit", "Commit"), ("text", "Value"), ("day", "Day")]
    tooltip = [alt.Tooltip(f"{name}:N", title=title) for name, title in shown]
    stop, until = alt.Y2("stop:Q"), alt.X2("stop:Q")
    marks = [
        alt.Chart(ChartRows(rules))
        .mark_rule(style="pf-whisker")
        .encode(x=x, y=y, y2=stop, tooltip=tooltip[:2]),
        alt.Chart(ChartRows(levels)).mark_rule(style="pf-limit").encode(x=x, x2=until, y=y),
        alt.Chart(ChartRows(dots))
        .mark_point(style="pf-dot", filled=True)
        .encode(x=x, y=y, tooltip=tooltip),
    ]
    return [mark for mark, rows_of in zip(marks, (rules, levels, dots), strict=True) if rows_of]


def _write_words(words: Sequence[dict[str, object]], rows: int) -> list[alt.Chart]:
    """The name of each figure at the left, its newest value at the right."""
    base, y = alt.Chart(ChartRows(words)), encode_row_y("line", rows)
    return [
        base.mark_text(style="pf-name", limit=alt.expr("max(60, width - 120)")).encode(
            x=alt.XValue(0), y=y, text=alt.Text("name:N")
        ),
        base.mark_text(style="pf-value").encode(
            x=alt.XValue("width"), y=y, text=alt.Text("text:N")
        ),
    ]
