"""Rows of the tables of a store from a few lines of YAML, independently of any query.

A case gives costs where they were measured (scope point); the scopes that HPCToolkit
derives are propagated here:

    execution   a context and everything below it
    function    a context and what lies lexically in it, not what it calls
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

from perfolio.common.content_files import load_yaml
from perfolio.readers.measures import find_measure, load_measures
from perfolio.readers.tool_catalog import find_tool_folder

HPCTOOLKIT = find_tool_folder("HPCToolkit")
BASES = Path(__file__).with_name("bases.yaml")
EPOCH = 1_700_000_000_000_000_000
"""Where times of traces begin: so large that a double cannot hold it to the nanosecond."""
SCOPES = ("point", "function", "execution")
LEXICAL = {"line", "loop", "unlisted"}
ONE_FUNCTION = [[1, 0, "entry", "main thread"], [2, 1, "function", "main@app"]]

_COUNT = {"count": ("sum", "1")}

Case = dict[str, Any]
Rows = list[list[Any]]
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


def base_of(case: Case) -> Case:
    """What stores of this base hold unless the case says otherwise."""
    return _load_bases()[case["base"]]


@cache
def _load_bases() -> dict[str, Case]:
    return cast("dict[str, Case]", load_yaml(BASES.read_text()))


def case_rows(case: Case) -> dict[str, Rows]:
    """Rows of each table, without their run, in an order that a query must not rely on."""
    base = base_of(case)
    profiles = _profiles(case, base)
    nodes = _nodes(case, base)
    names = [*base["collected"], *case.get("collected", [])]
    unknown = {name for node in nodes for name in node.costs} - set(names)
    assert not unknown, f"{unknown} are not collected in base {case['base']}"
    rows: dict[str, Rows] = {
        "setting": [[key, value] for key, value in case.get("settings", {}).items()],
        "profile": [_profile_row(index, *row) for index, row in enumerate(profiles, 1)],
        **_context_rows(nodes),
        **_value_rows(names, _propagated(nodes, len(profiles))),
    }
    for table, more in _over_ranks(case.get("over_ranks", {}), 65536 + 3 * len(names)).items():
        rows[table] = rows[table] + more
    for table, unordered in rows.items():
        Random(table).shuffle(unordered)
    return rows | {"trace": trace_rows(case, base)}


def _over_ranks(given: dict[str, Any], first: int) -> dict[str, Rows]:
    """Rows of metric and summary: statistics of elapsed time over ranks, by scope and context."""
    numbers: dict[tuple[str, str], int] = {}
    summary: Rows = []
    for scope, contexts in given.items():
        for context, statistics in contexts.items():
            for statistic, value in statistics.items():
                number = numbers.setdefault((scope, statistic), first + len(numbers))
                summary.append([context, number, value])
    metric: Rows = [
        [number, "REALTIME (sec)", "elapsed_time", scope, *_COUNT.get(each, (each, "$$"))]
        for (scope, each), number in numbers.items()
    ]
    return {"metric": metric, "summary": summary}


def _profile_row(index: int, kind: str, rank: Any, thread: Any, *identifiers: Any) -> list[Any]:
    name, context, stream, process = (*identifiers, None, None, None, None)[:4]
    return [index, name or f"{kind} {index}", kind, None, rank, thread, context, stream, process]


def trace_rows(case: Case, base: Case) -> Rows:
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
    rows = [*rows, *_crowd(**case.get("crowd", {"count": 0, "rows": []}))]
    nodes = [Node(*(row if len(row) > 4 else [*row, {}])) for row in rows]
    if "totals" in case:
        last = nodes[-1]
        nodes[-1] = Node(last.id, last.parent, last.kind, last.name, case["totals"])
    return nodes


def _crowd(count: int, rows: Rows) -> Iterator[list[Any]]:
    """Contexts like `rows`, so many times: copy i has i times the costs, and i for {i} in names.

    The rows have ids that follow one another, which go on with each copy.
    """
    for i in range(1, count + 1):
        for identifier, parent, kind, name, *costs in rows:
            beyond = (i - 1) * len(rows)
            above = parent + beyond if parent >= rows[0][0] else parent
            times = [{metric: i * cost for metric, cost in each.items()} for each in costs]
            yield [identifier + beyond, above, kind, name.replace("{i}", str(i)), *times]


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


def _context_rows(nodes: list[Node]) -> dict[str, Rows]:
    """Rows of tables context, module, file and function; unlisted contexts have none."""
    depths = {0: 0}
    entry_points = {0: ""}
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    rows: dict[str, Rows] = {"context": [], "module": [], "file": [], "function": []}

    def number(table: str, name: str, *more: Any) -> int:
        if name not in numbers[table]:
            numbers[table][name] = len(numbers[table])
            rows[table].append([numbers[table][name], *more])
        return numbers[table][name]

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
        row = [node.id, node.parent, depths[node.id], entry_points[node.id], _relation(node), kind]
        rows["context"].append([*row, function, file, line, module, offset])
    return rows


def _relation(node: Node) -> str:
    if node.kind == "entry":
        return "entry"
    if node.kind.startswith("inlined"):
        return "inlined call"
    return "lexical" if node.lexical else "call"


def _value_rows(names: list[str], costs: dict[str, Costs]) -> dict[str, Rows]:
    """Rows of tables metric, value and summary."""
    metrics: Rows = []
    numbers: dict[tuple[str, str], int] = {}
    for name in names:
        for scope in SCOPES:
            number = numbers[name, scope] = len(numbers)
            named = [name, find_measure(name, load_measures(HPCTOOLKIT)), scope]
            metrics.append([number, *named, None, None])
            metrics.append([65536 + number, *named, "sum", "$$"])
    values: Rows = []
    sums: dict[tuple[int, int], float] = defaultdict(float)
    for scope, entries in costs.items():
        for (name, profile, context), cost in entries.items():
            if cost:
                values.append([profile, context, numbers[name, scope], cost])
                sums[context, 65536 + numbers[name, scope]] += cost
    return {
        "metric": metrics,
        "value": values,
        "summary": [[*key, cost] for key, cost in sums.items()],
    }
