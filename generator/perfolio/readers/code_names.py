"""Names of code, as all readers write them."""

from __future__ import annotations

PYTHON_MODULE = "<logical python>"
"""The load module of functions of Python, as HPCToolkit calls it."""


def to_storable_text(text: str) -> str:
    """A text as a store can hold it: whole characters, none of them NUL."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "�").encode("utf-8", "replace").decode()
