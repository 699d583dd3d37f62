"""Folders that appear whole or not at all, and in which files of others stay.

In:  the place of a folder, and files to fill it with. Out: the folder, with a manifest.

The manifest lists what was written: of an earlier folder that goes, and everything else is taken
along. A folder with a file of somebody else where one should be written is refused.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from perfolio.common.atomic_output import replace_folder
from perfolio.common.errors import OutputError

MANIFEST = ".perfolio-files.json"


@contextmanager
def replace_whole_tree(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of `target` if the block succeeds.

    Raises OutputError where that would replace a file of someone else, or cannot be written.
    """
    root = Path(os.path.realpath(target))
    try:
        with replace_folder(root) as partial:
            yield partial
            (partial / MANIFEST).write_bytes(make_manifest(_walk_files(partial)))
            if root.is_dir():
                _take_along(root, partial)
    except OSError as problem:
        why = problem.strerror or problem
        raise OutputError(
            f"{target}: cannot be written: {why}", hint="choose another place"
        ) from problem


def list_written_files(folder: Path) -> set[Path]:
    """The files that an earlier call wrote into a folder, by their real paths.

    A damaged manifest counts as none.
    """
    root = Path(os.path.realpath(folder))
    try:
        names = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return set()
    if not isinstance(names, list):
        return set()
    # The manifest may have been edited: what it names outside of the folder is not ours.
    paths = {(root / name).resolve() for name in names if isinstance(name, str)}
    return {path for path in paths if path.is_relative_to(root) and path != root}


def make_manifest(names: Iterable[str]) -> bytes:
    """A manifest of files, by their paths in the folder."""
    return (json.dumps(sorted(names), indent=1) + "\n").encode()


def refuse_foreign(path: Path) -> None:
    """Raise OutputError for a file of someone else where one should be written."""
    raise OutputError(
        f"{path}: exists and was not written by Perfolio",
        hint="move it away or choose another folder",
    )


def _take_along(root: Path, partial: Path) -> None:
    """Give the new folder what others have in the old one, and the permissions that it has."""
    ours = {path.relative_to(root).as_posix() for path in list_written_files(root)} | {MANIFEST}
    for name in _walk_files(root):
        earlier, now = root / name, partial / name
        if os.path.lexists(now):
            if name not in ours and not _is_equal(earlier, now):
                refuse_foreign(earlier)
            shutil.copymode(earlier, now)
        elif name not in ours:
            now.parent.mkdir(parents=True, exist_ok=True)
            _link_file(earlier, now)
    for at, folders, files in os.walk(root):
        folder = partial / os.path.relpath(at, root)
        if not folders and not files:
            folder.mkdir(parents=True, exist_ok=True)
        if folder.is_dir():
            shutil.copymode(at, folder)


def _walk_files(folder: Path) -> Iterator[str]:
    """What is no folder, and links to folders, by path in the folder."""
    for at, folders, files in os.walk(folder):
        links = [name for name in folders if Path(at, name).is_symlink()]
        for name in (*files, *links):
            yield Path(at, name).relative_to(folder).as_posix()


def _is_equal(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def _link_file(earlier: Path, now: Path) -> None:
    """The same file by a second name: the first one goes with the old folder."""
    try:
        now.hardlink_to(earlier) if not earlier.is_symlink() else now.symlink_to(earlier.readlink())
    except PermissionError:  # another user's, or a file system without hard links
        shutil.copy2(earlier, now, follow_symlinks=False)


def shorten_project_path(path: str, project: Path | None) -> str:
    """A path of a project without where the project lies: its site need not tell that."""
    if project is None or not Path(path).is_relative_to(project.absolute()):
        return path
    return str(Path(path).relative_to(project.absolute()))


@contextmanager
def write_aside(folder: Path) -> Iterator[Path]:
    """A folder to fill, which takes its name when the block ends without an error."""
    try:
        if folder.exists():
            raise OutputError(f"{folder}: exists", hint="choose another folder")
        with replace_folder(folder) as aside:
            yield aside
    except OSError as problem:
        raise OutputError(f"{folder}: cannot be written: {problem}") from problem
