"""The tree of causes of one run: each cause with its share of one whole, findings attached.

In:  results of metrics, findings, and `causes.yaml`.
Out: a `Tree`: the whole, and the causes with parents before children.

Siblings share out their parent in the order of the file, each capped by what is left of it, so
that they never sum to more. A view of the same time is capped by its parent and never summed. The
upper end of an amount that is sampled is capped by that of its parent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.errors import ContentError
from generator.findings.estimates.amounts import amount, metrics_in
from generator.findings.estimates.clock import steady_time
from generator.findings.estimates.ledger import LONGEST, cells_of, within
from generator.findings.terms.conditions import all_hold, fill, holds
from generator.findings.terms.effect import Effect, LedgerCell, Where, saved, total
from generator.findings.terms.events import event_words
from generator.findings.terms.finding import Finding
from generator.findings.tree.catalog import ROOT, Node, Places, Unknown, Whole, Words, load_causes
from generator.findings.tree.placed import (
    amounts_by_node,
    asked_by,
    bound_of,
    nearest,
    upper_ends,
)
from generator.metrics.model import Cell, Column, Result, Results
from generator.metrics.values import number_in
from generator.units import UNITS

MOST_PLACES = 5
_MOST = 0.5
ON_THE_CLOCK = ("wall", "span")
"""Wholes that are time on the clock."""


@dataclass(frozen=True)
class Seen:
    """A few rows of a table metric: the places where a cause is seen."""

    metric: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Cause:
    """A node of the tree on one run."""

    key: str
    parent: str
    depth: int
    title: str
    """Plain text; names in it come from the profile and are not trusted."""
    sentence: str
    amount: float | None
    """Of the tree's whole, in its unit; None where it is unknown or of another kind."""
    bound: Literal["", "least", "most"]
    """Whether the amount is a lower bound, or an upper one: what is left beside a lower one."""
    most: float | None
    """The upper end of an amount that is sampled, in that unit, no more than that of the parent;
    None of one that is not."""
    share: float | None
    """The same as a share of the whole [ratio]."""
    view: bool
    same: bool
    outside: bool = False
    """Whether it concerns time on the clock and no part of this whole."""
    cells: Where | None = None
    """Where it is in the ledger."""
    formula: str = ""
    """Of the amount, over metrics; empty where it is what its siblings leave, or unknown."""
    metrics: tuple[str, ...] = ()
    """The metrics of the formula."""
    places: Seen | None = None
    unknown: str = ""
    collect: str = ""


@dataclass(frozen=True)
class Tree:
    """All causes of a run; none where nothing was measured."""

    whole: str
    """Key of the whole: wall, span, gpu_work, cost, running; empty where there is none."""
    of: str
    """What 100 % is, in words."""
    amount: float
    unit: str
    causes: tuple[Cause, ...] = ()
    left_out: float = 0.0
    """Time that is no part of 100 %, since PC sampling may have made it."""
    steady: float | None = None
    """How much of it the steady iterations are; None where 100 % is no time on the clock, or
    nothing recurs."""

    cells: tuple[LedgerCell, ...] = ()
    """What it is divided into for effects: see `effect`."""

    def saved(self, effects: Iterable[Effect]) -> float:
        """What effects together save of it at most."""
        return saved(effects, self.cells)

    def children(self, key: str) -> tuple[Cause, ...]:
        """The causes directly below one, in order."""
        return tuple(cause for cause in self.causes if cause.parent == key)

    def find(self, key: str) -> Cause | None:
        """The cause of a key, None where this run has none."""
        return next((cause for cause in self.causes if cause.key == key), None)


def cause_of(cell: LedgerCell, tree: Tree) -> str:
    """The key of the innermost cause that holds a cell; empty where that is the whole run."""
    inner: str | None = ROOT
    while inner is not None:
        found = inner
        below = (each for each in tree.children(found) if each.cells and cell in each.cells)
        inner = next((each.key for each in below), None)
    return "" if found == ROOT else found


def ends_long_waits(effects: Iterable[Effect], tree: Tree) -> bool:
    """Whether effects take most of the long waits that each iteration has."""
    waits = within(tree.cells, LONGEST)
    return saved(effects, waits) > _MOST * total(waits, LONGEST)


NOTHING = Tree("", "nothing was measured", 0.0, "s")


def tree_of(results: Results, findings: Sequence[Finding]) -> Tree:
    """The tree of a run. ContentError where the file names an unknown metric or column."""
    wholes, nodes = load_causes()
    found = ((whole, _whole_amount(whole, results)) for whole in wholes)
    chosen = next(((whole, size) for whole, size in found if size), None)
    if chosen is None:
        return NOTHING
    whole, size = chosen
    named = _named(nodes, findings)
    telling = [node for node in nodes if node.says or node.key in named or node.key == ROOT]
    places = amounts_by_node(nodes, telling, (whole.key, size), results, named)
    mosts = upper_ends(nodes, places, whole.key, results)
    causes = (_cause(node, (places, mosts), named, (whole, size), results) for node in nodes)
    listed = _in_order([cause for cause in causes if cause is not None])
    wordings = (fill(text, results, event_words(results)) for text in whole.of)
    return Tree(
        whole=whole.key,
        of=next((text for text in wordings if text), whole.key),
        amount=size,
        unit=_unit(fill(whole.unit, results)),
        causes=tuple(listed),
        left_out=_less(whole, results),
        steady=steady_time(results) if whole.key in ON_THE_CLOCK else None,
        cells=cells_of(whole.key, size, results),
    )


