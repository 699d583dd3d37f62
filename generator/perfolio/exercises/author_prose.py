"""Prose of an author: Markdown with expressions, and nothing that a browser would run or load.

In:  what stands between items, or what a course tells its instructors. Out: ProseError for HTML,
     attributes between braces, images, and links that lead anywhere but to pages.

Exercises and courses may come from anybody, and pages are made of their Markdown as it is. A page
of a report and a handout have two readers, who differ in what they take for code. So code may hold
anything in one form alone, of which all readers think the same: between two lines of three
backticks, from the first column on, with an empty line before and behind. No other fence may stand
in the text, which could begin or end one of these, and code has no values: it is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfolio.common.errors import ContentError
from perfolio.exercises.text_expressions import ExpressionError, parse_calls

_CALL = "\ue000"
"""What stands for a value, of which nothing is known but that it is escaped."""
_REFUSED = {
    "a control character": re.compile(r"[\x00-\x08\x0b-\x1f\x7f]"),
    "code that has no empty line before and behind": re.compile(r"```|~~~"),
    "HTML": re.compile(rf"<[A-Za-z/!?{_CALL}]"),
    "a brace": re.compile(r"\{"),
    "an image": re.compile(rf"!{_CALL}*\["),
    "a link that is none to a page": re.compile(
        rf"\]:\s*(?!https?://)(?://|\S*?[:&\\{_CALL}])"
        rf"|\]\(\s*(?!https?://)(?://|[^)\s]*?[:&\\{_CALL}]|[^)\s]*\s[^)]*?:[^)]*\))"
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

    def __init__(self, offset: int, what: str, excerpt: str) -> None:
        hint = "prose is Markdown without HTML, braces, images and links but https:// and pages"
        super().__init__(f"{what}: {excerpt.replace(_CALL, '…')}", hint=hint)
        self.offset = offset


def check_prose(text: str) -> None:
    """Raise ExpressionError or ProseError where prose holds more than words, calls and code."""
    check_shown(
        "".join(
            part if is_code else _mask_calls(part, offset)
            for part, offset, is_code in _split_code(text)
        )
    )


def check_shown(text: str) -> None:
    """Raise ProseError where prose whose values are filled in holds more than words and code."""
    words = "".join(
        _NO_CONTROLS.sub(" ", part) if is_code else part for part, _, is_code in _split_code(text)
    )
    for what, pattern in _REFUSED.items():
        if match := pattern.search(words):
            at = match.start()
            raise ProseError(at, what, words[at : at + _SHOWN])


def split_passages(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs of prose, between which two ends of lines stood, and which of them are code."""
    for part, _, is_code in _split_code(text):
        if is_code:
            yield part, True
        elif words := part.removeprefix("\n\n").removesuffix("\n\n"):
            yield from ((each, False) for each in words.split("\n\n"))


def _split_code(text: str) -> Iterator[tuple[str, int, bool]]:
    """Words and code in turn, with where they begin."""
    at = 0
    for code in _CODE.finditer(text):
        yield text[at : code.start()], at, False
        yield code[0], code.start(), True
        at = code.end()
    yield text[at:], at, False


def _mask_calls(words: str, offset: int) -> str:
    try:
        calls = parse_calls(words)
    except ExpressionError as problem:
        problem.offset += offset
        raise
    return "".join(each if isinstance(each, str) else _CALL * len(each.text) for each in calls)
