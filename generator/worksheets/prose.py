"""Prose of an author: Markdown with expressions, and nothing that a browser would run or load.

In:  what stands between items, or what a course tells its instructors. Out: ProseError for HTML,
     attributes between braces, images, and links that lead anywhere but to pages.

Exercises and courses may come from anybody, and pages are made of their Markdown as it is. A page
of a report and a handout have two readers, who differ in what they take for code. So code may hold
anything in one form alone, of which all readers think the same: between two lines of three
backticks, from the first column on, with an empty line before and behind. No other fence may stand
in the text, which could begin or end one of these.
"""

from __future__ import annotations

import re

from generator.errors import ContentError
from generator.worksheets.expressions import parsed

_REFUSED = {
    "a control character": re.compile(r"[\x00-\x08\x0b-\x1f\x7f]"),
    "code that has no empty line before and behind": re.compile(r"```|~~~"),
    "HTML": re.compile(r"<[A-Za-z/!?]"),
    "a brace": re.compile(r"\{"),
    "an image": re.compile(r"!\["),
    "a link that is none to a page": re.compile(
        r"\]:\s*(?!https?://)\S*?[:&\\]"
        r"|\]\(\s*(?!https?://)[^)\s]*?(?:[:&\\]|\s[^)]*?:[^)]*\))"
    ),
}
_CODE = re.compile(
    r"(?:\A|(?<=\n\n))```[a-z0-9+-]{0,20}\n(?:(?!.*(?:```|~~~)).*\n)*+```(?=\n\n|\n*\Z)"
)
_NO_CONTROLS = re.compile(r"[^\n\x00-\x08\x0b-\x1f\x7f]")
"""What code may hold: its length and its lines stay, by which places are told."""
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
    words = _CODE.sub(lambda code: _NO_CONTROLS.sub(" ", code[0]), words)
    for what, pattern in _REFUSED.items():
        if found := pattern.search(words):
            at = found.start()
            raise ProseError(at, what, words[at : at + _SHOWN])
