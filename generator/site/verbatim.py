"""Blocks of HTML that the conversion of Markdown need not read.

The page of queries has 600 kB of them: looking for Markdown among their elements takes longer than
to convert all other pages of a report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_BLOCK = re.compile(
    r'^<div class="highlight"><pre><code>.*?^</code></pre></div>$', re.DOTALL | re.MULTILINE
)
_FENCES = ("```", "~~~")
"""Between these, HTML is text."""
_PLACE = re.compile(r'<div data-block="(\d+)"></div>')
_BLOCKS = "perfolio_blocks"


def take_out(markdown: str, page: Page) -> str:
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


def put_back(html: str, page: Page) -> str:
    """The HTML of the page with all its blocks."""
    blocks = page.meta.pop(_BLOCKS, None)
    return html if blocks is None else _PLACE.sub(lambda place: blocks[int(place[1])], html)
