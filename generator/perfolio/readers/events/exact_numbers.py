"""Numbers of recorded events, exactly as they were written."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from perfolio.readers.events.recording import LARGEST, NONE


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
    if isinstance(value, bool):
        return NONE
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 <= value < LARGEST else NONE
