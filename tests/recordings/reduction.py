"""The fewest events of a recording that still show something."""

from __future__ import annotations

from collections.abc import Callable

from tests.recordings.model import Event, Recording


def reduced(recording: Recording, shows: Callable[[Recording], bool], most: int = 200) -> Recording:
    """A recording of which no event can be left out, where `shows` holds of `recording`.

    Parts of the events go, half of them first, then ever smaller ones (delta debugging: Zeller,
    2002), and not more than `most` recordings are tried.
    """
    events, parts, tried = recording.events, 2, 0
    while len(events) > 1 and tried < most:
        size = max(len(events) // parts, 1)
        for start in range(0, len(events), size):
            left: tuple[Event, ...] = events[:start] + events[start + size :]
            tried += 1
            if left and shows(recording.of(left)):
                events, parts = left, max(parts - 1, 2)
                break
            if tried >= most:
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(events))
    return recording.of(events)
