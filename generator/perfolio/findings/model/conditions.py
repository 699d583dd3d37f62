"""Conditions on metrics, and metrics named inside sentences.

In:  text of rule files and of the verdict table: `run.ranks > 1`, `is short` of conditions.yaml,
     `Copies took {gpu.copy_time}`, `{cpu.top_functions[0].function}`.
Out: conditions that hold, fail or cannot be known, and sentences with numbers in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from perfolio.common import typed_entries
from perfolio.common.content_files import load_yaml, reload_when_edited
from perfolio.common.errors import ContentError, one_line
from perfolio.common.units import compute_half_width, quantity
from perfolio.findings.model.rule import AlsoClause, Condition, RuleGate, Status
from perfolio.metrics.model import Cell, MetricColumn, Result, Results

SHARED = Path(__file__).with_name("conditions.yaml")
"""Conditions that several entries name in place of a number of their own."""

LONGEST_NAME = 80
"""A function's name in a sentence is cut at this many characters."""

_PATHS = ("file", "module")
_CONDITION = re.compile(
    r"(?P<metric>[a-z0-9_.=\[\]]+)(?:\s*(?P<sign>[<>])\s*(?P<bound>-?[0-9]+(?:\.[0-9]+)?))?"
)
_SHARED = re.compile(r"is (?P<negation>not )?(?P<name>[a-z_]+)")
_FIELD = re.compile(r"\{([a-z0-9_.=\[\]]+)\}")
_ASIDE = re.compile(r" \(\{([a-z0-9_.=\[\]]+)\}\)")
_CELLS = re.compile(r"(?P<table>[a-z0-9_.]+)\[(?P<rows>[^\]]*)\]\.(?P<column>[a-z0-9_]+)")


def parse_condition(text: str) -> Condition:
    """`a.b > 1`, `a.b < 0.8`, `a.b` alone for `a.b > 0`, or `is short`; ContentError otherwise."""
    shared = _SHARED.fullmatch(text.strip())
    if shared is not None:
        found = find_shared_condition(shared["name"])
        return invert_condition(found) if shared["negation"] else found
    return _parse_comparison(text)


def _parse_comparison(text: str) -> Condition:
    match = _CONDITION.fullmatch(text.strip())
    if match is None:
        raise ContentError(f"not a condition: {text!r}", hint="write it like `run.ranks > 1`")
    bound = float(match["bound"] or 0.0)
    return Condition(match["metric"], "below" if match["sign"] == "<" else "above", bound)


@reload_when_edited(SHARED)
def load_shared(path: Path) -> Mapping[str, Condition]:
    """The shared conditions by name; ContentError where the file is faulty."""
    try:
        entries = typed_entries.read(load_yaml(path.read_text(encoding="utf-8")), dict[str, str])
        return {name: _parse_comparison(text) for name, text in entries.items()}
    except (yaml.YAMLError, ValueError, ContentError) as error:
        raise ContentError(f"{path}: {error}") from error


def find_shared_condition(name: str) -> Condition:
    """A condition of conditions.yaml; ContentError where there is none of this name."""
    shared = load_shared()
    if name not in shared:
        raise ContentError(f"no shared condition {name!r}", hint=f"known: {', '.join(shared)}")
    return shared[name]


def is_beyond(value: float, direction: str, bound: float) -> bool:
    """Whether `value` lies strictly above, or strictly below, `bound`."""
    return value > bound if direction == "above" else value < bound


def invert_condition(condition: Condition) -> Condition:
    """The condition on the other side of the same bound."""
    return replace(condition, direction="below" if condition.direction == "above" else "above")


def is_met(condition: Condition, results: Results) -> bool | None:
    """Whether the condition is true; None where its metric is not measured or no number."""
    cell = look_up(condition.metric, results)
    if cell is None or not isinstance(cell.value, (int, float)):
        return None
    return is_beyond(cell.value, condition.direction, condition.bound)


def is_all_met(conditions: Iterable[Condition], results: Results) -> bool:
    """Whether every condition is known to be true."""
    return all(is_met(condition, results) is True for condition in conditions)


def is_also_met(also: AlsoClause, results: Results) -> bool:
    """Whether what a rule says of some runs is true of this one."""
    return is_all_met(also.when, results) and not (also.unless and is_all_met(also.unless, results))


