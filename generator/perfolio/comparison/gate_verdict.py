"""What a gate says of a group of runs: figures one by one, and one verdict. Types alone.

In:  nothing. Out: `GateFigure`, `GateVerdict`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perfolio.common.units import quantity

FigureOutcome = Literal["worse", "better", "same", "told", "unknown"]
"""A figure that is told is information; one that is unknown was not measured alike."""
GateState = Literal["worse", "fine", "cannot tell"]


@dataclass(frozen=True)
class GateFigure:
    """One figure of two groups of runs. More is worse."""

    name: str
    title: str
    outcome: FigureOutcome
    unit: str = "count"
    before: float | None = None
    """Of a counted figure the most that a run of the baseline has."""
    after: float | None = None
    """Of a counted figure the least that a run of the checked ones has."""
    reason: str = ""
    """Why it is unknown, or what else is to be said of it."""

    @property
    def words(self) -> str:
        """One sentence with both numbers and their difference, or the reason."""
        if self.before is None or self.after is None:
            return f"{self.reason}."
        before, after = (quantity(value, self.unit) for value in (self.before, self.after))
        if self.after == self.before:
            return f"{after}, as before.{self._more}"
        return f"{after}, before {before}: {self.difference}.{self._more}"

    @property
    def difference(self) -> str:
        """`3 more (+16.7 %)`; empty where a side has no number."""
        if self.before is None or self.after is None:
            return ""
        more = self.after - self.before
        how = "more" if more > 0 else "less"
        share = quantity(abs(more / self.before), "ratio") if self.before else ""
        signed = f" ({'+' if more > 0 else '-'}{share})" if share else ""
        return f"{quantity(abs(more), self.unit)} {how}{signed}"

    @property
    def _more(self) -> str:
        return f" {self.reason}." if self.reason else ""


@dataclass(frozen=True)
class GateVerdict:
    """Runs held against a baseline."""

    against: str
    """What the baseline is called."""
    runs: tuple[int, int]
    """How many of the baseline, and how many are checked."""
    figures: tuple[GateFigure, ...]
    doubts: tuple[str, ...] = ()
    """Why there is no verdict; empty where there is one."""

    @property
    def worse(self) -> Sequence[GateFigure]:
        """The figures that are worse."""
        return self.having("worse")

    @property
    def state(self) -> GateState:
        """Worse where one figure is, whatever else is unknown."""
        if self.worse:
            return "worse"
        return "cannot tell" if self.doubts else "fine"

    def having(self, outcome: FigureOutcome) -> list[GateFigure]:
        """Figures of one outcome."""
        return [figure for figure in self.figures if figure.outcome == outcome]

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        if self.worse:
            names = ", ".join(f"{one.title[0].lower()}{one.title[1:]}" for one in self.worse)
            return f"Worse than {self.against}: {names}."
        if self.doubts:
            return f"Cannot be told against {self.against}: {'; '.join(self.doubts)}."
        judged = len(self.having("same")) + len(self.having("better"))
        were = "figure is" if judged == 1 else "figures are"
        return f"Not worse than {self.against}: {judged} {were} equal or better."
