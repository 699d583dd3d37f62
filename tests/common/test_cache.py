"""What is kept in the cache folder: whole or not at all, and never needed."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from perfolio.common import cache
from perfolio.common.cache import find_cache_folder, keep_content, load_kept, make_key

DAY = 86_400


def test_what_is_kept_is_known(tmp_path: Path) -> None:
    path = tmp_path / "charts" / "key"
    assert load_kept(path) is None
    keep_content(path, b"content")
    assert load_kept(path) == b"content"
    keep_content(path, b"")
    assert load_kept(path) == b""
    assert [each.name for each in path.parent.iterdir()] == ["key"]


def test_a_damaged_entry_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "key"
    keep_content(path, b"content" * 9)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert load_kept(path) is None, at
        path.write_bytes(whole[:at])
        assert load_kept(path) is None, at
    path.write_bytes(whole)
    assert load_kept(path) == b"content" * 9


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keep_content(tmp_path / "file" / "key", b"content")
    assert load_kept(tmp_path / "file" / "key") is None
    (tmp_path / "charts" / "key").mkdir(parents=True)
    keep_content(tmp_path / "charts" / "key", b"content")
    assert load_kept(tmp_path / "charts" / "key") is None
    assert [each.name for each in (tmp_path / "charts").iterdir()] == ["key"]


def test_makers_of_the_same_entry_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "key"
    contents = [bytes([number]) * 100_000 for number in range(8)]

    def make(content: bytes) -> set[bytes | None]:
        seen = set()
        for _ in range(20):
            keep_content(path, content)
            seen.add(load_kept(path))
        return seen

    with ThreadPoolExecutor(8) as pool:
        seen = set[bytes | None]().union(*pool.map(make, contents))
    assert seen <= set(contents)
    assert list(tmp_path.iterdir()) == [path]


def test_what_nobody_used_for_long_goes(tmp_path: Path) -> None:
    long_ago = time.time() - (cache.UNUSED_DAYS + 1) * DAY
    for name in ("unused", "used", ".left-behind.part"):
        keep_content(tmp_path / "old" / name, name.encode())
        os.utime(tmp_path / "old" / name, (long_ago, long_ago))
    assert load_kept(tmp_path / "old" / "used") == b"used"
    cache.remove_unused.cache_clear()
    keep_content(tmp_path / "old" / "new", b"new")
    assert {each.name for each in (tmp_path / "old").iterdir()} == {"used", "new"}


def test_the_folder_is_the_one_that_is_meant_for_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache_folder() == tmp_path / "perfolio"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert find_cache_folder() == tmp_path / "home" / ".cache" / "perfolio"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    keep_content(find_cache_folder() / "key", b"content")
    assert load_kept(find_cache_folder() / "key") is None


def test_a_key_is_of_all_parts_in_their_places() -> None:
    keys = [
        make_key("ab", "c"),
        make_key("a", "bc"),
        make_key("abc"),
        make_key("c", "ab"),
        make_key(),
    ]
    assert len(set(keys)) == len(keys)
    assert make_key("a", "é\udcff") == make_key("a", "é\udcff".encode("utf-8", "surrogatepass"))


def test_an_old_entry_of_a_folder_that_can_only_be_read_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_content(tmp_path / "x", b"content")
    os.utime(tmp_path / "x", (0, 0))

    def refuse(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(os, "utime", refuse)
    assert load_kept(tmp_path / "x") == b"content"
