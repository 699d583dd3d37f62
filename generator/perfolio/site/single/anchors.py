"""A page's article as a part of one file.

In:  HTML of an article, and which pages and files stand beside it. Out: the same HTML, whose names
     of places begin with the page's name, whose links to pages within are anchors, and whose
     images and tables to download are data. What leads to anything else becomes its words.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from perfolio.site.single.inlining import as_data, has_data

Attributes = list[tuple[str, str | None]]

_NAMES = frozenset({"id", "for", "aria-labelledby", "aria-describedby", "aria-controls", "headers"})
"""Attributes that name places of a page; `name` does so for inputs alone."""
_ELSEWHERE = re.compile(r"(?:https?|mailto|data):", re.IGNORECASE)
_DROPPED = frozenset({"data-spec", "data-tiles", "data-tree"})
"""Where the script of a live chart is: there is none; timelines and trees stand in the file."""
_SILENT = frozenset({"script", "style"})
_OPENS = '<div class="md-typeset__scrollwrap"><div class="md-typeset__table">'
"""Around a table that may be wider than the page; elsewhere the theme's script adds it."""


@dataclass(frozen=True)
class PagePlace:
    """Where a page is, in the site and in the file."""

    site: Path
    path: str
    """Of the page, below the site."""
    names: Mapping[str, str]
    """Names in the file of the pages within, by their paths below the site."""

    @property
    def name(self) -> str:
        """The page's own name in the file."""
        return self.names[self.path]

    def anchor(self, name: str) -> str:
        """A place of this page by its name in the file."""
        return f"{self.name}/{name}"

    def link(self, address: str) -> str | None:
        """Where a link leads from the file; None where that is not within."""
        if _ELSEWHERE.match(address):
            return address
        path, _, fragment = address.partition("#")
        target = self._below(path) if path else self.path
        if target in self.names:
            if "=" in fragment:  # a part of a live chart, which is a picture here
                fragment = ""
            return f"#{self.names[target]}{'/' if fragment else ''}{fragment}"
        return None

    def data(self, address: str) -> str | None:
        """A file of the site as data; None where it is none that a page may hold."""
        path = self.site / self._below(address)
        return as_data(path) if has_data(path) else None

    def _below(self, address: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), unquote(address)))


def place_article(article: str, place: PagePlace) -> str:
    """The article of a page at its place in one file."""
    parser = _ArticleParser(place)
    parser.feed(article)
    parser.close()
    return "".join(parser.out)


@dataclass
class _ArticleParser(HTMLParser):
    place: PagePlace
    out: list[str] = field(default_factory=list)
    ends: dict[str, list[str]] = field(default_factory=dict)
    """What ends the elements that are open, innermost last, by their names."""
    silent: str = ""
    """An element that is left out with all within."""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=False)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self.silent:
            return
        if tag in _SILENT or self._is_needless(tag, dict(attrs)):
            self.silent = tag
            return
        before, after = (_OPENS, "</div></div>") if _is_wide(tag, dict(attrs)) else ("", "")
        shown, mended = self._mend(tag, attrs)
        self.out.append(before + (self._source() if mended == attrs else _write_tag(shown, mended)))
        self.ends.setdefault(tag, []).append(f"</{shown}>{after}")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if not self.silent:
            shown, mended = self._mend(tag, attrs)
            self.out.append(self._source() if mended == attrs else _write_tag(shown, mended))

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent = "" if tag == self.silent else self.silent
            return
        ends = self.ends.get(tag)
        self.out.append(ends.pop() if ends else f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._say(data)

    def handle_entityref(self, name: str) -> None:
        self._say(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._say(f"&#{name};")

    def _say(self, text: str) -> None:
        if not self.silent:
            self.out.append(text)

    def _source(self) -> str:
        return self.get_starttag_text() or ""

    def _is_needless(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Whether a link offers a file that the page shows already, as the image of a chart."""
        return tag == "a" and "download" in attributes and not _is_table(attributes.get("href"))

    def _mend(self, tag: str, attributes: Attributes) -> tuple[str, Attributes]:
        """An element's name and attributes in the file; a link that leads nowhere is none."""
        mended: Attributes = []
        for name, value in attributes:
            if name in _DROPPED:
                continue
            if name in ("href", "src") and value is not None:
                if (found := self._address(tag, value)) is None:
                    return "span", []
                mended.append((name, found))
            elif name in _NAMES or (name == "name" and tag == "input"):
                mended.append((name, " ".join(map(self.place.anchor, (value or "").split()))))
            else:
                mended.append((name, _name_file(attributes) if name == "download" else value))
        return tag, mended

    def _address(self, tag: str, value: str) -> str | None:
        if tag == "img" or _is_table(value):
            return self.place.data(value)
        return self.place.link(value)


def _is_table(address: str | None) -> bool:
    return bool(address and address.endswith(".csv"))


def _name_file(attributes: Attributes) -> str:
    """How a browser is to call a file that it saves: data has no name."""
    return posixpath.basename(dict(attributes).get("href") or "")


def _is_wide(tag: str, attributes: Mapping[str, str | None]) -> bool:
    return tag == "table" and "class" not in attributes


def _write_tag(tag: str, attributes: Attributes) -> str:
    written = (name if v is None else f'{name}="{html.escape(v)}"' for name, v in attributes)
    return f"<{' '.join([tag, *written])}>"
