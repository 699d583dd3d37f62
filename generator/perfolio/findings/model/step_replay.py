"""What a replay of the run says: of steps, and of ranks that are not alike.

In:  nothing. Out: the types, which `perfolio.prediction.replay` fills, as findings know no store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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
class ReplayedTimeline:
    """One iteration before and after all changes, as columns of marks."""

    before: float
    """How long it is [s]."""
    after: float
    is_after: tuple[bool, ...]
    """Of each mark whether it is of the iteration with the changes."""
    lane: tuple[str, ...]
    kind: tuple[str, ...]
    """Of the host work, call or wait; of streams the kind of operation."""
    start: tuple[float, ...]
    """Since the iteration's first operation began [s]."""
    stop: tuple[float, ...]
    share: tuple[float, ...]
    """How much of it is busy; below 1 where it is a slice of time [ratio]."""


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
    is_recording: bool = False
    """Whether nothing marks iterations, so that the whole recording is replayed as one."""
    steps: tuple[ReplayedStep, ...] = ()
    """In the order in which they save most together."""
    resources: tuple[ReplayedResource, ...] = ()
    """From what stops most."""
    timeline: ReplayedTimeline | None = None
    """None where no iteration can be drawn."""


NOTABLE = 1.02
"""Up to this slowdown nothing is worth mending: a replay is off by up to 0.5 % [ratio]."""


@dataclass(frozen=True)
class MendedPart:
    """A part of the work that is made alike, alone."""

    key: str
    """Of a cause its name, of a rank its number."""
    title: str
    slowdown: float | None
    """An iteration with this part as recorded and all else ideal, over the ideal one [ratio];
    none of what is no part of the work."""
    recovers: float
    """What mending it alone saves, of all that is lost [ratio]."""


@dataclass(frozen=True)
class StraggledRun:
    """Iterations as they are, and with ranks that are alike."""

    reason: str
    """Why it is not known; empty where it is."""
    advice: str = ""
    """What to do, in a sentence."""
    slowdown: float | None = None
    """An iteration over the ideal one, in which the same work takes the same time [ratio]."""
    error: float | None = None
    """Twice its standard error, as iterations differ [ratio]."""
    iterations: int = 0
    recorded: int = 0
    """Ranks that are held against each other."""
    stages: int = 1
    cause: str = ""
    """Which of `causes` recovers most, by key; empty where nothing is notable."""
    rank: int | None = None
    """The rank whose mending alone recovers half or more; none where no rank is to blame."""
    on_host: bool = False
    """Whether that rank is late by its host's work rather than by its GPU's."""
    causes: tuple[MendedPart, ...] = ()
    """Computing made alike among iterations of a rank, ranks of a stage, or stages; transfers."""
    ranks: tuple[MendedPart, ...] = ()
    """From the one that recovers most."""
    kinds: tuple[MendedPart, ...] = ()
    """Kinds of operations, from the one that recovers most."""
    lost: float | None = None
    """What is lost of an iteration [ratio]."""


class AskReplay(Protocol):
    """Replays of one run."""

    def __call__(self, codes: Sequence[str]) -> StepReplay | None:
        """With steps of these codes; None where calls were not recorded, or none has a change."""

    def find_stragglers(self, ranks: float) -> StraggledRun | None:
        """Who holds up the others of so many ranks; None of one, or where no GPU is traced."""
