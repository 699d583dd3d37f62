"""What each form is made into: places of code in a tree, and what each thread spent there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import InputError

Floats = npt.NDArray[np.float64]
Kind = Literal["function", "inlined", "loop", "line"]
Statistic = Literal["sum", "mean", "min", "max", "count"]
ROOT = -1
"""The parent of places that nothing recorded calls."""
MOST_AMOUNTS = 50_000_000
"""Places times threads of one measure: 400 MB."""
NOISE = 1e-6
"""Of a total: what rounding makes of a difference that is none."""
OUTSIDE = "<outside of regions>"
"""What a thread did while in no region that the program marks."""


class CallPlace(NamedTuple):
    """A place of code, and by which it is reached."""

    parent: int
    """Position of what is around it or calls it, always before its own; or ROOT."""
    name: str
    kind: Kind = "function"
    module: str = ""
    file: str = ""
    line: int = 0


class CallThread(NamedTuple):
    """Who spent something; None where the tool does not tell, or adds several up."""

    rank: int | None = None
    thread: int | None = None
    are_ranks: bool = False
    """Whether ranks are added up, or their mean is taken."""

    @property
    def kind(self) -> str:
        """As in table profile: no bound of wall time follows from what is not one thread's."""
        if self.are_ranks:
            return "ranks"
        if self.thread is not None:
            return "CPU thread"
        return "other" if self.rank is None else "rank"


@dataclass(frozen=True)
class PlaceAmounts:
    """One measure, by thread (rows) and place (columns)."""

    measure: str
    amounts: Floats
    is_inclusive: bool
    """Whether an amount holds those of all places below."""


@dataclass(frozen=True)
class OverRanks:
    """A statistic of what ranks have, by place; NaN where the file has none."""

    measure: str
    statistic: Statistic
    """A count is of the ranks that entered the place."""
    is_inclusive: bool
    amounts: Floats


@dataclass(frozen=True)
class RankStatistics:
    """What a file tells of its ranks together, where it has no values of each."""

    number: int = 0
    """Ranks of the run; 0 where the file does not tell."""
    statistics: tuple[OverRanks, ...] = ()
    notes: tuple[str, ...] = ()

    def moved(self, numbers: list[int], count: int) -> RankStatistics:
        """At the new numbers of their places, of which there are so many."""
        found = []
        for each in self.statistics:
            amounts = np.full(count, np.nan)
            amounts[numbers[: len(each.amounts)]] = each.amounts
            found.append(replace(each, amounts=amounts))
        return replace(self, statistics=tuple(found))


@dataclass
class CostedCallTree:
    """A call tree with its costs."""

    places: list[CallPlace]
    threads: list[CallThread]
    measures: list[PlaceAmounts]
    notes: list[str] = field(default_factory=list)
    title: str = ""
    version: str = ""
    ranks: RankStatistics = field(default_factory=RankStatistics)

    def checked(self, path: object) -> CostedCallTree:
        """Itself. Raises InputError where amounts are missing, negative or no numbers."""
        if not self.places or not (self.measures or self.ranks.statistics):
            raise InputError(
                f"{path}: holds no time or event of any function",
                hint="record the program again, with a timer",
            )
        for each in self.measures:
            amounts = each.amounts
            if not np.isfinite(amounts).all() or (amounts < -NOISE * np.abs(amounts).max()).any():
                raise InputError(
                    f"{path}: {each.measure} has amounts that are negative or no numbers",
                    hint="record it again, or copy the whole file again",
                )
        return self


def compute_own_amounts(places: list[CallPlace], each: PlaceAmounts) -> tuple[Floats, float]:
    """What arises at each place itself, and by how much children exceeded their parents at most.

    A tool that measures a place with all below it says by that what both cost: statements and
    loops may repeat what their function has. The rest of an inclusive amount is the place's own.
    """
    if not each.is_inclusive:
        return np.maximum(each.amounts, 0.0), 0.0
    whole = np.maximum(each.amounts, 0.0)
    below, worst = np.zeros_like(whole), 0.0
    for position in range(len(places) - 1, -1, -1):
        over = below[:, position] - whole[:, position]
        worst = max(worst, float(over.max(initial=0.0)))
        whole[:, position] = np.maximum(whole[:, position], below[:, position])
        if places[position].parent != ROOT:
            below[:, places[position].parent] += whole[:, position]
    own = whole - below
    noise = NOISE * 1e-6 * float(whole.max(initial=0.0))
    own[own < noise] = 0.0
    return own, worst
