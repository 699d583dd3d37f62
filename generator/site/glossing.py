"""Tooltips on a page: each word once, where it stands first in running text, and by keyboard too.

In:  the HTML of an article in which Markdown marked every use.
Out: the same with the first uses marked.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"(<[^>]+>)")
_OPENS = re.compile(r"<(\w+)")
_UNMARKED = frozenset(
    {"a", "summary", "h1", "h2", "h3", "h4", "h5", "h6", "th", "code", "pre", "button"}
)
"""Elements that are links or headings, become buttons, or show code: no tooltips within."""
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col", "meta", "link", "source"})


def first_uses(html: str) -> str:
    """Keep `<abbr>` at the first use of a meaning alone, and let the keyboard reach it."""
    if "<abbr" not in html:
        return html
    kept: list[str] = []
    within: list[str] = []
    seen: set[str] = set()
    drop = 0
    for piece in _TAG.split(html):
        if piece.startswith("<abbr"):
            if piece in seen or _UNMARKED & set(within):
                drop += 1
                continue
            seen.add(piece)
            kept.append(piece.replace("<abbr", '<abbr tabindex="0"', 1))
        elif piece == "</abbr>" and drop:
            drop -= 1
        else:
            kept.append(piece)
            _follow(piece, within)
    return "".join(kept)


def _follow(piece: str, within: list[str]) -> None:
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
