"""After ingest: the totals of a run must agree, or nothing computed from it would hold."""

from __future__ import annotations

import duckdb

from generator.errors import InvariantError

TOLERANCE = 1e-9
"""Relative difference that summation order alone can cause, with room to spare."""


def check_invariant(connection: duckdb.DuckDBPyConnection, run: int, path: str) -> None:
    """Raise InvariantError unless the three totals of each metric are equal.

    They are the sum of scope point over contexts, context 0 at scope execution, and the
    sum over profiles.
    """
    worst = connection.execute(
        """
        SELECT name, point_sum, execution, profile_sum
        FROM invariant
        WHERE run = $run AND difference > $tolerance
        ORDER BY difference DESC, name LIMIT 1
        """,
        {"run": run, "tolerance": TOLERANCE},
    ).fetchone()
    if worst is None:
        return
    name, point, execution, profiles = worst
    raise InvariantError(
        f"{path}: totals of {name!r} disagree: {point!r} summed over contexts, "
        f"{execution!r} for the whole run, {profiles!r} summed over profiles",
        hint="profile.db is damaged or incomplete: run hpcprof again",
    )
