"""Answers to values: each is computed from the run, with the interval that it was measured in.

In:  an `Answer` and a `Run`, and the values of items that it follows. Out: `SolvedValue`.
Raises NotAskedError where the run has no such value, or several, ContentError where no run could.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from perfolio.audit.expression import Lookup, evaluate, list_names
from perfolio.common.errors import ContentError
from perfolio.exercises.collect_commands import choose_command
from perfolio.exercises.model import Answer, Json, NotAskedError, SolvedValue
from perfolio.exercises.run_view import Run, as_number, make_column_error
from perfolio.metrics.model import Cell, Result

_EARLIER: Mapping[str, float] = {}


def compute_answer(
    answer: Answer, run: Run, unit: str, earlier: Mapping[str, float] = _EARLIER
) -> SolvedValue:
    """The value of an answer; `unit` (or nothing) is what the item says."""
    if answer.source == "metric":
        return _read_metric(answer, run, unit)
    if answer.source == "expression":
        return _evaluate_expression(answer.name, run, unit, earlier)
    if answer.source == "given":
        return SolvedValue(answer.value or 0.0, unit or "1", source={"given": answer.value})
    if answer.source == "absent":
        raise NotAskedError(answer.name, collect=choose_command(answer.collect, run))
    name = _name_answer(answer)
    value = run.value(name)
    if value is None:
        raise run.lacks([name])
    return SolvedValue(value, unit or "1", source={answer.source: name})


def find_known_answer(
    answer: Answer, run: Run, unit: str, earlier: Mapping[str, float] = _EARLIER
) -> Answer:
    """The answer itself, or the first of those behind it that this run has; itself for none."""
    each: Answer | None = answer
    while each is not None and answer.otherwise is not None:
        try:
            compute_answer(each, run, unit, earlier)
        except NotAskedError:
            each = each.otherwise
        else:
            return each
    return answer


def make_lookup(run: Run, earlier: Mapping[str, float]) -> Lookup:
    """What names stand for: an earlier item, else the run."""
    return lambda name: earlier[name] if name in earlier else run.value(name)


def _name_answer(answer: Answer) -> str:
    if answer.source == "finding":
        field = (answer.column or "value").removeprefix("estimate.")
        return f"finding.{answer.name}.{field}"
    return f"{answer.source}.{answer.name}"


def _read_metric(answer: Answer, run: Run, unit: str) -> SolvedValue:
    result = run.result(answer.name)
    source: Json = {"metric": answer.name, "sql": result.metric.sql}
    if result.metric.shape == "scalar":
        if result.value is None:
            raise NotAskedError(f"{result.metric.title}: {result.metric.empty or 'has no value'}")
        measured = unit or result.metric.unit
        return SolvedValue(result.value, measured, result.low, result.high, source=source)
    column = next((each for each in result.metric.columns if each.name == answer.column), None)
    if column is None:
        raise make_column_error(answer.name, *([answer.column] if answer.column else []))
    if answer.total and len(_select_rows(result, answer)) > 1:
        return _sum_rows(result, answer, unit or column.unit)
    place, row = choose_row(result, answer)
    value = as_number(row[column.name])
    if value is None:
        raise NotAskedError(f"{result.metric.title}: this row has no {column.title}")
    low, high = (as_number(row.get(f"{column.name}_{end}")) for end in ("low", "high"))
    from_row = source | {"column": column.name, "row": place}
    return SolvedValue(value, unit or column.unit, low, high, source=from_row)


def _sum_rows(result: Result, answer: Answer, unit: str) -> SolvedValue:
    """What all rows of an answer have together."""
    numbers = [as_number(row[answer.column]) for _, row in _select_rows(result, answer)]
    total = math.fsum(each for each in numbers if each is not None)
    source: Json = {"metric": answer.name, "sql": result.metric.sql, "column": answer.column}
    source |= {"where": dict(answer.where), "total": True}
    return SolvedValue(total, unit, computed=True, source=source)


def choose_row(result: Result, answer: Answer) -> tuple[int, Mapping[str, Cell]]:
    """The place and the row that an answer names: by number, by its cells, or the only one."""
    rows = _select_rows(result, answer)
    if answer.row is not None:
        rows = rows[answer.row : answer.row + 1]
    if not rows:
        raise NotAskedError(f"{result.metric.title}: this run has no such row")
    if len(rows) > 1:
        reason = f"{result.metric.title}: this run has {len(rows)} such rows, and not one"
        raise NotAskedError(reason, refused=True)
    return rows[0]


def _select_rows(result: Result, answer: Answer) -> list[tuple[int, dict[str, Cell]]]:
    """The rows whose cells are as `where` says."""
    rows = list(enumerate(result.records()))
    if answer.where:
        unknown = answer.where.keys() - {each.name for each in result.metric.columns}
        if unknown:
            raise make_column_error(answer.name, *sorted(unknown))
        rows = [
            (place, row)
            for place, row in rows
            if all(row[key] == value for key, value in answer.where.items())
        ]
    return rows


def _evaluate_expression(
    text: str, run: Run, unit: str, earlier: Mapping[str, float]
) -> SolvedValue:
    if not unit:
        raise ContentError(f"{text!r} needs a unit", hint="such as s, %, x, count")

    value = evaluate(text, make_lookup(run, earlier), run.column)
    if value is None:
        used = list_names(text, functions=True)
        raise run.lacks([name for name in used if name not in earlier])
    return SolvedValue(value, unit, computed=True, source={"expression": text})
