"""The steps of all pairs of a project as rows for readers, with the names of their runs.

In:  outcomes of pairs, and the runs that readers know by another name. Out: `ShownStep`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perfolio.comparison.promise_record import PairOutcome, StepOutcome

TAKEN = ("kept", "exceeded-bound", "fell-short")
"""Kinds of outcomes of steps that were taken, and whose saving was measured."""
_ANY_RUN = "a run"


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
