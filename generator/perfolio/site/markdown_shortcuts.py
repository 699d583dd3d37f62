"""What the conversion of Markdown need not read: blocks of HTML, definitions, texts without signs.

The page of queries has 600 kB of HTML, that of metrics 300 kB, and each item of an exercise is a
block: looking for Markdown among their elements takes longer than to convert all other pages of a
report. So an empty element stands in their place until the page is converted.

A page ends with a hundred definitions of abbreviations. Python-Markdown looks at all that are left
of them twenty times before it takes one away, so they are taken away at once.

Each of Python-Markdown's inline patterns is looked for in every text, and most texts of a report
are cells of tables: two of three hold no sign with which a pattern begins. An extension lets these
pass as text that is final until the patterns are done; then they are text again, in which
abbreviations are found. What stands behind an element is left alone: there the patterns' own code
would make such a text final for good. Where a project has patterns of its own, whose signs nobody
here knows, every text is searched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_BLOCK = re.compile(
    r'^(?:<div class="highlight"><pre><code>.*?^</code></pre></div>'
    r'|<div class="pf-metrics">.*?^</div>'
    r'|<ul class="pf-index"[^>]*>.*?^</ul>'
    r'|<fieldset class="pf-item.*?^</fieldset>)$',
    re.DOTALL | re.MULTILINE,
)
_ANCHOR = re.compile(r'<[a-z][^>]*? id="([^"]+)"')
_FENCES = ("```", "~~~")
"""Between these, HTML is text."""
_PLACE = re.compile(r'<div data-block="(\d+)"></div>')
_BLOCKS = "perfolio_blocks"
SIGN = re.compile(r"[\\`\[<&*_]|  \n")
"""With one of these begins whatever the patterns of these names find."""
PATTERNS = (
    "backtick", "escape", "footnote", "reference", "link", "image_link", "image_reference",
    "short_reference", "short_image_ref", "autolink", "automail", "linebreak", "html", "entity",
    "em_strong",
)  # fmt: skip
_BEFORE, _AFTER = 22, 18
"""Priorities around that of inline patterns, 20: what is higher comes first."""
_ABBREVIATIONS = "abbr"
_LAST = 1
"""Priority behind all that takes code and HTML out of the text."""
_NOTHING = ("''", '""')
"""A meaning that takes an abbreviation back."""


def take_blocks_out(markdown: str, page: Page) -> str:
    """The Markdown of a page with an empty element in the place of each block."""
    if any(fence in markdown for fence in _FENCES):
        return markdown
    blocks: list[str] = []

    def place(block: re.Match[str]) -> str:
        blocks.append(block[0])
        return f'<div data-block="{len(blocks) - 1}"></div>'

    placed = _BLOCK.sub(place, markdown)
    if blocks:
        page.meta[_BLOCKS] = blocks
    return placed


def put_blocks_back(html: str, page: Page) -> str:
    """The HTML of the page with all its blocks, to whose anchors pages may link."""
    blocks = page.meta.pop(_BLOCKS, None)
    if blocks is None:
        return html
    anchors = {anchor for block in blocks for anchor in _ANCHOR.findall(block)}
    page.present_anchor_ids = anchors | (page.present_anchor_ids or set())
    return _PLACE.sub(lambda place: blocks[int(place[1])], html)


class Unmarked(Extension):
    """Named in `base.yml`."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Register what goes before blocks and the inline patterns, and what after."""
        if _ABBREVIATIONS in md.parser.blockprocessors:
            md.preprocessors.register(_DefinitionReader(md), "definitions", _LAST)
        md.treeprocessors.register(_TextFinalizer(md), "unmarked", _BEFORE)
        md.treeprocessors.register(_TextRestorer(md), "unmarked-text", _AFTER)


class _DefinitionReader(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        """Take away the last block of a text, where it alone defines abbreviations."""
        reader = self.md.parser.blockprocessors[_ABBREVIATIONS]
        end = len(lines)
        while end and not lines[end - 1].strip():
            end -= 1
        found: dict[str, str] = {}
        while end and (definition := reader.RE.fullmatch(lines[end - 1])):
            word, meaning = (definition[name].strip() for name in ("abbr", "title"))
            if not (word and meaning) or meaning in _NOTHING:
                return lines
            found.setdefault(word, meaning)  # the last one of a word is what it means
            end -= 1
        is_block = not end or not lines[end - 1].strip()
        if not is_block or any(line.lstrip().startswith("*[") for line in lines[:end]):
            return lines
        reader.abbrs.update(found)
        return [*lines[:end], ""]


class _UnmarkedText(AtomicString):
    """A text without signs."""


class _TextFinalizer(Treeprocessor):
    def run(self, root: Element) -> None:
        """Let texts without signs pass as final."""
        patterns = self.md.inlinePatterns
        if len(patterns) != len(PATTERNS) or not all(name in patterns for name in PATTERNS):
            return
        for element in root.iter():
            text = element.text
            if text and not isinstance(text, AtomicString) and not SIGN.search(text):
                element.text = _UnmarkedText(text)


class _TextRestorer(Treeprocessor):
    def run(self, root: Element) -> None:
        """Let them be text again."""
        for element in root.iter():
            if isinstance(element.text, _UnmarkedText):
                element.text = str(element.text)
