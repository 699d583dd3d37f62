"""Content files read the same with each of PyYAML's safe loaders, and again after an edit.

Also: What a parser made of a text is made again from JSON, and only where that says the same.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
import yaml

import perfolio
from perfolio.common import content_files, parsed_texts
from perfolio.common.content_files import (
    code_digest,
    files_digest,
    load_yaml,
    read_states,
    reload_when_edited,
)
from perfolio.common.parsed_texts import ParsedTexts

CONTENT = sorted((Path(perfolio.__file__).parent / "findings").rglob("*.yaml"))
RULES = sorted((Path(perfolio.__file__).parent / "findings" / "rules").glob("*.md"))


@pytest.mark.parametrize("path", CONTENT, ids=lambda path: path.name)
def test_files_read_as_by_the_plain_loader(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert load_yaml(text) == yaml.safe_load(text)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_read_as_by_the_plain_loader(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("---\n")[1]
    assert load_yaml(head) == yaml.safe_load(head)


def test_no_object_of_python_is_made() -> None:
    with pytest.raises(yaml.YAMLError):
        load_yaml("!!python/object/apply:os.getcwd []")


def test_a_file_is_read_again_only_after_an_edit(tmp_path: Path) -> None:
    path = tmp_path / "causes.yaml"
    path.write_text("one")
    read: list[str] = []

    @reload_when_edited(path)
    def load(path: Path) -> str:
        read.append(path.read_text())
        return read[-1]

    assert [load(), load()] == ["one", "one"]
    path.write_text("another")
    assert [load(), load()] == ["another", "another"]
    assert read == ["one", "another"]


def test_a_folder_is_read_again_after_an_edit_of_a_file_in_or_beside_it(tmp_path: Path) -> None:
    folder, beside = tmp_path / "rules", tmp_path / "shared.yaml"
    (folder / "deep").mkdir(parents=True)
    beside.write_text("shared")
    (folder / "deep" / "one.md").write_text("one")
    read: list[list[str]] = []

    @reload_when_edited(folder, beside)
    def load(path: Path) -> list[str]:
        found = [*sorted(path.rglob("*.md")), beside]
        read.append([each.read_text() for each in found])
        return read[-1]

    assert [load(), load()] == [["one", "shared"]] * 2
    (folder / "deep" / "two.md").write_text("two")
    assert [load(), load()] == [["one", "two", "shared"]] * 2
    (folder / "deep" / "one.md").write_text("uno!")
    assert load() == ["uno!", "two", "shared"]
    (folder / "deep" / "two.md").rename(folder / "deep" / "zwei.md")
    assert load() == ["uno!", "two", "shared"]
    beside.write_text("edited")
    assert load() == ["uno!", "two", "edited"]
    assert len(read) == 5


def test_a_file_that_is_gone_is_an_error_again(tmp_path: Path) -> None:
    path = tmp_path / "causes.yaml"
    path.write_text("one")

    @reload_when_edited(path)
    def load(path: Path) -> str:
        return path.read_text()

    load()
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load()


def test_the_digest_of_the_code_is_another_one_after_an_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh() -> str:
        code_digest.cache_clear()
        return code_digest()

    monkeypatch.setattr(content_files, "__file__", str(tmp_path / "common" / "content_files.py"))
    digests = [fresh()]
    for name, text in [("a.py", "1"), ("a.py", "2"), ("b/c.py", "2"), ("b/d.py", "2")]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        digests.append(fresh())
    (tmp_path / "b" / "d.py").rename(tmp_path / "b" / "e.py")
    digests.append(fresh())
    assert len(set(digests)) == len(digests)
    (tmp_path / "notes.txt").write_text("")
    assert fresh() == digests[-1]
    code_digest.cache_clear()


def test_a_link_to_itself_hides_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "z.md").write_text("z")
    before, digest = read_states(tmp_path), files_digest(tmp_path)
    assert [Path(name).name for name in before] == ["z.md"]
    (tmp_path / "b" / "z.md").write_text("other")
    assert read_states(tmp_path) != before
    assert files_digest(tmp_path) != digest


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
