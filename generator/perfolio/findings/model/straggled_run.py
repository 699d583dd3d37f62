"""What a run of several ranks loses as its ranks are not alike, and which part to mend.

In:  nothing. Out: the types, which `perfolio.prediction.stragglers` fills, as findings know no
     store.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    slowdown: float = 0.0
    """An iteration over the ideal one, in which the same work takes the same time [ratio]."""
    error: float = 0.0
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
    lost: float = 0.0
    """What is lost of an iteration [ratio]."""
