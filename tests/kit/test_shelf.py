"""Values that tests keep: made once, by code and key."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit import shelf
from tests.kit.shelf import CODES, Shelf, digest_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    return tmp_path


def test_a_value_is_made_once_per_code_and_key(folder: Path) -> None:
    made: list[str] = []

    def value(code: str, key: str) -> str:
        def make() -> str:
            made.append(code + key)
            return code + key

        return Shelf("words", code).kept(key, make)

    for code, key in ("a1", "a1", "a2", "b1", "a1"):
        assert value(code, key) == code + key
    assert made == ["a1", "a2", "b1"]
    assert len([*folder.rglob("?")]) == 5, "two folders, three values, nothing beside"


def test_a_failure_keeps_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        Shelf("words", "a").kept("1", lambda: 1 / 0)
    assert not Shelf("words", "a").holds("1")
    assert Shelf("words", "a").kept("1", lambda: 2.0) == 2
    assert Shelf("words", "a").holds("1")


def test_values_of_the_oldest_code_go(folder: Path) -> None:
    for age in range(CODES + 2):
        Shelf("words", str(age)).kept("1", lambda: 1)
        os.utime(folder / "words" / str(age), (age, age))
    assert {path.name for path in (folder / "words").iterdir()} == {
        str(age) for age in range(2, CODES + 2)
    }


def test_digests_follow_texts_and_contents(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("1")
    first = digest_of(["t"], [path])
    assert first == digest_of(["t"], [path])
    path.write_text("2")
    assert len({first, digest_of(["t"], [path]), digest_of(["u"], [path]), digest_of([], [])}) == 4
