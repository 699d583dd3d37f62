"""What is left after each change, if the run is replayed with it?"""

from __future__ import annotations

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "roadmap"
ORDER = 2

_NAMED = 6
"""How many changes the description names."""


def draw(results: Results) -> ChartFigure | None:
    """What changes leave together, one after the other; None where nothing is replayed."""
    rows = get_rows(results, "roadmap.replayed")
    if not rows:
        return None
    last = rows[-1]
    left = _describe_range(1.0 - amount(last, "high"), 1.0 - amount(last, "low"))
    named = ", ".join(
        f"{row['title']} {_describe_range(amount(row, 'low'), amount(row, 'high'))}"
        for row in rows[:_NAMED]
    )
    more = f", and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
    most = max(1.0, *(1.0 - amount(row, "low") for row in rows))
    return ChartFigure(
        title=f"{plural(len(rows), 'change')} replayed: {left} of {last['of']} left",
        description=f"Bars of what is left of {last['of']} after each change and all before it. "
        f"Saved together so far: {named}{more}.",
        chart=plot_rows([_make_item(row) for row in rows], ScaledAxis("Left", 0.01, "%"), most),
        metric="roadmap.replayed",
        note="Grey: what is left at best. Green: what the range of changes adds "
        "at worst. The recorded calls and operations are replayed with each change made.",
    )


def _describe_range(low: float, high: float) -> str:
    ends = [quantity(low, "ratio"), quantity(high, "ratio")]
    return " to ".join(dict.fromkeys(ends))


def _make_item(row: Record) -> BarItem:
    low, high = amount(row, "low"), amount(row, "high")
    alone = _describe_range(amount(row, "alone_low"), amount(row, "alone_high"))
    return BarItem(
        name=str(row["title"]),
        text=f"{_describe_range(1.0 - high, 1.0 - low)} left",
        segments=(("other", 1.0 - high), ("kernels", high - low)),
        details={"Alone": alone, "Together so far": _describe_range(low, high)},
    )
