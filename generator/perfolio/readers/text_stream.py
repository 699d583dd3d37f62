"""A file to pieces of its text, decompressed as they are asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.stable_file import OpenedFile, open_input

PIECE = 1 << 22
"""Bytes of a piece."""
FED = 1 << 13
"""Compressed bytes that are unpacked at once: those behind the end of a member are copied."""
MAGIC = b"\x1f\x8b"
MOST_TIMES = 100
"""No file of events is compressed by more: one that is was made to fill memory or disk, or to take
hours. Each byte of text costs time, so this bounds what each byte of the file can cost."""
MOST_TEXT = 1 << 36
_GZIP = 16 + zlib.MAX_WBITS


HEAD = 1 << 16
"""Bytes of text at the begin of a file that tell what it is."""


class TextStream:
    """The text of a file, piece by piece; `truncated` tells why it ended early, if it did."""

    def __init__(self, opened: OpenedFile) -> None:
        self.opened = opened
        self.truncated = ""
        self.left_out = ""
        """What stands behind the compressed text and is no part of it, if anything does."""
        self.line = 0
        """Number of the line that was read last, where it is read by lines."""
        self.is_ended = True
        """Whether that line has an end; a tool ends each, so that one without may be cut."""
        self.is_compressed = opened.size > 1 and opened.read(0, 2) == MAGIC

    def pieces(self) -> Iterator[bytes]:
        """Pieces of at most a few times `PIECE` bytes. Raises InputError for no gzip."""
        yield from (
            _join_texts(self._bounded(self._inflated())) if self.is_compressed else self._raw()
        )

    def read_all(self, most: int, *, hint: str) -> bytearray:
        """The whole text at once. Raises InputError where it has more bytes."""
        found = bytearray()
        for piece in self.pieces():
            found += piece
            if len(found) > most:
                what = f"has more than {most:,} bytes of text, which are not held in memory"
                raise InputError(f"{self.opened.path}: {what}", hint=hint)
        return found

    def _raw(self) -> Iterator[bytes]:
        for offset in range(0, self.opened.size, PIECE):
            yield self.opened.read(offset, min(PIECE, self.opened.size - offset))

    def _inflated(self) -> Iterator[bytes]:
        """What all members unpack to; many programs write one for each block that they have."""
        member, taken, rest = zlib.decompressobj(_GZIP), 0, b""
        for fed in _split_pieces(self._raw()):
            taken += len(fed)
            data, rest = rest + fed, b""
            while data:
                if member.eof:
                    data = data.lstrip(b"\0")
                    if len(data) < len(MAGIC):
                        rest = data
                        break
                    if not data.startswith(MAGIC):
                        self._leave_out(self.opened.size - taken + len(data))
                        return
                    member = zlib.decompressobj(_GZIP)
                yield self._unpacked(member, data)
                data = member.unused_data if member.eof else member.unconsumed_tail
        if rest:
            self._leave_out(len(rest))
        if not member.eof:
            self.truncated = "the compressed file ends early"

    def _unpacked(self, member: zlib._Decompress, data: bytes) -> bytes:
        try:
            return member.decompress(data, PIECE)
        except zlib.error as problem:
            raise InputError(
                f"{self.opened.path}: the compressed data are damaged: {problem}",
                hint="copy the file again",
            ) from problem

    def _bounded(self, texts: Iterator[bytes]) -> Iterator[bytes]:
        left = limit = min(self.opened.size * MOST_TIMES, MOST_TEXT)
        for text in texts:
            left -= len(text)
            if left < 0:
                raise InputError(
                    f"{self.opened.path}: unpacks to more than {limit:,} bytes, as no trace does",
                    hint="unpack it, look at it, and give the unpacked file",
                )
            yield text

    def _leave_out(self, count: int) -> None:
        self.left_out = f"what stands behind the compressed text is left out: {count:,} B"


def open_text(path: Path) -> TextStream:
    """The text of a file. Raises InputError unless it is a regular file with content."""
    return TextStream(open_input(path))


def _split_pieces(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), FED):
            yield piece[start : start + FED]


def _join_texts(texts: Iterator[bytes]) -> Iterator[bytes]:
    """Texts of any length as pieces: what reads a piece may look at all that came before it."""
    held: list[bytes] = []
    size = 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size >= PIECE:
            yield b"".join(held)
            held, size = [], 0
    if size:
        yield b"".join(held)


def read_begin(text: TextStream) -> bytes:
    """The first bytes of a file's text. Raises InputError where they cannot be unpacked."""
    found = b""
    for piece in text.pieces():
        found += piece
        if len(found) >= HEAD:
            break
    return found[:HEAD]
