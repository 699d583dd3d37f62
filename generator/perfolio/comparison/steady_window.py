"""From when to when the time of a run is divided, and where its iterations begin on the GPU.

In:  iterations of which statistics are made, and when operations of the busiest GPU begin.
Out: bounds of iterations: one more than there are.

An iteration goes from its first GPU operation to that of the next one. By the host's begin, the
difference of two runs may have the wrong sign, since the host runs ahead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SteadyWindow:
    """Time that is divided, by the clock of the run [ns]."""

    bounds: tuple[int, ...]
    """Begins of iterations, and the end of the last one: at least two, increasing."""
    is_steady: bool
    """Whether these are iterations; else the whole run."""

    @property
    def start(self) -> int:
        """Its begin [ns]."""
        return self.bounds[0]

    @property
    def stop(self) -> int:
        """Its end [ns]."""
        return self.bounds[-1]

    @property
    def durations(self) -> tuple[int, ...]:
        """Of its iterations [ns]."""
        return tuple(int(length) for length in np.diff(np.array(self.bounds, np.int64)))


def find_window(
    steady: Sequence[tuple[int, int]], begins: Integers, wall: tuple[int, int]
) -> SteadyWindow:
    """The window of a run.

    `steady` are begins and ends of steady iterations in their order, without a break; `begins` when
    operations begin on the busiest GPU, sorted, and `wall` begin and end of the run. The end of the
    last iteration is the first operation after it. Where none follows, the iteration is left out,
    unless it is the only one.
    """
    if not steady:
        return SteadyWindow(wall, is_steady=False)
    marks = np.array([start for start, _ in steady] + [steady[-1][1]], np.int64)
    place = np.searchsorted(begins, marks)
    told = place < len(begins)
    cuts = (
        np.where(told, begins[np.minimum(place, len(begins) - 1)], marks) if len(begins) else marks
    )
    if not told[-1] and len(steady) > 1:
        cuts, marks = cuts[:-1], marks[:-1]
    if (np.diff(cuts) <= 0).any():  # an iteration that launches nothing has no first operation
        cuts = marks
    return SteadyWindow(tuple(cuts.tolist()), is_steady=True)


def align_iterations(
    bounds: Integers, starts: Mapping[int, Integers], works: Mapping[int, Integers]
) -> dict[int, Integers]:
    """Bounds of the same iterations on each GPU: GPUs do not begin one at the same moment.

    `bounds` are those on one of them, `starts` when its operations begin, sorted, and `works`
    numbers that tell what each is. What begins each iteration, and nothing else, tells where it
    begins elsewhere: an operation, or two of them in this order. Iterations that a GPU has not
    whole are left out of all. Where nothing tells, all have the given bounds.
    """
    given = dict.fromkeys(starts, bounds)
    own = next((gpu for gpu, each in starts.items() if np.isin(bounds, each).all()), None)
    if own is None or len(starts) < 2:
        return given
    place = int(np.searchsorted(starts[own], bounds[1]))
    for before in range(2):
        wanted = works[own][place - before : place + 1]
        marks = {gpu: starts[gpu][_find_sequence(works[gpu], wanted)] for gpu in starts}
        if np.array_equal(marks[own][marks[own] > bounds[0]], bounds[1:]):
            return _align_marks(bounds, marks) or given
    return given


def _find_sequence(works: Integers, wanted: Integers) -> npt.NDArray[np.bool_]:
    """Operations with which such a sequence ends."""
    found = np.zeros(len(works), np.bool_)
    last = len(wanted) - 1
    if last < len(works):
        found[last:] = True
        for back in range(len(wanted)):
            found[last:] &= works[last - back : len(works) - back] == wanted[last - back]
    return found


def _align_marks(bounds: Integers, marks: Mapping[int, Integers]) -> dict[int, Integers] | None:
    """The marks of iterations that all GPUs have whole; None where there is no such iteration."""
    middle, shifts, low, high = len(bounds) // 2, {}, 0, len(bounds)
    marks = {gpu: each[each >= bounds[0]] for gpu, each in marks.items()}  # what is read whole
    for gpu, each in marks.items():
        if not each.size or not 0 <= len(bounds) - len(each) <= 2:  # ahead first, and late then
            return None
        shifts[gpu] = int(np.abs(each - bounds[middle]).argmin()) - middle
        low, high = max(low, -shifts[gpu]), min(high, len(each) - shifts[gpu])
    if high - low < 2:
        return None
    return {gpu: each[low + shifts[gpu] : high + shifts[gpu]] for gpu, each in marks.items()}