def _unit(unit: str | None) -> str:
    return unit if unit in UNITS else "1"


def _whole_amount(whole: Whole, results: Results) -> float | None:
    size = amount(whole.amount, results) if holds(whole.when, results) else None
    return None if size is None else max(size - _less(whole, results), 0.0)


def _less(whole: Whole, results: Results) -> float:
    return (amount(whole.less, results) if whole.less else None) or 0.0


def _named(nodes: Sequence[Node], findings: Sequence[Finding]) -> set[str]:
    """The nodes that rules of fired findings name."""
    known, found = {node.key for node in nodes}, set[str]()
    for finding in findings:
        key = finding.rule.parent
        if finding.status != "fired" or not key:
            continue
        if key not in known:
            raise ContentError(f"rule {finding.rule.code}: causes.yaml has no node {key!r}")
        found.add(key)
    return found


def _cause(
    node: Node,
    amounts: tuple[Mapping[str, tuple[str, float]], Mapping[str, float]],
    named: Collection[str],
    whole: tuple[Whole, float],
    results: Results,
) -> Cause | None:
    """None where this run has neither an amount nor a finding nor anything unknown of it."""
    nodes = load_causes()[1]
    placed, mosts = amounts
    own = placed.get(node.key)
    missing = node.unknown.get(whole[0].key)
    is_missing = missing is not None and (own is None or node.key in _ALWAYS_UNKNOWN)
    is_missing = is_missing and all_hold(node.when, results)
    if own is None and node.key not in named and not is_missing:
        return None
    parent = own[0] if own is not None else nearest(node.parent, nodes, placed)
    formula = "" if node.rest else asked_by(node, whole[0].key, results)[1]
    return Cause(
        key=node.key,
        parent=parent,
        depth=_depth(parent, placed),
        title=_first(node.title, results) or node.key,
        sentence=(_first(node.says, results) or "") if own is not None or node.view else "",
        amount=own[1] if own is not None else None,
        bound=bound_of(node, nodes, placed),
        most=mosts.get(node.key),
        share=own[1] / whole[1] if own is not None else None,
        view=node.view,
        same=node.same,
        outside=node.outside,
        cells=node.cells,
        formula=formula if own is not None else "",
        metrics=metrics_in(formula) if own is not None else (),
        places=_seen(node.places, results) if own is not None or node.key in named else None,
        unknown=(fill(missing.says, results) or "") if missing is not None and is_missing else "",
        collect=_command(missing, results) if missing is not None and is_missing else "",
    )


def _command(missing: Unknown, results: Results) -> str:
    """What to run to know it, on the GPU that this run has."""
    result = results.get(missing.collect)
    return result.collect if result is not None else ""


_ALWAYS_UNKNOWN = frozenset({"host"})
"""Nodes whose amount is known while what lies below may be unknown."""


def _depth(parent: str, placed: Mapping[str, tuple[str, float]]) -> int:
    depth = 0
    while parent:
        parent = placed[parent][0]
        depth += 1
    return depth


def _in_order(causes: list[Cause]) -> Iterator[Cause]:
    """Depth first; of siblings the largest first, views and unknown ones last."""

    def below(key: str) -> Iterator[Cause]:
        found = [cause for cause in causes if cause.parent == key and cause.key != key]
        for cause in sorted(found, key=lambda each: (each.view, -(each.share or 0.0))):
            yield cause
            yield from below(cause.key)

    return below("")


def _first(wordings: Sequence[Words], results: Results) -> str | None:
    """The first wording that applies and whose fields are all measured."""
    words = event_words(results)
    fitting = (each for each in wordings if all_hold(each.when, results))
    texts = (fill(each.text, results, words) for each in fitting)
    return next((text for text in texts if text), None)


def _seen(places: Sequence[Places], results: Results) -> Seen | None:
    for place in places:
        if place.metric not in results:
            raise ContentError(f"causes.yaml: unknown metric {place.metric!r}")
        result = results[place.metric]
        if result.status == "measured" and all_hold(place.when, results):
            return _rows(place, result)
    return None


def _rows(place: Places, result: Result) -> Seen:
    by_name = {column.name: column for column in result.metric.columns}
    if unknown := sorted({*place.columns, *filter(None, [place.order])} - by_name.keys()):
        raise ContentError(f"causes.yaml: {place.metric} has no columns {unknown}")
    rows = result.records()
    if place.order:
        rows = sorted(rows, key=lambda row: number_in(row[place.order]), reverse=True)
    return Seen(
        metric=place.metric,
        columns=tuple(by_name[name] for name in place.columns),
        rows=tuple(tuple(row[name] for name in place.columns) for row in rows[:MOST_PLACES]),
    )
