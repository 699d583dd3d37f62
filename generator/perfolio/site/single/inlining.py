"""Files of a site as data within a page."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from perfolio.common.errors import SiteError

_KINDS = {".svg": "image/svg+xml", ".csv": "text/csv;charset=utf-8"}
_PLAIN = " !$'()*+,-./:;=?@[]^_`{|}~"
"""What stands for itself within an address and within quotes: it need not take three letters."""
_OUTSIDE = re.compile(r"""url\((?!\s*['"]?(?:data:|#))|@import""")


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
