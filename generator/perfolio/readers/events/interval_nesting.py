"""How intervals of a line lie within each other, of all of them at once.

In:  begins and ends of intervals in order of their begins, of equal ones the outer one first.
Out: of each interval the first later one that begins when it has ended, and how many it lies in.

A stretch of intervals begins where none is open. In most stretches each interval ends within those
around it, and numbers of all follow from sorting alone; only in others, where some reach beyond the
end of what is around them, one interval is looked at after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
"""Of ranges or contexts: there are never so many that they take more bits."""


def find_followers(start: Ints, stop: Ints) -> Numbers:
    """The first later interval that begins when each has ended, or how many intervals there are."""
    follower = np.empty(len(start), np.int32)
    follower[:] = np.maximum(np.searchsorted(start, stop), np.arange(1, len(start) + 1))
    return follower


def count_open(follower: Numbers) -> Numbers:
    """How many intervals have begun, and not ended, when each begins."""
    count = len(follower)
    ended = np.bincount(follower, minlength=count + 1)[:count].cumsum()
    return np.asarray(np.arange(count) - ended, np.int32)


def find_crossed_stretches(follower: Numbers, depth: Numbers) -> Iterator[slice]:
    """The stretches in which some interval ends after one that it begins in.

    Where none does, what follows an interval lies in no more intervals than it does.
    """
    crossed = np.flatnonzero(np.append(depth, 0)[follower] > depth)
    if not len(crossed):
        return
    edges = np.append(np.flatnonzero(depth == 0), len(depth))
    for number in np.unique(np.searchsorted(edges, crossed, side="right")).tolist():
        yield slice(int(edges[number - 1]), int(edges[number]))


def cut_followers(follower: Numbers, depth: Numbers) -> bool:
    """Let intervals end with those that they begin in; whether any had to."""
    stretches = [*find_crossed_stretches(follower, depth)]
    for stretch in stretches:
        ends = [len(follower)]
        cut = follower[stretch].tolist()
        for place, end in enumerate(cut):
            while ends[-1] <= stretch.start + place:
                ends.pop()
            cut[place] = min(end, ends[-1])
            ends.append(cut[place])
        follower[stretch] = cut
    return bool(stretches)
