"""Texts to files, by content: nothing is touched that did not change.

A server that watches the folder would rebuild for every write. A manifest in the
folder lists what was written, so that stale files go and those of others stay.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

from perfolio.common.atomic_folders import (
    MANIFEST,
    list_written_files,
    make_manifest,
    refuse_foreign,
    replace_whole_tree,
)
from perfolio.common.errors import OutputError
from perfolio.common.file_locks import reserve_place
from perfolio.common.partial_files import remove_ended, write_atomic


def sync_tree(
    files: Mapping[str, str | bytes], target: Path, *, unchanged: Collection[str] = ()
) -> list[Path]:
    """Make the generated part of `target` equal `files` (relative path -> content).

    Of what an earlier call wrote, the files `unchanged` stay as they are. Returns the paths that
    were written or removed, in order. Files that an earlier call wrote and that are no longer
    wanted are removed; others are left alone.

    Raises OutputError for a path outside of `target`, for a file of someone else
    where one should be written, and when the folder cannot be written.
    """
    root = target.resolve()
    wanted = {_resolve_inside(root, name): as_bytes(content) for name, content in files.items()}
    try:
        before = list_written_files(root)
        staying = before & {_resolve_inside(root, name) for name in unchanged}
        earlier = before - staying
        for folder in {path.parent for path in (root / MANIFEST, *wanted)}:
            remove_ended(folder)
        changed = {path: data for path, data in wanted.items() if _read_content(path) != data}
        _refuse_foreign(changed, earlier)
        stale = sorted(path for path in earlier - wanted.keys() if path.is_file())
        if changed or stale or earlier != wanted.keys():
            # First the union: interrupted, the next call still knows every file of ours.
            _write_manifest(root, before | wanted.keys())
            _write_all(changed)
            _remove_all(stale, root)
            _write_manifest(root, staying | wanted.keys())
    except OSError as error:
        problem = error.strerror or str(error)
        raise OutputError(f"{error.filename or target}: cannot be written: {problem}") from error
    return [*changed, *stale]


def replace_tree(files: Mapping[str, str | bytes], target: Path) -> list[Path]:
    """As `sync_tree`, all files or none: a new folder takes the place of `target`.

    Files that did not change keep their times, and `target` is not touched where none did.
    """
    root = target.resolve()
    wanted = {_resolve_inside(root, name): as_bytes(content) for name, content in files.items()}
    try:
        with reserve_place(root):
            return _replace_files(wanted, root)
    except OSError as problem:
        why = problem.strerror or problem
        raise OutputError(f"{target}: cannot be written: {why}") from problem


def _replace_files(wanted: Mapping[Path, bytes], root: Path) -> list[Path]:
    earlier = list_written_files(root)
    changed = {path: data for path, data in wanted.items() if _read_content(path) != data}
    _refuse_foreign(changed, earlier)
    stale = sorted(path for path in earlier - wanted.keys() if path.is_file())
    if not changed and not stale and earlier == wanted.keys():
        return []
    with replace_whole_tree(root) as partial:
        for path, data in wanted.items():
            place = partial / path.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            if path not in changed:
                shutil.copystat(path, place)
    return [*changed, *stale]


def as_bytes(content: str | bytes) -> bytes:
    """What is written of a content."""
    return content.encode("utf-8") if isinstance(content, str) else content


def _resolve_inside(root: Path, name: str) -> Path:
    """The path of `name` below `root`, symbolic links resolved."""
    relative = PurePosixPath(name)
    path = (root / relative).resolve()
    if relative.is_absolute() or not path.is_relative_to(root) or path == root:
        raise OutputError(f"{name}: would be written outside of {root}")
    return path


def _read_content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _refuse_foreign(changed: Mapping[Path, bytes], earlier: set[Path]) -> None:
    for path in changed:
        if path not in earlier and path.exists():
            refuse_foreign(path)


def _write_manifest(root: Path, paths: Iterable[Path]) -> None:
    names = (path.relative_to(root).as_posix() for path in paths)
    write_atomic(root / MANIFEST, make_manifest(names))


def _write_all(files: Mapping[Path, bytes]) -> None:
    for path, data in files.items():
        write_atomic(path, data)


def _remove_all(stale: list[Path], root: Path) -> None:
    for path in stale:
        path.unlink(missing_ok=True)
        _remove_empty(path.parent, root)


def _remove_empty(folder: Path, root: Path) -> None:
    """Remove `folder` and those above it, up to `root`, that hold nothing any more."""
    while folder != root and folder.is_relative_to(root) and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
