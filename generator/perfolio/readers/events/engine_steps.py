"""Steps of engines that serve a language model, by the names that they give them.

In:  a recording whose ranges have names.
Out: the recording, whose steps are those of its engine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perfolio.readers.engine_step_names import names_engine_step
from perfolio.readers.events.recording import Ints, RangeKind, Recording


def mark_engine_steps(recording: Recording) -> None:
    """Make the outermost steps of an engine the steps of a recording, in place of a profiler's.

    A profiler's own steps are around them: they are left out, as each would count twice.
    """
    codes = recording.codes.all()
    named = np.array([names_engine_step(code.name) for code in codes], np.bool_)
    if not named.any():
        return
    ranges = recording.ranges
    marks = np.isin(ranges["kind"], (RangeKind.ANNOTATION, RangeKind.STEP))
    own = _find_outermost(ranges["line"], ranges["start"], ranges["duration"],
                          marks & named[ranges["code"]])  # fmt: skip
    if own.any():
        ranges["kind"][own] = int(RangeKind.STEP)
        ranges.keep(own | (ranges["kind"] != RangeKind.STEP))


def _find_outermost(
    line: Ints, start: Ints, duration: Ints, chosen: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Of chosen ranges those that lie in no other chosen one of their line."""
    rows = np.flatnonzero(chosen)
    rows = rows[np.lexsort((-duration[rows], start[rows], line[rows]))]
    found = np.zeros(len(chosen), np.bool_)
    reached: dict[int, int] = {}
    for row in rows.tolist():
        begin, place = int(start[row]), int(line[row])
        if begin >= reached.get(place, begin):
            found[row] = True
            reached[place] = begin + int(duration[row])
    return found
