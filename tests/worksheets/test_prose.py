"""Prose of exercises and courses: Markdown of anybody, of which no page runs or loads anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import ContentError
from generator.worksheets.course import load_course
from generator.worksheets.prose import check_prose
from tests.pages.support import HOSTILE, Page, rendered
from tests.worksheets.support import exercise_of, fenced

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
SOUND = (
    "Read [the guide](../reading.md#a) and [a paper](https://x.y/z?a=b&c): **both** `a < b`.",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. One\n2. Two: three\n\n!!! note\n    See x[0]: it is 1.",
    "{{ run() }} takes {{ value('time.wall') }}.",
)


@pytest.mark.parametrize("text", [*HOSTILE, *LINKS, *SOUND])
def test_prose_is_refused_or_does_nothing_in_a_page(text: str) -> None:
    try:
        check_prose(text)
    except ContentError as problem:
        told = str(problem)
    else:
        told = ""
        _check_harmless(rendered(text.replace("{{", "").replace("}}", "")))
    assert text not in (SOUND if told else LINKS)
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
