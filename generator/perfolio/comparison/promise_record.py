"""What a report promised of its steps, and what came of each: types, and words alone.

In:  nothing. Out: `PromisedStep`, `StepOutcome`, `PairOutcome`; `ShownStep`, a row for readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from perfolio.common.units import quantity
from perfolio.findings.model.step_replay import ExpectationMethod

WholeName = Literal["iteration", "wall", "other"]
OutcomeKind = Literal[
    "kept", "exceeded-bound", "fell-short", "not-taken", "may-have-been-taken", "cannot-tell"
]
WHOLES = {"iteration": "of an iteration", "wall": "of wall time", "other": "of another whole"}
"""Words for what a share is a part of."""
TAKEN = ("kept", "exceeded-bound", "fell-short")
"""Kinds of outcomes of steps that were taken, and whose saving was measured."""
_ANY_RUN = "a run"
OUTCOMES = {
    "kept": "kept",
    "exceeded-bound": "exceeded its bound: the bound was wrong, or more was changed",
    "fell-short": "fell short",
    "not-taken": "not taken",
    "may-have-been-taken": "may have been taken",
    "cannot-tell": "cannot be told",
}


@dataclass(frozen=True)
class ReplayedRange:
    """What a replay said that a step saves of an iteration, with its error on either side."""

    low: float
    """At least [ratio]; below 0 it takes longer."""
    high: float
    is_plain: bool
    """Whether that is of an iteration without the profiler."""


@dataclass(frozen=True)
class PromisedStep:
    """A step of a report, and what it said that the step saves, as a part of one whole."""

    code: str
    slug: str
    title: str
    cause: str
    whole: WholeName
    bound: float
    """What it saves at most [ratio]."""
    low: float | None
    """What the report expected at least; None where that was nothing but the bound [ratio]."""
    high: float | None
    value: float | None
    """Of its metric, before."""
    threshold: float | None
    said: str = ""
    """What the report said, where `bound` is that of another whole: 45.0 % of wall time."""
    is_replayed: bool = False
    """Whether the range is of a replay of the run, and not of what such steps reached elsewhere."""
    is_plain: bool = False
    """Whether the range is of an iteration without the profiler."""

    @property
    def range(self) -> tuple[float, float] | None:
        """What was expected; None where that is not known, or what one case reached [ratio]."""
        if self.low is None or self.high is None:
            return None
        return (self.low, self.high) if self.is_replayed or self.low != self.high else None

    @property
    def method(self) -> ExpectationMethod:
        """By what the report promised it."""
        if self.is_replayed:
            return "replay"
        return "bound" if self.low is None else "share"


@dataclass(frozen=True)
class StepOutcome:
    """What came of a step."""

    step: PromisedStep
    kind: OutcomeKind
    saved: float | None = None
    """What the runs saved of the step's whole; None where that was not measured [ratio]."""
    together: tuple[str, ...] = ()
    """Codes of other steps that were taken in the same runs: what is saved is of all."""
    reason: str = ""
    plain: float | None = None
    """The same of an iteration without the profiler, where the step's range is of that [ratio]."""
    doubt: float = 0.0
    """By how much what was saved may be off: half of its interval, where a replay is judged."""

    @property
    def measured(self) -> float | None:
        """What was saved of what the step's range is of; None where that was not measured."""
        return self.plain if self.step.is_plain else self.saved

    @property
    def is_alone(self) -> bool:
        """Whether the step was taken, and no other one."""
        return self.kind in TAKEN and not self.together

    @property
    def in_range(self) -> bool | None:
        """Whether the saving lies in what was expected; None where nothing is told of this step.

        What several steps saved together tells nothing of the range of each, and what one case
        reached is no range. A replay has no spread of cases, so what is measured has its doubt.
        """
        if not self.is_alone or self.measured is None or self.step.range is None:
            return None
        low, high = self.step.range
        return low - self.doubt <= self.measured <= high + self.doubt

    @property
    def words(self) -> str:
        """One sentence: the step, its outcome, and both numbers."""
        step, parts = self.step, [f"{self.step.code} {self.step.title}: {OUTCOMES[self.kind]}"]
        if self.saved is not None and self.kind != "not-taken":
            whole = WHOLES[step.whole]
            verb = "saved" if self.saved >= 0.0 else "lost"
            parts.append(f"the runs {verb} {quantity(abs(self.saved), 'ratio')} {whole}")
        promised = f"it can save {quantity(step.bound, 'ratio')} at most"
        promised += f" (the report: {step.said})" if step.said else ""
        if step.low is not None and step.high is not None:
            low, high = (quantity(end, "ratio") for end in (step.low, step.high))
            told = "replayed" if step.is_replayed else "usually" if low != high else "once"
            promised += f", {told} {low}{' to ' + high if low != high else ''}"
            promised += " without the profiler" if step.is_plain else ""
        parts.append(promised)
        if self.together:
            parts.append(f"together with {', '.join(self.together)}")
        return "; ".join([*parts, *([self.reason] if self.reason else [])]) + "."


