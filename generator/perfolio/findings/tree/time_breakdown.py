"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics, and what can be divided: the wholes of `causes.yaml`.
Out: a `Breakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.findings.model.conditions import all_hold, file_name, fill
from perfolio.findings.model.wording import told
from perfolio.findings.tree.catalog import Bar, load_causes
from perfolio.metrics.metric_values import number_in
from perfolio.metrics.model import Result, Results
from perfolio.readers.code_names import PYTHON_MODULE

MOST_PARTS = 9
"""Parts that are shown by name; what is left becomes one more."""

_REST = "everything else"
_NEGLIGIBLE = 0.0005
_SMALL_MODULE = 0.005
"""Share below which a module is of no interest by itself; kinds of time are, however short."""


@dataclass(frozen=True)
class Part:
    """A part of the run's main time; `name` comes from the profile and is not trusted."""

    name: str
    value: float
    share: float
    metric: str
    """The table metric that it was read from."""


@dataclass(frozen=True)
class Breakdown:
    """How the run's main time divides; the shares of the parts add up to 1."""

    title: str
    of: str
    """What 100 % is, in words and with its amount."""
    unit: str
    parts: tuple[Part, ...]


NOTHING = Breakdown("Where time goes", "no cost was recorded", "s", ())


def breakdown(results: Results) -> Breakdown:
    """The parts of the main time, largest first; none where there is no such time."""
    for whole in load_causes().wholes:
        table = results[whole.bar.table]
        if table.status == "measured" and all_hold(whole.when, results):
            title = told(whole.bar.title, results) or NOTHING.title
            of = told(whole.bar.of, results) or title
            unit = fill(whole.unit, results) or NOTHING.unit
            return Breakdown(title, of, unit, _parts(whole.bar, table))
    return NOTHING


def _parts(bar: Bar, table: Result) -> tuple[Part, ...]:
    parts = [
        Part(
            _name(str(row[bar.name]), bar),
            number_in(row["time"]),
            number_in(row["share"]),
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
    return (*named, Part(_REST, amount, left, bar.table))


def _name(name: str, bar: Bar) -> str:
    if name == PYTHON_MODULE:
        return "Python functions"
    return file_name(name) if bar.name == "module" else name
