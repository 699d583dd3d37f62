"""The elements of `traceEvents` from pieces of text, without holding all of it.

In:  pieces of JSON text, and what decodes a list of elements.
Out: lists of decoded elements, and the entries beside them.

A piece is cut between a `}` and a `{` that a comma parts. Whether that is where an element ends, or
within one, the decoder tells: what it takes for a list holds whole elements. Only where it does
not are braces counted, character by character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

Element = TypeVar("Element")
MOST_BESIDE = 1 << 26
"""Bytes of text beside the events, or of one event; more is no trace."""
_TRIES = 4
_NEAR = 1 << 16
_LONG = 1 << 22
"""Bytes of an event of which no end was found, from which on ends are no longer guessed."""
_KEY = b'"traceEvents"'
_OPENED = re.compile(rb"\s*:\s*\[")
_OPENING = re.compile(rb"\s*+(?::\s*+)?\Z")
"""What may stand behind the key where a piece of the text ends."""
_CUT = re.compile(rb"\}\s*+,(?=\s*+\{)")
_BLANKS = b" \t\r\n"
_LEADING = re.compile(rb"[ \t\r\n,]*+")
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]', re.DOTALL)
"""Possessive: a string that does not end is not tried again from each of its bytes."""
_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


_BACKSLASH = re.compile(rb'(\\(?:["\\/]|u[0-9a-fA-F]{4}))|\\')


class Braces:
    """How deep text is nested, as far as it was looked at: no part of it is looked at twice."""

    def __init__(self) -> None:
        self.place = 0
        """Up to where the text was looked at."""
        self.depth = 0

    def tokens(self, text: bytes) -> Iterator[re.Match[bytes]]:
        """Braces, brackets and strings; those before `place` not again.

        They end where the text does, or at a string that does not end yet.
        """
        for found in _TOKEN.finditer(text, self.place):
            token = found[0]
            if token == b'"':
                self.place = found.start()
                return
            self.depth += _STEP.get(token, 0)
            self.place = found.end()
            yield found
        self.place = len(text)

    def shift(self, count: int) -> None:
        """What was looked at, where the first bytes of the text are no longer part of it."""
        self.place = max(self.place - count, 0)


class UnreadableError(Exception):
    """Text that is no list of events, and the byte at which that shows."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.offset = offset


