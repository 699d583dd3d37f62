"""Where names fit in a scatter plot: beside their mark, on nothing else.

Positions are parts of the plot's width and height, from its lower left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Side = Literal["left", "right"]
Point = tuple[float, float]

CHARACTER = 0.014
"""Width of a character in a plot of medium width."""
NARROW_CHARACTER = 0.022
"""The same on a telephone, for text that must not be cut."""
LONGEST = 0.42
"""Longest name: longer ones are cut."""
HALF_LINE = 0.03
"""Half the height of a line of text."""
GAP = 0.035
"""Between the middle of a mark and its name."""


@dataclass(frozen=True)
class TextBox:
    """A place that text takes."""

    left: float
    right: float
    bottom: float
    top: float

    def holds(self, point: Point) -> bool:
        """Whether `point` lies in it."""
        return self.left <= point[0] <= self.right and self.bottom <= point[1] <= self.top

    def meets(self, other: TextBox) -> bool:
        """Whether the two overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top


def estimate_text_width(characters: int) -> float:
    """Width of a text, as a part of the plot's; with some room, so that it is not cut."""
    return min(LONGEST, CHARACTER * (characters + 2))


def find_emptiest(boxes: Sequence[TextBox], points: Sequence[Point]) -> int:
    """Index of the box with the fewest points, the first of several."""
    counts = [sum(box.holds(point) for point in points) for box in boxes]
    return counts.index(min(counts))


def place_labels(
    points: Sequence[Point], lengths: Sequence[int], most: int, taken: Iterable[TextBox] = ()
) -> dict[int, Side]:
    """Which points to name on which side: the first `most` that find room.

    `lengths` are characters of the names; no name lies on a point or on a box of `taken`.
    """
    boxes = list(taken)
    sides: dict[int, Side] = {}
    for index, (point, length) in enumerate(zip(points, lengths, strict=True)):
        if len(sides) == most:
            break
        for side, box in _list_candidates(point, estimate_text_width(length)):
            if _is_free(box, boxes, points):
                boxes.append(box)
                sides[index] = side
                break
    return sides


def _list_candidates(
    point: Point, width: float
) -> tuple[tuple[Side, TextBox], tuple[Side, TextBox]]:
    x, y = point
    bottom, top = y - HALF_LINE, y + HALF_LINE
    return (
        ("right", TextBox(x + GAP, x + GAP + width, bottom, top)),
        ("left", TextBox(x - GAP - width, x - GAP, bottom, top)),
    )


def _is_free(box: TextBox, boxes: Sequence[TextBox], points: Sequence[Point]) -> bool:
    inside = box.left >= 0.0 and box.right <= 1.0
    return (
        inside
        and not any(box.meets(other) for other in boxes)
        and not any(box.holds(point) for point in points)
    )
