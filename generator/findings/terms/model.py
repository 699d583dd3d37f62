"""What a rule is: what it compares with what, its advice, and the words for how severe it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["critical", "high", "medium", "low", "info"]
Status = Literal["fired", "passed", "not_evaluated", "not_applicable", "error"]
Direction = Literal["above", "below"]
Effort = Literal["hours", "days", "weeks", "months"]
Phase = Literal["immediate", "architecture", "advanced"]

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low", "info")
"""From severe to mild."""

EFFORTS: tuple[Effort, ...] = ("hours", "days", "weeks", "months")
"""What a fix takes one person who knows the program, from little to much."""

PHASES: tuple[Phase, ...] = ("immediate", "architecture", "advanced")
"""Where a fix belongs in a plan: up to two weeks, one to two months, three to six months."""

SECTIONS = (
    "What it means",
    "Why it happens",
    "What to do",
    "How to verify",
    "When to ignore",
)
"""Headings that every rule file has, in this order and no others."""


@dataclass(frozen=True)
class Condition:
    """A metric compared with a number: true beyond `bound` in its direction, false at it."""

    metric: str
    direction: Direction
    bound: float


@dataclass(frozen=True)
class Threshold:
    """Beyond this value (in the rule's direction) a finding has this severity."""

    severity: Severity
    value: float


@dataclass(frozen=True)
class Also:
    """More of a fact, where `when` holds, not all of `unless` does, and all in it is measured."""

    say: str
    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Exact:
    """A metric with the fact in words that decides closer; what is empty is the rule's."""

    metric: str
    states: str
    evidence: str = ""
    parent: str = ""
    evidence_columns: tuple[str, ...] = ()
    only_if: tuple[Condition, ...] = ()
    passes_only: bool = False
    """Whether it is the opposite bound, which the rule's metric cannot exceed: it decides only
    where it does not reach the threshold."""


@dataclass(frozen=True)
class Closer:
    """A table that shows a finding more closely than the rule's own, where it is measured."""

    evidence: str
    share: str
    """Its column with the share of what the finding is about, by which the rows are ordered."""
    evidence_columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Input:
    """Data that a rule needs and that no HPCToolkit database holds."""

    title: str
    why: Mapping[str, str]
    """Why the profile cannot give it, by vendor of the GPU; `any` serves the rest."""
    collect: Mapping[str, str]
    """The command that collects it, by vendor as well."""
    missing: Status = "not_evaluated"
    """What a rule is without it."""


@dataclass(frozen=True)
class Lacking:
    """What a rule would compare if its input were there."""

    needs: Input
    measures: str
    """What would be compared with the thresholds, in words."""
    unit: str


@dataclass(frozen=True)
class Rule:
    """One Markdown file: what is checked, against what, and the advice."""

    code: str
    slug: str
    title: str
    metric: str
    """Empty for a rule that lacks its input."""
    direction: Direction
    """Whether large or small values are bad."""
    thresholds: tuple[Threshold, ...]
    """From mild to severe; the last one passed gives the severity."""
    threshold_source: str
    """Who published the threshold, or `proposed`."""
    states: str
    """The measured fact in words, with `{value}` and `{metric.name}` for numbers."""
    sections: Mapping[str, str]
    """Markdown by heading, the headings of `SECTIONS`."""
    estimator: str = ""
    """A name in `generator.findings.estimates.estimate.ESTIMATORS`, or empty."""
    besides: str = ""
    """What its step can save on top of the estimate, to follow `at most ...; `, or empty."""
    unbounded: str = ""
    """Why no profile bounds what its fix brings, where there is no estimator."""
    concerns: str = ""
    """A formula (see `amounts`) of the time that a finding without an estimate concerns."""
    evidence: str = ""
    """Table metric whose first rows are shown, or empty."""
    evidence_columns: tuple[str, ...] = ()
    """Its columns that are shown; all where empty."""
    evidence_by: tuple[str, ...] = ()
    """Columns whose product orders the rows, largest first; the table's order where empty."""
    closer: Closer | None = None
    """Evidence that is shown in place of this wherever it holds half of the finding or more."""
    chart: str = ""
    """Chart that shows it, or empty."""
    applies: tuple[Condition, ...] = ()
    """Where one of these does not hold the rule has nothing to say: not applicable."""
    only_if: tuple[Condition, ...] = ()
    """Where one of these does not hold a value beyond the threshold is harmless: passed."""
    harmless_if: tuple[Condition, ...] = ()
    """Where one of these is known to hold a value beyond the threshold is harmless: passed."""
    undecided_if: tuple[Condition, ...] = ()
    """Where one of these is known to hold nothing follows from any value: not evaluated."""
    also: tuple[Also, ...] = ()
    """What `states` goes on with after a semicolon, on the runs that bear it out."""
    exact: tuple[Exact, ...] = ()
    """The first measured one is judged in place of `metric`, always decided."""
    ceiling: bool = False
    """Whether what is judged is the opposite bound, which the rule's own metric cannot exceed."""
    decide_with: Mapping[str, str] = field(default_factory=dict)
    """Where the metric is a mere bound: the command that collects what decides, by vendor."""
    parent: str = ""
    """Node of the tree of causes, such as `host.data`; empty for rules on the data's quality."""
    effort: Effort = "days"
    effort_if: Mapping[Effort, tuple[Condition, ...]] = field(default_factory=dict)
    """What it takes in place of that where these conditions hold: another step then."""
    phase: Phase = "immediate"
    after: tuple[str, ...] = ()
    """Codes of rules whose fix should come first."""
    after_if: Mapping[str, tuple[Condition, ...]] = field(default_factory=dict)
    """Codes of further ones, each where its conditions hold."""
    risk: str = ""
    """What can go wrong with the fix, in one sentence."""
    target: float | None = None
    """What the metric should reach, in its unit; never beyond the mildest threshold."""
    target_metric: str = ""
    """Metric that gives the target on a run, in place of one number for all."""
    target_within: str = ""
    """Metric of what the step reaches on a run, or empty: there is no target beyond that."""
    target_source: str = ""
    """Why that target."""
    lacking: Lacking | None = None
    """Not None where no HPCToolkit database can give what the rule compares."""
    otherwise: Input | None = None
    """What decides where the database happens not to hold the rule's metric."""
    defaults: tuple[Threshold, ...] = ()
    """The thresholds of the rule file, where a project replaced them."""
