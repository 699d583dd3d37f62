"""What a claim is, and what comes of holding it against data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["value", "speedup"]
Verdict = Literal[
    "holds",
    "off by a factor",
    "wrong denominator",
    "within its bound",
    "unbounded",
    "cannot be checked",
]
VERDICTS: tuple[Verdict, ...] = (
    "holds",
    "within its bound",
    "off by a factor",
    "wrong denominator",
    "unbounded",
    "cannot be checked",
)


@dataclass(frozen=True)
class PcieLink:
    """A PCI Express link as a report names it: `PCIe 4.0 x16`."""

    name: str
    generation: int
    lanes: int


@dataclass(frozen=True)
class Claim:
    """One number of a report. Words are not trusted; expressions are those of `expression`."""

    key: str
    says: str
    kind: Kind
    quantity: str
    """Expression over metrics that gives the true value; empty for a speed-up."""
    value: float
    """In the base unit."""
    unit: str
    """A name of `perfolio.common.units.UNITS`."""
    rounding: float = 0.0
    """How much rounding may have changed it, in the base unit."""
    formula: str = ""
    """How the report computed it: expression over keys of claims, metrics and numbers."""
    link: PcieLink | None = None
    """The link whose rate the formula's `link` stands for."""
    affects: str = ""
    """For a speed-up, the share of the whole that the proposal concerns: an expression over
    claims, metrics and codes of findings, whose estimate it then is."""
    of: str = "run time"
    """What becomes faster."""
    line: int = 0
    """Where in the report; 0 where that is not known."""


@dataclass(frozen=True)
class Claims:
    """A claims.toml."""

    title: str
    source: str
    tolerance: float
    """Relative difference that still counts as equal."""
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Judgement:
    """A claim with what the data say."""

    claim: Claim
    verdict: Verdict
    truth: float | None = None
    """For a speed-up, its bound. None where it is not known."""
    reasons: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Claim over truth."""
        return self.claim.value / self.truth if self.truth else None
