"""Operations whose time was not recorded: profilers write 0 in its place, or something absurd.

In:  a recording, and the call that launched each operation.
Out: which operations have a time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.recording import NONE, Ints, Recording

_DAY = 86_400_000_000_000
"""Nothing that is this far from most of a recording is part of it, unless that is as long."""


def find_timed_operations(recording: Recording, call: Ints) -> npt.NDArray[np.bool_]:
    """Whether each operation has a time that can be true."""
    start = recording.operations["start"]
    return ~(_is_zero(recording, call) | _is_far(recording, start))


def _is_zero(recording: Recording, call: Ints) -> npt.NDArray[np.bool_]:
    """Begins at 0 of its file's clock: before its own call, or with no length."""
    start, duration = recording.operations["start"], recording.operations["duration"]
    zero = np.isin(start, sorted(recording.zeros))
    if not zero.any():
        return zero
    called = np.full(len(start), NONE, np.int64)
    called[call != NONE] = recording.ranges["start"][call[call != NONE]]
    found: npt.NDArray[np.bool_] = zero & ((called > start) | (duration == 0))
    return found


def _is_far(recording: Recording, start: Ints) -> npt.NDArray[np.bool_]:
    """Begins days before or after most of what was recorded."""
    known = recording.ranges["start"] if len(recording.ranges) else start
    low, middle, high = np.quantile(known, [0.1, 0.5, 0.9], method="nearest")
    found: npt.NDArray[np.bool_] = np.abs(start - middle) > max(_DAY, 10 * int(high - low))
    return found
