"""What a rule is: what it compares with what, its advice, and the words for how severe it is.

These types are the schema of a rule's front matter, too: a key that they do not have is refused,
and so is a value of another type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Severity = Literal["critical", "high", "medium", "low", "info"]
Status = Literal["fired", "passed", "not_evaluated", "not_applicable", "error"]
Direction = Literal["above", "below"]
Effort = Literal["hours", "days", "weeks", "months"]
Who = Literal["developer", "kernel developer", "user", "administrator"]
Phase = Literal["immediate", "architecture", "advanced"]
Vendor = Literal["any", "NVIDIA", "AMD", "Intel"]

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low", "info")
"""From severe to mild."""

PHASES: tuple[Phase, ...] = ("immediate", "architecture", "advanced")
"""Where a fix belongs in a plan: up to two weeks, one to two months, three to six months."""

_PHASE_OF: Mapping[Effort, Phase] = {
    "hours": "immediate",
    "days": "immediate",
    "weeks": "architecture",
    "months": "advanced",
}

WHO: Mapping[Who, str] = {
    "developer": "a developer",
    "kernel developer": "a kernel developer",
    "user": "whoever starts the run",
    "administrator": "an administrator",
}
"""Who can do a step: who writes the program or its kernels, who uses them, who runs the machine."""

SECTIONS = (
    "What it means",
    "Why it happens",
    "What to do",
    "How to verify",
    "When to ignore",
)
"""Headings that every rule file has, in this order and no others."""

Line = Annotated[str, Meta(pattern=r"^\S([^\n]*\S)?\Z", description="text on one line")]
Number = Annotated[float, Meta(ge=-1e100, le=1e100)]
"""Neither infinite nor NaN."""


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


class Conditions(tuple[Condition, ...]):
    """Conditions that hold where all of them do; in a file a list of texts."""

    __slots__ = ()


class Thresholds(tuple[Threshold, ...]):
    """From mild to severe; the last one passed gives the severity. In a file a mapping."""

    __slots__ = ()


class ByVendor(dict[str, str]):
    """Texts by vendor of the GPU, `any` for the rest; in a file also one text for all."""

    def of(self, vendor: str) -> str:
        """The text for a vendor; that for any where none is for it, and nothing without texts."""
        return self.get(vendor, self.get("any", ""))


class ContentEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping in a file, with exactly these keys."""


class Wording(ContentEntry, frozen=True, kw_only=True):
    """A text with fields, and what must hold for it."""

    say: str
    when: Conditions = Conditions()


class Wordings(tuple[Wording, ...]):
    """Texts of which the first one is taken that applies and whose fields are all measured.

    In a file one text, or a list of texts and of texts with conditions (`say`, `when`).
    """

    __slots__ = ()


class AlsoClause(ContentEntry, frozen=True, kw_only=True):
    """What else holds on a run where `when` holds and not all of `unless` does."""

    say: Line = ""
    """What the fact goes on with after a semicolon, if all in it is measured."""
    effort: Effort | None = None
    """What the step takes then, as it is another one."""
    who: Who | None = None
    """Who can do it then."""
    first: Line = ""
    """What to find out then before anything is changed."""
    after: tuple[str, ...] = ()
    """Codes of further rules whose fix should come first then."""
    when: Conditions = Conditions()
    unless: Conditions = Conditions()


class RuleGate(ContentEntry, frozen=True, kw_only=True):
    """Where `when` holds, or one of `unless` does not, no value decides that the rule fires."""

    when: Conditions = field(default=Conditions(), name="if")
    unless: Conditions = Conditions()
    """Where one of these is not known, the rule is not evaluated."""
    then: Literal["passed", "not_evaluated"]
    """Passed: a value beyond the threshold is harmless. Not evaluated: no value tells anything."""


class EvidenceTable(ContentEntry, frozen=True, kw_only=True):
    """A table metric whose first rows show a finding."""

    table: Line
    columns: tuple[str, ...] = ()
    """Those that are shown; all where empty."""
    by: tuple[str, ...] = ()
    """Columns whose product orders the rows, largest first; the table's order where empty."""
    closer: EvidenceTable | None = None
    """A table that shows it more closely, wherever its rows hold half of the finding or more: the
    column that orders these is a share of what the finding is about."""


class ExactMetric(ContentEntry, frozen=True, kw_only=True):
    """A metric with the fact in words that decides closer; what is empty is the rule's."""

    metric: Line
    headline: Line = ""
    states: Line
    evidence: EvidenceTable | None = None
    chart: str = ""
    cause: str = ""
    gates: tuple[RuleGate, ...] = ()
    passes_only: bool = False
    """Whether it is the opposite bound, which the rule's metric cannot exceed: it decides only
    where it does not reach the threshold."""


