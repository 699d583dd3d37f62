"""Places: scales from values to pixels and colours, boxes, and how wide texts are.

Scales are those of d3-scale. vl-convert knows no font by the name that charts have, and takes for
each byte of a text, with its quotes as JSON, the width of a zero in Liberation Sans: 1139 of 2048.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from perfolio.charts.drawing.number_formats import compute_tick_increment

_ZERO = 1139 / 2048
_ELLIPSIS = "…"
_BLANKS = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What JavaScript trims."""


@dataclass
class Box:
    """A rectangle that grows [px]; empty at first."""

    left: float = math.inf
    top: float = math.inf
    right: float = -math.inf
    bottom: float = -math.inf

    def add(self, x: float, y: float) -> Box:
        """Hold a point, too."""
        self.left, self.right = min(self.left, x), max(self.right, x)
        self.top, self.bottom = min(self.top, y), max(self.bottom, y)
        return self

    def include(self, other: Box) -> Box:
        """Hold another box, too."""
        self.left, self.right = min(self.left, other.left), max(self.right, other.right)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        return self

    def expand(self, distance: float) -> Box:
        """Grow on each side."""
        return Box(
            self.left - distance, self.top - distance, self.right + distance, self.bottom + distance
        )

    def move(self, x: float, y: float) -> Box:
        """The same elsewhere."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def clip(self, width: float, height: float) -> Box:
        """What of it lies in a view."""
        return Box(
            max(self.left, 0.0), max(self.top, 0.0),
            min(self.right, width), min(self.bottom, height),
        )  # fmt: skip


@dataclass(frozen=True)
class TextLook:
    """What decides how much room a text takes."""

    size: float
    align: str = "left"
    baseline: str = "alphabetic"
    limit: float = 0.0
    """Width from which on a text is cut [px]; 0: never."""

    @property
    def drop(self) -> int:
        """From the place of a text down to its baseline [px]."""
        size, line = self.size, self.size + 2
        return math.floor(
            {
                "top": 0.79 * size,
                "middle": 0.30 * size,
                "bottom": -0.21 * size,
                "line-top": 0.29 * size + 0.5 * line,
                "line-bottom": 0.29 * size - 0.5 * line,
            }.get(self.baseline, 0.0)
            + 0.5
        )

    def measure(self, text: str) -> float:
        """The width of a text [px], as Vega estimates it."""
        if not text.strip() or self.size <= 0:
            return 0.0
        whole = len(json.dumps(text, ensure_ascii=False).encode()) * _ZERO * self.size
        return min(whole, self.limit) if self.limit > 0 else whole

    def fit(self, text: str) -> str:
        """A text that is cut where it is wider than the limit."""
        text = text.strip(_BLANKS)
        if not (self.limit > 0 and text) or self.measure(text) < self.limit:
            return text
        room = self.limit - self.measure(_ELLIPSIS)
        low, high = 0, len(text)
        while low < high:
            middle = 1 + (low + high) // 2
            if self.measure(text[:middle]) < room:
                low = middle
            else:
                high = middle - 1
        return text[:low] + _ELLIPSIS

    def find_box(self, text: str, x: float, y: float) -> Box:
        """The box around a text at a place."""
        width = self.measure(text)
        left = x - {"center": width / 2, "right": width}.get(self.align, 0.0)
        top = y + self.drop - math.floor(0.8 * self.size + 0.5)
        return Box(left, top, left + width, top + self.size)


Domain = tuple[float, float]

_TICKS = 10
_MOST_ROUNDS = 10


@dataclass(frozen=True)
class PlaceScale:
    """From numbers to places [px]: linear, or by logarithm."""

    domain: Domain
    places: tuple[float, float]
    """Where the ends of the domain are."""
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; outside of the domain too."""
        (first, last), (begin, end) = self.domain, self.places
        if last < first:
            first, last, begin, end = last, first, end, begin
        part = self._find_part(value, first, last)
        return begin * (1 - part) + end * part

    def _find_part(self, value: float, first: float, last: float) -> float:
        if self.is_log:
            if value <= 0:
                return math.nan
            value, first, last = math.log(value), math.log(first), math.log(last)
        span = last - first
        return (value - first) / span if span else (math.nan if math.isnan(span) else 0.5)

    @property
    def length(self) -> float:
        """Of the axis [px]."""
        return abs(self.places[1] - self.places[0])


@dataclass
class NameScale:
    """From names to colours or shapes, in turn."""

    range: Sequence[str]
    domain: list[str] = field(default_factory=list)

    def __call__(self, name: object) -> str:
        """What stands for a name. Raises ValueError where it is not in the domain."""
        return self.range[self.domain.index(str(name)) % len(self.range)]


def round_domain(domain: Domain) -> Domain:
    """A linear domain that ends at ticks: `nice` of d3-scale."""
    start, stop = domain
    before: float | None = None
    for _ in range(_MOST_ROUNDS):
        step = compute_tick_increment(start, stop, _TICKS)
        if step == before or not step:
            break
        if step > 0:
            start, stop = math.floor(start / step) * step, math.ceil(stop / step) * step
        else:
            start, stop = math.ceil(start * step) / step, math.floor(stop * step) / step
        before = step
    return start, stop


def pad_domain(domain: Domain, pixels: float, padding: float) -> Domain:
    """A linear domain that is longer by `padding` pixels on each side, over `pixels` of both."""
    factor = pixels / (pixels - 2 * padding)
    low, high = domain
    middle = (low + high) / 2
    return middle + (low - middle) * factor, middle + (high - middle) * factor
