"""Names below a row of marks, each with a line up to its mark: which find room, and where.

Places are parts of the panel's width. Names stand in a few rows; none lies on another or on
another's line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from perfolio.charts.label_placement import estimate_text_width

LEVELS = 3
"""Rows of names."""


@dataclass(frozen=True)
class Callout:
    """A name of `length` characters for the mark at `part`, in row `level` of the names."""

    part: float
    length: int
    level: int

    @property
    def width(self) -> float:
        """Its room: on a telephone names are cut to it."""
        return estimate_text_width(self.length)

    @property
    def leftward(self) -> bool:
        """Whether it ends at its line instead of beginning there."""
        return self.part + self.width > 1.0

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.part - self.width if self.leftward else self.part

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.part if self.leftward else self.part + self.width

    def meets(self, other: Callout) -> bool:
        """Whether one lies on the other, or on the line that leads up from the other."""
        if self.level == other.level:
            return self.left < other.right and other.left < self.right
        upper, lower = (self, other) if self.level < other.level else (other, self)
        return upper.left <= lower.part <= upper.right


def place_callouts(parts: Sequence[float], lengths: Sequence[int], most: int) -> dict[int, Callout]:
    """The first `most` of the marks whose names find room, by their index."""
    placed: dict[int, Callout] = {}
    for index, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        if len(placed) == most:
            break
        options = (Callout(part, length, level) for level in range(LEVELS))
        free = next((each for each in options if _is_free(each, placed.values())), None)
        if free is not None:
            placed[index] = free
    return placed


def _is_free(name: Callout, placed: Iterable[Callout]) -> bool:
    return not any(name.meets(other) for other in placed)
