"""What can be made again, kept where the next process finds it: it saves time and is never needed.

In:  a room, the digest of all that a content is made from, and what makes it.
Out: the content: as it was kept for that very digest, else as made now.

Entries appear whole, whoever else makes the same one. One that is damaged, or made from something
else, counts as none. Those that nobody used for `UNUSED_DAYS` go when another one is kept.

An installed package brings entries that every user needs (`PREPARED`), under the same keys: what
was made by another version of anything is not found.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

UNUSED_DAYS = 90
_PART = ".part"
_DAY = 86_400
PREPARED = Path(__file__).resolve().parents[1] / "prepared"
"""What `perfolio.pipeline.prepared_cache` wrote when the package was built or installed."""
_NOWHERE = Path(os.devnull) / "perfolio"
"""The cache folder of a user without a home: nothing is ever found or kept there."""


@dataclass(frozen=True)
class Cache:
    """A folder of contents of one kind, each a file."""

    room: str
    project: Path | None = None
    """The folder of a project, which keeps what is its own; None: the user's cache folder."""

    @property
    def folder(self) -> Path:
        """Where the contents lie."""
        return (self.project / ".cache" if self.project else find_cache_folder()) / self.room

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The content that is made from what `key` names."""
        content = self.load(key)
        if content is None:
            content = make()
            self.keep(key, content)
        return content

    def load(self, key: str, name: str = "") -> bytes | None:
        """The content, if it is there as it was kept for this key."""
        path = self.folder / (name or key)
        content = _read_entry(path, key)
        if content is None:
            return None if self.project else _read_entry(PREPARED / self.room / key, key)
        with suppress(OSError):  # a folder that can only be read
            _mark_used(path)
        return content

    def keep(self, key: str, content: bytes, name: str = "") -> None:
        """Keep a content under its key; a folder that cannot be written keeps nothing.

        One with a name takes the place of what that name had before.
        """
        path = self.folder / (name or key)
        packed = zlib.compress(content, level=1)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, part_name = tempfile.mkstemp(prefix=".", suffix=_PART, dir=path.parent)
            part = Path(part_name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(packed + _seal_content(key, packed))
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
            _remove_unused(path.parent)


@dataclass(frozen=True)
class FileCache:
    """The user's large files of one kind, of limited size together: those used last stay."""

    room: str
    most: int
    """Bytes of all of them."""

    def find(self, key: str) -> Path | None:
        """The file that was kept under this key, and is still as long."""
        for path in self._list_files():
            if path.name.partition(".")[0] == key:
                with suppress(OSError):
                    if path.stat().st_size == int(path.suffix[1:]):
                        os.utime(path)
                        return path
        return None

    def keep(self, key: str, made: Path) -> None:
        """Keep a copy of a file, where its folder can be written and there is room for it."""
        size = made.stat().st_size
        if size > self.most:
            return
        folder = find_cache_folder() / self.room
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            handle, part_name = tempfile.mkstemp(prefix=".", suffix=_PART, dir=folder)
            os.close(handle)
            part = Path(part_name)
            try:
                shutil.copyfile(made, part)
                part.replace(folder / f"{key}.{size}")
            finally:
                part.unlink(missing_ok=True)
            self._remove_oldest()
            _remove_unused(folder)

    def _list_files(self) -> list[Path]:
        try:
            found = [*(find_cache_folder() / self.room).iterdir()]
        except OSError:
            return []
        return [path for path in found if path.suffix[1:].isdecimal()]

    def _remove_oldest(self) -> None:
        """Remove files until the rest has at most `most` bytes."""
        left = self.most
        states = [(path.stat(), path) for path in self._list_files()]
        for state, path in sorted(states, key=lambda one: -one[0].st_mtime):
            left -= state.st_size
            if left < 0:
                path.unlink()


def find_cache_folder() -> Path:
    """`$XDG_CACHE_HOME/perfolio`, by default `~/.cache/perfolio`."""
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "perfolio"
    try:
        return Path.home() / ".cache" / "perfolio"
    except RuntimeError:
        return _NOWHERE


def make_key(*parts: str | bytes) -> str:
    """The name of what is made from `parts`: another one for other parts."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:%b" % (len(data), data))
    return digest.hexdigest()


def _read_entry(path: Path, key: str) -> bytes | None:
    """The content in a file, if it was kept for this key; None where there is none."""
    try:
        sealed = path.read_bytes()
    except OSError:
        return None
    packed, seal = sealed[: -sha256().digest_size], sealed[-sha256().digest_size :]
    return zlib.decompress(packed) if _seal_content(key, packed) == seal else None


def _seal_content(key: str, packed: bytes) -> bytes:
    return bytes.fromhex(make_key(key, packed))


def _mark_used(path: Path) -> None:
    """Let an entry count as used today. Raises OSError where that cannot be noted."""
    if time.time() - path.stat().st_mtime > _DAY:
        os.utime(path)


@cache
def _remove_unused(folder: Path) -> None:
    """Remove the files of `folder` that were not used for long: once per process."""
    for path in folder.iterdir():
        with suppress(OSError):
            most = 1 if path.suffix == _PART else UNUSED_DAYS  # what a killed process left
            if path.is_file() and time.time() - path.stat().st_mtime > most * _DAY:
                path.unlink()
