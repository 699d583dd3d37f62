"""Events that lie far from all others and are next to nothing: they do not tell how long a run was.

One call ten minutes after the last step would make all shares of the run those of ten minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from perfolio.common.units import quantity
from perfolio.readers.events.recording import Ints, Recording

APART = 10
"""Strays are so many times as far away as all others last."""
LEAST_APART = 1_000_000_000
"""And no less than this [ns]."""
FEW, SHORT = 3, 10_000
"""So many events that last so long together [ns] are next to nothing, or what is below `PART`."""
PART = 1e-3
"""Of all events, and of the time that they last."""
MOST = 0.1
"""Strays are never more of all events."""
_PLACES = 4
"""In so many places strays are looked for at once."""
Mask = npt.NDArray[np.bool_]


def set_strays_aside(recording: Recording) -> Iterator[str]:
    """Remove the strays of a recording; says what was removed. Lives of processes are no strays."""
    while (found := _find_strays(*_list_event_times(recording))) is not None:
        strays, distance = found
        place = 0
        for table in (recording.ranges, recording.operations, recording.memory):
            count = len(table)
            table.keep(~strays[place : place + count])
            place += count
        number, away = int(strays.sum()), quantity(distance / 1e9, "s")
        yield (
            f"{number:,} event{'s' * (number > 1)} at least {away} away from all others left out: "
            "next to nothing was recorded there, and the time between is no part of the run"
        )


def _list_event_times(recording: Recording) -> tuple[Ints, Ints]:
    """Begins and ends of ranges, operations and allocations, then of the lives of processes."""
    ranges, operations = recording.ranges, recording.operations
    begin = [ranges["start"], operations["start"], recording.memory["time"]]
    end = [begin[0] + ranges["duration"], begin[1] + operations["duration"], begin[2]]
    lives = np.array(list(recording.lives.values()), np.int64).reshape(-1, 2)
    return np.concatenate([*begin, lives[:, 0]]), np.concatenate([*end, lives[:, 1]])


def _find_strays(start: Ints, stop: Ints) -> tuple[Mask, int] | None:
    """Strays among events, and how far the nearest of them is away [ns]."""
    if not len(start) or not _has_room_for_strays(start, stop):
        return None
    order = np.argsort(start, kind="stable")
    reached = np.maximum.accumulate(stop[order])
    gap = start[order][1:] - reached[:-1]
    widest = np.argsort(-gap, kind="stable")[:_PLACES]
    for count in range(1, len(widest) + 1):
        cuts = np.sort(widest[:count]) + 1
        part = np.zeros(len(start), np.int64)
        part[order] = np.searchsorted(cuts, np.arange(len(start)), side="right")
        found = _split_strays(start, stop, part)
        if found is not None:
            return found
    return None


def _has_room_for_strays(start: Ints, stop: Ints) -> bool:
    """Whether most events begin in a small part of the time of all: else none is far from them."""
    whole = int(stop.max()) - int(start.min())
    few = int(MOST * len(start))
    inner = np.partition(start, (few, len(start) - 1 - few))
    return whole > LEAST_APART and (int(inner[-1 - few]) - int(inner[few])) * APART < whole


def _split_strays(start: Ints, stop: Ints, part: Ints) -> tuple[Mask, int] | None:
    """Whether all parts but the largest are next to nothing and far away from it."""
    lasts = np.bincount(part, stop - start)
    core = int(np.lexsort((np.bincount(part), lasts))[-1])
    strays = part != core
    begin, end = int(start[~strays].min()), int(stop[~strays].max())
    distance = int(np.maximum(begin - stop[strays], start[strays] - end).min())
    events, spent = int(strays.sum()), float(lasts.sum() - lasts[core])
    is_nothing = (
        events <= min(max(FEW, PART * len(start)), MOST * len(start))
        and spent <= max(SHORT, PART * lasts[core])
    )  # fmt: skip
    is_far = distance > max(APART * (end - begin), LEAST_APART)
    return (strays, distance) if is_nothing and is_far else None
