"""Tooltips: which words a page explains."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import ContentError
from generator.pages import terms
from generator.pages.terms import abbreviations, meanings


def test_only_words_of_the_page_are_explained() -> None:
    assert abbreviations("nothing here") == ""
    found = abbreviations("The gap before a launch; relaunches are none.")
    assert [line.split("]")[0] for line in found.strip().split("\n")] == ["*[gap", "*[launch"]


def test_meanings_are_plain_and_short() -> None:
    for word, meaning in meanings().items():
        assert len(meaning.split()) <= 32, word
        assert not set("*`[]") & set(meaning), word


def test_a_term_that_the_glossary_lacks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "terms.toml"
    path.write_text('"No such thing" = ["thing"]\n')
    monkeypatch.setattr(terms, "TERMS", path)
    with pytest.raises(ContentError, match="no entry 'No such thing'"):
        meanings.__wrapped__()
