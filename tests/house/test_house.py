"""The house keeps its budgets, and files that its words name exist."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.figures import FIGURES, PACKAGE, ROOT, Budget, load_budgets, tracked_files
from tests.house.names import names_of, one_word_functions, verb_first_functions

BUDGETS = load_budgets()


def test_each_figure_has_a_budget() -> None:
    assert BUDGETS.keys() == FIGURES.keys()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_keeps_its_budget(name: str) -> None:
    if name.startswith(("files", "words of docs")) and not tracked_files():
        pytest.skip("no checkout: git does not tell which files are the project's")
    assert BUDGETS[name].complaint(FIGURES[name]()) == ""


def test_a_budget_tells_what_is_worse_and_what_is_loose() -> None:
    fewer, more = Budget(10, 5, 1, more=False), Budget(40, 45, 2, more=True)
    assert "worse" in fewer.complaint(10.5)
    assert fewer.complaint(9.5) == ""
    assert "tighten" in fewer.complaint(8)
    assert "worse" in more.complaint(39)
    assert "tighten" in more.complaint(43)
    assert Budget(5, 5, 1, more=False).complaint(1) == ""


def test_names_are_those_of_functions_classes_and_modules(tmp_path: Path) -> None:
    (tmp_path / "trace_parser.py").write_text(
        "class Part:\n    @property\n    def told(self): ...\n    def __len__(self): ...\n"
        "def _read_trace(): ...\ndef whole(): ...\n"
    )
    names = names_of(tmp_path)
    assert names.functions == ["read_trace", "whole"]
    assert names.classes == ["Part"]
    assert names.modules == ["trace_parser"]
    assert one_word_functions(tmp_path) == verb_first_functions(tmp_path) == 50


# Files that docstrings and comments name exist: a stale name sends a reader nowhere.

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


@pytest.mark.parametrize("room", sorted(one.parent.name for one in PACKAGE.glob("*/__init__.py")))
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


# Nothing that `perfolio new` wrote still waits for its author.

OF_THE_COMMAND = {
    PACKAGE / "cli" / "commands" / "new.py",
    PACKAGE / "cli" / "skeleton_files.py",
    ROOT / "tests" / "functional" / "test_new.py",
}
"""Files that speak of the mark itself."""


def test_each_skeleton_was_filled_in() -> None:
    mark = "FILL " + "IN"
    left = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for folder in (PACKAGE, ROOT / "tests")
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".md", ".py", ".sql", ".toml", ".yaml"}
        if "skeletons" not in path.parts and path not in OF_THE_COMMAND
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if mark in line
    ]
    assert left == []
