"""Options in an order that depends on the sheet, so that the right letter is evenly spread.

In:  options, and what names the sheet. Out: the options with letters, shuffled reproducibly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from string import ascii_uppercase
from typing import TypeVar

from perfolio.common.errors import ContentError

T = TypeVar("T")
MOST = len(ascii_uppercase)


def order_by_seed(values: Sequence[T], *seed: str) -> list[T]:
    """`values` in an order that `seed` alone decides."""

    def place(index: int) -> bytes:
        return hashlib.sha256("\0".join((*seed, str(index))).encode()).digest()

    return [values[index] for index in sorted(range(len(values)), key=place)]


def format_letter(index: int) -> str:
    """A for 0. Raises ContentError beyond Z."""
    if index >= MOST:
        raise ContentError(f"more than {MOST} options")
    return ascii_uppercase[index]
