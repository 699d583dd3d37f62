"""Items on paper: boxes, fields, answers written in, and answers read back from fields."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from perfolio.exercises.grader import grade_item
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.model import Given
from perfolio.exercises.paper_form import Pen, parse_field_answers
from tests.exercises.support import case_sheet

ASKED = [name for name in list_type_names() if load_item_type(name).POINTS]


class Fields(HTMLParser):
    """The fields of HTML with what a reader of a PDF would say of them."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.titles: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        told = dict(attrs)
        if tag not in ("input", "textarea"):
            return
        assert told["name"] not in self.values, "two fields of one name"
        on = "/on" if "checked" in told else "/Off"
        self.values[told["name"]] = on if told.get("type") == "checkbox" else told.get("value", "")
        self.titles[told["name"]] = told["title"]


def keyed(name: str, folder: Path) -> Iterator[tuple[Any, Any]]:
    for question in case_sheet(name, folder).answerable:
        assert question.keyed is not None
        yield question.keyed.shown, question.keyed.key


def written(name: str, shown: Any, pen: Pen) -> Fields:
    fields = Fields()
    fields.feed(load_item_type(name).paper(shown, pen))
    return fields


@pytest.mark.parametrize("name", ASKED)
def test_solved_items_earn_all_points(name: str, tmp_path: Path) -> None:
    for _, key in keyed(name, tmp_path):
        graded = grade_item(key, {"given": load_item_type(name).solve(key)})
        by_hand = name == "open"
        assert (graded.code, graded.points) == (
            ("by-hand", 0.0) if by_hand else ("right", key["points"])
        )


@pytest.mark.parametrize("name", list_type_names())
def test_paper_shows_what_the_page_asks_and_has_room_for_every_answer(
    name: str, tmp_path: Path
) -> None:
    for shown, key in keyed(name, tmp_path):
        blank, fields = (
            load_item_type(name).paper(shown, Pen(fields=form)) for form in (False, True)
        )
        assert "<input" not in blank
        assert escape(shown["ask"]) in blank
        assert "\n\n" not in blank
        for option in shown.get("options", ()):
            assert escape(option["says"]) in blank
        given: Given = load_item_type(name).solve(key)
        if given:
            assert ("<input" in fields) or ("<textarea" in fields)


@pytest.mark.parametrize("name", [name for name in ASKED if name != "open"])
def test_answers_written_into_fields_are_read_back(name: str, tmp_path: Path) -> None:
    for shown, key in keyed(name, tmp_path):
        given = load_item_type(name).solve(key)
        fields = written(name, shown, Pen(fields=True, given=given))
        assert parse_field_answers(fields.values) == {"it": {"given": given}}
        assert all("." not in field for field in fields.values)
        assert all(fields.titles.values())
        empty = parse_field_answers(written(name, shown, Pen(fields=True)).values)
        assert grade_item(key, empty.get("it", {"given": ""})).code == "blank"


def test_fields_of_others_are_no_answers() -> None:
    fields = {"learner_ABCDEFGH": "Ada", "S1": "1", "s1_": "1", "s1-a_10": "x", "s1-a_9": "y"}
    assert parse_field_answers(fields) == {"s1-a": {"given": ["y", "x"]}}


def test_words_of_a_run_are_text_on_paper() -> None:
    shown = {"id": "it", "points": 1.0, "ask": "<b>{{ x }}</b>", "unit": "<i>",
             "options": [{"letter": "A", "says": "<script>"}], "hints": []}  # fmt: skip
    for name in ("number", "choice"):
        for pen in (Pen(), Pen(fields=True), Pen(given='"><script>')):
            made = load_item_type(name).paper(shown | {"source": ""}, pen)
            assert not any(part in made for part in ("<script", "<i>"))
