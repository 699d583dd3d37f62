"""How long are the gaps in which the GPU does nothing?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import SI_TIME_LABELS, list_log_ticks, make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import HEIGHT, format_span
from perfolio.common.units import format_threshold, quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 6

MAJORITY = 0.5
"""Least share of idle time of the gaps that the title counts."""
NOTABLE = 1e-3
"""Share of idle time or of gaps from which on the shortest gaps are drawn."""


def draw(results: Results) -> ChartFigure | None:
    """Share of idle time by length of the gap, with that of gaps; None without any gap."""
    listed = get_rows(results, "time.gap_distribution")
    rows = [row for row in listed if 0.0 < amount(row, "from") < amount(row, "to")]
    total = sum(amount(row, "time") for row in rows)
    gaps = sum(amount(row, "count") for row in rows)
    if total <= 0.0 or gaps <= 0.0:
        return None
    rows.sort(key=lambda row: amount(row, "from"))
    drawn = _select_notable(rows, total, gaps)
    long = _select_longest(rows, total, gaps)
    share = quantity(sum(amount(row, "time") for row in long) / total, "ratio")
    count = sum(amount(row, "count") for row in long)
    bound = format_threshold(amount(long[0], "from"), "s")
    return ChartFigure(
        title=_make_title(share, count, gaps, bound),
        description=f"Histogram of {plural(round(gaps), 'gap')} between GPU operations, "
        f"{quantity(total, 's')} together, by length on a logarithmic axis: bars are shares "
        "of "
        f"the idle time, diamonds shares of the number of gaps. Gaps from {bound} on hold {share} "
        f"of the time and {quantity(count / gaps, 'ratio')} of the number.",
        chart=_draw_chart(drawn, total, gaps),
        metric="time.gap_distribution",
        note="A gap is time in which no stream works; those of the start-up, the warm-up and the "
        "end of the run are left out where iterations were found. Many short gaps point to "
        "launches one by one; few long ones to a host that is busy "
        f"elsewhere.{_describe_rest(rows, drawn)}",
    )


def _select_notable(rows: list[Record], total: float, gaps: float) -> list[Record]:
    """Without the shortest gaps that are few and short: they would take half of the axis."""
    first = next(
        index
        for index, row in enumerate(rows)
        if amount(row, "time") >= NOTABLE * total or amount(row, "count") >= NOTABLE * gaps
    )
    return rows[first:]


def _describe_rest(rows: list[Record], drawn: list[Record]) -> str:
    hidden = sum(amount(row, "count") for row in rows[: len(rows) - len(drawn)])
    if not hidden:
        return ""
    bound = format_threshold(amount(drawn[0], "from"), "s")
    return f" Not drawn: {plural(round(hidden), 'gap')} below {bound}."


def _select_longest(rows: list[Record], total: float, gaps: float) -> list[Record]:
    """The longest gaps: most of the time, with the least share of the number for it."""

    def time(first: int) -> float:
        return sum(amount(row, "time") for row in rows[first:]) / total

    def count(first: int) -> float:
        return sum(amount(row, "count") for row in rows[first:]) / gaps

    firsts = [first for first in range(len(rows)) if time(first) >= MAJORITY]
    return rows[max(firsts, key=lambda first: time(first) - count(first)) :]


def _make_title(share: str, count: float, gaps: float, bound: str) -> str:
    if count == gaps:
        return f"All {quantity(gaps, 'count')} gaps of the GPU last {bound} or longer"
    noun = "gap" if count == 1 else "gaps"
    return (
        f"{share} of GPU idle time lies in {quantity(count, 'count')} {noun} of {bound} or longer"
    )


def _draw_chart(rows: list[Record], total: float, gaps: float) -> alt.LayerChart:
    low, high = amount(rows[0], "from"), amount(rows[-1], "to")
    data = [
        {
            "start": amount(row, "from"),
            "end": amount(row, "to"),
            "middle": (amount(row, "from") * amount(row, "to")) ** 0.5,
            "zero": 0.0,
            "time": 100.0 * amount(row, "time") / total,
            "count": 100.0 * amount(row, "count") / gaps,
            "length": format_span(amount(row, "from"), amount(row, "to")),
            "time_text": f"{quantity(row['time'], 's')} · "
            f"{quantity(amount(row, 'time') / total, 'ratio')}",
            "count_text": f"{quantity(row['count'], 'count')} · "
            f"{quantity(amount(row, 'count') / gaps, 'ratio')}",
        }
        for row in rows
    ]
    highest = max(max(amount(row, "time"), amount(row, "count")) for row in data)
    ticks = [tick for tick in list_log_ticks(low, high) if low * 0.99 <= tick <= high * 1.01]
    x = alt.X(
        "start:Q",
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(title="Length of a gap (log)", values=ticks, labelExpr=SI_TIME_LABELS),
    )
    y = alt.Y(
        "time:Q",
        scale=alt.Scale(domain=[0, min(104.0, highest * 1.08)], nice=False),
        axis=make_value_axis("Share of idle time; diamonds: of gaps (%)"),
    )
    base = alt.Chart(ChartRows(data))
    tooltip = [
        alt.Tooltip("length:N", title="Gaps of"),
        alt.Tooltip("time_text:N", title="Time"),
        alt.Tooltip("count_text:N", title="Number"),
    ]
    return stack_layers(
        base.mark_rect(style="pf-gap").encode(
            x=x, x2=alt.X2("end:Q"), y=y, y2=alt.Y2("zero:Q"), tooltip=tooltip
        ),
        base.mark_point(style="pf-dot", shape="diamond", filled=True, size=70).encode(
            x=alt.X("middle:Q"), y=alt.Y("count:Q"), tooltip=tooltip
        ),
        height=HEIGHT,
    )
