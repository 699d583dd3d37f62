"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics, and what can be divided: `breakdown.yaml`.
Out: a `Breakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

from pathlib import Path

from generator.content import until_edited
from generator.findings.terms.conditions import all_hold, file_name, fill
from generator.findings.terms.entries import read_file
from generator.findings.terms.model import Conditions, Entry, Wordings
from generator.findings.terms.summary import Breakdown, Part
from generator.findings.terms.words import told
from generator.metrics.model import Result, Results
from generator.metrics.values import number_in
from generator.sources.names import PYTHON_MODULE

FILE = Path(__file__).with_name("breakdown.yaml")
MOST_PARTS = 9
"""Parts that are shown by name; what is left becomes one more."""

_REST = "everything else"
_NEGLIGIBLE = 0.0005
_SMALL_MODULE = 0.005
"""Share below which a module is of no interest by itself; kinds of time are, however short."""


class Whole(Entry, frozen=True, kw_only=True):
    """A time that can be divided: the table that divides it and what 100 % is."""

    when: Conditions
    title: Wordings
    of: Wordings
    table: str
    name: str
    value: str = "time"
    """Columns of the table."""
    unit: str = ""
    """Field that holds the unit of the values, where the table leaves it open."""


NOTHING = Breakdown("Where time goes", "no cost was recorded", "s", ())


@until_edited(FILE)
def load_wholes(path: Path) -> tuple[Whole, ...]:
    """What can be divided, the best first. ContentError where the file is faulty."""
    return read_file(path, tuple[Whole, ...])


def breakdown(results: Results) -> Breakdown:
    """The parts of the main time, largest first; none where there is no such time."""
    for whole in load_wholes():
        table = results[whole.table]
        if table.status == "measured" and all_hold(whole.when, results):
            return _divided(whole, table, results)
    return NOTHING


def _divided(whole: Whole, table: Result, results: Results) -> Breakdown:
    units = {column.name: column.unit for column in table.metric.columns}
    title = told(whole.title, results) or NOTHING.title
    return Breakdown(
        title=title,
        of=told(whole.of, results) or title,
        unit=fill(whole.unit, results) or units[whole.value],
        parts=_parts(whole, table),
    )


def _parts(whole: Whole, table: Result) -> tuple[Part, ...]:
    parts = [
        Part(
            _name(str(row[whole.name]), whole),
            number_in(row[whole.value]),
            number_in(row["share"]),
            whole.table,
        )
        for row in table.records()
    ]
    largest = sorted(parts, key=lambda part: part.share, reverse=True)
    least = _SMALL_MODULE if whole.table.endswith("modules") else 0.0
    named = tuple(
        part
        for place, part in enumerate(largest[:MOST_PARTS])
        if part.share > (least if place else 0.0)
    )
    left = 1.0 - sum(part.share for part in named)
    if not named or left < _NEGLIGIBLE:
        return named
    amount = named[0].value / named[0].share * left
    return (*named, Part(_REST, amount, left, whole.table))


def _name(name: str, whole: Whole) -> str:
    if name == PYTHON_MODULE:
        return "Python functions"
    return file_name(name) if whole.name == "module" else name
