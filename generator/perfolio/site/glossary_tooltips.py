"""Tooltips on a page: each word once, where it stands first, and by keyboard and touch too.

In:  the HTML of an article in which Markdown marked every use.
Out: the same with the first uses marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

_TAG = re.compile(r"(<[^>]+>)")
_OPENS = re.compile(r"<(\w+)")
_UNMARKED = frozenset({"h1", "summary", "th", "code", "pre", "button", "kicker", "file"})
"""Elements without tooltips: they name the page or a file, are or become buttons, or show code."""
_TO_A_PAGE = re.compile(r'href="(?:#|[^":]*\.html[#"])')
_NO_TERM = '<abbr title="-">'
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col", "meta", "link", "source"})
_NAME_BEFORE = re.compile(r"(?:[\w-]|\w[.:/]+)$")
_NAME_AFTER = re.compile(r"\w|[-.:/]+\w|[(<]")
_NEAR = 24
"""Characters of text that hold the signs next to a word, if these are written as references."""


def find_glossary(urls: Iterable[str]) -> str:
    """Where the words of a site are explained; empty where they are not."""
    found = (url for url in urls if url.rpartition("/")[2] == "glossary.html")
    return min(found, key=len, default="")


def mark_first_uses(html: str) -> str:
    """Keep `<abbr>` at the first use of a meaning alone, and let the keyboard reach it.

    What is folded is seen late, if at all: it neither counts as the first use of what is in view,
    nor do links, within which nothing else can be reached.
    """
    if "<abbr" not in html:
        return html
    shown: list[str] = []
    within: list[str] = []
    seen: set[tuple[str, str]] = set()
    drop = 0
    pieces = _TAG.split(html)
    for place, piece in enumerate(pieces):
        if piece.startswith("<abbr"):
            where = _locate_use(within)
            if _is_used(piece, where, seen) or not _is_term(pieces, place):
                drop += 1
                continue
            seen.add((where, piece))
            shown.append(piece if where == "a" else piece.replace("<abbr", '<abbr tabindex="0"', 1))
        elif piece == "</abbr>" and drop:
            drop -= 1
        else:
            shown.append(piece)
            _follow_tags(piece, within)
    return "".join(shown)


def _locate_use(within: list[str]) -> str:
    """Whether a use stands where none is marked, in a link, in what is folded, or in view."""
    if _UNMARKED & set(within):
        return ""
    return next((name for name in ("a", "details") if name in within), "p")


def _is_used(piece: str, where: str, seen: set[tuple[str, str]]) -> bool:
    return not where or bool({(where, piece), ("p", piece)} & seen)


def _is_term(pieces: list[str], place: int) -> bool:
    """Whether it is a word by itself, and none that means something else here."""
    before, after = pieces[place - 1][-_NEAR:], pieces[place + 3][:_NEAR]
    name = _NAME_BEFORE.search(unescape(before)) or _NAME_AFTER.match(unescape(after))
    return pieces[place] != _NO_TERM and name is None


def _follow_tags(piece: str, within: list[str]) -> None:
    """Keep account of the elements around the next piece."""
    if piece.startswith("</"):
        name = piece[2:-1].strip().lower()
        if name in within:
            while within.pop() != name:
                pass
        return
    opened = _OPENS.match(piece)
    if opened and not piece.endswith("/>") and opened[1].lower() not in _VOID:
        within.append(opened[1].lower())
        if within[-1] == "a" and not _TO_A_PAGE.search(piece):
            within.append("file")
        elif "pf-kicker" in piece:
            within.append("kicker")
