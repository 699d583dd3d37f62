"""Texts to files: only what changed, nothing of others, nothing outside."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from perfolio.common.atomic_folders import MANIFEST
from perfolio.common.errors import OutputError
from perfolio.site.file_sync import sync_tree


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def test_writes_texts_and_bytes(tmp_path: Path) -> None:
    changed = sync_tree({"a.md": "µ", "b/c.bin": b"\xff\x00"}, tmp_path / "out")

    assert content(tmp_path / "out") == {"a.md": "µ".encode(), "b/c.bin": b"\xff\x00"}
    assert changed == [tmp_path / "out" / "a.md", tmp_path / "out" / "b" / "c.bin"]


def test_leaves_what_is_equal_untouched(tmp_path: Path) -> None:
    sync_tree({"a.md": "1", "b.md": "2"}, tmp_path)
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))
    changed = sync_tree({"a.md": "1", "b.md": "3"}, tmp_path)

    assert changed == [tmp_path / "b.md"]
    assert (tmp_path / "a.md").stat().st_mtime == 1


def test_nothing_at_all_is_written_where_nothing_changed(tmp_path: Path) -> None:
    sync_tree({"a.md": "1"}, tmp_path)
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))

    assert sync_tree({"a.md": "1"}, tmp_path) == []
    assert {path.stat().st_mtime for path in tmp_path.iterdir()} == {1}


def test_removes_stale_files_and_their_empty_folders_only(tmp_path: Path) -> None:
    sync_tree({"old/charts/x.svg": "x", "kept/x.md": "x"}, tmp_path)
    (tmp_path / "kept" / "of-another.md").write_text("mine")
    removed = sync_tree({}, tmp_path)

    assert content(tmp_path) == {"kept/of-another.md": b"mine"}
    assert not (tmp_path / "old").exists()
    assert removed == [tmp_path / "kept" / "x.md", tmp_path / "old" / "charts" / "x.svg"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", ".", "a/.."])
def test_refuses_paths_outside_before_writing_anything(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="outside of"):
        sync_tree({"fine.md": "1", name: "2"}, tmp_path / "out")

    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "out").exists()


def test_refuses_to_follow_a_link_outside(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="outside of"):
        sync_tree({"link/x.md": "1"}, tmp_path / "out")

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_refuses_to_overwrite_a_file_of_someone_else(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("written by hand")
    with pytest.raises(OutputError, match=r"index\.md: exists and was not written by Perfolio"):
        sync_tree({"index.md": "generated"}, tmp_path)

    assert (tmp_path / "index.md").read_text() == "written by hand"


def test_a_manifest_that_names_files_outside_removes_none(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("1")
    out = tmp_path / "out"
    sync_tree({"a.md": "1"}, out)
    (out / MANIFEST).write_text(json.dumps(["../precious", str(tmp_path / "precious"), 7]))
    sync_tree({}, out)

    assert (tmp_path / "precious").read_text() == "1"


@pytest.mark.parametrize("damage", ["", "{", '"a string"', "\udcff"])
def test_a_damaged_manifest_counts_as_none(tmp_path: Path, damage: str) -> None:
    (tmp_path / MANIFEST).write_bytes(damage.encode("utf-8", "surrogateescape"))
    sync_tree({"a.md": "1"}, tmp_path)

    assert content(tmp_path) == {"a.md": b"1"}


def test_an_interrupted_call_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync_tree({"old.md": "1"}, tmp_path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("perfolio.site.file_sync._remove_all", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sync_tree({"new.md": "1"}, tmp_path)
    sync_tree({"new.md": "2"}, tmp_path)

    assert content(tmp_path) == {"new.md": b"2"}


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written: Not a directory"):
        sync_tree({"a.md": "1"}, tmp_path / "file" / "out")
