"""What evaluating a rule on a run gives: a finding, its margin, and what removing it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.rule import Rule, Severity, Status
from perfolio.metrics.model import Cell

EstimateKind = Literal["gain", "limit"]
_SOME = 1.005
_LARGE = 10.0
"""Factors between these are told [x]."""


@dataclass(frozen=True)
class Estimate:
    """What removing a finding is worth at most, in both forms."""

    reduction: float
    """Upper bound of the part of `of` that can be saved [ratio]."""
    of: BoundWhole
    """What it is a part of."""
    formula: str
    assumptions: tuple[str, ...]
    kind: EstimateKind = "gain"
    """A gain is what a step brings at most; a limit what all bring together, and no headline."""
    is_told: bool = True
    """Whether pages may print the factor, where it says something."""
    weaker: float | None = None
    """What `weaker_if` allows at most, where that is less; no floor [ratio]."""
    weaker_if: str = ""
    """A weaker assumption, to follow `at most ...`: with 8 workers that prepare ahead."""
    weaker_formula: str = ""
    weaker_steady: float | None = None
    """Where `steady` is known, what `weaker` is of steady iterations at most [ratio]."""
    wider: float | None = None
    """What a change that goes further saves at most, as an assumption says [ratio]."""
    steady: float | None = None
    """Of a gain of a whole run: what it is of its steady iterations at most [ratio]."""
    saved: float | None = None
    """What its effects save of the run's whole (see `causes`), in a warm-up too. None where it is a
    part of something else."""
    effects: tuple[ChangeEffect, ...] = ()
    """What it takes of the cells of the run's whole, by which findings together are bounded."""

    @property
    def factor(self) -> float:
        """The speed-up that belongs to the reduction: 20 % less is a factor of 1.25."""
        return 1.0 / (1.0 - self.reduction)

    @property
    def told_factor(self) -> float | None:
        """The factor where pages print it: no gain's of what the profiler dilutes."""
        diluted = self.of.profiled and self.kind == "gain"
        return choose_factor(self.reduction) if self.is_told and not diluted else None

    @property
    def left(self) -> float | None:
        """How long `of` would last without the reduction [s]; None of no time on the clock."""
        lasts = self.of.amount if self.of.length is None else self.of.length
        return (1.0 - self.reduction) * lasts if self.of.on_clock and lasts is not None else None


def choose_factor(reduction: float) -> float | None:
    """The factor where it says something: above 1.005, and not so large that what limits it is all.

    A factor of 400 means that nearly all of it is gone and promises what no run keeps: the next
    limit comes first. There the reduction and what is left say it.
    """
    found = 1.0 / (1.0 - reduction)
    return found if _SOME <= found < _LARGE else None


@dataclass(frozen=True)
class Refusal:
    """Why the data forbid an estimate that the rule asks for."""

    reason: str
    concerned: float | None = None
    """What the finding takes of the run's whole all the same, in its unit; None if unknown."""
    limit: bool = False
    """Whether it would have been a limit, and no gain."""
    unrecorded: bool = False
    """Whether the finding concerns kernels, too, that are missing from the record: then no amount
    of those that were recorded says how little it matters."""


@dataclass(frozen=True)
class ThresholdMargin:
    """How far a value is from the nearest threshold at which its severity would change."""

    threshold: float
    distance: float  # from that threshold, in the unit of the value; 0 or more
    relative: float | None  # the same as a share of the threshold; None where that is 0 or the
    # value a bound that passes, so that the distance is more [ratio]
    sentence: str


@dataclass(frozen=True)
class Finding:
    """A rule's outcome on one run."""

    rule: Rule
    status: Status
    severity: Severity | None = None
    value: float | None = None
    unit: str = "1"
    low: float | None = None  # of the 95 % confidence interval, where the value is sampled
    high: float | None = None
    threshold: float | None = None
    """The threshold that decided: the last one passed, or the first one not passed."""
    headline: str = ""
    """The fact in one short sentence."""
    sentence: str = ""
    """One line with the numbers: what was found or how far it is from the threshold."""
    reason: str = ""
    """Why it was not evaluated, does not apply, or failed."""
    collect: str = ""  # the command that would collect what is missing
    evidence: tuple[Mapping[str, Cell], ...] = ()
    """Rows of the rule's table, keys as in its columns."""
    estimate: Estimate | None = None
    margin: ThresholdMargin | None = None
    refusal: Refusal = Refusal("")
    """Why there is no estimate: data forbid the rule's, or none bounds what its fix brings."""
    held_back: str = ""  # why its step may bring little before those in `after`

    @property
    def is_gain(self) -> bool:
        """Whether it bounds what a step can bring, and not only what all can."""
        return self.estimate is not None and self.estimate.kind == "gain"

    @property
    def is_limited(self) -> bool:
        """Whether its estimate is a limit and no gain, or would be, where it is refused."""
        return self.refusal.limit or (self.estimate is not None and self.estimate.kind == "limit")
