"""What a rule is, and what evaluating one gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.metrics.model import Cell

Severity = Literal["critical", "high", "medium", "low", "info"]
Status = Literal["fired", "passed", "not_evaluated", "not_applicable"]
Rating = Literal["critical", "warning", "good", "neutral", "unknown"]

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low", "info")


@dataclass(frozen=True)
class Threshold:
    """From this value on (in the rule's direction) a finding has this severity."""

    severity: Severity
    value: float


@dataclass(frozen=True)
class Rule:
    """One Markdown file: what is checked, against what, and the advice."""

    code: str
    slug: str
    title: str
    metric: str
    direction: Literal["above", "below"]
    """Whether large or small values are bad."""
    thresholds: tuple[Threshold, ...]
    """From mild to severe; the last one reached gives the severity."""
    threshold_source: str
    """Who published the threshold, or `proposed`."""
    estimator: str
    """A name in `generator.findings.estimate.ESTIMATORS`, or empty."""
    evidence: str
    """Table metric whose first rows are shown, or empty."""
    chart: str
    """Chart that shows it, or empty."""
    applies: tuple[str, ...]
    """Metrics that must be measured and above 0, else the rule is not applicable."""
    sections: Mapping[str, str]
    """Markdown by heading: What it means, Why it happens, What to do, How to verify, When to ignore."""


@dataclass(frozen=True)
class Estimate:
    """What removing a finding is worth at most, in both forms."""

    reduction: float
    """Upper bound of the part of `of` that can be saved [ratio]."""
    factor: float
    """1 / (1 - reduction) [x]."""
    of: str
    """What it is a part of, in words: wall time, GPU-operation time..."""
    formula: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """A rule's outcome on one run."""

    rule: Rule
    status: Status
    severity: Severity | None = None
    value: float | None = None
    unit: str = "1"
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    """The threshold that decided: the highest one reached, or the first one not reached."""
    sentence: str = ""
    """One line with the numbers: what was found or how far it is from the threshold."""
    reason: str = ""
    """Why it was not evaluated, or does not apply."""
    collect: str = ""
    """The command that would collect what is missing."""
    evidence: tuple[Mapping[str, Cell], ...] = ()
    estimate: Estimate | None = None


@dataclass(frozen=True)
class KeyFigure:
    """A number of the summary with its rating."""

    metric: str
    rating: Rating
    comment: str = ""
