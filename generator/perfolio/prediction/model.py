"""What a prediction says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PredictedFigure:
    """A value in the base unit of `unit`, with the ends of its interval where it has one."""

    name: str
    value: float
    unit: str
    """As in `perfolio.common.units`, or `duration` for seconds that are told in hours or days."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PredictedTable:
    """Rows of figures under titles; the first cell is a name."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[PredictedFigure | str]]


@dataclass(frozen=True)
class Prediction:
    """The answer, how it was computed, and what it rests on."""

    title: str
    answer: str
    """One sentence."""
    figures: Sequence[PredictedFigure]
    formulas: Sequence[str]
    assumptions: Sequence[str]
    tables: Sequence[PredictedTable] = field(default=())
