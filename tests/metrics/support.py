"""Stores made from a few lines of YAML, for the cases of metrics.

A case gives costs where they were measured (scope point); the scopes that HPCToolkit
derives are propagated here, independently of any query:

    execution   a context and everything below it
    function    a context and what lies lexically in it, not what it calls
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import yaml

from generator.store.connect import create_schema
from generator.store.derive import derive

HERE = Path(__file__).parent
CASES = HERE / "cases"
RUN = 1
EPOCH = 1_700_000_000_000_000_000
"""Where times of traces begin: so large that a double cannot hold it to the nanosecond."""
SCOPES = ("point", "function", "execution")
LEXICAL = {"line", "loop", "unlisted"}
ONE_FUNCTION = [[1, 0, "entry", "main thread"], [2, 1, "function", "main@app"]]

Case = dict[str, Any]
Costs = dict[tuple[str, int, int], float]
"""Cost by metric, profile and context."""


@dataclass(frozen=True)
class Node:
    """A context of a case: `[id, parent, kind, name, {metric: cost or costs by profile}]`.

    Kinds: entry, function, inlined function, loop, line, top-level line, instruction, unlisted.
    Names: `function@module` or `function@module@file` (and `#n` for another function of that
    name), `file:line`, `module@offset`.
    """

    id: int
    parent: int
    kind: str
    name: str
    costs: dict[str, Any]

    @property
    def lexical(self) -> bool:
        """Whether it lies in its parent, rather than being called by it."""
        return self.kind in LEXICAL


@cache
def _base(name: str) -> Case:
    loaded: Case = yaml.safe_load((HERE / "bases" / f"{name}.yaml").read_text())
    return loaded


@cache
def case_files() -> dict[str, list[Case]]:
    """The cases of each metric that has a file, by the metric's name."""
    return {path.stem: yaml.safe_load(path.read_text()) for path in sorted(CASES.glob("*.yaml"))}