def list_gate_conditions(
    gates: Iterable[RuleGate], then: Status, results: Results
) -> Iterator[tuple[Condition, bool | None]]:
    """The conditions without which gates lead to `then`, and whether each holds.

    None where an `unless` is not known. What is not known of an `if` leads nowhere.
    """
    for gate in gates:
        if gate.then == then:
            yield from ((each, is_met(each, results)) for each in gate.unless)
            if gate.when:
                yield invert_condition(gate.when[0]), not is_all_met(gate.when, results)


def find_fields(template: str) -> tuple[str, ...]:
    """The names in braces of a template, in order."""
    return tuple(_FIELD.findall(template))


def get_field_metric(field: str) -> str:
    """The metric that a field reads: `a.b` of `{a.b}` and of `{a.b[0].c}`."""
    return field.partition("[")[0]


def fill_template(
    template: str, results: Results, own: Mapping[str, str] | None = None
) -> str | None:
    """`template` with its fields as text; None where one of them is not measured.

    `own` holds text for fields that are no metrics, such as `value`. Names taken from
    the profile are made one line and cut; they are plain text and not trusted. A field that is
    alone in brackets is an aside: it is left out where it is not measured.
    """
    given = own or {}
    template = _ASIDE.sub(
        lambda match: match[0] if match[1] in given or _format_field(match[1], results) else "",
        template,
    )
    texts = {
        name: given.get(name) or _format_field(name, results) for name in find_fields(template)
    }
    if not all(texts.values()):
        return None
    return _FIELD.sub(lambda match: texts[match[1]] or "", template)


@dataclass(frozen=True)
class FieldValue:
    """A value found in the results, and its unit."""

    value: Cell
    unit: str
    is_path: bool = False
    half: float | None = None
    """Half the width of its interval, where it is sampled."""


def _format_field(field: str, results: Results) -> str | None:
    cell = look_up(field, results)
    if cell is None:
        return None
    words = quantity(cell.value, cell.unit, cell.half)
    return one_line(get_file_name(words) if cell.is_path else words, LONGEST_NAME)


def get_file_name(path: str) -> str:
    """The last part of a path: what people call a library or a file."""
    return path.rstrip("/").rpartition("/")[2] or path


def look_up(field: str, results: Results) -> FieldValue | None:
    """The value of `a.b`, or of column c in the first row of `a.b[0].c`; None without one.

    Raises ContentError where there is no such metric or column.
    """
    if "[" in field:
        return _look_up_cell(*choose_rows(field, results))
    result = _get_result(field, results)
    if result.status != "measured" or result.value is None:
        return None
    return FieldValue(
        result.value, result.metric.unit, half=compute_half_width(result.low, result.high)
    )


def choose_rows(field: str, results: Results) -> tuple[MetricColumn, list[dict[str, Cell]]]:
    """The column that `a.b[0].c` names, and its rows; none where the table is not measured.

    `a.b[].c` names all rows, `a.b[x=y].c` those whose column x reads y. Raises ContentError where
    there is no such metric or column.
    """
    place = _CELLS.fullmatch(field)
    if place is None:
        raise ContentError(f"not a cell of a table: {field!r}")
    result = _get_result(place["table"], results)
    columns = {each.name: each for each in result.metric.columns}
    if place["column"] not in columns:
        raise ContentError(f"metric {place['table']!r} has no column {place['column']!r}")
    rows, which = result.records() if result.status == "measured" else [], place["rows"]
    if which.isdigit():
        rows = rows[int(which) : int(which) + 1]
    elif which:
        column, _, wanted = which.partition("=")
        rows = [row for row in rows if str(row.get(column)) == wanted]
    return columns[place["column"]], rows


def _get_result(metric: str, results: Results) -> Result:
    if metric not in results:
        raise ContentError(f"unknown metric {metric!r}")
    return results[metric]


def _look_up_cell(column: MetricColumn, rows: list[dict[str, Cell]]) -> FieldValue | None:
    if not rows or rows[0].get(column.name) is None:
        return None
    half = compute_half_width(*(rows[0].get(f"{column.name}_{end}") for end in ("low", "high")))
    return FieldValue(rows[0][column.name], column.unit, column.name in _PATHS, half)