class ExternalInput(ContentEntry, frozen=True, kw_only=True):
    """Data that a rule needs and that no profile holds."""

    title: Line
    why: ByVendor
    """Why the profile cannot give it."""
    collect: ByVendor
    """The command that collects it."""
    missing: Literal["not_evaluated", "not_applicable"] = "not_evaluated"
    """What a rule is without it."""


class RuleNeeds(ContentEntry, frozen=True, kw_only=True):
    """What a rule needs to be decided that a database may not hold."""

    input: str = ""
    """An entry of `external_inputs.toml`: what decides where a database does not hold the rule's
    metric."""
    measures: str = ""
    """For a rule without a metric: what would be compared with the thresholds, in words."""
    unit: str = ""
    """For a rule without a metric: the unit of its thresholds."""
    decide_with: ByVendor = field(default_factory=ByVendor)
    """Where the metric is a mere bound: the command that collects what decides."""


class RuleWorth(ContentEntry, frozen=True, kw_only=True):
    """What is said of the gain of removing a finding beside its bound, or why it has none."""

    besides: str = ""
    """What its step can save on top of the estimate, to follow `at most ...; `, or empty."""
    unbounded: str = ""
    """Why no profile bounds what its fix brings, where there is no estimator."""
    concerns: str = ""
    """A formula (see `time_formulas`) of the time that a finding without an estimate concerns."""
    explained_by: tuple[str, ...] = ()
    """Codes of rules that this one is a symptom of, where they have fired and are worth no less."""


class RuleTarget(ContentEntry, frozen=True, kw_only=True):
    """What the metric should reach, in its unit; never beyond the mildest threshold."""

    value: Number | None = None
    metric: str = ""
    """Metric that gives the value on a run, in place of one number for all."""
    within: str = ""
    """Metric of what the step reaches on a run, or empty: there is no target beyond that."""
    source: Line
    """Why that target."""


class RuleHead(ContentEntry, frozen=True, kw_only=True):
    """The front matter of a rule file."""

    title: Line
    metric: Line = ""
    """Empty for a rule that lacks its input."""
    direction: Direction
    """Whether large or small values are bad."""
    thresholds: Thresholds
    threshold_source: Line
    """Who published the threshold, or `proposed`."""
    headline: Line = ""
    """The fact in one short sentence, with `{value}`: what pages say first."""
    states: Line = ""
    """The measured fact in words, with `{value}` and `{metric.name}` for numbers."""
    also: tuple[AlsoClause, ...] = ()
    exact: tuple[ExactMetric, ...] = ()
    """The first measured one is judged in place of `metric`, always decided."""
    applies: Conditions = Conditions()
    """Where one of these does not hold the rule has nothing to say: not applicable."""
    gates: tuple[RuleGate, ...] = ()
    needs: RuleNeeds = RuleNeeds()
    worth: RuleWorth = RuleWorth()
    evidence: EvidenceTable = EvidenceTable(table="")
    cause: str
    """Node of the tree of causes, such as `host.data`; empty for rules on the data's quality."""
    estimator: str = ""
    """What bounds the gain: a function of `perfolio.findings.estimates`, or empty."""
    chart: str = ""
    """What shows it: a module of `perfolio.charts.gallery`, or empty."""
    effort: Effort
    """What the fix takes one person who knows the program."""
    who: Who = "developer"
    """Who can do it."""
    after: tuple[str, ...] = ()
    """Codes of rules whose fix should come first."""
    risk: Line
    """What can go wrong with the fix, in one sentence."""
    target: RuleTarget = RuleTarget(source="")


class Rule(RuleHead, frozen=True, kw_only=True):
    """One Markdown file: what is checked, against what, and the advice."""

    code: str
    slug: str
    sections: Mapping[str, str]
    """Markdown by heading, the headings of `SECTIONS`."""
    input: ExternalInput | None = None
    """What `needs` names."""
    ceiling: bool = False
    """Whether what is judged is the opposite bound, which the rule's own metric cannot exceed."""
    first: Line = ""
    """What to find out on this run before anything is changed, as an `also` says."""
    defaults: tuple[Threshold, ...] = ()
    """The thresholds of the rule file, where a project replaced them."""

    @property
    def phase(self) -> Phase:
        """Where the fix belongs in a plan, by what it takes."""
        return _PHASE_OF[self.effort]
