"""The runs of a store: by number, and by the short name that a user gives; texts kept for one."""

from __future__ import annotations

import json
from collections.abc import Sequence

import duckdb

from perfolio.common.errors import StoreError, UsageError

HOSTS = "hosts.json"
"""The attachment with names of machines by rank, as the recording says them: `{"0": "node17"}`."""
_CONTENT = "SELECT content FROM attachment WHERE run = $run AND name = $name"
_NODES = """
SELECT DISTINCT ON (rank) coalesce(profile.rank, 0) AS rank, printf('%x', profile.node) AS host
FROM profile JOIN run ON run.run = profile.run AND run.tool = 'HPCToolkit'
WHERE profile.run = $run AND profile.node IS NOT NULL ORDER BY rank, host
"""
"""Nodes of HPCToolkit are identifiers of hosts; those of other tools number what is in a run."""


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


def read_hosts(connection: duckdb.DuckDBPyConnection, run: int) -> dict[int, str]:
    """Machines of a run by rank, as its recording names them, or else identifies them.

    Raises StoreError where what the store has of it is damaged.
    """
    named = read_named_hosts(connection, run)
    return named or dict(connection.execute(_NODES, {"run": run}).fetchall())


def read_named_hosts(connection: duckdb.DuckDBPyConnection, run: int) -> dict[int, str]:
    """The same, as its recording names them. Raises StoreError likewise."""
    content = read_attachment(connection, run, HOSTS)
    try:
        return {int(rank): str(host) for rank, host in json.loads(content or "{}").items()}
    except (ValueError, AttributeError, RecursionError) as problem:
        raise StoreError(
            f"run {run}: its attachment {HOSTS} is damaged: {problem}",
            hint="ingest the profile again",
        ) from problem
