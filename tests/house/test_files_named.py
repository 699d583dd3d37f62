"""Files that docstrings and comments name exist: a stale name sends a reader nowhere."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.figures import PACKAGE, ROOT

NAMED = re.compile(r"(?<![\w./*<>{}-])((?:\w+/)*[a-z_]\w*\.(?:py|sql|yaml|j2))\b(?![/*<(])")
OF_OTHERS = {"train.py", "linear.py", "x.py"}
"""Programs of examples, and of PyTorch."""


@cache
def _names() -> set[str]:
    """All ways to name a file of the project: its path and each end of it."""
    found = set()
    for path in (*ROOT.glob("*"), *ROOT.glob("generator/**/*"), *ROOT.glob("tests/**/*")):
        parts = path.relative_to(ROOT).parts
        found |= {"/".join(parts[start:]) for start in range(len(parts))}
    return found


def _prose(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@pytest.mark.parametrize("room", sorted(one.name for one in PACKAGE.iterdir() if one.is_dir()))
def test_files_that_are_named_exist(room: str) -> None:
    named = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in (PACKAGE / room).rglob("*.py")
        for words in _prose(path)
        for name in NAMED.findall(words)
    }
    missing = {
        (path, name)
        for path, name in named
        if name not in _names() and name.rpartition("/")[2] not in OF_OTHERS
    }
    assert missing == set()
