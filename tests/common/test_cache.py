"""What is kept in a cache: whole or not at all, for what it was made from, and never needed."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from perfolio.common import cache as module
from perfolio.common.cache import Cache, find_cache_folder, make_key

DAY = 86_400


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache("charts", tmp_path)


def test_what_is_kept_is_known(cache: Cache, tmp_path: Path) -> None:
    assert cache.load("key") is None
    cache.keep("key", b"content")
    assert cache.load("key") == b"content"
    cache.keep("key", b"")
    assert cache.load("key") == b""
    assert [each.name for each in cache.folder.iterdir()] == ["key"]
    assert cache.folder == tmp_path / ".cache" / "charts"


def test_what_is_known_is_not_made_again(cache: Cache) -> None:
    made: list[str] = []

    def make() -> bytes:
        made.append("made")
        return b"content"

    assert [cache.get("key", make), cache.get("key", make)] == [b"content"] * 2
    assert made == ["made"]
    assert cache.get("other", make) == b"content"
    assert made == ["made", "made"]


def test_a_name_has_one_content_and_that_only_for_its_key(cache: Cache) -> None:
    cache.keep("first", b"one", "pages/index.md")
    assert cache.load("first", "pages/index.md") == b"one"
    assert cache.load("second", "pages/index.md") is None
    cache.keep("second", b"two", "pages/index.md")
    assert cache.load("second", "pages/index.md") == b"two"
    assert cache.load("first", "pages/index.md") is None
    assert [each.name for each in (cache.folder / "pages").iterdir()] == ["index.md"]


def test_a_damaged_entry_counts_as_none(cache: Cache) -> None:
    cache.keep("key", b"content" * 9)
    path = cache.folder / "key"
    sealed = path.read_bytes()
    for at in range(len(sealed)):
        path.write_bytes(sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :])
        assert cache.load("key") is None, at
        path.write_bytes(sealed[:at])
        assert cache.load("key") is None, at
    path.write_bytes(sealed)
    assert cache.load("key") == b"content" * 9


def test_a_folder_that_cannot_be_written_keeps_nothing(cache: Cache, tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("")
    cache.keep("key", b"content")
    assert cache.load("key") is None
    (tmp_path / ".cache").unlink()
    (cache.folder / "key").mkdir(parents=True)
    assert cache.get("key", lambda: b"content") == b"content"
    assert cache.load("key") is None
    assert [each.name for each in cache.folder.iterdir()] == ["key"]


def test_makers_of_the_same_entry_do_not_meet(cache: Cache) -> None:
    contents = [bytes([number]) * 100_000 for number in range(8)]

    def make(content: bytes) -> set[bytes | None]:
        seen = set()
        for _ in range(20):
            cache.keep("key", content)
            seen.add(cache.load("key"))
        return seen

    with ThreadPoolExecutor(8) as pool:
        seen = set[bytes | None]().union(*pool.map(make, contents))
    assert seen <= set(contents)
    assert [each.name for each in cache.folder.iterdir()] == ["key"]


def test_what_nobody_used_for_long_goes(cache: Cache) -> None:
    long_ago = time.time() - (module.UNUSED_DAYS + 1) * DAY
    for name in ("unused", "used", ".left-behind.part"):
        cache.keep(name, name.encode())
        os.utime(cache.folder / name, (long_ago, long_ago))
    assert cache.load("used") == b"used"
    module._remove_unused.cache_clear()
    cache.keep("new", b"new")
    assert {each.name for each in cache.folder.iterdir()} == {"used", "new"}


def test_the_folder_is_the_one_that_is_meant_for_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache_folder() == tmp_path / "perfolio"
    assert Cache("charts").folder == tmp_path / "perfolio" / "charts"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert find_cache_folder() == tmp_path / "home" / ".cache" / "perfolio"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    Cache("charts").keep("key", b"content")
    assert Cache("charts").load("key") is None


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
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep("x", b"content")
    os.utime(cache.folder / "x", (0, 0))

    def refuse(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.load("x") == b"content"


def test_what_the_package_brings_is_found_and_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "build"))
    Cache("bundle").keep("key", b"brought")
    monkeypatch.setattr(module, "PREPARED", tmp_path / "build" / "perfolio")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))

    assert Cache("bundle").load("key") == b"brought"
    assert Cache("bundle").load("other") is None
    assert Cache("bundle", tmp_path).load("key") is None, "a project keeps what is its own"
    assert not (tmp_path / "user").exists()
    Cache("bundle").keep("key", b"of the user")
    assert Cache("bundle").load("key") == b"of the user"
