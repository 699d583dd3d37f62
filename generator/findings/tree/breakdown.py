"""How the run's main time divides: wall time where a trace has it, else what was measured.

In:  results of metrics.
Out: a `Breakdown` whose shares add up to 1; without parts where no cost was recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.findings.terms.conditions import all_hold, file_name, fill, parse_condition
from generator.findings.terms.events import event_words
from generator.findings.terms.summary import Breakdown, Part
from generator.metrics.model import Result, Results
from generator.metrics.values import number_in
from generator.sources.names import PYTHON_MODULE

MOST_PARTS = 9
"""Parts that are shown by name; what is left becomes one more."""

_REST = "everything else"
_NEGLIGIBLE = 0.0005
_SMALL_MODULE = 0.005
"""Share below which a module is of no interest by itself; kinds of time are, however short."""


@dataclass(frozen=True)
class Whole:
    """A time that can be divided: the table that divides it and what 100 % is."""

    when: str
    title: str
    of: tuple[str, ...]
    """Wordings; the first one whose metrics are measured is taken."""
    table: str
    name: str
    value: str
    """Columns of the table."""
    unit: str = ""
    """Field that holds the unit of the values, where the table leaves it open."""


WHOLES: tuple[Whole, ...] = (
    Whole(
        "time.gpu_utilisation > 0",
        "Where the wall time goes",
        ("{time.wall} of wall time, from begin to end of the trace",),
        "time.wall_parts",
        "part",
        "time",
    ),
    Whole(
        "time.gpu_span > 0",
        "What the GPU did from its first to its last operation",
        (
            (
                "{time.gpu_span} between the first and the last GPU operation; wall time is not "
                "measured, as no CPU thread was traced"
            ),
        ),
        "time.span_parts",
        "part",
        "time",
    ),
    Whole(
        "gpu.operation_time > 0",
        "Where GPU-operation time goes",
        ("{gpu.operation_time} of GPU operations, the sum of their durations",),
        "gpu.composition",
        "operation",
        "time",
    ),
    Whole(
        "cpu.engaged_time > 0",
        "Where the thread time goes, by module",
        ("{cpu.engaged_time} of thread time, without waits of helper threads",),
        "cpu.engaged_modules",
        "module",
        "time",
    ),
    Whole(
        "cpu.event_total > 0",
        "Where the {cost} goes, by module",
        (
            "{cpu.time} of CPU time, all threads together",
            (
                "{cpu.event_total} ns of {cpu.event[0].event}, {cpu.event[0].seconds} of CPU time, "
                "all threads together"
            ),
            "{cpu.event_total} of {cpu.event[0].event}, all threads together",
        ),
        "cpu.modules",
        "module",
        "time",
        "{cpu.event[0].unit}",
    ),
    Whole(
        "time.wall > 0",
        "Where threads ran, by module",
        ("the time in which CPU threads were traced running, all threads together",),
        "time.modules",
        "name",
        "time",
    ),
)


NOTHING = Breakdown("Where time goes", "no cost was recorded", "s", ())


def breakdown(results: Results) -> Breakdown:
    """The parts of the main time, largest first; none where there is no such time."""
    for whole in WHOLES:
        table = results[whole.table]
        applies = all_hold((parse_condition(whole.when),), results)
        if applies and table.status == "measured":
            return _divided(whole, table, results)
    return NOTHING


def _divided(whole: Whole, table: Result, results: Results) -> Breakdown:
    units = {column.name: column.unit for column in table.metric.columns}
    wordings = (fill(wording, results) for wording in whole.of)
    return Breakdown(
        title=fill(whole.title, results, event_words(results)) or whole.title,
        of=next((text for text in wordings if text), whole.title),
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
