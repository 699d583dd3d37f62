"""The tree of causes of one run: each cause with its share of one whole.

In:  results of metrics, findings, and `causes.yaml`.
Out: a `CauseTree`: the whole, and the causes with parents before children.

Siblings share out their parent in the order of the file, each capped by what is left of it, so
that they never sum to more. A view of the same time is capped by its parent and never summed. The
upper end of an amount that is sampled is capped by that of its parent. A node that has nothing to
tell is passed over: what lies below it moves up. So is one that is small, unless it is a branch of
the whole or a finding names it or what lies below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from perfolio.common.errors import ContentError
from perfolio.common.units import UNITS
from perfolio.findings.estimates.time_formulas import compute_amount, find_metrics
from perfolio.findings.estimates.time_ledger import make_cells
from perfolio.findings.estimates.wall_clock import measure_steady_time
from perfolio.findings.model.conditions import fill_template, is_all_met
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.tree.catalog import ROOT, CauseNode, PlacesTable, WholeEntry, load_causes
from perfolio.findings.tree.cause_tree import NOTHING, ON_THE_CLOCK, Cause, CausePlaces, CauseTree
from perfolio.metrics.metric_values import to_number
from perfolio.metrics.model import Result, Results

MOST_PLACES = 5
_NEGLIGIBLE = 1e-9
_SMALL = 1e-3
"""A share of the whole that is told only of a branch, or where a finding is about it."""
_SMALL_VIEW = 1e-2
"""The same of a view, which no sum needs: less is not worth a step."""
_ALWAYS_UNKNOWN = frozenset({"host"})
"""Nodes whose amount is known while what lies below may be unknown."""


def build_tree(results: Results, findings: Sequence[Finding]) -> CauseTree:
    """The tree of a run. ContentError where the file names an unknown metric or column."""
    causes = load_causes()
    found = ((whole, _compute_whole(whole, results)) for whole in causes.wholes)
    chosen = next(((whole, size) for whole, size in found if size), None)
    if chosen is None:
        return NOTHING
    whole, size = chosen
    named = _find_named_nodes(causes.nodes, findings)
    growing = _TreeBuilder(whole.key, size, causes.nodes, named, results)
    grown = [cause for node in causes.nodes if (cause := growing.cause(node)) is not None]
    unit = fill_template(whole.unit, results)
    return CauseTree(
        whole=whole.key,
        of=choose_wording(whole.of, results) or whole.key,
        amount=size,
        unit=unit if unit in UNITS else "1",
        causes=tuple(_order_causes(grown)),
        left_out=_compute_left_out(whole, results),
        steady=measure_steady_time(results) if whole.key in ON_THE_CLOCK else None,
        cells=make_cells(whole.key, size, results),
    )


def _compute_whole(whole: WholeEntry, results: Results) -> float | None:
    size = compute_amount(whole.amount, results) if is_all_met(whole.when, results) else None
    return None if size is None else max(size - _compute_left_out(whole, results), 0.0)


def _compute_left_out(whole: WholeEntry, results: Results) -> float:
    return (compute_amount(whole.less, results) if whole.less else None) or 0.0


def _find_named_nodes(nodes: Sequence[CauseNode], findings: Sequence[Finding]) -> set[str]:
    """The nodes that rules of fired findings name."""
    known, found = {node.key for node in nodes}, set[str]()
    for finding in findings:
        key = finding.rule.cause
        if finding.status != "fired" or not key:
            continue
        if key not in known:
            raise ContentError(f"rule {finding.rule.code}: causes.yaml has no node {key!r}")
        found.add(key)
    return found


class _TreeBuilder:
    """A tree while nodes are added to it, parents before children."""

    def __init__(
        self, whole: str, size: float, nodes: Sequence[CauseNode], named: set[str], results: Results
    ) -> None:
        self._whole, self._size, self._results = whole, size, results
        self._above = {node.key: node.parent for node in nodes}
        self._named = named
        self._told = {above for key in named for above in self._upwards(key)}
        self._placed: dict[str, Cause] = {}
        self._left: dict[str, float] = {}
        """What children of each cause may still take."""

    def cause(self, node: CauseNode) -> Cause | None:
        """None where this run has neither an amount nor a finding nor anything unknown of it."""
        parent = self._nearest(node.parent) if node.key != ROOT else ""
        own, formula = self._own(node, parent)
        unknown = self._unknown(node, own)
        if own is None and node.key not in self._named and unknown is None:
            return None
        results, is_told = self._results, own is not None
        says, collect = unknown or ("", "")
        cause = Cause(
            key=node.key,
            parent=parent,
            depth=self._placed[parent].depth + 1 if parent else 0,
            title=choose_wording(node.title, results) or node.key,
            sentence=(choose_wording(node.says, results) or "") if is_told or node.view else "",
            amount=own,
            bound=self._bound(node, parent) if is_told else "",
            most=self._most(node, parent, own) if own is not None else None,
            share=own / self._size if own is not None else None,
            view=node.view,
            same=node.same,
            outside=node.outside,
            cells=node.cells,
            formula=formula if is_told else "",
            metrics=tuple(dict.fromkeys(find_metrics(formula))) if is_told and formula else (),
            places=_find_places(node.places, results)
            if is_told or node.key in self._named
            else None,
            unknown=says,
            collect=collect,
        )
        if own is not None:
            self._placed[node.key], self._left[node.key] = cause, own
            if parent and not node.view:
                self._left[parent] -= own
        return cause

    def _own(self, node: CauseNode, parent: str) -> tuple[float | None, str]:
        """How much of the whole a node has, as far as its parent leaves it, and its formula."""
        if node.key == ROOT:
            return self._size, self._asked(node)[1]
        takes_rest = node.rest and node.parent in self._placed
        asked, formula = (self._left[parent], "") if takes_rest else self._asked(node)
        if asked is None or not (node.says or node.key in self._named):
            return None, ""
        least = _SMALL_VIEW if node.view else _SMALL
        if parent == ROOT or node.key in self._told:
            least = _NEGLIGIBLE
        room = self._placed[parent].amount or 0.0 if node.view else self._left[parent]
        taken = min(asked, room)
        return (taken if taken > least * self._size else None), "" if node.rest else formula

    def _asked(self, node: CauseNode) -> tuple[float | None, str]:
        """What a node asks for by its best formula that is measured, and the formula."""
        if not is_all_met(node.when, self._results):
            return None, ""
        listed = node.amount.get(self._whole, ())
        fitting = (each.say for each in listed if is_all_met(each.when, self._results))
        values = ((compute_amount(text, self._results), text) for text in fitting)
        return next((found for found in values if found[0] is not None), (None, ""))

    def _most(self, node: CauseNode, parent: str, own: float) -> float | None:
        """The upper end of a sampled amount, never above that of the parent; None if exact."""
        value, formula = self._asked(node)
        if self._whole in node.most:
            high = compute_amount(node.most[self._whole], self._results)
        else:
            high = compute_amount(formula, self._results, "high") if formula else None
        if value is None or high is None or high <= value:
            return None
        if parent:
            above = self._placed[parent]
            high = min(high, above.amount or 0.0 if above.most is None else above.most)
        return high if high > own else None

    def _bound(self, node: CauseNode, parent: str) -> Literal["", "least", "most"]:
        """Whether an amount is a lower bound, or an upper one: what lower ones leave."""
        if node.at_least:
            return "least"
        beside = (each for each in self._placed.values() if each.parent == parent and not each.view)
        return "most" if node.rest and any(each.bound == "least" for each in beside) else ""

    def _unknown(self, node: CauseNode, own: float | None) -> tuple[str, str] | None:
        """What cannot be told of a node, and what to run to know it, on the GPU of this run."""
        missing = node.unknown.get(self._whole)
        if missing is None or not (own is None or node.key in _ALWAYS_UNKNOWN):
            return None
        if not is_all_met(node.when, self._results):
            return None
        result = self._results.get(missing.collect)
        return fill_template(
            missing.says, self._results
        ) or "", "" if result is None else result.collect

    def _upwards(self, key: str) -> Iterator[str]:
        while key:
            yield key
            key = self._above[key]

    def _nearest(self, key: str) -> str:
        """`key`, or the nearest node above it that has an amount."""
        return next(each for each in self._upwards(key) if each in self._placed)


def _order_causes(causes: list[Cause]) -> Iterator[Cause]:
    """Depth first; of siblings the largest first, views and unknown ones last."""

    def below(key: str) -> Iterator[Cause]:
        found = [cause for cause in causes if cause.parent == key and cause.key != key]
        for cause in sorted(found, key=lambda each: (each.view, -(each.share or 0.0))):
            yield cause
            yield from below(cause.key)

    return below("")


def _find_places(places: Sequence[PlacesTable], results: Results) -> CausePlaces | None:
    for place in places:
        if place.metric not in results:
            raise ContentError(f"causes.yaml: unknown metric {place.metric!r}")
        result = results[place.metric]
        if result.status == "measured" and is_all_met(place.when, results):
            return _read_places(place, result)
    return None


def _read_places(place: PlacesTable, result: Result) -> CausePlaces:
    by_name = {column.name: column for column in result.metric.columns}
    if unknown := sorted({*place.columns, *filter(None, [place.order])} - by_name.keys()):
        raise ContentError(f"causes.yaml: {place.metric} has no columns {unknown}")
    rows = result.records()
    if place.order:
        rows = sorted(rows, key=lambda row: to_number(row[place.order]), reverse=True)
    return CausePlaces(
        metric=place.metric,
        columns=tuple(by_name[name] for name in place.columns),
        rows=tuple(tuple(row[name] for name in place.columns) for row in rows[:MOST_PLACES]),
    )
