"""What a replay of the run says of steps: each alone, and one after the other.

In:  nothing. Out: the types, which `perfolio.prediction.replay` fills, as findings know no store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from perfolio.findings.model.straggled_run import StraggledRun


@dataclass(frozen=True)
class ReplayedShare:
    """What is saved of an iteration."""

    low: float
    """At worst [ratio]; below 0 it takes longer."""
    high: float
    """At best [ratio]."""


@dataclass(frozen=True)
class ReplayedStep:
    """One change that stands for steps of a roadmap, replayed."""

    codes: tuple[str, ...]
    """Of the steps, as the roadmap had them."""
    change: str
    """Its name: `perfolio whatif --change`."""
    title: str
    alone: ReplayedShare
    error: float
    """Twice the standard error of what it saves alone [ratio]."""
    added: float
    """The sum of what the changes up to this one save alone, in the middle [ratio]."""
    together: ReplayedShare
    """What the changes up to this one save together."""
    is_nothing: bool
    """Whether what it saves alone shows in no iteration."""


@dataclass(frozen=True)
class ReplayedResource:
    """What an iteration gains where one resource takes 10 % less: what stops more."""

    title: str
    now: float
    """Of an iteration as it is [ratio]."""
    after: float
    """Of one after all steps [ratio]."""


@dataclass(frozen=True)
class StepReplay:
    """A run, replayed with its steps."""

    reason: str
    """Why nothing is replayed; empty where it is."""
    unexplained: float
    """Share of the time that neither streams nor calls explain [ratio]."""
    recorded: float
    """An iteration as it was recorded [s]."""
    plain: float | None
    """The same without the profiler, where that is known [s]."""
    host: float
    """Factor of the host's work by which the profiler's cost is taken off [ratio]."""
    unchanged: float
    """An iteration of the replay without a change [s]."""
    iterations: int
    steps: tuple[ReplayedStep, ...] = ()
    """In the order in which they save most together."""
    resources: tuple[ReplayedResource, ...] = ()
    """From what stops most."""


class AskReplay(Protocol):
    """Replays of one run."""

    def __call__(self, codes: Sequence[str]) -> StepReplay | None:
        """With steps of these codes; None where calls were not recorded, or none has a change."""

    def find_stragglers(self, ranks: float) -> StraggledRun | None:
        """Who holds up the others of so many ranks; None of one, or where no GPU is traced."""
