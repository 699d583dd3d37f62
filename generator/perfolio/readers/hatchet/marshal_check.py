"""Plain data that Python's marshal wrote, checked byte by byte before Python reads them.

In:  bytes. Out: nothing, or a MarshalError that names the byte.

Python's own reader trusts what it is given: hostile bytes may end the process, and some types are
code. Here only dictionaries, tuples, texts and numbers pass, within bounds of depth and number.
"""

from __future__ import annotations

import struct

REFERENCE = 0x80
"""The bit of a type that says: this object gets a number, and is referred to by it later."""
DEEPEST = 16
MOST = 20_000_000
_SIZES = {"i": 4, "g": 8, "y": 16, "I": 8, "R": 4}
"""Bytes after the type of what has a fixed size."""
_ALONE = frozenset("NTF0")
_LONG_TEXTS, _SHORT_TEXTS = frozenset("utaAs"), frozenset("zZf")


class MarshalError(ValueError):
    """What is at a byte is no plain data."""

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(problem)
        self.offset = offset


def check_plain(data: bytes) -> set[str]:
    """The types that the data consist of, each a letter. Raises MarshalError."""
    walk = _MarshalWalk(data)
    walk.run()
    return walk.kinds


class _MarshalWalk:
    """Along the bytes, without building anything."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.things = 0
        self.references = 0
        self.kinds: set[str] = set()
        self.open: list[int] = []
        """Of each container that is open the objects that are missing; -1 for a dictionary, which
        ends by a null."""

    def run(self) -> None:
        self.open = [1]
        while self.open:
            if self.open[-1] == 0:
                self.open.pop()
                continue
            if self.open[-1] > 0:
                self.open[-1] -= 1
            self._one()
        if self.at != len(self.data):
            raise MarshalError(self.at, "more follows after the end of the data")

    def _one(self) -> None:
        begin = self.at
        byte = self._bytes(1)[0]
        kind = chr(byte & ~REFERENCE)
        self.kinds.add(kind)
        self.things += 1
        if self.things > MOST:
            raise MarshalError(begin, f"more than {MOST:,} objects")
        if byte & REFERENCE:
            self.references += 1
        if kind == "0":
            self._end_dictionary(begin)
        elif kind in "{()":
            self._container(kind, begin)
        else:
            self._leaf(kind, begin)

    def _end_dictionary(self, begin: int) -> None:
        if self.open[-1] != -1:
            raise MarshalError(begin, "an end without a dictionary")
        self.open.pop()

    def _container(self, kind: str, begin: int) -> None:
        if len(self.open) > DEEPEST:
            raise MarshalError(begin, f"more than {DEEPEST} objects within each other")
        if kind == "{":
            self.open.append(-1)
            return
        count = self._bytes(1)[0] if kind == ")" else self._count(begin)
        self.open.append(count)

    def _leaf(self, kind: str, begin: int) -> None:
        if kind in _ALONE:
            return
        if kind in _SIZES:
            self._bytes(_SIZES[kind])
        elif kind in _LONG_TEXTS:
            self._bytes(self._count(begin))
        elif kind in _SHORT_TEXTS:
            self._bytes(self._bytes(1)[0])
        elif kind == "r":
            if self._count(begin) >= self.references:
                raise MarshalError(begin, "a reference to what was not there before")
        elif kind == "l":
            self._bytes(2 * abs(struct.unpack("<i", self._bytes(4))[0]))
        else:
            raise MarshalError(begin, f"an object of type {kind!r}, which no profile holds")

    def _count(self, begin: int) -> int:
        found: int = struct.unpack("<i", self._bytes(4))[0]
        if not 0 <= found <= len(self.data):
            raise MarshalError(begin, f"an object of {found:,} parts in {len(self.data):,} bytes")
        return found

    def _bytes(self, count: int) -> bytes:
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise MarshalError(self.at, "the data end early")
        self.at += count
        return found
