"""What is given for a store and is none: a profile, a findings.json, a folder, nothing.

In:  a path. Out: the error that says what it is, and what to give instead.
"""

from __future__ import annotations

from pathlib import Path

from perfolio.common.errors import InputError, StoreError
from perfolio.readers.own_files import describe_own_file

_HINT = "make one with: perfolio ingest PATH --store FILE.duckdb"


def make_store_error(path: Path) -> StoreError:
    """The error for a path that is no store."""
    if not path.exists():
        return StoreError(f"{path}: there is no such store", hint=_HINT)
    if not path.is_file() and not path.is_dir():
        return StoreError(f"{path}: is no regular file", hint=_HINT)
    if _is_profile(path):
        made = f"make one of it with: perfolio ingest {path} --store FILE.duckdb"
        return StoreError(f"{path}: is a profile, and no store", hint=made)
    if told := describe_own_file(path):
        return StoreError(f"{path}: {told[0]}, and no store", hint=told[1])
    what = "is a folder, and a store is a file" if path.is_dir() else "is no store of Perfolio"
    return StoreError(f"{path}: {what}", hint=_HINT)


def _is_profile(path: Path) -> bool:
    from perfolio.readers import registry  # only what goes wrong needs all readers

    try:
        return registry.is_readable(registry.find(path)[0])
    except InputError:
        return False
