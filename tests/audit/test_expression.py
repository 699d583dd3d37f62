"""Formulas are arithmetic over names, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.audit.expression import evaluate, list_divisions, list_names, parse_formula
from perfolio.common.errors import UsageError

VALUES = {"a": 6.0, "b": 3.0, "gpu.launches": 100.0, "zero": 0.0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a / b", 2.0),
        ("a / (a + b)", 2 / 3),
        ("-a + 2 * b - 1", -1.0),
        ("gpu.launches * 0.000005", 5e-4),
        ("a / zero", None),
        ("a / unknown", None),
    ],
)
def test_values(text: str, value: float | None) -> None:
    found = evaluate(text, VALUES.get)
    assert found == (pytest.approx(value) if value is not None else None)


COLUMNS = {"t.share": (0.5, 0.25), "t.none": ()}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sum(t.share) * 100", 75.0),
        ("count(t.share)", 2.0),
        ("first(t.share) - min(t.share, 0.1)", 0.4),
        ("max(t.share, a / b)", 2.0),
        ("round(a / 4)", 2.0),
        ("sum(t.none)", None),
        ("sum(unknown)", None),
    ],
)
def test_functions_of_columns(text: str, value: float | None) -> None:
    found = evaluate(text, VALUES.get, COLUMNS.get)
    assert found == (pytest.approx(value) if value is not None else None)
    assert list_names(text, functions=True)
    with pytest.raises(UsageError):
        evaluate(text, VALUES.get)


@pytest.mark.parametrize(
    "text", ["open(a)", "sum()", "sum(a=1)", "sum(*a)", "a.sum(b)", "sum(a)(b)"]
)
def test_no_other_function_is_called(text: str) -> None:
    with pytest.raises(UsageError):
        evaluate(text, VALUES.get, COLUMNS.get)


@pytest.mark.parametrize(
    "text",
    ["", "a +", "a ** 9", "f(a)", "a[0]", "'text'", "a if b else c", "True", "lambda: a", "a < b",
     "a; b", "__import__('os')", "(a).b.c()", "1j", "a\0", "(" * 400, "-" * 5_000 + "a",
     "a" * 501, "{a}", "a or b", "*a", "a := 1", "a.b[0].c", "f'{a}'"],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_formula(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        parse_formula(text)
    except UsageError:
        return
    evaluate(text, VALUES.get)


def test_names_and_divisions() -> None:
    assert list_names("a / (b.c + a)") == ["a", "b.c"]
    assert list_names("") == []
    assert list(list_divisions("a * b / (c + 2)")) == [(["a", "b"], ["c"])]
