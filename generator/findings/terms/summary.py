"""What the summary of a run says: key figures, how its time divides, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Rating = Literal["critical", "high", "medium", "good", "neutral", "unknown"]


@dataclass(frozen=True)
class KeyFigure:
    """A number of the summary with its rating."""

    metric: str
    rating: Rating
    comment: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the run's main time; `name` comes from the profile and is not trusted."""

    name: str
    value: float
    share: float
    metric: str
    """The table metric that it was read from."""


@dataclass(frozen=True)
class Breakdown:
    """How the run's main time divides; the shares of the parts add up to 1."""

    title: str
    of: str
    """What 100 % is, in words and with its amount."""
    unit: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Verdict:
    """The run in one short sentence, and what else a reader needs to judge it."""

    kind: str
    headline: str
    """What a reader has to know first, with two numbers at most."""
    sentence: str
    """The same with its numbers."""
    details: tuple[str, ...] = ()
