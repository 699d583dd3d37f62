"""Files written beside their place, as `.NAME.PROCESS.partial`, and what killed processes left.

In:  a file and its bytes. Out: the old file or the new one at any time.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from glob import escape
from pathlib import Path

_PARTIAL = re.compile(r"\..+\.([1-9]\d{0,8})\.partial")


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is the old or the new one at any time. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def remove_ended(folder: Path, name: str = "") -> None:
    """Remove what ended processes left of the file of this name, or of all in a folder.

    What processes that run or other users have there stays.
    """
    for path in folder.glob(f".{escape(name) or '*'}.*.partial"):
        made_by = _PARTIAL.fullmatch(path.name)
        if made_by and not _is_alive(int(made_by[1])):
            with suppress(OSError):  # gone meanwhile, or another user's
                if path.lstat().st_uid == os.geteuid():
                    path.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True
