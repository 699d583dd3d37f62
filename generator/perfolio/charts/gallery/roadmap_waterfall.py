"""What would be left of the run's time after each step of the roadmap, at best?"""

from __future__ import annotations

from perfolio.charts.axes import Scaled
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, label, plural
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import measured, rows_of
from perfolio.metrics.model import Results

GROUP = "roadmap"
ORDER = 1

_NOTHING = 1e-9
"""Up to this a step takes nothing off: sums of bounds differ in their last digits [ratio]."""
_TOLD = 6
"""How many steps the description names."""


def draw(results: Results) -> Figure | None:
    """What each step takes off at most, and what is left; None without a step that has a gain."""
    rows = rows_of(results, "roadmap.waterfall")
    if not rows:
        return None
    of = label(rows[0]["of"])
    left = quantity(amount(rows[-1], "left"), "ratio")
    steps = ", ".join(f"{label(row['title'])} {_off(amount(row, 'saved'))}" for row in rows[:_TOLD])
    more = f", and {plural(len(rows) - _TOLD, 'more step')}" if len(rows) > _TOLD else ""
    return Figure(
        title=f"{_steps(len(rows))} at least {left} of {of}",
        description=f"Bars of what is left of {of} after each step, with what the step takes off: "
        f"{steps}{more}. {left} are left at best.",
        chart=row_plot([_item(row) for row in rows], Scaled("Left", 0.01, "%"), 1.0),
        metric="roadmap.waterfall",
        note="Green: what the step takes off at most, beyond the steps before it; time that two "
        "steps concern counts once. Grey: what is left at best. "
        "These are bounds, under what the findings assume, and no forecasts."
        f"{_alike(measured(results, 'run.gpus') or 0.0)}",
    )


def _alike(gpus: float) -> str:
    """What the bounds take for granted, where they are made of means over GPUs."""
    if gpus < 2.0:
        return ""
    count = quantity(gpus, "count")
    return (
        f" They hold where the {count} GPUs are alike: where one of them decides for all, less can "
        "be left."
    )


def _steps(count: int) -> str:
    return "The step with a bound leaves" if count == 1 else f"{count} steps together leave"


def _off(saved: float, bound: str = "at most") -> str:
    """What a step takes off, beyond the steps before it."""
    return f"{bound} {quantity(saved, 'ratio')}" if saved > _NOTHING else "nothing more"


def _item(row: Record) -> Item:
    saved, left = amount(row, "saved"), amount(row, "left")
    return Item(
        name=str(row["title"]),
        text=f"{_off(saved, '≤')} · {quantity(left, 'ratio')} left",
        segments=(("other", left), ("kernels", saved)),
        details={"Phase": label(row["phase"]), "Check": label(row["code"])},
    )
