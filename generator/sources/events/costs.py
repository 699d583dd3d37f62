"""Amounts by line and context to the tables of costs: metric, value and summary.

In:  amounts, each at the context where it arises.
Out: values per line and sums over lines: at scope point and function where they arise, at scope
     execution there and in all contexts above, up to the whole run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.sources.events.nesting import ROOT, Tree
from generator.sources.events.operations import Cost
from generator.sources.measures import Measure, name_of

SCOPES = ("point", "function", "execution")
SUMMED = 65_536
"""Identifiers of metrics of sums over lines begin here."""
_SUM = "$$"

Floats = npt.NDArray[np.float64]


@dataclass
class _Rows:
    """Columns of value and summary in pieces."""

    line: list[npt.NDArray[np.int64]] = field(default_factory=list)
    context: list[npt.NDArray[np.int64]] = field(default_factory=list)
    metric: list[npt.NDArray[np.int64]] = field(default_factory=list)
    value: list[Floats] = field(default_factory=list)

    def add(self, line: int, metric: int, amounts: Floats) -> None:
        """The amounts that are not zero, by context."""
        places = np.flatnonzero(amounts)
        self.line.append(np.full(len(places), line))
        self.metric.append(np.full(len(places), metric))
        self.context.append(places)
        self.value.append(amounts[places])

    def columns(self) -> dict[str, pa.Array]:
        """As Arrow."""

        def joined(parts: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
            return np.concatenate(parts) if parts else np.zeros(0, np.int64)

        values = np.concatenate(self.value) if self.value else np.zeros(0)
        return {
            "profile": pa.array(joined(self.line).astype(np.int32)),
            "context": pa.array(joined(self.context).astype(np.uint32)),
            "metric": pa.array(joined(self.metric).astype(np.int32)),
            "value": pa.array(values),
        }


def cost_tables(
    costs: Iterable[Cost], tree: Tree, profiles: npt.NDArray[np.int64], words: tuple[Measure, ...]
) -> dict[str, pa.Table]:
    """Tables metric, value and summary; `profiles` has the profile of each line."""
    parents, levels = np.frombuffer(tree.parents, np.int64), _levels(tree)
    values, sums = _Rows(), _Rows()
    metrics: list[dict[str, object]] = []
    for number, cost in enumerate(costs):
        identifiers = [number * len(SCOPES) + place for place in range(len(SCOPES))]
        metrics += _described(cost.measure, identifiers, words)
        whole = np.zeros(len(tree))
        for line in np.unique(cost.line).tolist():
            rows = cost.line == line
            own: Floats = np.bincount(cost.context[rows], cost.amount[rows], len(tree)).astype(
                float
            )
            whole += own
            _add(values, int(profiles[line]), identifiers, own, _inclusive(own, parents, levels))
        _add(sums, 0, [SUMMED + i for i in identifiers], whole, _inclusive(whole, parents, levels))
    summary = sums.columns()
    del summary["profile"]
    return {
        "metric": pa.Table.from_pylist(metrics, schema=_METRIC),
        "value": pa.table(values.columns()),
        "summary": pa.table(summary),
    }


_METRIC = pa.schema(
    [
        ("id", pa.int32()),
        ("name", pa.string()),
        ("measure", pa.string()),
        ("scope", pa.string()),
        ("statistic", pa.string()),
        ("formula", pa.string()),
    ]
)


def _described(
    measure: str, identifiers: list[int], words: tuple[Measure, ...]
) -> list[dict[str, object]]:
    row = {"name": name_of(measure, words), "measure": measure}
    of_lines: list[dict[str, object]] = [
        {**row, "id": identifier, "scope": scope, "statistic": None, "formula": None}
        for identifier, scope in zip(identifiers, SCOPES, strict=True)
    ]
    sums: list[dict[str, object]] = [
        {**each, "id": SUMMED + identifier, "statistic": "sum", "formula": _SUM}
        for each, identifier in zip(of_lines, identifiers, strict=True)
    ]
    return [*of_lines, *sums]


def _add(rows: _Rows, line: int, identifiers: list[int], own: Floats, inclusive: Floats) -> None:
    point, function, execution = identifiers
    rows.add(line, point, own)
    rows.add(line, function, own)
    rows.add(line, execution, inclusive)


def _levels(tree: Tree) -> list[npt.NDArray[np.intp]]:
    """Contexts by their depth, the deepest ones first, without the whole run."""
    depths = np.frombuffer(tree.depths, np.int64)
    order = np.argsort(-depths, kind="stable")
    bounds = np.flatnonzero(np.diff(depths[order])) + 1
    return [level for level in np.split(order, bounds) if depths[level[0]] > ROOT]


def _inclusive(
    own: Floats, parents: npt.NDArray[np.int64], levels: list[npt.NDArray[np.intp]]
) -> Floats:
    found = own.copy()
    for level in levels:
        np.add.at(found, parents[level], found[level])
    return found