@contextmanager
def store_of(case: Case) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory store with run 1 as `case` says, and a run 2 with other costs beside it."""
    connection = _empty_store()
    connection.begin()
    try:
        _fill(connection, RUN, case)
        _fill(connection, RUN + 1, _other_run(case))
        yield connection
    finally:
        connection.rollback()


@cache
def _empty_store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    return connection


def _other_run(case: Case) -> Case:
    """The same run with a thousand times its costs: a query that mixes runs shows it."""

    def scaled(cost: Any) -> Any:
        return [1000 * each for each in cost] if isinstance(cost, list) else 1000 * cost

    contexts = [
        [*row[:4], *({name: scaled(cost) for name, cost in costs.items()} for costs in row[4:])]
        for row in case.get("contexts", [])
    ]
    totals = {name: scaled(cost) for name, cost in case.get("totals", {}).items()}
    return case | {"totals": totals} | ({"contexts": contexts} if contexts else {})


def _fill(connection: duckdb.DuckDBPyConnection, run: int, case: Case) -> None:
    base = _base(case["base"])
    profiles = _profiles(case, base)
    nodes = _nodes(case, base)
    names = [*base["collected"], *case.get("collected", [])]
    if run != RUN:  # the run beside it needs no more than the metrics with a cost
        names = [name for name in names if any(name in node.costs for node in nodes)]
    unknown = {name for node in nodes for name in node.costs} - set(names)
    assert not unknown, f"{unknown} are not collected in base {case['base']}"
    _insert_run(connection, run, case)
    for index, (kind, rank, thread, *identifiers) in enumerate(profiles, 1):
        name, context, stream = (*identifiers, None, None, None)[:3]
        row = [run, index, name or f"{kind} {index}", kind, None, rank, thread, context, stream]
        _insert(connection, "profile", [row])
    _insert_contexts(connection, run, nodes)
    _insert_values(connection, run, names, _propagated(nodes, len(profiles)))
    _insert(connection, "trace", [[run, *row] for row in trace_rows(case, base)])
    derive(connection, run)


def trace_rows(case: Case, base: Case) -> list[list[Any]]:
    """Rows (profile, time, context, duration, suspect) of table trace.

    `trace` has points [profile, time, context]; `lines` has for each profile what it did,
    [start, duration, context], and the time of its last point. Times count from EPOCH. With
    `every`, CPU threads are sampled each so many ns while they do the same, else when they begin.
    """
    lines: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for profile, time, context in case.get("trace", []):
        lines[profile].append((EPOCH + time, context))
    for profile, (last, *busy) in (
        case["lines"] if "lines" in case else base.get("lines", {})
    ).items():
        on_cpu = "every" in case and _profiles(case, base)[profile - 1][0] == "CPU thread"
        lines[profile].extend(_points(_sampled(busy, case["every"]) if on_cpu else busy, last))
    return [row for profile, points in lines.items() for row in _line_rows(profile, points)]


def _profiles(case: Case, base: Case) -> list[Any]:
    profiles: list[Any] = case["profiles"] if "profiles" in case else base["profiles"]
    return profiles


def _sampled(busy: list[list[int]], every: int) -> list[list[int]]:
    """What a line did, in pieces of so many ns and, of each, what is left."""
    return [
        [begin, min(every, start + duration - begin), context]
        for start, duration, context in busy
        for begin in range(start, start + duration, every)
    ]


def _points(busy: list[list[int]], last: int) -> list[tuple[int, int]]:
    """A point where something begins, and one of context 0 where nothing follows at once."""
    starts = {start for start, _, _ in busy}
    begins = [(EPOCH + start, context) for start, _, context in busy]
    ends = {start + duration for start, duration, _ in busy} - starts | {last}
    return sorted(begins + [(EPOCH + end, 0) for end in ends])


def _line_rows(profile: int, points: list[tuple[int, int]]) -> Iterator[list[Any]]:
    for i, (time, context) in enumerate(points):
        duration = points[i + 1][0] - time if i + 1 < len(points) else None
        after_artefact = i > 0 and points[i - 1][1] == 0 and time - points[i - 1][0] == 1
        yield [profile, time, context, duration, after_artefact and context != 0]


def _nodes(case: Case, base: Case) -> list[Node]:
    rows = case["contexts"] if "contexts" in case else base.get("contexts", ONE_FUNCTION)
    nodes = [Node(*(row if len(row) > 4 else [*row, {}])) for row in rows]
    if "totals" in case:
        last = nodes[-1]
        nodes[-1] = Node(last.id, last.parent, last.kind, last.name, case["totals"])
    return nodes


def _propagated(nodes: list[Node], profiles: int) -> dict[str, Costs]:
    by_id = {node.id: node for node in nodes}
    costs: dict[str, Costs] = {scope: defaultdict(float) for scope in SCOPES}
    for node in nodes:
        for metric, cost in node.costs.items():
            by_profile = cost if isinstance(cost, list) else [cost] + [0] * (profiles - 1)
            for profile, amount in enumerate(by_profile, 1):
                costs["point"][metric, profile, node.id] += amount
                for context in _up(node, by_id):
                    costs["execution"][metric, profile, context] += amount
                for context in _up_to_function(node, by_id):
                    costs["function"][metric, profile, context] += amount
    return costs


def _up(node: Node, by_id: dict[int, Node]) -> list[int]:
    path = [node.id]
    while node.parent:
        node = by_id[node.parent]
        path.append(node.id)
    return [*path, 0]


def _up_to_function(node: Node, by_id: dict[int, Node]) -> list[int]:
    path = [node.id]
    while node.lexical and node.parent:
        node = by_id[node.parent]
        path.append(node.id)
    return path


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[list[Any]]) -> None:
    if rows:
        marks = ", ".join(f"({', '.join('?' * len(row))})" for row in rows)
        cells = [cell for row in rows for cell in row]
        connection.execute(f"INSERT INTO {table} VALUES {marks}", cells)


def _insert_run(connection: duckdb.DuckDBPyConnection, run: int, case: Case) -> None:
    device = case.get("hardware")
    if isinstance(device, dict):
        row = {"name": f"device {run}", "vendor": "NVIDIA", "verified": True} | device
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO hardware ({columns}) VALUES ({marks})", [*row.values()])
        device = row["name"]
    connection.execute(
        "INSERT INTO run VALUES (?, ?, 'p', 'd', [], 'made', '4.0', 't', '', ?, NULL, [])",
        [run, f"run-{run}", device],
    )
    _insert(connection, "setting", [[run, k, v] for k, v in case.get("settings", {}).items()])


def _insert_contexts(connection: duckdb.DuckDBPyConnection, run: int, nodes: list[Node]) -> None:
    depths = {0: 0}
    entry_points = {0: ""}
    ids: dict[str, dict[str, int]] = {"module": {}, "file": {}, "function": {}}

    def number(table: str, name: str, *more: Any) -> int:
        if name not in ids[table]:
            ids[table][name] = len(ids[table])
            _insert(connection, table, [[run, ids[table][name], *more]])
        return ids[table][name]

    for node in nodes:
        depths[node.id] = depths[node.parent] + 1
        entry_points[node.id] = entry_points[node.parent] or node.name
        if node.kind == "unlisted":
            continue
        function = file = line = module = offset = None
        kind = node.kind.split()[-1]
        if kind == "function":
            name, _, path = node.name.partition("#")[0].partition("@")
            path, _, source = path.partition("@")
            home = number("module", path, path) if path else None
            defined = number("file", source, source, False) if source else None
            function = number("function", node.name, name, home, None, defined, None)
        elif kind in {"line", "loop"}:
            path, _, text = node.name.partition(":")
            file, line = number("file", path, path, False), int(text)
        elif kind == "instruction":
            path, _, text = node.name.partition("@")
            module, offset = number("module", path, path), int(text, 16)
        relation = (
            "entry" if kind == "entry"
            else "inlined call" if node.kind.startswith("inlined")
            else "lexical" if node.lexical
            else "call"
        )  # fmt: skip
        row = [run, node.id, node.parent, depths[node.id], entry_points[node.id], relation, kind]
        _insert(connection, "context", [[*row, function, file, line, module, offset]])


def _insert_values(
    connection: duckdb.DuckDBPyConnection, run: int, names: list[str], costs: dict[str, Costs]
) -> None:
    metrics: list[list[Any]] = []
    numbers: dict[tuple[str, str], int] = {}
    for name in names:
        for scope in SCOPES:
            number = numbers[name, scope] = len(numbers)
            metrics.append([run, number, name, scope, None, None])
            metrics.append([run, 65536 + number, name, scope, "sum", "$$"])
    values: list[list[Any]] = []
    sums: dict[tuple[int, int], float] = defaultdict(float)
    for scope, entries in costs.items():
        for (name, profile, context), cost in entries.items():
            if cost:
                values.append([run, profile, context, numbers[name, scope], cost])
                sums[context, 65536 + numbers[name, scope]] += cost
    _insert(connection, "metric", metrics)
    _insert(connection, "value", values)
    _insert(connection, "summary", [[run, *key, cost] for key, cost in sums.items()])
