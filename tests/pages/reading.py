"""What a reader sees of a page before opening anything: blocks of text, in tables and outside.

In:  the HTML of a page's article. Out: blocks of visible words, and sentences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_ENDS = frozenset(
    {"p", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "summary", "div", "br"}
)
_UNREAD = frozenset({"script", "style", "pre", "svg", "nav", "button"})
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col", "meta", "link"})
_UNIT = re.compile(r"(?<=\d) (?=(?:%|(?:CPU-|thread-|GPU-)?[nµm]?s|[KMGT]?i?B(?:/s)?)(?![\w%]))")
_WORD = re.compile(r"\S*\w\S*")
_DETAILS = re.compile(r"<details(?![^>]*\bopen\b)")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z0-9])")


@dataclass
class Seen(HTMLParser):
    """Visible text: of closed details the summary alone."""

    blocks: list[tuple[str, bool]] = field(default_factory=list)
    """Words, and whether they stand in a table."""
    _within: list[tuple[str, bool]] = field(default_factory=list)
    """Elements, and whether what is in them is hidden."""
    _words: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        card = "pf-card" in (told.get("class") or "").split()
        if card or tag in _ENDS:
            self._flush()
        if tag in _VOID:
            return
        folded = tag == "details" and "open" not in told
        hidden = tag in _UNREAD or "headerlink" in (told.get("class") or "")
        self._within.append(("pf-card" if card else tag, folded or hidden))

    def handle_endtag(self, tag: str) -> None:
        if tag in _ENDS:
            self._flush()
        names = [name for name, _ in self._within]
        if tag == "span" and names[-1:] == ["pf-card"]:
            self._flush()
            tag = "pf-card"
        if tag in names:
            del self._within[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        names = [name for name, _ in self._within]
        for place, (name, hides) in enumerate(self._within):
            if hides and not (name == "details" and names[place + 1 : place + 2] == ["summary"]):
                return
        self._words += data

    def _flush(self) -> None:
        words = " ".join(self._words.split())
        if words:
            names = {name for name, _ in self._within}
            self.blocks.append((words, bool(names & {"table", "pf-card"})))
        self._words = ""


def without_folded(markdown: str) -> str:
    """A page without what its closed details hold, of which it keeps the summaries."""
    lines, depth = [], 0
    for line in markdown.splitlines():
        closes = line.count("</details>")
        opens = len(_DETAILS.findall(line))
        if not depth or (depth == 1 and line.startswith("<summary")):
            lines.append(line)
        elif depth == 1 and closes:
            lines.append("\n</details>")
        depth = max(0, depth + opens - closes) if depth or opens else 0
    return "\n".join(lines)


def seen(html: str) -> list[tuple[str, bool]]:
    """The blocks of visible text, and whether each stands in a table."""
    reader = Seen()
    reader.feed(html)
    reader.handle_endtag("p")
    return reader.blocks


def sentences(blocks: list[tuple[str, bool]]) -> list[str]:
    """Sentences outside of tables."""
    return [each for words, in_table in blocks if not in_table for each in _SENTENCE.split(words)]


def count_words(blocks: list[tuple[str, bool]]) -> int:
    """Words, tables included; a number with its unit is one."""
    return sum(len(_WORD.findall(_UNIT.sub("", words))) for words, _ in blocks)
