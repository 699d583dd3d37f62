"""Blocks of HTML that the conversion of Markdown need not read.

The page of queries has 600 kB of them, that of metrics 300 kB, and each item of an exercise is one:
looking for Markdown among their elements takes longer than to convert all other pages of a report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_BLOCK = re.compile(
    r'^(?:<div class="highlight"><pre><code>.*?^</code></pre></div>'
    r'|<div class="pf-metrics">.*?^</div>'
    r'|<ul class="pf-index">.*?^</ul>'
    r'|<fieldset class="pf-item.*?^</fieldset>)$',
    re.DOTALL | re.MULTILINE,
)
_ANCHOR = re.compile(r'<[a-z][^>]*? id="([^"]+)"')
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
    """The HTML of the page with all its blocks, to whose anchors pages may link."""
    blocks = page.meta.pop(_BLOCKS, None)
    if blocks is None:
        return html
    anchors = {anchor for block in blocks for anchor in _ANCHOR.findall(block)}
    page.present_anchor_ids = anchors | (page.present_anchor_ids or set())
    return _PLACE.sub(lambda place: blocks[int(place[1])], html)
