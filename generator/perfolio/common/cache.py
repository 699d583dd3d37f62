"""What can be made again, kept in the user's cache folder: it saves time and is never needed.

In:  a path, named by the hash of all that a content is made from; the content.
Out: the same content, or None where it is not there, cannot be read or is damaged.

Entries appear whole, whoever else makes the same one. Those that nobody used for
`UNUSED_DAYS` go when another one is kept beside them.
"""

from __future__ import annotations

import os
import tempfile
import time
import zlib
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

UNUSED_DAYS = 90
_PART = ".part"
_DAY = 86_400
_NOWHERE = Path(os.devnull) / "perfolio"
"""The cache folder of a user without a home: nothing is ever found or kept there."""


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
    whole = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        whole.update(b"%d:%b" % (len(data), data))
    return whole.hexdigest()


def load_kept(path: Path) -> bytes | None:
    """What was kept at `path`, if it is there as it was."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # a folder that can only be read
        mark_used(path)
    packed, seal = whole[: -sha256().digest_size], whole[-sha256().digest_size :]
    return zlib.decompress(packed) if sha256(packed).digest() == seal else None


def keep_content(path: Path, content: bytes) -> None:
    """Keep `content` at `path`; a folder that cannot be written keeps nothing."""
    packed = zlib.compress(content, level=1)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=_PART, dir=path.parent)
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(packed + sha256(packed).digest())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        remove_unused(path.parent)


def mark_used(path: Path) -> None:
    """Let an entry count as used today. Raises OSError where that cannot be noted."""
    if time.time() - path.stat().st_mtime > _DAY:
        os.utime(path)


@cache
def remove_unused(folder: Path) -> None:
    """Remove the files of `folder` that were not used for long: once per process."""
    for path in folder.iterdir():
        with suppress(OSError):
            most = 1 if path.suffix == _PART else UNUSED_DAYS  # what a killed process left
            if path.is_file() and time.time() - path.stat().st_mtime > most * _DAY:
                path.unlink()
