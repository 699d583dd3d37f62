"""What known mistakes give on the data of a run.

In:  an expression over metrics, and the facts of the run.
Out: `MistakenValue`s: each a value that a report would have if it had made that mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from perfolio.audit.expression import evaluate, list_names
from perfolio.audit.facts import AuditFacts
from perfolio.metrics.metric_values import find_result
from perfolio.metrics.model import Result

TOTALS = "seed.depth_weighted_totals"
ALL = "all"
_EXACT = 1e-9

STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    "seed.gpu_cpu_ratio": ("time.gpu_utilisation", "time.span_utilisation", "gpu.busy_at_most"),
    "seed.mfu_sparse": ("compute.mfu",),
    "seed.pcie_eff_64": ("transfer.link_efficiency",),
}
"""Metrics of wrong formulas, all with a wrong denominator, and what they are taken for."""
MISTAKEN_FOR: Mapping[str, tuple[str, ...]] = {
    "cpu.time": ("time.wall", "time.gpu_span"),
    "run.contexts": ("run.functions",),
}
"""Metrics that are right and are read as others."""


@dataclass(frozen=True)
class MistakenValue:
    """A value and the mistake that gives it."""

    value: float
    words: str
    denominator: bool = False
    """Whether the mistake is what something is divided by."""
    code: str = ""
    """A short name of the mistake, the same on every run."""


@dataclass(frozen=True)
class _MistakenSums:
    """Totals of the tool's metrics, true ones and those of one mistake."""

    words: str
    code: str
    true: Mapping[str, float]
    mistaken: Mapping[str, float]


def find_alternatives(quantity: str, facts: AuditFacts) -> Iterator[MistakenValue]:
    """Every mistake whose value can be computed from this run."""
    for sums in _find_mistaken_sums(facts):
        value = evaluate(quantity, _make_mistaken_lookup(sums, facts))
        if value is not None:
            yield MistakenValue(value, sums.words, code=sums.code)
    yield from _find_wrong_formulas(list_names(quantity), facts)


def _find_wrong_formulas(wanted: Sequence[str], facts: AuditFacts) -> Iterator[MistakenValue]:
    """Metrics that hold what a wrong formula gives, and such as are taken for others."""
    for name, taken_for in STANDS_FOR.items():
        value = facts.value(name)
        if value is not None and set(wanted) & set(taken_for):
            definition = facts.results[name].metric.definition
            words = f"{facts.title(name)}. {definition}"
            yield MistakenValue(value, words, denominator=True, code=_make_code(name))
    for name, taken_for in MISTAKEN_FOR.items():
        value = facts.value(name)
        if value is not None and len(wanted) == 1 and wanted[0] in taken_for:
            definition = facts.results[name].metric.definition
            words = f"{facts.title(name)}, which is something else. {definition}"
            yield MistakenValue(value, words, code=_make_code(name))


def _make_code(name: str) -> str:
    """`seed.gpu_cpu_ratio` as a code."""
    return name.replace(".", "-").replace("_", "-")


def _find_mistaken_sums(facts: AuditFacts) -> Iterator[_MistakenSums]:
    result = find_result(facts.results, TOTALS)
    if result is None:
        return
    true = _read_column(result, ALL, "total")
    entries = dict.fromkeys(str(row["entry_point"]) for row in result.records())
    for entry in entries:
        over = "all calling contexts" if entry == ALL else f"the calling contexts of <{entry}>"
        words = (
            f"inclusive values summed over {over}, which counts a cost once for each caller "
            "above it"
        )
        yield _MistakenSums(
            words, "summed-over-callers", true, _read_column(result, entry, "weighted")
        )
        if entry != ALL:
            alone = f"the costs of <{entry}> alone, without those of other entry points"
            yield _MistakenSums(
                alone, "one-entry-point", true, _read_column(result, entry, "total")
            )


def _read_column(result: Result, entry: str, column: str) -> dict[str, float]:
    rows = (row for row in result.records() if row["entry_point"] == entry)
    return {str(row["metric"]): float(row[column] or 0.0) for row in rows}


def _make_mistaken_lookup(sums: _MistakenSums, facts: AuditFacts) -> Callable[[str], float | None]:
    def lookup(name: str) -> float | None:
        result = facts.results.get(name)
        if result is None or result.value is None:
            return None
        return _compute_mistaken_value(result, result.value, sums)

    return lookup


def _compute_mistaken_value(result: Result, value: float, sums: _MistakenSums) -> float | None:
    """The metric as the mistake gives it: as the total, or the ratio of two, that it is.

    Which one it is is not assumed: of the tool's metrics that it needs or its query names, it must
    give the true value from the true totals.
    """
    metric = result.metric
    needs = [name for name in sums.true if name in metric.needs or f"'{name}'" in metric.sql]
    for need in needs:
        if _is_equal(sums.true[need], value) and need in sums.mistaken:
            return sums.mistaken[need]
    for over, under in permutations(needs, 2):
        if _is_equal(sums.true[over], value * sums.true[under]) and sums.mistaken.get(under):
            return sums.mistaken.get(over, 0.0) / sums.mistaken[under]
    return None


def _is_equal(one: float, other: float) -> bool:
    return one != 0.0 and abs(one - other) <= _EXACT * abs(one)
