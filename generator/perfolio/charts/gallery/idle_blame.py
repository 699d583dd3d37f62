"""What does the CPU do while the GPU has nothing to do?"""

from __future__ import annotations

from pathlib import PurePosixPath

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import (
    Record,
    amount,
    format_full_name,
    label,
    locate_definition,
    plural,
    read_scalar,
    select_positive,
)
from perfolio.charts.cpu_cost import is_held_up
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 7

MOST = 12
"""Functions shown."""
ALIKE = 2e-3
"""Relative difference up to which two inclusive times are of the same samples."""
HARDLY = 1e-2
"""Part of its time that a function which only passes a call on spends itself."""
MAJORITY = 0.5
"""The title names the innermost function with at least this share."""
ALL = 0.995
"""Part of the largest share from which on a function is an ancestor of all and says nothing."""


def draw(results: Results) -> ChartFigure | None:
    """Idle time by function of the launching threads; None where it cannot be told."""
    listed = select_positive(get_rows(results, "time.blame"), "share")
    if not listed:
        return None
    telling = _select_telling(listed)
    rows = telling[:MOST]
    items = [_make_item(row) for row in rows]
    hidden = len(listed) - len(telling)
    longest = max(item.length for item in items)
    where = _describe_idle_time(results)
    return ChartFigure(
        title=_make_title(rows, where, results),
        description=f"Bars of the share of GPU idle time {where} during which a thread that "
        f"launches GPU work was in each of {plural(len(rows), 'function')}, callees included: "
        + ", ".join(f"{label(item.name)} {item.text}" for item in items[:3])
        + ".",
        chart=plot_rows(
            items,
            ScaledAxis(f"Share of GPU idle time {where}", 0.01, "%"),
            min(1.0, longest * 1.02),
        ),
        metric="time.blame",
        note="Inclusive: a function holds the time of all that it calls, so bars do not add up. "
        f"Blue: in the function's own code; grey: in what it calls.{_describe_python(rows)}"
        f"{_describe_coverage(results)}"
        + (f" Not drawn: {plural(hidden, 'function')} that only call these." if hidden else ""),
    )


def _select_telling(rows: list[Record]) -> list[Record]:
    """Without those that all others are called from, or that only pass a call on."""
    largest = amount(rows[0], "share")
    below = [row for row in rows if amount(row, "share") < ALL * largest] or rows[:1]
    return [row for row in below if not any(_passes_on(row, other) for other in below)]


def _passes_on(row: Record, other: Record) -> bool:
    """Whether `row` has the time of `other` and hardly any of its own."""
    if row is other:
        return False
    time, own = amount(row, "time"), amount(row, "exclusive")
    alike = abs(time - amount(other, "time")) <= ALIKE * time
    return alike and own <= HARDLY * time and own < amount(other, "exclusive")


def _describe_idle_time(results: Results) -> str:
    """Which idle time the blame is of."""
    iterates = read_scalar(results, "time.steady_utilisation") is not None
    return "within steady iterations" if iterates else "between operations"


def _make_title(rows: list[Record], where: str, results: Results) -> str:
    """The innermost function of most idle time: the larger ones call it."""
    most = [row for row in rows if amount(row, "share") >= MAJORITY] or rows[:1]
    named = min(most, key=lambda row: (amount(row, "share"), -amount(row, "exclusive")))
    file = PurePosixPath(format_full_name(named["file"])).name if named.get("file") else ""
    place = f", {label(file)}" if "." in file and not file.startswith("[") else ""
    share = quantity(named["share"], "ratio")
    held_up = ", held up by PC sampling" if is_held_up(results, named["function"]) else ""
    return f"{share} of GPU idle time {where}: {label(named['function'])}{place}{held_up}"


def _describe_python(rows: list[Record]) -> str:
    """What own code is of functions of Python, where there are any."""
    if not any(str(row.get("file") or "").endswith(".py") for row in rows):
        return ""
    return (
        " Own code of Python's functions is with the native code below; where the profiler lost a "
        "frame of Python, its time is its caller's."
    )


def _describe_coverage(results: Results) -> str:
    share = read_scalar(results, "time.blamed_share")
    if share is None:
        return ""
    sampled = read_scalar(results, "run.sampled") != 0.0
    return (
        f" Threads were seen at work in {quantity(share, 'ratio')} of the idle time"
        f"{'; the rest of each gap is shared like its samples' if sampled else ''}."
    )


def _make_item(row: Record) -> BarItem:
    share = amount(row, "share")
    own = share * min(1.0, amount(row, "exclusive") / amount(row, "time"))
    return BarItem(
        name=str(row["function"]),
        text=f"{quantity(row['time'], 's')} · {quantity(share, 'ratio')}",
        segments=tuple(
            part for part in (("cpu", own), ("other", share - own)) if part[1] > 1e-4 * share
        ),
        details={
            "In its own code": quantity(row["exclusive"], "s"),
            "Defined at": locate_definition(row),
        },
    )
