"""Content files (metrics, models, rules, causes, verdicts, the scorecard, inputs) and their YAML.

In:  text of a content file, or its front matter; functions that read a whole file or folder.
Out: mappings, lists, texts and numbers, never any other object of Python; statements of SQL below
     their front matter; the same functions, which read again only after an edit.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_State = tuple[str, int, int]
_Edition = tuple[tuple[_State, ...] | None, ...]
_SQL_HEAD = re.compile(r"^/\*---\n(?P<yaml>.*?)\n---\*/\n", re.DOTALL | re.MULTILINE)


class ContentLoader(Protocol[T_co]):
    """A function that reads a file or a folder: the project's own one, unless a path is given."""

    def __call__(self, path: Path = ...) -> T_co:
        """What it says."""


def load_yaml(text: str) -> object:
    """The document in `text`; None where it is empty. Raises yaml.YAMLError."""
    import yaml  # what reads no content starts without it

    # Ten times as fast where PyYAML was built with libyaml, and the same in what it reads.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, loader)  # noqa: S506 - both are safe loaders


class DescribedStatement(NamedTuple):
    """A statement of a `.sql` file, with the YAML of the front matter above it."""

    front_matter: str
    sql: str


def split_statements(text: str) -> list[DescribedStatement]:
    """The statements of a `.sql` file, each below a comment `/*---` to `---*/` of its own.

    Raises ValueError where the file does not begin with one.
    """
    heads = list(_SQL_HEAD.finditer(text))
    if not heads or heads[0].start():
        raise ValueError("does not start with front matter between /*--- and ---*/")
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        DescribedStatement(head["yaml"], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    ]


def reload_when_edited(
    default: Path, *beside: Path
) -> Callable[[Callable[[Path], T]], ContentLoader[T]]:
    """Let a function that reads a file or a folder remember what it read, until an edit.

    `beside` are files that it reads besides. A server that runs for hours shows edits; an error
    is not remembered.
    """

    def remembering(read: Callable[[Path], T]) -> ContentLoader[T]:
        known: dict[Path, tuple[_Edition, T]] = {}

        @wraps(read)
        def remembered(path: Path = default) -> T:
            edition = tuple(_read_edition(each) for each in (path, *beside))
            if None in edition or path not in known or known[path][0] != edition:
                known[path] = edition, read(path)
            return known[path][1]

        return remembered

    return remembering


def files_digest(root: Path, *, without: Collection[str] = (), kinds: Collection[str] = ()) -> str:
    """Names the files below `root` and what they hold.

    Without files and folders of the names `without`; only files of `kinds` (`.sql`) if given.
    """
    whole = hashlib.sha256()
    for path in _walk_files(root, without):
        if not kinds or path.suffix in kinds:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            whole.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return whole.hexdigest()


@cache
def code_digest(*folders: str) -> str:
    """Names the Python code of these folders of the package, or of all of it, as first seen."""
    return code_on_disk(*folders)


def code_on_disk(*folders: str) -> str:
    """The same, as it is now."""
    package = Path(__file__).parents[1]
    roots = [package / name for name in folders] or [package]
    return " ".join(files_digest(root, without=("__pycache__",), kinds=(".py",)) for root in roots)


def _walk_files(folder: Path, without: Collection[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in without:
            continue
        if path.is_dir():
            yield from _walk_files(path, without)
        elif path.is_file():
            yield path


def _read_edition(path: Path) -> tuple[_State, ...] | None:
    """What changes with an edit of a file, or of a file of a folder; None where it is gone."""
    try:
        if path.is_dir():
            return tuple(sorted(_list_states(str(path))))
        return (_make_state(str(path), path.stat()),)
    except OSError:
        return None


def _list_states(folder: str) -> Iterator[_State]:
    """Of all that lies in a folder. Each call of what remembers asks for some hundred files."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name != "__pycache__":
                yield _make_state(entry.path, entry.stat())
                if entry.is_dir(follow_symlinks=False):
                    yield from _list_states(entry.path)


def _make_state(path: str, found: os.stat_result) -> _State:
    return path, found.st_mtime_ns, found.st_size
