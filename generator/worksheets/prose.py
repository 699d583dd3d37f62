"""Prose of an author: Markdown with expressions, and nothing that a browser would run or load.

In:  what stands between items, or what a course tells its instructors. Out: ProseError for HTML,
     attributes between braces, images, and links that lead anywhere but to pages.

Exercises and courses may come from anybody, and pages are made of their Markdown as it is. What
is refused is refused wherever it stands, in code too: which Markdown is code depends on who reads
it, and a page of a report and a handout have two readers.
"""

from __future__ import annotations

import re

from generator.errors import ContentError
from generator.worksheets.expressions import parsed

_REFUSED = {
    "HTML": re.compile(r"<[A-Za-z/!?]"),
    "a brace": re.compile(r"\{"),
    "an image": re.compile(r"!\["),
    "a link that is none to a page": re.compile(
        r"\]:\s*(?!https?://)\S*?[:&\\]"
        r"|\]\(\s*(?!https?://)[^)\s]*?(?:[:&\\]|\s[^)]*?:[^)]*\))"
    ),
}
_SHOWN = 40


class ProseError(ContentError):
    """Prose has what it may not have, `offset` characters from its beginning."""

    def __init__(self, offset: int, what: str, found: str) -> None:
        hint = "prose is Markdown without HTML, braces, images and links but https:// and pages"
        super().__init__(f"{what}: {found}", hint=hint)
        self.offset = offset


def check_prose(text: str) -> None:
    """Raise ExpressionError or ProseError where prose holds more than words and calls."""
    words = "".join(
        part if isinstance(part, str) else " " * len(part.text) for part in parsed(text)
    )
    for what, pattern in _REFUSED.items():
        if found := pattern.search(words):
            at = found.start()
            raise ProseError(at, what, words[at : at + _SHOWN])
