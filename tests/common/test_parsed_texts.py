"""What a parser made of a text is made again from JSON, and only where that says the same."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from perfolio.common import parsed_texts
from perfolio.common.parsed_texts import ParsedTexts


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio" / "content"


def refuse(_text: str) -> Any:
    pytest.fail("parsed again")


@pytest.mark.parametrize("made", [{"a": [1, 2.5, None, True, "µ"]}, [], "text", None, {"x": {}}])
def test_a_text_is_parsed_once_and_by_no_later_process(made: object) -> None:
    first = ParsedTexts()
    assert first.parse("yaml", "text", lambda _: made) == made
    assert first.parse("yaml", "text", refuse) == made
    first.keep()

    assert ParsedTexts().parse("yaml", "text", refuse) == made


def test_who_changes_what_was_made_changes_it_for_nobody_else() -> None:
    texts = ParsedTexts()
    texts.parse("yaml", "text", lambda _: {"a": [1]})
    texts.parse("yaml", "text", refuse)["a"].append(2)

    assert texts.parse("yaml", "text", refuse) == {"a": [1]}


def test_another_text_or_parser_is_something_else() -> None:
    texts = ParsedTexts()
    made = [texts.parse(*key, lambda text: text) for key in (("a", "1"), ("a", "2"), ("b", "1"))]
    texts.parse("b", "2", lambda _: "other")

    assert made == ["1", "2", "1"]
    assert texts.parse("a", "2", refuse) == "2"


@pytest.mark.parametrize(
    "made", [dt.date(2026, 1, 1), {1: "a"}, (1,), float("inf"), {"a": {True: 1}}], ids=repr
)
def test_what_json_cannot_say_is_parsed_each_time(made: object, cache: Path) -> None:
    texts, answers = ParsedTexts(), [made, made]
    for _ in range(2):
        assert texts.parse("yaml", "text", lambda _: answers.pop()) == made
    texts.keep()

    assert answers == []
    assert not cache.exists()


def test_of_too_many_the_new_ones_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_texts, "MOST", 2)
    for text in ("a", "b", "c"):
        texts = ParsedTexts()
        texts.parse("yaml", text, str)
        texts.keep()

    assert list(ParsedTexts().known.values()) == ['"c"']
