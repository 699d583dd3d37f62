"""The rows of a table metric that show a finding.

In:  a rule and the results of a run.
Out: a few rows, those first that matter for the rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import structs

from perfolio.common.errors import ContentError
from perfolio.findings.model.rule import Rule
from perfolio.metrics.metric_values import find_result
from perfolio.metrics.model import Cell, MetricColumn, Result, Results

EVIDENCE_ROWS = 5
_MOST = 0.5


def collect_evidence(rule: Rule, results: Results) -> tuple[Mapping[str, Cell], ...]:
    """The first rows of the rule's table in the rule's order; none where it is not measured.

    A row that weighs nothing by that order shows nothing, and is left out beside rows that do.

    Raises ContentError where the rule names a column that the table does not have.
    """
    result = find_result(results, rule.evidence.table)
    if result is None:
        return ()
    columns = list_shown_columns(rule, result)
    rows = result.records()
    if rule.evidence.by:
        rows = sorted(rows, key=lambda row: _weigh_row(rule, row), reverse=True)
        rows = [row for row in rows if _weigh_row(rule, row) != 0.0] or rows
    return tuple({column.name: row[column.name] for column in columns} for row in rows)[
        :EVIDENCE_ROWS
    ]


def choose_closer_evidence(rule: Rule, results: Results) -> Rule:
    """`rule` with its closer evidence in place of its own, where that shows most of it.

    The column that orders closer rows is a share of what the finding is about: below a half in
    all of them, the rows would be of something else. The rule's chart is of its own rows.
    """
    closer = rule.evidence.closer
    result = find_result(results, closer.table) if closer else None
    if closer is None or result is None:
        return rule
    near = structs.replace(rule, evidence=closer, chart="")
    list_shown_columns(near, result)
    weights = (_weigh_row(near, row) for row in result.records())
    return near if sum(weight for weight in weights if weight > 0) >= _MOST else rule


def list_shown_columns(rule: Rule, result: Result) -> tuple[MetricColumn, ...]:
    """The columns of the rule's table that it shows, in the rule's order."""
    by_name = {column.name: column for column in result.metric.columns}
    shown = rule.evidence
    unknown = sorted({*shown.columns, *shown.by} - by_name.keys())
    if unknown:
        raise ContentError(f"rule {rule.code}: {shown.table} has no columns {unknown}")
    return tuple(by_name[name] for name in shown.columns) or result.metric.columns


def _weigh_row(rule: Rule, row: Mapping[str, Cell]) -> float:
    """The product of the ordering columns; rows that lack one come last."""
    cells = [row[name] for name in rule.evidence.by]
    numbers = [float(cell) for cell in cells if isinstance(cell, (int, float))]
    return math.prod(numbers) if len(numbers) == len(cells) else -math.inf
