"""What is given for a store and is none: a profile, a findings.json, a folder, nothing.

In:  a path. Out: the error that says what it is, and what to give instead.
"""

from __future__ import annotations

from pathlib import Path

from generator.errors import InputError, StoreError

_MAGIC = b"DUCK"
_MAGIC_AT = 8
"""Where DuckDB's files have it [B]."""
_HINT = "make one with: perfolio ingest PATH --store FILE.duckdb"


def is_duckdb(path: Path) -> bool:
    """Whether a file is one of DuckDB, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(_MAGIC_AT + len(_MAGIC))[_MAGIC_AT:] == _MAGIC
    except OSError:
        return False


def no_store(path: Path) -> StoreError:
    """The error for a path that is no store."""
    if not path.exists():
        return StoreError(f"{path}: there is no such store", hint=_HINT)
    if not path.is_file() and not path.is_dir():
        return StoreError(f"{path}: is no regular file", hint=_HINT)
    if _is_profile(path):
        made = f"make one of it with: perfolio ingest {path} --store FILE.duckdb"
        return StoreError(f"{path}: is a profile, and no store", hint=made)
    what = "is a folder, and a store is a file" if path.is_dir() else "is no store of Perfolio"
    return StoreError(f"{path}: {what}", hint=_HINT)


def _is_profile(path: Path) -> bool:
    from generator.sources import registry  # only what goes wrong needs all readers

    try:
        return registry.is_readable(path)
    except InputError:
        return True  # its reader says what is wrong with it
