"""Content files (metrics, models, rules, causes, verdicts, the scorecard, inputs): YAML, SQL.

In:  text of a content file, or its front matter; files and folders; functions that read them.
Out: mappings, lists, texts and numbers, never any other object of Python; statements of SQL below
     their front matter; digests and states of files, which change with an edit; the same functions,
     which read again only after an edit.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from perfolio.common.parsed_texts import get_parsed_texts

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_SQL_HEAD = re.compile(r"^/\*---\n(?P<yaml>.*?)\n---\*/\n", re.DOTALL | re.MULTILINE)
State = dict[str, list[int]]
"""Size and time of change of files, by name."""
_COMPILED = ("__pycache__",)


class ContentLoader(Protocol[T_co]):
    """A function that reads a file or a folder: the project's own one, unless a path is given."""

    def __call__(self, path: Path = ...) -> T_co:
        """What it says."""


def load_yaml(text: str) -> object:
    """The document in `text`; None where it is empty. Raises yaml.YAMLError."""
    return get_parsed_texts().parse("yaml", text, _parse_yaml)


def _parse_yaml(text: str) -> object:
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

    def remember_content(read: Callable[[Path], T]) -> ContentLoader[T]:
        known: dict[Path, tuple[list[State], T]] = {}

        @wraps(read)
        def read_after_edit(path: Path = default) -> T:
            states = [read_states(each) for each in (path, *beside)]
            if not all(states) or path not in known or known[path][0] != states:
                known[path] = states, read(path)
            return known[path][1]

        return read_after_edit

    return remember_content


def read_states(place: Path, names: Iterable[str] | None = None) -> State:
    """The state of a file, or of files below a folder: of these names, or of all.

    A file that is gone has none, which differs from any.
    """
    states: State = {}
    if names is None and place.is_dir():
        for entry in _walk_files(place, _COMPILED, is_lenient=True):
            with suppress(OSError):  # a file that went meanwhile
                states[entry.path] = _get_state(entry.stat())
        return states
    for name in ("",) if names is None else names:
        with suppress(OSError):
            states[name] = _get_state((place / name).stat())
    return states


def files_digest(root: Path, *, without: Collection[str] = (), kinds: Collection[str] = ()) -> str:
    """Names the files below `root` and what they hold.

    Without files and folders of the names `without`; only files of `kinds` (`.sql`) if given.
    """
    digest, start = hashlib.sha256(), len(os.fspath(root)) + 1
    for entry in _walk_files(root, without):
        if not kinds or entry.name.endswith(tuple(kinds)):
            content = hashlib.sha256(Path(entry.path).read_bytes()).hexdigest()
            digest.update(f"{entry.path[start:]} {content}\n".encode())
    return digest.hexdigest()


@cache
def code_digest(*folders: str) -> str:
    """Names the Python code of these folders of the package, or of all of it, as first seen."""
    return code_on_disk(*folders)


def code_on_disk(*folders: str) -> str:
    """The same, as it is now."""
    package = Path(__file__).parents[1]
    roots = [package / name for name in folders] or [package]
    return " ".join(files_digest(root, without=_COMPILED, kinds=(".py",)) for root in roots)


def _walk_files(
    folder: str | Path, without: Collection[str], *, is_lenient: bool = False
) -> Iterator[os.DirEntry[str]]:
    """Files in the order of their names; some hundred are asked for at each call of a loader.

    A link to itself is no file. A folder that cannot be read raises OSError, or has no files.
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        if not is_lenient:
            raise
        return
    for entry in entries:
        if entry.name in without:
            continue
        kind = ""
        with suppress(OSError):
            kind = "folder" if entry.is_dir() else "file" if entry.is_file() else ""
        if kind == "folder":
            yield from _walk_files(entry.path, without, is_lenient=is_lenient)
        elif kind:
            yield entry


def _get_state(status: os.stat_result) -> list[int]:
    return [status.st_size, status.st_mtime_ns]
