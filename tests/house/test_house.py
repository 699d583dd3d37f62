"""The house keeps its budgets, and they get no looser than what it has reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.budgets import Budget, load_budgets
from tests.house.figures import FIGURES, tracked_files
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
