"""How much of each GPU is left, as a program runs on more of them?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, format_full_name, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import ROLES, make_colour_domain
from perfolio.charts.time_charts import HEIGHT
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "ceilings"
ORDER = 5
_RUNS = 2
"""Of a series: one alone has nothing to be compared with."""


def draw(results: Results) -> ChartFigure | None:
    """A line of efficiency over GPUs for each series of runs; None without two runs of one."""
    rows = get_rows(results, "scaling.efficiency")
    names = [
        name for name in dict.fromkeys(map(_name_series, rows)) if _count_runs(rows, name) >= _RUNS
    ]
    if not names:
        return None
    shown = [row for row in rows if _name_series(row) in names]
    last = max(shown, key=lambda row: amount(row, "gpus"))
    first = min(
        (row for row in shown if _name_series(row) == _name_series(last)),
        key=lambda row: amount(row, "gpus"),
    )
    return ChartFigure(
        title=f"On {quantity(last['gpus'], 'count')} GPUs each gives "
        f"{quantity(last['efficiency'], 'ratio')} of what it gives on "
        f"{quantity(first['gpus'], 'count')}",
        description=f"A line of efficiency by the number of GPUs for each of "
        f"{plural(len(names), 'set')} of runs: {', '.join(names[:8])}.",
        chart=_draw_chart(
            [row for row in shown if _name_series(row) in names[: len(ROLES)]], names
        ),
        metric="scaling.efficiency",
        note="Efficiency: the rate of each GPU over that in the smallest run."
        + (f" {len(names) - len(ROLES)} more in the table." if len(names) > len(ROLES) else ""),
    )


def _name_series(row: Record) -> str:
    return format_full_name(row["series"])


def _count_runs(rows: list[Record], name: str) -> int:
    return sum(_name_series(row) == name for row in rows)


def _draw_chart(rows: list[Record], names: list[str]) -> alt.LayerChart:
    data = [
        {
            "gpus": amount(row, "gpus"),
            "efficiency": 100.0 * amount(row, "efficiency"),
            "series": _name_series(row),
            "text": quantity(row["efficiency"], "ratio"),
            "speedup": quantity(row["speedup"], "x"),
        }
        for row in rows
    ]
    ticks = sorted({amount(row, "gpus") for row in rows})
    most = max(1.0, *(amount(row, "efficiency") for row in rows))
    lines = (
        alt.Chart(ChartRows(data))
        .mark_line(point=True, strokeWidth=1.8)
        .encode(
            x=alt.X(
                "gpus:Q",
                scale=alt.Scale(type="log", base=2, nice=False),
                axis=alt.Axis(title="GPUs (log)", values=ticks, format="~s"),
            ),
            y=alt.Y(
                "efficiency:Q",
                scale=alt.Scale(domain=[0, most * 102.0], nice=False),
                axis=make_value_axis("Efficiency (%)"),
            ),
            color=alt.Color(
                "series:N",
                scale=alt.Scale(domain=make_colour_domain(dict(zip(ROLES, names, strict=False)))),
                legend=alt.Legend(title=None, symbolType="stroke", values=names[: len(ROLES)])
                if len(names) > 1
                else None,
            ),
            tooltip=[
                alt.Tooltip("series:N", title="Series"),
                alt.Tooltip("gpus:Q", title="GPUs"),
                alt.Tooltip("text:N", title="Efficiency"),
                alt.Tooltip("speedup:N", title="Speed-up"),
            ],
        )
    )  # fmt: skip
    return stack_layers(lines, height=HEIGHT)
