"""A tree of causes: what a run's time or cost divides into, and what effects save of it.

In:  a tree, as `run_tree` makes it. Out: its causes, what effects save of them, whose a cell is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from perfolio.findings.estimates.bound_formulas import clamp_share
from perfolio.findings.estimates.time_ledger import LONGEST, STEADY, select_cells
from perfolio.findings.model.change_effect import (
    CellFilter,
    ChangeEffect,
    LedgerCell,
    compute_saved,
    sum_cells,
)
from perfolio.findings.model.finding import Estimate
from perfolio.findings.tree.catalog import ROOT
from perfolio.metrics.model import Cell, MetricColumn

_MOST = 0.5
ON_THE_CLOCK = ("wall", "span")
"""Wholes that are time on the clock."""


@dataclass(frozen=True)
class CausePlaces:
    """A few rows of a table metric: the places where a cause is seen."""

    metric: str
    columns: tuple[MetricColumn, ...]
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
    cells: CellFilter | None = None
    """Where it is in the ledger."""
    formula: str = ""
    """Of the amount, over metrics; empty where it is what its siblings leave, or unknown."""
    metrics: tuple[str, ...] = ()
    """The metrics of the formula."""
    places: CausePlaces | None = None
    unknown: str = ""
    collect: str = ""


@dataclass(frozen=True)
class CauseTree:
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

    def saved(self, effects: Iterable[ChangeEffect]) -> float:
        """What effects together save of it at most."""
        return compute_saved(effects, self.cells)

    def share(self, amount: float) -> float:
        """What an amount is of it [ratio]."""
        return amount / self.amount if self.amount > 0.0 else 0.0

    def recurs(self, key: str) -> bool:
        """Whether a cause may lie in iterations, as far as the ledger tells."""
        cause = self.find(key)
        periods = cause.cells.period if cause is not None and cause.cells is not None else None
        return periods is None or not periods.isdisjoint(STEADY.period or ())

    def judged_share(self, amount: float, key: str) -> float:
        """What an amount is at most of what its cause is judged by [ratio].

        That is the steady iterations where it may lie there: start-up, warm-up and the end of a
        run do not grow with it, so that a share of a short run says little about a long one.
        """
        steady = self.steady if self.recurs(key) else None
        whole = self.amount if steady is None else steady
        return clamp_share(amount / whole) if whole > 0.0 else 0.0

    def steady_share(self, worth: Estimate) -> float | None:
        """What a gain is of the steady iterations; None where it has no part there.

        Of an iteration that is its own bound.
        """
        if self.steady is None or worth.of.kind == "iteration":
            return None if self.steady is None else worth.reduction
        found = compute_saved(worth.effects, select_cells(self.cells, STEADY))
        return clamp_share(found / self.steady) if found > 0.0 else None

    def one_step(self, cause: Cause) -> str:
        """The outermost cause of those that one step answers; empty where each has its own."""
        found = ""
        known: Cause | None = cause
        while known is not None and known.same:
            found, known = known.key, self.find(known.parent)
        return found

    def children(self, key: str) -> tuple[Cause, ...]:
        """The causes directly below one, in order."""
        return tuple(cause for cause in self.causes if cause.parent == key)

    def find(self, key: str) -> Cause | None:
        """The cause of a key, None where this run has none."""
        return next((cause for cause in self.causes if cause.key == key), None)


def find_cause(cell: LedgerCell, tree: CauseTree) -> str:
    """The key of the innermost cause that holds a cell; empty where that is the whole run."""
    inner: str | None = ROOT
    while inner is not None:
        found = inner
        below = (each for each in tree.children(found) if each.cells and cell in each.cells)
        inner = next((each.key for each in below), None)
    return "" if found == ROOT else found


def is_ending_long_waits(effects: Iterable[ChangeEffect], tree: CauseTree) -> bool:
    """Whether effects take most of the long waits that each iteration has."""
    waits = select_cells(tree.cells, LONGEST)
    return compute_saved(effects, waits) > _MOST * sum_cells(waits, LONGEST)


NOTHING = CauseTree("", "nothing was measured", 0.0, "s")
