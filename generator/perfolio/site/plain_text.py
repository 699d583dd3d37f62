"""Texts in which Markdown has nothing to look for: an extension of Python-Markdown.

Each of its inline patterns is looked for in every text, and most texts of a report are cells of
tables: two of three hold no sign with which a pattern begins. These pass as text that is final
until the patterns are done; then they are text again, in which abbreviations are found. What stands
behind an element is left alone: there the patterns' own code would make such a text final for good.

Where a project has patterns of its own, whose signs nobody here knows, every text is searched.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

SIGN = re.compile(r"[\\`\[<&*_]|  \n")
"""With one of these begins whatever the patterns of these names find."""
PATTERNS = (
    "backtick", "escape", "footnote", "reference", "link", "image_link", "image_reference",
    "short_reference", "short_image_ref", "autolink", "automail", "linebreak", "html", "entity",
    "em_strong",
)  # fmt: skip
_BEFORE, _AFTER = 22, 18
"""Priorities around that of inline patterns, 20: what is higher comes first."""


class Unmarked(Extension):
    """Named in `base.yml`."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Register what goes before the inline patterns, and what after."""
        md.treeprocessors.register(_TextFinalizer(md), "unmarked", _BEFORE)
        md.treeprocessors.register(_TextRestorer(md), "unmarked-text", _AFTER)


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
