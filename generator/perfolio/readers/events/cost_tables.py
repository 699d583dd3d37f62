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

from perfolio.readers.events.gpu_operations import MeasuredCost
from perfolio.readers.events.range_nesting import CallingContextTree
from perfolio.readers.events.recording import Ints
from perfolio.readers.measures import Measure, find_tool_name

SCOPES = ("point", "function", "execution")
SUMMED = 65_536
"""Identifiers of metrics of sums over lines begin here."""
_SUM = "$$"

Floats = npt.NDArray[np.float64]


@dataclass
class _CostRows:
    """Columns of value or summary, in pieces."""

    line: list[Ints] = field(default_factory=list)
    context: list[Ints] = field(default_factory=list)
    metric: list[Ints] = field(default_factory=list)
    value: list[Floats] = field(default_factory=list)

    def add(self, metric: int, amounts: _CostAmounts) -> None:
        """The amounts that are not zero."""
        kept = np.flatnonzero(amounts.value)
        self.line.append(amounts.line[kept])
        self.context.append(amounts.context[kept])
        self.metric.append(np.full(len(kept), metric))
        self.value.append(amounts.value[kept])

    def columns(self) -> dict[str, pa.Array]:
        """As Arrow; lines are profiles by now."""

        def joined(parts: list[Ints]) -> Ints:
            return np.concatenate(parts) if parts else np.zeros(0, np.int64)

        values = np.concatenate(self.value) if self.value else np.zeros(0)
        return {
            "profile": pa.array(joined(self.line).astype(np.int32)),
            "context": pa.array(joined(self.context).astype(np.uint32)),
            "metric": pa.array(joined(self.metric).astype(np.int32)),
            "value": pa.array(values),
        }


@dataclass(frozen=True)
class _CostAmounts:
    """One amount for each pair of a line and a context."""

    line: Ints
    context: Ints
    value: Floats

    def summed(self) -> _CostAmounts:
        """Each pair once."""
        order = np.lexsort((self.context, self.line))
        line, context = self.line[order], self.context[order]
        first = np.flatnonzero(
            (np.diff(line, prepend=line[:1] - 1) != 0)
            | (np.diff(context, prepend=context[:1] - 1) != 0)
        )
        value = np.add.reduceat(self.value[order], first) if len(first) else self.value[:0]
        return _CostAmounts(line[first], context[first], value)

    def with_functions(self, owner: Ints | None) -> _CostAmounts:
        """With what the loops and lines of each function cost added to the function."""
        if owner is None:
            return self
        inner = np.flatnonzero(owner[self.context] != self.context)
        return _CostAmounts(
            np.concatenate([self.line, self.line[inner]]),
            np.concatenate([self.context, owner[self.context[inner]]]),
            np.concatenate([self.value, self.value[inner]]),
        ).summed()

    def of_all_lines(self) -> _CostAmounts:
        """The sum over lines, by context."""
        return _CostAmounts(np.zeros_like(self.line), self.context, self.value).summed()


def make_cost_tables(
    costs: Iterable[MeasuredCost],
    tree: CallingContextTree,
    profiles: Ints,
    words: tuple[Measure, ...],
    owner: Ints | None = None,
) -> dict[str, pa.Table]:
    """Tables metric, value and summary; `profiles` has the profile of each line.

    `owner` has the function of each context, where contexts are also loops and lines: what these
    cost at scope function is in their function as well.
    """
    values, sums = _CostRows(), _CostRows()
    metrics: list[dict[str, object]] = []
    for number, cost in enumerate(costs):
        identifiers = [number * len(SCOPES) + place for place in range(len(SCOPES))]
        metrics += _describe_metrics(cost.measure, identifiers, words)
        own = _CostAmounts(profiles[cost.line], cost.context, cost.amount).summed()
        scopes = (own, own.with_functions(owner), _sum_inclusive(own, tree))
        for identifier, amounts in zip(identifiers, scopes, strict=True):
            values.add(identifier, amounts)
            sums.add(SUMMED + identifier, amounts.of_all_lines())
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


def _describe_metrics(
    measure: str, identifiers: list[int], words: tuple[Measure, ...]
) -> list[dict[str, object]]:
    row = {"name": find_tool_name(measure, words), "measure": measure}
    of_lines: list[dict[str, object]] = [
        {**row, "id": identifier, "scope": scope, "statistic": None, "formula": None}
        for identifier, scope in zip(identifiers, SCOPES, strict=True)
    ]
    sums: list[dict[str, object]] = [
        {**each, "id": SUMMED + identifier, "statistic": "sum", "formula": _SUM}
        for each, identifier in zip(of_lines, identifiers, strict=True)
    ]
    return [*of_lines, *sums]


def _sum_inclusive(own: _CostAmounts, tree: CallingContextTree) -> _CostAmounts:
    """What arises in each context and below it, for each line, up to the whole run."""
    parents = np.frombuffer(tree.parents, np.int64)
    depths = np.frombuffer(tree.depths, np.int64)[own.context]
    found: list[_CostAmounts] = []
    carried = _CostAmounts(own.line[:0], own.context[:0], own.value[:0])
    for depth in range(int(depths.max(initial=0)), -1, -1):
        here = depths == depth
        level = _CostAmounts(
            np.concatenate([own.line[here], carried.line]),
            np.concatenate([own.context[here], carried.context]),
            np.concatenate([own.value[here], carried.value]),
        ).summed()
        found.append(level)
        carried = _CostAmounts(level.line, parents[level.context], level.value)
    return _CostAmounts(
        np.concatenate([each.line for each in found]),
        np.concatenate([each.context for each in found]),
        np.concatenate([each.value for each in found]),
    )
