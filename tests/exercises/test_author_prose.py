"""Prose of exercises and courses: Markdown of anybody, of which no page runs or loads anything.

Also: Items on paper: boxes, fields, answers written in, and answers read back from fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import markdown
import pytest

from perfolio.common.errors import ContentError
from perfolio.exercises.author_prose import check_prose
from perfolio.exercises.course_file import load_course
from perfolio.exercises.grader import grade_item
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.model import Given
from perfolio.exercises.paper_form import Pen, parse_field_answers
from perfolio.pages.exercise_pages import iter_sheet_parts
from perfolio.pages.handout_pages import EXTENSIONS
from tests.exercises.support import case_sheet, exercise_of, fenced, run_of, sheet_of
from tests.pages.support import HOSTILE, Page, rendered

LINKS = (
    "[a](javascript:alert(1))",
    "[a](java\nscript:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a]( \x01javascript:alert(1))",
    "[a](<javascript:alert(1)>)",
    "[a](java&#115;cript:alert(1))",
    "[a](java&Tab;script:alert(1))",
    "[a](javascript\\:alert(1))",
    "[a](data:text/html,x)",
    "[a][b]\n\n[b]: javascript:alert(1)",
    "[a][b]\n\n> [b]: javascript:alert(1)",
    "- [a][b]\n\n    [b]:\n    javascript:alert(1)",
    "[a][^1]\n\n[^1]: javascript:alert(1)",
    "![a](https://x.y/z.png)",
    "![a][b]\n\n[b]: https://x.y/z.png",
    "# Title {: onclick=alert(1) }",
    "*a*{ onmouseover=alert(1) }",
    '``` { .py onclick="alert(1)" }\nx\n```',
    "<div markdown>x</div>",
    "a <a href=x>",
    "</script>",
    "<!-- x -->",
)
CODE = (
    "```cpp\n#include <cuda.h>\n\nint a[2][2] = {{1, 2}, {3, 4}};\n"
    "for (int i = 0; i < n; ++i) { f<<<1, 1>>>(a[i](b)); }\n```"
)
HIDDEN = "<img src=x onerror=alert(1)>"
VALUED = (
    "Look <{{ run() }}> end.",
    "[x]({{ run() }})",
    "[x](a/{{ run() }}/b)",
    "[x][b]\n\n[b]: {{ run() }}",
    "!{{ run() }}[x](https://x.y/z)",
    "[x](//x.y/z)",
    "[x][b]\n\n[b]: //x.y/z",
    f"```\n{{{{ value('no.metric') }}}}\n\n{HIDDEN}\n\n```\n\n{HIDDEN}",
)
"""What a value completes, and what is left where one is missing."""
BROKEN = (
    *VALUED,
    f"a\n```\nb\n\n```\n{HIDDEN}\n```\n",
    f"```\na\n```\n{HIDDEN}\n\n```\nb\n```\n",
    f"~~~\na\n\n```\n{HIDDEN}\n```\n",
    f"````\na\n\n```\n{HIDDEN}\n```\n",
    f"- a\n\n    ```\n    b\n\n```\n{HIDDEN}\n```\n",
    f"a\n\n```\nb\n```\x02\n{HIDDEN}\n```\n",
    f"a\n\n`\x02``\n\n```\n{HIDDEN}\n```\n",
    f"a\n\n```\n b\n ```\n{HIDDEN}\n```\n",
    f"a `` `b\n\n```\nc\n```\n\n` {HIDDEN} `",
    f"a\n\n```{{onclick=x}}\n{HIDDEN}\n```",
    f"a\n\n```py hl_lines=1\n{HIDDEN}\n```",
)
SOUND = (
    f"Look at\n\n{CODE}\n\nand say why.",
    CODE,
    "Read [the guide](../reading.md#a) and [a paper](https://x.y/z?a=b&c): **both** `a < b`.",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. One\n2. Two: three\n\n!!! note\n    See x[0]: it is 1.",
    "{{ run() }} takes {{ value('time.wall') }}.",
)


IN_CODE = [f"a\n\n```\n{text}\n```\n\nb" for text in (*HOSTILE, *LINKS)]


@pytest.mark.parametrize("text", [*HOSTILE, *LINKS, *BROKEN, *IN_CODE, *SOUND])
def test_prose_is_refused_or_does_nothing_in_a_page(text: str) -> None:
    try:
        check_prose(text)
    except ContentError as problem:
        told = str(problem)
    else:
        told = ""
        filled = text.replace("{{", "").replace("}}", "")
        _check_harmless(rendered(filled))
        _check_harmless(Page(markdown.markdown(filled, extensions=EXTENSIONS)))
    assert text not in (SOUND if told else (*LINKS, *BROKEN))
    assert len(told) < 400


def _check_harmless(page: Page) -> None:
    assert not {tag for tag, _ in page.elements} & {"script", "iframe", "style", "form"}
    for _, attributes in page.elements:
        assert not any(key.startswith("on") for key, _ in attributes)
        for key, value in attributes:
            assert key != "href" or "script" not in (value or "")


def test_it_is_refused_with_its_line(tmp_path: Path) -> None:
    item = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    with pytest.raises(ContentError, match=r"exercise\.md:\d+: HTML: <script>"):
        exercise_of(tmp_path, f"One.\n\nTwo <script>alert(1)</script>\n\n{fenced(item)}")
    path = tmp_path / "day" / "course.toml"
    path.parent.mkdir()
    path.write_text(
        'title = "T"\naudience = "A"\nabout = "B"\n[[part]]\ntitle = "P"\nlevel = "beginner"\n'
        'teach = "Say [it](javascript:x)"\nexercises = ["a"]\n'
    )
    with pytest.raises(ContentError, match=r"course\.toml: part 1: teach: a link"):
        load_course(path)


def test_what_goes_without_a_value_is_checked_again(tmp_path: Path) -> None:
    """Code holds no values, and no paragraph goes of it."""
    item = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    code = f"```\n{{{{ value('gpu.composition') }}}}\n\n{HIDDEN}\n\n```"
    run = run_of({"time.wall": 10, "gpu.composition": "silent"})
    sheet = sheet_of(exercise_of(tmp_path, f"One.\n\n{code}\n\n{fenced(item)}"), run)
    shown = "".join(part.prose for part in iter_sheet_parts(sheet, run, lambda one: f"{one}"))

    assert code in shown
    _check_harmless(rendered(shown))


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
