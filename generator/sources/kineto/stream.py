"""A file to pieces of its text, decompressed as they are asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from generator.errors import InputError
from generator.sources.opened import OpenedFile, open_input

PIECE = 1 << 22
"""Bytes of a piece."""
MAGIC = b"\x1f\x8b"
MOST_TIMES = 200
"""No file of events is compressed by more: one that is was made to fill memory or disk."""
MOST_TEXT = 1 << 36
_GZIP = 16 + zlib.MAX_WBITS


class Text:
    """The text of a file, piece by piece; `truncated` tells why it ended early, if it did."""

    def __init__(self, opened: OpenedFile) -> None:
        self.opened = opened
        self.truncated = ""
        self.is_compressed = opened.size > 1 and opened.read(0, 2) == MAGIC

    def pieces(self) -> Iterator[bytes]:
        """Pieces of at most a few times `PIECE` bytes. Raises InputError for no gzip."""
        raw = self._raw()
        yield from self._inflated(raw) if self.is_compressed else raw

    def _raw(self) -> Iterator[bytes]:
        for offset in range(0, self.opened.size, PIECE):
            yield self.opened.read(offset, min(PIECE, self.opened.size - offset))

    def _inflated(self, raw: Iterator[bytes]) -> Iterator[bytes]:
        member, total = zlib.decompressobj(_GZIP), 0
        limit = min(self.opened.size * MOST_TIMES, MOST_TEXT)
        for piece in raw:
            data = piece
            while data:
                try:
                    text = member.decompress(data, PIECE)
                except zlib.error as problem:
                    raise InputError(
                        f"{self.opened.path}: the compressed data are damaged: {problem}",
                        hint="copy the file again",
                    ) from problem
                total += len(text)
                if total > limit:
                    raise InputError(
                        f"{self.opened.path}: unpacks to more than {limit:,} bytes, which no "
                        "trace does",
                        hint="unpack it, look at it, and give the unpacked file",
                    )
                yield text
                data = member.unconsumed_tail
                if member.eof:
                    data = member.unused_data
                    if data.startswith(MAGIC):
                        member = zlib.decompressobj(_GZIP)
                    else:
                        return
        if not member.eof:
            self.truncated = "the compressed file ends early"


def open_text(path: Path) -> Text:
    """The text of a file. Raises InputError unless it is a regular file with content."""
    return Text(open_input(path))
