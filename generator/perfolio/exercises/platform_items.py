"""Items as quizzes of learning platforms know them: numbers, ticks, pairs, grids, words.

In:  what a sheet shows of an item, and its key. Out: one `Task`, which `export` writes.

Numbers are in the unit that the sheet prints. The first answer that fits a number counts, so the
order is that of `quantities`: right, known mistakes, slips, near.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.exercises.model import Json
from perfolio.exercises.number_keys import HALF, SLIPS

_FIRST = 2
"""Of factors of a slip, as many are exported: by 1000 and by 1/1000."""
_RANGE = (1e-9, 1e9)


@dataclass(frozen=True)
class AcceptedNumber:
    """A number, how far an answer may be from it, its share of the points, and what to say."""

    value: float
    within: float
    share: float
    says: str = ""


@dataclass(frozen=True)
class NumericalTask:
    """A number to type; `units` gives how many of each make one of `unit`."""

    numbers: tuple[AcceptedNumber, ...]
    unit: str
    units: Mapping[str, float]


@dataclass(frozen=True)
class TickOption:
    """Something to tick, its share of the points, and what to say."""

    says: str
    share: float
    because: str = ""


@dataclass(frozen=True)
class TickTask:
    """One or several of some options."""

    options: tuple[TickOption, ...]
    single: bool


@dataclass(frozen=True)
class PlaceTask:
    """For each stem one of `choices`: the places in it that are right."""

    stems: tuple[tuple[str, tuple[int, ...]], ...]
    choices: tuple[str, ...]


@dataclass(frozen=True)
class GridTask:
    """A table whose cells are words, or numbers to type."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | NumericalTask, ...], ...]


@dataclass(frozen=True)
class WordTask:
    """An answer in words, and what helps to grade it."""

    notes: tuple[str, ...]


@dataclass(frozen=True)
class NoteTask:
    """Nothing to answer."""

    lines: tuple[str, ...] = ()


Task = NumericalTask | TickTask | PlaceTask | GridTask | WordTask | NoteTask


def make_numerical_task(key: Mapping[str, Any]) -> NumericalTask:
    """A number of a key, or a cell of one."""
    factor = key["factor"]

    def between(low: float, high: float, share: float, says: str = "") -> AcceptedNumber:
        return AcceptedNumber((low + high) / 2.0 / factor, (high - low) / 2.0 / factor, share, says)

    right = [each for each in key["accept"] if each["share"] == 1.0]
    near = [each for each in key["accept"] if each["share"] != 1.0]
    numbers = [between(each["low"], each["high"], 1.0) for each in right]
    numbers += [between(one["low"], one["high"], 0.0, one["says"]) for one in key["wrong"]]
    numbers += [
        between(each["low"] / slip, each["high"] / slip, HALF)
        for name in key["slips"]
        for slip in SLIPS[name][:_FIRST]
        for each in right
    ]
    numbers += [between(each["low"], each["high"], HALF) for each in near]
    units = {name: factor / each for name, each in key["units"].items() if name}
    usable = {name: each for name, each in units.items() if _RANGE[0] <= each <= _RANGE[1]}
    return NumericalTask(tuple(numbers), str(key["printed"]), usable)


def make_tick_task(key: Mapping[str, Any], *, single: bool) -> TickTask:
    """Options of a key: of several, a wrong tick takes away what a right one gives."""
    share = 1.0 if single else 1.0 / len(key["right"])
    wrong = 0.0 if single else -share
    return TickTask(
        tuple(
            TickOption(
                each["says"],
                share if each["letter"] in key["right"] else wrong,
                each.get("because", ""),
            )
            for each in key["options"]
        ),
        single,
    )


def make_place_task(
    stems: Sequence[str], options: Sequence[Json], right: Sequence[Sequence[str]]
) -> PlaceTask:
    """Stems whose right letters are `right`."""
    letters = [each["letter"] for each in options]
    pairs = [
        (stem, tuple(letters.index(each) for each in taken))
        for stem, taken in zip(stems, right, strict=True)
    ]
    return PlaceTask(tuple(pairs), tuple(each["says"] for each in options))
