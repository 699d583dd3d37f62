"""Two folders that change their names at once, where the system can.

In:  two paths. Out: whether what was at each is at the other now; with two renames there would be
     a moment at which nothing has one of the names.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_HERE = -100
"""AT_FDCWD of Linux."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux."""


def swap_folders(one: Path, other: Path) -> bool:
    """Exchange two names. False where nothing was done: another system, or file system."""
    try:
        renameat2 = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    first, second = os.fsencode(one), os.fsencode(other)
    return bool(renameat2(_HERE, first, _HERE, second, ctypes.c_uint(_EXCHANGE)) == 0)
