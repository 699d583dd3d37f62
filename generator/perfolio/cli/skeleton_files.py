"""Skeletons to files of a project: whole or not at all, and never over what is there.

In:  a name, its words, and the folder of the project. Out: files, or UsageError and no file.

Skeletons lie in `skeletons/<kind>/`: texts with `$words` that `string.Template` replaces. What an
author has to write says FILL IN.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from string import Template

from perfolio.common.atomic_output import write_file
from perfolio.common.errors import UsageError, one_line

SKELETONS = Path(__file__).parent / "skeletons"
PACKAGE = Path("generator", "perfolio")
_LONGEST = 40
"""Characters of a name: lines that it stands in have at most 100."""


@dataclass(frozen=True)
class SkeletonFile:
    """A file to write, by its path in the project."""

    path: Path
    text: str
    earlier: str | None = None
    """The text that it has now, where one is added to it; None for a new file."""


def check_name(name: str, pattern: str, example: str) -> re.Match[str]:
    """A name by its pattern; raises UsageError, with an example, for any other."""
    found = re.fullmatch(pattern, name) if len(name) <= _LONGEST else None
    if found is None:
        raise UsageError(f"{one_line(name, 80)!r} is no such name", hint=f"for example: {example}")
    return found


def find_clone(project: Path | None) -> Path:
    """The clone of Perfolio that `project` is, or else that the current folder lies in."""
    start = (project or Path()).resolve()
    for folder in (start,) if project else (start, *start.parents):
        if (folder / PACKAGE / "__init__.py").is_file() and (folder / "tests").is_dir():
            return folder
    raise UsageError(
        f"{start}: {'is' if project else 'lies in'} no clone of Perfolio, which has"
        " generator/perfolio and tests",
        hint="clone it and go there, or name it: --project DIR",
    )


def fill_skeleton(skeleton: str, /, **words: str) -> str:
    """The text of a file in `skeletons/`, by its path there, with these words."""
    return Template(read_skeleton(skeleton)).substitute(words)


def read_skeleton(skeleton: str) -> str:
    """The text of a file in `skeletons/`, by its path there, as it is."""
    return (SKELETONS / skeleton).read_text(encoding="utf-8")


def add_text(root: Path, path: Path, text: str) -> SkeletonFile:
    """A file of the project with `text` behind an empty line at its end; a new one without any."""
    if not os.path.lexists(root / path):
        return SkeletonFile(path, text)
    earlier = (root / path).read_text(encoding="utf-8")
    return SkeletonFile(path, f"{earlier.rstrip()}\n\n{text}", earlier)


def edit_file(root: Path, path: Path, *lines: tuple[str, str, str]) -> SkeletonFile:
    """A file of the project with more lines of its lists.

    Each is a pattern of those that are there, with the group `key`, the new line, and the key by
    which it is put in order; without a key it goes behind the last. UsageError where there is none.
    """
    earlier = text = (root / path).read_text(encoding="utf-8")
    for pattern, line, key in lines:
        known = list(re.finditer(rf"^{pattern}", text, re.MULTILINE))
        if not known:
            raise UsageError(f"{path}: has no lines like {line.strip()}", hint="add it by hand")
        later = [each.start() for each in known if key and each["key"] > key]
        place = later[0] if later else known[-1].end()
        text = text[:place] + line + text[place:]
    return SkeletonFile(path, text, earlier)


def write_skeleton(root: Path, files: Iterable[SkeletonFile]) -> None:
    """Write all files; where one cannot be written, all are as they were.

    Raises UsageError where a file that should be new is there, or its folder is a link that leads
    out of the project.
    """
    files = list(files)
    for each in files:
        _refuse_taken(root, each)
    with ExitStack() as undone:
        for each in files:
            target = root / each.path
            for folder in reversed([one for one in target.parents if not one.exists()]):
                folder.mkdir()
                undone.callback(folder.rmdir)
            write_file(target, each.text.encode())
            undone.callback(_put_back, target, each.earlier)
        undone.pop_all()


def _refuse_taken(root: Path, file: SkeletonFile) -> None:
    target = root / file.path
    if file.earlier is None and os.path.lexists(target):
        raise UsageError(f"{target}: is there already", hint="edit it, or choose another name")
    if not target.resolve().is_relative_to(root.resolve()):
        raise UsageError(f"{target}: a link leads out of the project", hint="remove the link")


def _put_back(target: Path, earlier: str | None) -> None:
    if earlier is None:
        target.unlink(missing_ok=True)
    else:
        write_file(target, earlier.encode())
