"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics, and what can be divided: the wholes of `causes.yaml`.
Out: a `TimeBreakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.findings.model.conditions import fill_template, get_file_name, is_all_met
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.tree.catalog import WholeBar, load_causes
from perfolio.metrics.metric_values import to_number
from perfolio.metrics.model import Result, Results
from perfolio.readers.code_names import PYTHON_MODULE

MOST_PARTS = 9
"""Parts that are shown by name; what is left becomes one more."""

_REST = "everything else"
_NEGLIGIBLE = 0.0005
_SMALL_MODULE = 0.005
"""Share below which a module is of no interest by itself; kinds of time are, however short."""


@dataclass(frozen=True)
class TimePart:
    """A part of the run's main time; `name` comes from the profile and is not trusted."""

    name: str
    value: float
    share: float
    metric: str
    """The table metric that it was read from."""


@dataclass(frozen=True)
class TimeBreakdown:
    """How the run's main time divides; the shares of the parts add up to 1."""

    title: str
    of: str
    """What 100 % is, in words and with its amount."""
    unit: str
    parts: tuple[TimePart, ...]


NOTHING = TimeBreakdown("Where time goes", "no cost was recorded", "s", ())


def make_breakdown(results: Results) -> TimeBreakdown:
    """The parts of the main time, largest first; none where there is no such time."""
    for whole in load_causes().wholes:
        table = results[whole.bar.table]
        if table.status == "measured" and is_all_met(whole.when, results):
            title = choose_wording(whole.bar.title, results) or NOTHING.title
            of = choose_wording(whole.bar.of, results) or title
            unit = fill_template(whole.unit, results) or NOTHING.unit
            return TimeBreakdown(title, of, unit, _list_parts(whole.bar, table))
    return NOTHING


def _list_parts(bar: WholeBar, table: Result) -> tuple[TimePart, ...]:
    parts = [
        TimePart(
            _name_part(str(row[bar.name]), bar),
            to_number(row["time"]),
            to_number(row["share"]),
            bar.table,
        )
        for row in table.records()
    ]
    largest = sorted(parts, key=lambda part: part.share, reverse=True)
    least = _SMALL_MODULE if bar.table.endswith("modules") else 0.0
    named = tuple(
        part
        for place, part in enumerate(largest[:MOST_PARTS])
        if part.share > (least if place else 0.0)
    )
    left = 1.0 - sum(part.share for part in named)
    if not named or left < _NEGLIGIBLE:
        return named
    amount = named[0].value / named[0].share * left
    return (*named, TimePart(_REST, amount, left, bar.table))


def _name_part(name: str, bar: WholeBar) -> str:
    if name == PYTHON_MODULE:
        return "Python functions"
    return get_file_name(name) if bar.name == "module" else name
