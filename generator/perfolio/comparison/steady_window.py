"""From when to when the time of a run is divided, and where its iterations begin on the GPU.

In:  iterations of which statistics are made, and when operations of the busiest GPU begin.
Out: bounds of iterations: one more than there are.

An iteration goes from its first GPU operation to that of the next one. By the host's begin, the
difference of two runs may have the wrong sign, since the host runs ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
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