@dataclass(frozen=True)
class PairOutcome:
    """What came of all steps of a report, between two groups of runs."""

    before: str
    """Short name of the run."""
    after: str
    digests: tuple[str, str]
    """Of the recordings on each side: what the pair is known by."""
    steps: tuple[StepOutcome, ...]
    """In the order of what they save at most, the largest first."""
    reason: str = ""
    """Why no step is judged; empty where they are."""
    recorded: str = ""
    """The day on which the last run after was recorded, in UTC; empty where that is not known."""
    members: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Digests of all recordings on each side; none in what an earlier version kept."""

    def rests_on(self, report: str) -> bool:
        """Whether this came of the report of the recording with that digest."""
        return report == self.digests[0] or report in self.members[0]


def describe_outcome(outcome: StepOutcome) -> dict[str, Any]:
    """An outcome as comparison.json has it."""
    step = asdict(outcome.step)
    told = ("code", "slug", "title", "cause", "whole", "bound", "low", "high", "said", "is_plain")
    return {name: step[name] for name in told} | {
        "method": outcome.step.method,
        "plain": outcome.plain,
        "kind": outcome.kind,
        "saved": outcome.saved,
        "in_range": outcome.in_range,
        "together": list(outcome.together),
        "reason": outcome.reason,
        "sentence": outcome.words,
    }


@dataclass(frozen=True)
class NamedRun:
    """A run as a page names it."""

    name: str
    slug: str = ""
    """Folder of its report beside the page; empty where there is none."""


@dataclass(frozen=True)
class ShownStep:
    """A step, what came of it, and between which runs."""

    outcome: StepOutcome
    before: NamedRun
    after: NamedRun
    recorded: str
    """As in `PairOutcome`."""
    reason: str

    @property
    def is_taken(self) -> bool:
        """Whether it was taken, and what was saved is known."""
        return self.outcome.kind in TAKEN and self.outcome.saved is not None

    @property
    def saved(self) -> float:
        """What the runs saved, of a step that was taken [ratio]."""
        return self.outcome.saved or 0.0

    @property
    def runs(self) -> str:
        """Both in words."""
        return f"{self.before.name}, then {self.after.name}"


def list_shown_steps(
    pairs: Sequence[PairOutcome], known: Mapping[str, NamedRun], *, shared: bool = False
) -> list[ShownStep]:
    """All steps in the order in which their pairs were kept.

    `known` are runs by the digest of their recording. Of what is `shared` with others, no other
    run is named, and of what differs between runs no values are told.
    """

    def name(digest: str, slug: str) -> NamedRun:
        return known.get(digest) or NamedRun(_ANY_RUN if shared else slug or _ANY_RUN)

    return [
        ShownStep(
            outcome,
            name(pair.digests[0], pair.before),
            name(pair.digests[1], pair.after),
            pair.recorded,
            outcome.reason.partition(",")[0] if shared else outcome.reason,
        )
        for pair in pairs
        for outcome in pair.steps
    ]
