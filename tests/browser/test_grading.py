"""The browser grades as Python does: the same table of cases, and every number that pages print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from perfolio.exercises.grader import grade_item, grade_sheet, make_grading_tables
from perfolio.exercises.items import list_type_names
from perfolio.exercises.model import GradedAnswer
from perfolio.exercises.number_parser import parse_number
from tests.exercises.grading import cases, printed_numbers
from tests.kit.samples import SAMPLES
from tests.kit.shared import ROOT

pytestmark = pytest.mark.browser

SCRIPT = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio" / "grading.js"
STRANGE = (
    "", " ", "1", "1,29", "1.290", "1,290", "0,290", "1.234.567,8", "1,234,567.8", "1 234", "12 34",
    "1'234", "1\u2019234", "\u22125", "+5 ms", "~5", "≈ 5 µs", "<0.01 %", "5e400", "-1e999 s",
    "1e-400", "1e+3", "3·10^8", "3 x 10^-2 GB", "3×10⁻²", "10⁸", "2*10^", "1e", ".5", "5.", ".",
    ",", "1..2", "5 m s", "5 MS",
    "5 Ms", "5 mS", "5 constructor", "5 __proto__", "٣", "五", "5\u00a0ms", "\u20035\u2003",
    "\ufeff5", "5\n", "1 2 3", "1,2,3", "0x10", "Infinity", "NaN", "--5", "5-", "5 5",
    "1" * 80, "1" * 81, "é" * 81, "😀5", "5 😀",
)  # fmt: skip


@pytest.fixture(scope="module")
def grader(browser: Browser) -> Iterator[Page]:
    """An empty page that holds the grader and its tables."""
    page = browser.new_page()
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    page.evaluate("tables => { window.tables = tables; }", make_grading_tables())
    yield page
    page.close()


def graded(page: Page, key: Any, answers: Sequence[Any]) -> list[GradedAnswer]:
    """What the browser says of answers to one item."""
    (found,) = all_graded(page, [(key, answers)])
    return found


def all_graded(page: Page, asked: Sequence[tuple[Any, Sequence[Any]]]) -> list[list[GradedAnswer]]:
    """The same of answers to several, in one question: to ask takes longer than to answer."""
    script = """text => JSON.stringify(JSON.parse(text).map(
        ([key, all]) => all.map(given => perfolio.grading.item(key, given, tables))))"""
    return [
        [
            GradedAnswer(one["points"], one["code"], one["feedback"], tuple(one["parts"]))
            for one in item
        ]
        for item in json.loads(page.evaluate(script, json.dumps(asked)))
    ]


def by_item() -> dict[str, list[dict[str, Any]]]:
    """The cases of the table by the item that they answer."""
    found: dict[str, list[dict[str, Any]]] = {}
    for case in cases():
        found.setdefault(json.dumps(case["key"]), []).append(case)
    return found


def test_the_table_of_cases(grader: Page) -> None:
    for table in by_item().values():
        found = graded(grader, table[0]["key"], [case["given"] for case in table])
        for case, one in zip(table, found, strict=True):
            assert one == grade_item(case["key"], case["given"]), case["name"]
            assert one.code == case["code"], case["name"]
            assert one.points == pytest.approx(case["points"]), case["name"]


def test_the_browser_knows_every_type(grader: Page) -> None:
    assert sorted(grader.evaluate("perfolio.grading.types")) == list(list_type_names())


def test_any_text_is_read_alike(grader: Page) -> None:
    script = """all => all.map(perfolio.grading.typed)
      .map(read => read && [read.values.map(String), read.unit])"""
    found = grader.evaluate(script, list(STRANGE))
    for text, one in zip(STRANGE, found, strict=True):
        read = parse_number(text)
        told = None if one is None else ([float(each) for each in one[0]], one[1])
        assert told == (None if read is None else (list(read.values), read.unit)), repr(text)


def test_strange_answers_are_graded_alike(grader: Page) -> None:
    lists = [[], ["A"], ["1", "2"], ["", "x"], list("ABCDE"), list("4123")]
    answers = [{"given": each} for each in (*STRANGE, *lists)]
    for table in by_item().values():
        key = table[0]["key"]
        for answer, one in zip(answers, graded(grader, key, answers), strict=True):
            assert one == grade_item(key, answer), (key["type"], answer)


@pytest.mark.parametrize("slug", SAMPLES)
def test_what_a_page_prints_of_any_metric_is_graded_as_right(grader: Page, slug: str) -> None:
    asked = [
        (name, key, [{"given": form} for form in printed])
        for name, key, printed in printed_numbers(slug)
    ]
    found = all_graded(grader, [(key, answers) for _, key, answers in asked])
    wrong = [
        (name, told, one)
        for (name, _, answers), item in zip(asked, found, strict=True)
        for told, one in zip(answers, item, strict=True)
        if one.code != "right"
    ]
    assert sum(len(answers) for _, _, answers in asked) > 100
    assert wrong == []


def test_a_sheet_is_graded_with_what_follows(grader: Page) -> None:
    table = cases()
    number = {**next(one["key"] for one in table if one["key"]["type"] == "number")}
    tree = {"follow": ["/", {"item": "a"}, {"item": "b"}], "follow_within": 0.01}
    tree |= {"follows": ["a", "b"]}
    key = {"sheet": "S", "items": {"a": number, "b": number, "c": {**number, **tree}}}
    for answers in (
        {"a": {"given": "50"}, "b": {"given": "2"}, "c": {"given": "25"}},
        {"a": {"given": "50"}, "c": {"given": "25"}},
        {"a": {"given": "words"}, "b": {"given": "0"}, "c": {"given": "25"}},
        {},
    ):  # fmt: skip
        found = grader.evaluate("([k, a]) => perfolio.grading.sheet(k, a, tables)", [key, answers])
        wanted = grade_sheet(key, {"sheet": "S", "items": answers})
        assert {name: (one["code"], one["points"]) for name, one in found.items()} == {
            name: (one.code, one.points) for name, one in wanted.items()
        }
