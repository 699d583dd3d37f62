"""The calling contexts of a run with what they cost, in memory.

In:  a store and a run. Out: contexts, each after the one around it, and amounts by measure.

What is a context's own is its inclusive cost less that of the contexts below it. So the cost of
instructions that a profile holds and does not list stays with the innermost context that is listed,
and own costs add up to the total.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from perfolio.common.errors import UsageError
from perfolio.store.database import open_store
from perfolio.store.run_lookup import find_run
from perfolio.store.run_tables import RunTables, make_run_tables

MOST_CONTEXTS = 2_000_000
_CONTEXTS = """
    SELECT named.context, named.parent, named.lexical_type, named.name,
        coalesce(named.file_path, file.path, '') AS file,
        coalesce(nullif(named.line, 0), defined.line, 0) AS line,
        coalesce(named.module_path, '') AS module
    FROM context_name AS named
    LEFT JOIN "function" AS defined ON defined.id = named."function"
    LEFT JOIN file ON file.id = defined.file
    ORDER BY named.depth, named.context
"""
_COSTS = """
    SELECT context, name, scope, value FROM cost
    WHERE scope IN ('function', 'execution') AND context IN (SELECT id FROM context)
"""
_BY_PROFILE = """
    SELECT value.context, metric.measure, metric.scope, value.value, profile.rank, profile.thread,
        value.profile
    FROM value
    JOIN metric ON metric.id = value.metric AND metric.scope IN ('function', 'execution')
    JOIN profile ON profile."index" = value.profile
    WHERE value.context IN (SELECT id FROM context)
"""
_TOTALS = "SELECT name, value FROM total"
NOISE = 1e-12
"""Of an inclusive cost: less than that is no cost of its own, but rounding."""


class ContextNode(NamedTuple):
    """A calling context."""

    context: int
    parent: int
    kind: str
    name: str
    file: str
    line: int
    module: str


class ContextCost(NamedTuple):
    """What a context costs."""

    context: int
    measure: str
    scope: str
    """own, function (with its loops and lines) or execution (with all below)."""
    value: float
    rank: int | None = None
    thread: int | None = None
    profile: int = 0


@dataclass
class CallTree:
    """All contexts of a run."""

    run: str
    tool: str
    title: str
    nodes: list[ContextNode]
    amounts: list[ContextCost] = field(default_factory=list)
    totals: dict[str, float] = field(default_factory=dict)
    host: str = ""
    """The measure by which host threads are ranked."""


@contextmanager
def open_run_tables(store: Path, run: str | None) -> Iterator[RunTables]:
    """The tables of a run, under their names."""
    with (
        open_store(store) as connection,
        make_run_tables(connection, find_run(connection, run)) as it,
    ):
        yield it


def read_call_tree(store: Path, run: str | None, *, by_thread: bool = False) -> CallTree:
    """The contexts of a run, with their costs summed over threads, or of each."""
    with open_run_tables(store, run) as tables:
        ((count,),) = tables.rows("SELECT count(*) FROM context")
        if count > MOST_CONTEXTS:
            raise UsageError(
                f"the run has {count:,} calling contexts, and {MOST_CONTEXTS:,} are exported",
                hint="ask for what you need with: perfolio query",
            )
        ((slug, tool, title),) = tables.rows("SELECT slug, tool, title FROM run")
        nodes = [ContextNode(*row) for row in tables.rows(_CONTEXTS)]
        if not nodes:
            raise UsageError(f"the run {slug} has no calling contexts")
        tree = CallTree(slug, tool, title, nodes, totals=_read_pairs(tables, _TOTALS))
        sql = _BY_PROFILE if by_thread else _COSTS
        recorded = [ContextCost(*row) for row in tables.rows(sql)]
        tree.amounts = [*_compute_own_costs(nodes, recorded), *recorded]
        tree.host = _find_host_measure(tables)
    return tree


def _compute_own_costs(
    nodes: list[ContextNode], recorded: list[ContextCost]
) -> Iterator[ContextCost]:
    """What arises at each context, and not at a listed one below it."""
    parents = {each.context: each.parent for each in nodes}
    rest = {
        (each.context, each.measure, each.profile): each.value
        for each in recorded
        if each.scope == "execution"
    }
    for each in recorded:
        above = (parents[each.context], each.measure, each.profile)
        if each.scope == "execution" and above in rest:
            rest[above] -= each.value
    for each in recorded:
        own = rest.get((each.context, each.measure, each.profile), 0.0)
        if each.scope == "execution" and abs(own) > NOISE * abs(each.value):
            yield each._replace(scope="own", value=own)


def _find_host_measure(tables: RunTables) -> str:
    return next((str(row[0]) for row in tables.rows("SELECT name FROM cpu_event")), "")


def _read_pairs(tables: RunTables, sql: str) -> dict[str, float]:
    return {str(name): float(value) for name, value in tables.rows(sql)}
