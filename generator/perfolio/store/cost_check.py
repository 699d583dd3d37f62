"""After ingest: the costs of a run must agree, or nothing computed from it would hold."""

from __future__ import annotations

import duckdb

from perfolio.common.errors import InvariantError
from perfolio.store.run_tables import RunTables, make_run_tables

TOLERANCE = 1e-9
"""Relative difference that summation order alone can cause, with room to spare."""


_HINT = "profile.db is damaged or incomplete: run hpcprof again"
_LOST = """
    SELECT name, scope FROM metric
    WHERE statistic IS NULL AND scope IN ('point', 'execution')
      AND id IN (SELECT DISTINCT metric FROM value)
    EXCEPT
    SELECT name, scope FROM metric WHERE statistic = 'sum' AND formula = '$$'
    ORDER BY name, scope LIMIT 1
"""
_BELOW = """
    WITH scope AS (
        SELECT id, name, scope = 'execution' AS inclusive,
            min(id) OVER (PARTITION BY name) AS metric,
            count(DISTINCT scope) OVER (PARTITION BY name) AS scopes
        FROM metric
        WHERE statistic = 'sum' AND formula = '$$'
          AND scope IN ('point', 'execution')
    ), listed AS (
        SELECT summary.context, context.parent, scope.metric, scope.inclusive, summary.value
        FROM summary
        JOIN scope ON scope.id = summary.metric AND scope.scopes = 2
        LEFT JOIN context ON context.id = summary.context
        WHERE (context.id IS NOT NULL OR summary.context = 0)
    ), term AS (
        SELECT context, metric, CASE WHEN inclusive THEN value ELSE -value END AS value,
            value AS size
        FROM listed
        UNION ALL
        SELECT parent, metric, -value, 0 FROM listed WHERE inclusive AND parent IS NOT NULL
    ), own AS (
        SELECT context, metric FROM term
        GROUP BY context, metric HAVING sum(value) < -$tolerance * max(size)
    )
    SELECT scope.name, own.context FROM own JOIN scope ON scope.id = own.metric
    ORDER BY scope.name, own.context LIMIT 1
"""
"""A context's inclusive cost is at least its own and that of the listed contexts below it."""
_WORST = """
    SELECT name, point_sum, execution, profile_sum FROM invariant WHERE difference > $tolerance
    ORDER BY difference DESC, name LIMIT 1
"""


def check_costs(connection: duckdb.DuckDBPyConnection, run: int, path: str) -> None:
    """Raise InvariantError where costs of a run are lost, or contradict each other."""
    with make_run_tables(connection, run) as tables:
        _check_lost(tables, path)
        _check_below(tables, path)
    check_invariant(connection, run, path)


def _check_lost(tables: RunTables, path: str) -> None:
    lost = next(iter(tables.rows(_LOST)), None)
    if lost is not None:
        raise InvariantError(
            f"{path}: profiles have costs of {lost[0]!r} at scope {lost[1]}, and meta.db lists no "
            "sum of them",
            hint="meta.db is damaged: run hpcprof again",
        )


def _check_below(tables: RunTables, path: str) -> None:
    below = next(iter(tables.rows(_BELOW, {"tolerance": TOLERANCE})), None)
    if below is not None:
        raise InvariantError(
            f"{path}: costs of {below[0]!r} disagree: context {below[1]} and those below it cost "
            "more than it does with all below it",
            hint=_HINT,
        )


def check_invariant(connection: duckdb.DuckDBPyConnection, run: int, path: str) -> None:
    """Raise InvariantError unless the three totals of each metric are equal.

    They are the sum of scope point over contexts, context 0 at scope execution, and the
    sum over profiles.
    """
    with make_run_tables(connection, run) as tables:
        worst = next(iter(tables.rows(_WORST, {"tolerance": TOLERANCE})), None)
    if worst is None:
        return
    name, point, execution, profiles = worst
    raise InvariantError(
        f"{path}: totals of {name!r} disagree: {point!r} summed over contexts, "
        f"{execution!r} for the whole run, {profiles!r} summed over profiles",
        hint=_HINT,
    )
