"""Numbers of recorded events, exactly as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec
import numpy as np

from perfolio.readers.events.recording import LARGEST, NONE, Ints

_DECIMALS = 3
"""Digits of a microsecond behind its point that nanoseconds have."""
NOBODY = (1 << 32) - 1
"""What tools write where no stream or event is meant."""
_DIGITS = 19
"""So many digits fit 64 bits where the first is a small one, and fewer always."""
_LARGE = ord("5")


def parse_all_nanoseconds(texts: Sequence[msgspec.Raw]) -> Ints:
    """`parse_nanoseconds` of many, at once where all are digits with at most one point."""
    found = _parse_plain(b",".join(texts), len(texts)) if texts else np.zeros(0, np.int64)
    return np.array([*map(parse_nanoseconds, texts)], np.int64) if found is None else found


def _parse_plain(joined: bytes, count: int) -> Ints | None:
    """Numbers between commas; None where one of them is written otherwise, or is too large."""
    if joined.translate(None, b"0123456789.,"):
        return None
    text = np.frombuffer(joined + b",", np.uint8)
    ends, points = np.flatnonzero(text == ord(",")), np.flatnonzero(text == ord("."))
    lengths, owner = np.diff(ends, prepend=-1) - 1, np.searchsorted(ends, points)
    decimals = np.zeros(len(ends), np.int64)
    decimals[owner] = ends[owner] - points - 1
    is_plain = len(ends) == count and np.all(np.diff(owner)) and decimals.max() <= _DECIMALS
    if not is_plain or lengths.min() < 1:
        return None
    first = text[ends - lengths]
    lengths[owner] -= 1
    if lengths.max() > _DIGITS or np.any(first[lengths == _DIGITS] >= _LARGE):
        return None
    found = np.fromstring(joined.translate(None, b"."), np.int64, sep=",")
    scale = 10 ** (_DECIMALS - decimals)
    return found * scale if (found < LARGEST // scale).all() else None


def parse_nanoseconds(text: msgspec.Raw | bytes) -> int:
    """Microseconds as decimal text to nanoseconds, exactly. Raises ValueError for no number."""
    raw = bytes(text)
    try:
        # As almost all are written, with three decimals or none: no other has these digits alone.
        found = int(raw[:-4] + raw[-3:]) if raw[-4:-3] == b"." else int(raw) * 1000
    except ValueError:
        found = _parse_unusual(raw)
    if not -LARGEST < found < LARGEST:
        raise ValueError(f"{raw[:40]!r} is no time of this age")
    return found


def _parse_unusual(raw: bytes) -> int:
    """A negative number, one with an exponent, or with more digits than nanoseconds have."""
    try:
        number = Decimal(raw.decode())
        if number.is_finite() and abs(number) < LARGEST:
            return int((number * 1000).to_integral_value())
    except (InvalidOperation, UnicodeDecodeError):
        pass
    raise ValueError(f"{raw[:40]!r} is no time in microseconds")


def to_whole_number(value: Any) -> int:
    """A number that is not negative and fits 62 bits; NONE for anything else."""
    if type(value) is int:
        return value if 0 <= value < LARGEST else NONE
    if isinstance(value, bool):
        return NONE
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 <= value < LARGEST else NONE


def to_wait_number(value: Any) -> int:
    """The number of a stream or event; NONE of none, which tools write as the largest of 32 bits.

    Any other number is bounded by what a store holds.
    """
    found = to_whole_number(value)
    return NONE if found == NOBODY else found
