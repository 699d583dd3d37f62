"""Files of a site as data within a page; timeline and call trees as blocks, which run nothing.

Of a timeline there are its head, tiles that merge, then exact ones of what the page has buttons
for, as many as fit.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from perfolio.common.errors import SiteError

_KINDS = {".svg": "image/svg+xml", ".csv": "text/csv;charset=utf-8"}
_PLAIN = " !$'()*+,-./:;=?@[]^_`{|}~"
"""What stands for itself within an address and within quotes: it need not take three letters."""
_OUTSIDE = re.compile(r"""url\((?!\s*['"]?(?:data:|#))|@import""")
MOST_BLOCKS = 1_500_000
"""Characters of all blocks of a timeline."""
_FOLDER = "timeline"
_CHARTS = "charts"
_HEAD = re.compile(r"perfolio\.timeline\.head\((\{.*\})\);\n")
_TILE = re.compile(r'perfolio\.timeline\.take\("(r\d*)","([A-Za-z0-9+/=]*)",(\d+)\);\n')
_TREE = re.compile(r'\["([a-z_]+)"\] = (\{.*\});\n')
_PLACES = re.compile(r'<figure[^>]* data-places="([^"]*)"')


def as_data(path: Path) -> str:
    """The address of a file's content."""
    return f"data:{_KINDS[path.suffix]},{quote(path.read_bytes(), safe=_PLAIN)}"


def has_data(path: Path) -> bool:
    """Whether a page may hold this file as data."""
    return path.suffix in _KINDS and path.is_file()


def read_style(path: Path) -> str:
    """A style sheet that loads nothing. SiteError where one would."""
    text = path.read_text(encoding="utf-8")
    if _OUTSIDE.search(text) or "</style" in text:
        raise SiteError(f"{path.name}: a style sheet that loads something cannot stand in one file")
    return text


def write_tile_blocks(report: Path, page: str) -> str:
    """The blocks of the report in this folder, whose timeline `page` shows; empty without one."""
    first = report / _FOLDER / "r.js"
    if not first.is_file():
        return ""
    found = _HEAD.match(first.read_text("utf-8"))
    if not found:
        return ""
    head = json.loads(found[1])
    blocks = [_write_block("head", found[1].replace("<", "\\u003c"), "json")]
    left = MOST_BLOCKS - len(blocks[0])
    for path in _order_tiles(report / _FOLDER, head, _read_places(page)):
        tile = _TILE.search((report / _FOLDER / f"{path}.js").read_text("utf-8"))
        if tile and len(tile[2]) <= left:
            blocks.append(_write_block(path, tile[2], f'octet-stream" data-bins="{tile[3]}'))
            left -= len(blocks[-1])
    return "\n".join(blocks)


def write_tree_blocks(report: Path) -> str:
    """The blocks of the call trees of the report in this folder; empty without one."""
    scripts = (path.read_text("utf-8") for path in sorted((report / _CHARTS).glob("*_icicle.js")))
    found = (_TREE.search(script) for script in scripts)
    return "\n".join(_write_block(tree[1], tree[2], "json", "tree") for tree in found if tree)


def _write_block(name: str, content: str, kind: str, of: str = "tile") -> str:
    return f'<script type="application/{kind}" id="pf-{of}-{name}">{content}</script>'


def _read_places(page: str) -> list[tuple[float, float]]:
    found = _PLACES.search(page)
    places = json.loads(html.unescape(found[1])) if found else []
    return [(begin * 1e9, end * 1e9) for _, begin, end, _ in places]


def _order_tiles(
    folder: Path, head: dict[str, Any], places: Sequence[tuple[float, float]]
) -> Iterator[str]:
    """Tiles in the order of their use: the whole, what merges, exact ones of places, the rest."""
    paths = sorted((path.stem for path in folder.glob("r*.js")), key=lambda one: (len(one), one))
    exact = set(head["exact"])
    shown = [
        path
        for begin, end in places
        for path in sorted(exact)
        if _overlaps(head, path, begin + head["origin"], end + head["origin"])
    ]
    merged = [path for path in paths if path not in exact]
    yield from dict.fromkeys([*paths[:1], *merged, *shown, *paths])


def _overlaps(head: dict[str, Any], path: str, begin: float, end: float) -> bool:
    low, high = 0, head["stop"] + 1
    for digit in path[1:]:
        width = high - low
        low, high = (low + width * (int(digit) + more) // head["fan"] for more in (0, 1))
    return low < end and high > begin
