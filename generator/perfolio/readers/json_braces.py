"""Where braces and brackets open and close in text that grows, outside of its strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]', re.DOTALL)
"""Possessive: a string that does not end is not tried again from each of its bytes."""
_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


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
