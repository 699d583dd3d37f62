"""The runs of a store: by number, and by the short name that a user gives; texts kept for one."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from perfolio.common.errors import UsageError

_CONTENT = "SELECT content FROM attachment WHERE run = $run AND name = $name"


def list_run_numbers(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """The runs of a store in the order of their ingest."""
    return [row[0] for row in connection.execute("SELECT run FROM run ORDER BY run").fetchall()]


def find_run(connection: duckdb.DuckDBPyConnection, slug: str | None) -> int:
    """The run with this short name (None: the only run). Raises UsageError."""
    runs = dict(connection.execute("SELECT slug, run FROM run ORDER BY run").fetchall())
    if slug is None and len(runs) != 1:
        raise make_run_choice_error(list(runs))
    if slug is not None and slug not in runs:
        names = ", ".join(runs) or "none"
        raise UsageError(f"the store has no run {slug!r}", hint=f"it has {names}")
    return int(runs[slug] if slug is not None else next(iter(runs.values())))


def make_run_choice_error(slugs: Sequence[str]) -> UsageError:
    """The error of a command about one run where there are several, or none."""
    names = ", ".join(slugs) or "none"
    return UsageError(f"the store holds {len(slugs)} runs", hint=f"choose with --run: {names}")


def read_attachment(connection: duckdb.DuckDBPyConnection, run: int, name: str) -> str:
    """The content of the file of this name that lay beside the run's profile, empty without one."""
    row = connection.execute(_CONTENT, {"run": run, "name": name}).fetchone()
    return str(row[0]) if row else ""