class ElementStream(Generic[Element]):
    """Whole elements as they come, and what was beside them."""

    def __init__(
        self, pieces: Iterator[bytes], decode: Callable[[bytes], Sequence[Element]]
    ) -> None:
        """`decode` raises ValueError for what is no list of elements."""
        self._pieces = pieces
        self._decode = decode
        self._text = b""
        self._braces = Braces()
        self._end: int | None = None
        """Where the last whole element ends, of those whose braces were counted."""
        self._before = b""
        self._after = b""
        self.is_closed = False
        """Whether the list of events ended; else the text did, within it."""
        self.offset = 0
        """Byte up to which the text was taken."""

    def lists(self) -> Iterator[Sequence[Element]]:
        """Decoded elements, some at a time. Raises UnreadableError."""
        self._find_begin()
        while not self.is_closed:
            piece = next(self._pieces, None)
            is_long = len(self._text) > _LONG
            self._text += piece or b""
            cut = None if piece is None or is_long else self._quick_cut()
            if cut is not None:
                yield cut
                continue
            yield self._counted()
            if piece is None and not self.is_closed:
                return
        self._after = self._text + b"".join(self._rest())

    def beside(self) -> dict[str, Any]:
        """All entries but the events; of what follows these nothing where it is unfinished."""
        whole = (self._before + b"null" + self._after, self._before + b"null}")
        for text in (*whole, *map(escape_backslashes, whole)):
            try:
                found = json.loads(text, strict=False)
            except (ValueError, RecursionError):
                continue
            return found if isinstance(found, dict) else {}
        return {}

    def _find_begin(self) -> None:
        for piece in self._pieces:
            self._text += piece
            start = self._text.lstrip(b"\xef\xbb\xbf" + _BLANKS)
            if start.startswith(b"["):
                self._begin(self._text.index(b"[") + 1)
                return
            begin = self._begin_of_list()
            if begin is not None:
                self._before = self._text[: begin - 1]
                self._begin(begin)
                return
            if (start and not start.startswith(b"{")) or len(self._text) > MOST_BESIDE:
                break
        raise UnreadableError("there is no list of events", self.offset)

    def _begin_of_list(self) -> int | None:
        """Where the first event may begin; None where that did not come yet."""
        for found in self._braces.tokens(self._text):
            if self._braces.depth != 1 or found[0] != _KEY:
                continue
            if opened := _OPENED.match(self._text, found.end()):
                return opened.end()
            if _OPENING.match(self._text, found.end()):
                self._braces.place = found.start()
                return None
        return None

    def _begin(self, count: int) -> None:
        self._take(count)
        self._braces = Braces()

    def _take(self, count: int) -> None:
        self.offset += count
        self._text = self._text[count:]
        self._braces.shift(count)
        self._end = None

    def _quick_cut(self) -> Sequence[Element] | None:
        """Elements up to one of the last places that look like an end; None where none is."""
        near = max(len(self._text) - _NEAR, 0)
        cuts = [found.start() + 1 for found in _CUT.finditer(self._text, near)]
        for cut in reversed(cuts[-_TRIES:]):
            try:
                found = self._decode(_to_list_text(self._text, cut))
            except ValueError:
                continue
            self._begin(self._text.index(b",", cut) + 1)
            return found
        return None

    def _counted(self) -> Sequence[Element]:
        """Elements up to the last one that is whole, by counting braces."""
        last, closed = self._whole()
        end = last if closed is None else closed
        if last is None or end is None:
            if closed is not None:
                if self._text[:closed].strip(_BLANKS + b","):
                    raise UnreadableError("what stands there is no event", self.offset)
                self.is_closed = True
                self._take(closed + 1)
            if len(self._text) > MOST_BESIDE:
                raise UnreadableError("an event is longer than any can be", self.offset)
            return []
        found = self._decoded(self._text[:last])
        self.is_closed = closed is not None
        self._take(end + (1 if self.is_closed else 0))
        if not self.is_closed:
            comma = self._text.lstrip(_BLANKS)
            self._take(len(self._text) - len(comma) + comma.startswith(b","))
        return found

    def _whole(self) -> tuple[int | None, int | None]:
        """Where the last whole element ends, and where the list does, as far as they do."""
        for found in self._braces.tokens(self._text):
            if self._braces.depth == 0 and found[0] == b"}":
                self._end = found.end()
            elif self._braces.depth < 0:
                return self._end, found.start()
        return self._end, None

    def _decoded(self, text: bytes) -> Sequence[Element]:
        try:
            return self._decode(_to_list_text(text))
        except ValueError as problem:
            raise UnreadableError(str(problem), self.offset + self._fault(text)) from problem

    def _fault(self, text: bytes) -> int:
        """Where the first element begins that cannot be decoded."""
        begin = 0
        for end in _find_ends(text):
            try:
                self._decode(_to_list_text(text[begin:end]))
            except ValueError:
                break
            begin = end
        rest = text[begin:]
        return begin + len(rest) - len(rest.lstrip(_BLANKS + b","))

    def _rest(self) -> Iterator[bytes]:
        room = MOST_BESIDE - len(self._text)
        for piece in self._pieces:
            room -= len(piece)
            if room < 0:
                return
            yield piece


def _to_list_text(text: bytes, end: int | None = None) -> bytes:
    """Elements as a list; the comma before the first one is not yet taken where it came late.

    The text is copied once: there is a lot of it.
    """
    leading = _LEADING.match(text)
    begin = leading.end() if leading else 0
    return b"".join((b"[", memoryview(text)[begin:end], b"]"))


def _find_ends(text: bytes) -> Iterator[int]:
    """Where elements end."""
    braces = Braces()
    for found in braces.tokens(text):
        if braces.depth == 0 and found[0] == b"}":
            yield found.end()


def escape_backslashes(text: bytes) -> bytes:
    """Text whose backslashes stand for themselves, but for those of quotes, slashes and codes."""
    return _BACKSLASH.sub(lambda found: found[1] or rb"\\", text)
