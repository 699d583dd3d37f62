"""The shape of a tree of contexts: an order in which parents stand before their children.

The order is breadth first, so that siblings stand together and a level is a range. Sums
over children are then sums over ranges, level by level, and nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.writers.hpctoolkit.model import LEXICAL, LOOP, Database

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
ID_LIMIT = 1 << 32


@dataclass(frozen=True)
class ContextOrder:
    """Contexts in breadth-first order below context 0, which is at position 0."""

    ids: Ints
    """Id at each position."""
    parent: Ints
    """Position of the parent of each position; of context 0: 0."""
    levels: Ints
    """Where each level begins, and the end of the last."""
    position: Ints
    """Position of each id up to the largest; -1 for ids that are not in use."""


@dataclass(frozen=True)
class Topology:
    """What propagation needs: the order of all contexts, and what passes upwards."""

    order: ContextOrder
    lexical: Flags
    """By position: the parent encloses the context, so that its cost is the parent's too."""
    loop: Flags
    """By position: the context is a loop."""

    @property
    def size(self) -> int:
        """The largest id, plus one."""
        return len(self.order.position)


def build_topology(database: Database) -> Topology:
    """The order of all contexts of a database, unlisted ones included.

    Raises ValueError where ids are used twice or contexts hang below nothing.
    """
    tree, entries = database.tree, [entry.context for entry in database.entry_points]
    ids = np.concatenate([np.array(entries, np.int64), tree.context.astype(np.int64)])
    parents = np.concatenate([np.zeros(len(entries), np.int64), tree.parent.astype(np.int64)])
    lexical = np.concatenate([np.zeros(len(entries), bool), tree.relation == LEXICAL])
    loop = np.concatenate([np.zeros(len(entries), bool), tree.lexical_type == LOOP])
    order = sort_breadth_first(ids, parents)
    place = order.position[ids]
    return Topology(order, _place_flags(lexical, place), _place_flags(loop, place))


def _place_flags(flags: Flags, place: Ints) -> Flags:
    """Flags by position; context 0 has none."""
    found = np.zeros(len(flags) + 1, bool)
    found[place] = flags
    return found


def sort_breadth_first(ids: Ints, parents: Ints) -> ContextOrder:
    """The order of contexts with these ids and ids of parents (0: an entry point).

    Siblings stand in the order of their ids. Raises ValueError as `topology` does.
    """
    _check_ids(ids, parents)
    size = int(ids.max(initial=0)) + 1
    by_parent = np.lexsort((ids, parents))
    count = np.bincount(parents, minlength=size)
    start = np.cumsum(count) - count
    frontier, found, levels = np.zeros(1, np.int64), [], [0]
    up = [np.zeros(1, np.int64)]
    while len(frontier):
        found.append(frontier)
        below = count[frontier]
        up.append(np.repeat(levels[-1] + np.arange(len(frontier)), below))
        levels.append(levels[-1] + len(frontier))
        frontier = ids[by_parent[expand_ranges(start[frontier], below)]]
    order = np.concatenate(found)
    position = np.full(size, -1, np.int64)
    position[order] = np.arange(len(order))
    if len(order) != len(ids) + 1:
        lost = ids[position[ids] < 0]
        raise ValueError(f"context {lost.min()} is not below an entry point")
    return ContextOrder(order, np.concatenate(up), np.array(levels), position)


def _check_ids(ids: Ints, parents: Ints) -> None:
    if len(ids) and (ids.min() < 1 or ids.max() >= ID_LIMIT):
        raise ValueError("ids of contexts are above 0 and below 2^32")
    ordered = np.sort(ids)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        raise ValueError(f"context {twice[0]} is listed twice")
    known = np.zeros(int(parents.max(initial=0)) + 1, bool)
    known[ids[ids < len(known)]] = True
    known[0] = True
    unknown = parents[~known[parents]]
    if len(unknown):
        raise ValueError(f"context {unknown.min()} is a parent, but not listed")


def expand_ranges(starts: Ints, counts: Ints) -> Ints:
    """The whole numbers of ranges, one after another: (5, 9), (2, 1) gives 5 6 9."""
    total = int(counts.sum())
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(total)


def find_shown_parents(order: ContextOrder, unlisted: Flags) -> Ints:
    """Position of the nearest ancestor that is not unlisted, by position."""
    shown = order.parent.copy()
    for first, last in zip(order.levels[1:-1], order.levels[2:], strict=True):
        above = order.parent[first:last]
        shown[first:last] = np.where(unlisted[above], shown[above], above)
    return shown


def find_group_starts(keys: npt.NDArray[Any]) -> Ints:
    """Where runs of equal keys begin."""
    if not len(keys):
        return np.zeros(0, np.int64)
    return np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1])
