"""SQL as HTML, coloured as little as it takes to read it.

A highlighter for any language would make six times as much of it, and take longer than
all the rest of the page.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from perfolio.pages.template_filters import CODE_LIMIT

_TOKEN = re.compile(r"(--[^\n]*|'[^'\n]*'|\b[A-Z]{2,}(?: [A-Z]{2,})*\b)")
"""Comments, texts and keywords, which are in capitals in all our queries."""
_CLASSES = {"-": "c1", "'": "s1"}
"""Class of a token by its first character, as Pygments has them; all others are keywords."""
_MARKS = {"`": "&#96;", "~": "&#126;"}
"""What would begin a fenced block of Markdown."""


def render_sql(value: object) -> str:
    """A query as the inside of a `<pre>` block, in which nothing is markup."""
    return _render_sql(str(value)[:CODE_LIMIT])


@lru_cache(maxsize=1024)  # as many as there are metrics: reports show the same ones
def _render_sql(sql: str) -> str:
    lines = sql.strip("\n").split("\n")
    shown = "\n".join(map(_replace_unprintable, lines))
    parts = _TOKEN.split(shown)
    return "".join(
        _make_span(part) if at % 2 else _escape_code(part) for at, part in enumerate(parts)
    )


def _replace_unprintable(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else " " for c in line)


def _make_span(token: str) -> str:
    return f'<span class="{_CLASSES.get(token[0], "k")}">{_escape_code(token)}</span>'


def _escape_code(text: str) -> str:
    shown = html.escape(text, quote=False)
    for mark, reference in _MARKS.items():
        shown = shown.replace(mark, reference)
    return shown
