"""What would be left of the run's time after each step of the roadmap, at best?"""

from __future__ import annotations

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, label, plural
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Results

GROUP = "roadmap"
ORDER = 1

_NOTHING = 1e-9
"""Up to this a step takes nothing off: sums of bounds differ in their last digits [ratio]."""
_NAMED = 6
"""How many steps the description names."""


def draw(results: Results) -> ChartFigure | None:
    """What each step takes off at most, and what is left; None without a step that has a gain."""
    rows = get_rows(results, "roadmap.waterfall")
    if not rows:
        return None
    of = label(rows[0]["of"])
    left = quantity(amount(rows[-1], "left"), "ratio")
    steps = ", ".join(
        f"{label(row['title'])} {_describe_saving(amount(row, 'saved'))}" for row in rows[:_NAMED]
    )
    more = f", and {plural(len(rows) - _NAMED, 'more step')}" if len(rows) > _NAMED else ""
    return ChartFigure(
        title=f"{_describe_steps(len(rows))} at least {left} of {of}",
        description=f"Bars of what is left of {of} after each step, with what the step takes off: "
        f"{steps}{more}. {left} are left at best.",
        chart=plot_rows([_make_item(row) for row in rows], ScaledAxis("Left", 0.01, "%"), 1.0),
        metric="roadmap.waterfall",
        note="Green: what the step takes off at most, beyond the steps before it; time that two "
        "steps concern counts once. Grey: what is left at best. "
        "These are bounds, under what the findings assume, and no forecasts."
        f"{_describe_likeness(get_value(results, 'run.gpus') or 0.0)}",
    )


def _describe_likeness(gpus: float) -> str:
    """What the bounds take for granted, where they are made of means over GPUs."""
    if gpus < 2.0:
        return ""
    count = quantity(gpus, "count")
    return (
        f" They hold where the {count} GPUs are alike: where one of them decides for all, less can "
        "be left."
    )


def _describe_steps(count: int) -> str:
    return "The step with a bound leaves" if count == 1 else f"{count} steps together leave"


def _describe_saving(saved: float, bound: str = "at most") -> str:
    """What a step takes off, beyond the steps before it."""
    return f"{bound} {quantity(saved, 'ratio')}" if saved > _NOTHING else "nothing more"


def _make_item(row: Record) -> BarItem:
    saved, left = amount(row, "saved"), amount(row, "left")
    return BarItem(
        name=str(row["title"]),
        text=f"{_describe_saving(saved, '≤')} · {quantity(left, 'ratio')} left",
        segments=(("other", left), ("kernels", saved)),
        details={"Phase": label(row["phase"]), "Check": label(row["code"])},
    )
