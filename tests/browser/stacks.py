"""Call trees added up the other way: own amounts of whole calling paths, one at a time.

What the browser derives from nested frames is here a sum over stacks, as samples would give it: a
stack counts once for a function, however often that is on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perfolio.charts.call_tree_rows import describe_place
from perfolio.charts.chart_data import format_full_name
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

Function = tuple[Any, ...]
"""Name, module, file and line: what tells two functions apart."""
Stack = tuple[Function, ...]


def stacks(results: Results, metric: str = "tree.cpu") -> dict[Stack, float]:
    """What each calling path has of its own, in percent of the run."""
    rows = {row["context"]: row for row in get_rows(results, metric)}
    own: dict[Any, float] = {key: 100.0 * float(str(row["share"])) for key, row in rows.items()}
    for row in rows.values():
        if row["parent"] in own:
            own[row["parent"]] -= 100.0 * float(str(row["share"]))
    found: dict[Stack, float] = defaultdict(float)
    for key in rows:
        path, at = [], key
        while at in rows:
            path.append(function_of(rows[at]))
            at = rows[at]["parent"]
        found[tuple(path[::-1])] += own[key]
    return found


def function_of(row: Mapping[str, Any]) -> Function:
    """The function of a row of a tree."""
    return tuple(row[part] for part in ("name", "module", "file", "line"))


def totals(of: Mapping[Stack, float]) -> dict[Function, float]:
    """Amount of each function with all that it calls."""
    found: dict[Function, float] = defaultdict(float)
    for stack, own in of.items():
        for function in set(stack):
            found[function] += own
    return found


def own(of: Mapping[Stack, float]) -> dict[Function, float]:
    """Amount of each function alone."""
    found: dict[Function, float] = defaultdict(float)
    for stack, amount in of.items():
        found[stack[-1]] += amount
    return found


def callers(of: Mapping[Stack, float], function: Function) -> dict[Stack, float]:
    """Amount of a function below each chain of callers, the nearest first."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        if function in stack:
            _add_prefixes(found, stack[: stack.index(function)][::-1], amount)
    return found


def callees(of: Mapping[Stack, float], function: Function) -> dict[Stack, float]:
    """Amount of each chain of callees of a function."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        if function in stack:
            _add_prefixes(found, stack[stack.index(function) + 1 :], amount)
    return found


def inclusive(of: Mapping[Stack, float]) -> dict[Stack, float]:
    """Amount of each calling path with all below it."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        _add_prefixes(found, stack, amount)
    return found


def across_runs(of: Mapping[Stack, float]) -> dict[Stack, float]:
    """The same, functions by what two runs share: the name, and the end of the file or module."""
    found: dict[Stack, float] = defaultdict(float)
    for stack, amount in of.items():
        found[tuple(_shared(function) for function in stack)] += amount
    return found


def _shared(function: Function) -> Function:
    name, module, file, line = function
    place = describe_place({"module": module, "file": file, "line": line})
    return format_full_name(name), _file(place)


def _file(place: str) -> str:
    file, _, line = place.rpartition(":")
    return file if file and line.isdigit() else place


def _add_prefixes(found: dict[Stack, float], chain: Sequence[Function], amount: float) -> None:
    for length in range(1, len(chain) + 1):
        found[tuple(chain[:length])] += amount


def recursive(of: Iterable[Stack]) -> set[Function]:
    """Functions that are twice on a path."""
    return {each for stack in of for each in stack if stack.count(each) > 1}
