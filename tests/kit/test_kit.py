"""What tests keep is made once, whole, and again when what it is made from changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.findings.support import remembering
from tests.kit import kept as module
from tests.kit import shelf
from tests.kit.kept import UNUSED, digest_of, kept
from tests.kit.shared import ROOT
from tests.kit.shelf import CODES, Shelf

MAKER = """
import os, sys, time
from pathlib import Path
from tests.kit.kept import kept

def make(folder):
    time.sleep(0.5)
    (folder / "made by").write_text(str(os.getpid()))

print((kept("thing", "0" * 64, make, Path(sys.argv[1])) / "made by").read_text())
"""


def test_an_entry_is_made_once(tmp_path: Path) -> None:
    def make(folder: Path) -> None:
        (folder / "text").write_text("made")

    def refuse(folder: Path) -> None:
        raise AssertionError(folder)

    made = kept("thing", "0" * 64, make, tmp_path)
    assert (made / "text").read_text() == "made"
    assert kept("thing", "0" * 64, refuse, tmp_path) == made
    assert kept("thing", "1" * 64, make, tmp_path) != made


def test_what_is_not_made_to_its_end_is_not_there(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        kept("thing", "0" * 64, fail, tmp_path)
    assert not [each for each in tmp_path.iterdir() if each.is_dir()]
    assert kept("thing", "0" * 64, lambda folder: (folder / "whole").touch(), tmp_path)


def test_of_two_processes_one_makes_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAKER, str(tmp_path)]
    both = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        for _ in range(2)
    ]
    first, second = (each.communicate(timeout=60)[0] for each in both)
    assert first == second
    assert int(first) in {each.pid for each in both}


def test_what_nobody_has_taken_for_long_goes(tmp_path: Path) -> None:
    old, taken = (
        kept(name, "0" * 64, lambda folder: (folder / "x").touch(), tmp_path)
        for name in ("old", "taken")
    )
    long_ago = time.time() - UNUSED - 60
    for each in tmp_path.iterdir():
        os.utime(each, (long_ago, long_ago))
    kept("taken", "0" * 64, lambda _: None, tmp_path)
    kept("new", "0" * 64, lambda _: None, tmp_path)
    assert taken.is_dir()
    assert not old.exists()


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "generator" / "perfolio")
    yield tmp_path / "generator" / "perfolio"
    module._code.cache_clear()


def test_names_change_with_inputs_and_with_code(code: Path, tmp_path: Path) -> None:
    database = tmp_path / "x.d"
    for path in (
        code / "store" / "views.sql",
        code / "pipeline" / "inputs.py",
        code / "common" / "units.py",
        code / "site" / "nav.py",
        database / "meta.db",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("as it was")

    def digest(text: str = "a title") -> str:
        module._code.cache_clear()
        return digest_of(text, database, by=("store",))

    digests = [digest(), digest("another title")]
    for path in (database / "meta.db", code / "store" / "views.sql", code / "common" / "units.py"):
        path.write_text("edited")
        digests.append(digest())
    assert len(set(digests)) == len(digests)
    (code / "site" / "nav.py").write_text("edited")
    assert digest() == digests[-1], "a store does not depend on the site"


@pytest.fixture
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


@pytest.mark.usefixtures("folder")
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


def test_digests_of_values_follow_texts_and_contents(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("1")
    first = shelf.digest_of(["t"], [path])
    assert first == shelf.digest_of(["t"], [path])
    path.write_text("2")
    others = {shelf.digest_of(*each) for each in ((["t"], [path]), (["u"], [path]), ([], []))}
    assert len({first, *others}) == 4


ITEM = {"type": ["integer", "array"], "minimum": 0, "items": {"$ref": "#/$defs/small"}}
SCHEMA = {
    "$defs": {"small": {"type": ["integer", "boolean"], "maximum": 3}},
    "properties": {"list": {"items": ITEM}, "other": {"items": {"$ref": "#/$defs/small"}}},
}
CELL = st.sampled_from([-1, 0, 3, 4, True, 1.0, "a"])
REFERENCE, ASKED = jsonschema.Draft202012Validator(SCHEMA), remembering(SCHEMA)


@given(st.dictionaries(st.sampled_from(["list", "other"]), st.lists(CELL | st.lists(CELL))))
def test_the_same_is_faulty_at_the_same_places_each_time(document: object) -> None:
    expected = [(list(error.path), error.message) for error in REFERENCE.iter_errors(document)]
    for _ in range(2):
        found = [(list(error.path), error.message) for error in ASKED.iter_errors(document)]
        assert found == expected, json.dumps(document)


def test_a_schema_whose_items_depend_on_their_place_is_refused() -> None:
    with pytest.raises(AssertionError):
        remembering({"prefixItems": [{"type": "integer"}]})
