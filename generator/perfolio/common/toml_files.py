"""TOML that anyone may have written: read whole, within bounds, or refused in one line.

In:  a file or its text. Out: tables of Python, whose numbers fit 64 bits and whose texts hold
     no NUL; or a TomlError that says why not. No file takes more than seconds or 100 MB.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from perfolio.common.parsed_texts import get_parsed_texts

_PACKAGE = Path(__file__).resolve().parents[1]
LARGEST = 1 << 20
"""Bytes of a file; the largest one that we know of has 37 kB."""
DEEPEST = 32
"""Tables and lists within each other, and parts of a key."""
_WORD = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_WORD}[ \t]*+\.[ \t]*+){{{DEEPEST}}}{_WORD}")
"""tomllib takes time with the square of the parts of a key: 90 s for 256 kB."""


class TomlError(ValueError):
    """Why a file is not read, to follow its name: "is no regular file"."""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file. Raises TomlError."""
    text = read_text(path)
    try:
        if path.is_relative_to(_PACKAGE):
            return dict(get_parsed_texts().parse("toml", text, load_toml))
        return load_toml(text)
    except TomlError as problem:
        raise TomlError(f"is not TOML: {problem}") from problem


def read_text(path: Path) -> str:
    """The text of a regular file in UTF-8. Raises TomlError, also where it is too large."""
    try:
        if path.exists() and not path.is_file():  # a FIFO would hold us for ever
            raise TomlError("is no regular file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        return _check_size(content).decode("utf-8")
    except OSError as problem:
        raise TomlError(f"cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise TomlError("is not a text in UTF-8") from problem


def load_toml(text: str) -> dict[str, Any]:
    """The tables in `text`. Raises TomlError, whose text names no file."""
    if found := _LONG_KEY.search(text):
        raise TomlError(f"a key of more than {DEEPEST} parts: {found[0][:40]}...")
    try:
        tables = tomllib.loads(text)
    except RecursionError as problem:
        raise TomlError(f"more than {DEEPEST} tables or lists within each other") from problem
    except ValueError as problem:  # TOMLDecodeError, and numbers of thousands of digits
        raise TomlError(str(problem).partition(";")[0]) from problem
    _check_tables(tables)
    return tables


def _check_size(content: bytes) -> bytes:
    if len(content) > LARGEST:
        raise TomlError(f"is larger than {LARGEST:,} bytes")
    return content


def _check_tables(tables: dict[str, Any]) -> None:
    """Refuse what TOML can say and nothing here could use. Level by level: depth is no matter."""
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        for value in level:
            _check_value(value)
        level = [inner for value in level for inner in _list_inner(value)]
        if not level:
            return
    raise TomlError(f"more than {DEEPEST} tables or lists within each other")


def _list_inner(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def _check_value(value: Any) -> None:
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise TomlError(f"a whole number of {value.bit_length():,} bits, where 64 are allowed")
    if isinstance(value, str) and "\0" in value:
        raise TomlError(f"a text holds a NUL character: {value[:40]!r}")
