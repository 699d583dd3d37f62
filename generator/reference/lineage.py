"""The picture of what models read: a column per room, drawn from the models alone.

In:  names by column, and who reads what. Out: SVG that is part of a page, in the page's colours.

The same models give the same picture. Lines that a longer way stands for are left out: the tables
of the page have them all.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_PITCH, _ROW, _TOP, _MARGIN = 236, 18, 40, 8
_LETTER = 6.3
_PASSES = 8

Reads = Mapping[str, AbstractSet[str]]


@dataclass(frozen=True)
class Place:
    """Where a name stands: its left end, its right end and its line."""

    left: float
    right: float
    line: float


def drawn(columns: Mapping[str, Sequence[str]], reads: Reads, bold: AbstractSet[str]) -> str:
    """The picture of these columns; names in `bold` are kept in a store."""
    places = _places(ordered(columns, reads))
    width = _PITCH * len(columns) + _MARGIN
    height = max(place.line for place in places.values()) + _ROW
    size = f'width="{width}" height="{height:.0f}" viewBox="0 0 {width} {height:.0f}"'
    words = f'role="img" aria-label="{_LABEL}" font-size="11" fill="currentColor"'
    # At its own size: names are to be read, and the page lets it be moved.
    words += ' style="max-width: none"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {words}>',
        *_lines(places, reduced(reads), bold),
        *_heads(list(columns)),
        *_names(places, bold),
        "</svg>",
    ]
    return "\n".join(parts)


_LABEL = (
    "Which model reads which: tables of the source at the left, then a column for each room; "
    "the tables below say the same in words"
)


def reduced(reads: Reads) -> dict[str, list[str]]:
    """What each name reads, without what another one that it reads leads to."""
    return {
        name: sorted(one for one in found if not any(one in _above(reads, via) for via in found))
        for name, found in reads.items()
    }


def ordered(columns: Mapping[str, Sequence[str]], reads: Reads) -> dict[str, list[str]]:
    """The columns with their names near to what they read and to what reads them."""
    found = {title: sorted(names) for title, names in columns.items()}
    joined: dict[str, set[str]] = {}
    for name, sources in reads.items():
        for source in sources:
            joined.setdefault(name, set()).add(source)
            joined.setdefault(source, set()).add(name)
    heights: dict[str, float] = {}
    for names in found.values():
        heights |= _heights(names)
    for _ in range(_PASSES):
        for title, names in found.items():
            found[title] = sorted(names, key=lambda one: (_mean(joined, heights, one), one))
            heights |= _heights(found[title])
    return found


def _heights(names: Sequence[str]) -> dict[str, float]:
    return {name: (place + 0.5) / len(names) for place, name in enumerate(names)}


def _mean(joined: Reads, heights: Mapping[str, float], name: str) -> float:
    near = sorted(heights[one] for one in joined.get(name, ()) if one in heights)
    return sum(near) / len(near) if near else heights[name]


def _above(reads: Reads, name: str) -> set[str]:
    """All that a name reads, also by what it reads."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(reads.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def _places(columns: Mapping[str, Sequence[str]]) -> dict[str, Place]:
    tallest = max(map(len, columns.values()))
    return {
        name: Place(
            left := _MARGIN + column * _PITCH,
            left + len(name) * _LETTER + 4,
            _TOP + ((row + 0.5) * tallest / len(names) + 0.5) * _ROW,
        )
        for column, names in enumerate(columns.values())
        for row, name in enumerate(names)
    }


def _lines(
    places: Mapping[str, Place], reads: Mapping[str, Sequence[str]], bold: AbstractSet[str]
) -> Iterator[str]:
    yield '<g fill="none" stroke="currentColor" aria-hidden="true">'
    for name, sources in reads.items():
        for source in sources:
            strength = 0.45 if {name, source} <= bold else 0.2
            path = _curve(places[source], places[name])
            yield f'<path d="{path}" stroke-opacity="{strength}"/>'
    yield "</g>"


def _curve(start: Place, end: Place) -> str:
    """From the right of a name to the left of one in another column, or to the right in its own."""
    goal = end.left - 3 if end.left > start.left else end.right
    bend = max(goal - start.right, 48) / 2
    back = goal - bend if end.left > start.left else max(start.right, end.right) + 24
    first = start.right + bend if end.left > start.left else back
    a, b = start.line - 4, end.line - 4
    return f"M{start.right:.0f} {a:.0f}C{first:.0f} {a:.0f} {back:.0f} {b:.0f} {goal:.0f} {b:.0f}"


def _heads(titles: Sequence[str]) -> Iterator[str]:
    for column, title in enumerate(titles):
        left = _MARGIN + column * _PITCH
        yield f'<text x="{left}" y="20" font-size="13">{html.escape(title)}</text>'


def _names(places: Mapping[str, Place], bold: AbstractSet[str]) -> Iterator[str]:
    for name, place in places.items():
        weight = ' font-weight="bold"' if name in bold else ""
        yield f'<text x="{place.left}" y="{place.line:.0f}"{weight}>{html.escape(name)}</text>'
