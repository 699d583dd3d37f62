"""What a change takes off the time of a run, and what several changes take off it together.

In:  cells that divide time or cost, and effects: which of these cells go, or how much of them.
Out: an upper bound of what any set of effects saves. There is no other rule on time that two
     findings share: a cell goes once, whoever ends it.

An effect without an amount takes all that matches it. One with an amount takes so much of what
the others leave of its cells, and which part of these is not known: where two such effects
concern the same cells they are taken to save different time, as far as there is some. So nothing
saves more than there is, a further effect never saves less, and no order matters.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

from msgspec import Struct

Texts = frozenset[str]


@dataclass(frozen=True)
class LedgerCell:
    """Time that is alike in when it passes, what runs, and which gap it is: see time.gpu_ledger."""

    period: str = ""
    state: str = ""
    beside: str = ""
    gap: str = ""
    seconds: float = 0.0
    """Of several GPUs the mean; of a whole of costs in its unit."""
    number: float = 0.0
    """How many intervals."""


class CellFilter(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cells: those whose texts are among these; None is any. In a file lists of texts."""

    period: Texts | None = None
    state: Texts | None = None
    beside: Texts | None = None
    gap: Texts | None = None

    def __contains__(self, cell: LedgerCell) -> bool:
        return (
            (self.period is None or cell.period in self.period)
            and (self.state is None or cell.state in self.state)
            and (self.beside is None or cell.beside in self.beside)
            and (self.gap is None or cell.gap in self.gap)
        )

    def __and__(self, other: CellFilter) -> CellFilter:
        return CellFilter(
            _combine_texts(self.period, other.period),
            _combine_texts(self.state, other.state),
            _combine_texts(self.beside, other.beside),
            _combine_texts(self.gap, other.gap),
        )


def _combine_texts(one: Texts | None, other: Texts | None) -> Texts | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


@dataclass(frozen=True)
class ChangeEffect:
    """What a change takes of some cells: all of them, or so much."""

    where: CellFilter
    most: float = math.inf
    is_mean: bool = True
    """Whether its amount is a mean over GPUs, and not of the rank that decides."""


def sum_cells(cells: Iterable[LedgerCell], where: CellFilter) -> float:
    """All time of the cells that match."""
    return math.fsum(cell.seconds for cell in cells if cell in where)


def compute_saved(effects: Iterable[ChangeEffect], cells: Iterable[LedgerCell]) -> float:
    """What all effects together save of the cells at most.

    First those that take all of their cells, each cell once; of the others as much as fits into
    what is left.
    """
    amounts: dict[CellFilter, float] = defaultdict(float)
    for effect in effects:
        amounts[effect.where] += effect.most
    sure, rooms = [0.0], defaultdict[frozenset[CellFilter], float](float)
    for cell in cells:
        asking = frozenset(where for where in amounts if cell in where)
        if any(math.isinf(amounts[where]) for where in asking):
            sure.append(cell.seconds)
        elif asking:
            rooms[asking] += cell.seconds
    groups = _group_asking(rooms)
    return math.fsum([*sure, *(_compute_fitting(group, amounts, rooms) for group in groups)])


def _group_asking(rooms: Iterable[frozenset[CellFilter]]) -> list[frozenset[CellFilter]]:
    """Who asks for cells that others of the group ask for, too."""
    groups: list[frozenset[CellFilter]] = []
    for asking in rooms:
        touching = [group for group in groups if group & asking]
        rest = [group for group in groups if not group & asking]
        groups = [*rest, asking.union(*touching)]
    return groups


def _compute_fitting(
    group: frozenset[CellFilter],
    amounts: Mapping[CellFilter, float],
    rooms: Mapping[frozenset[CellFilter], float],
) -> float:
    """The most that amounts can put into their cells.

    Any part of the group saves no more than its cells hold, and the rest no more than it asks for:
    the least of these bounds is reached (Ford and Fulkerson, 1956: maximum flow, minimum cut).
    """
    parts = chain.from_iterable(combinations(group, size) for size in range(len(group) + 1))
    return min(
        math.fsum(
            [
                *(amounts[where] for where in group.difference(part)),
                *(size for asking, size in rooms.items() if not asking.isdisjoint(part)),
            ]
        )
        for part in parts
    )
