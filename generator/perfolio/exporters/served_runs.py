"""Runs of a folder that is served: which there are, and what was made of them.

In:  a folder, and paths relative to it. Out: real paths of profiles, stores and findings.json, and
     their documents and stores.

Links may lead anywhere within the folder. A profile is refused where a link in it or beside it, or
a file that its profile.toml names, leads out: readers follow both. What was made is kept until a
file changes; stores of profiles lie in a temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar

from perfolio.common.errors import InputError, UsageError, one_line
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.inputs import choose_only_run, read_documents
from perfolio.pipeline.run_documents import ingest_paths, make_documents_of_run
from perfolio.readers import registry
from perfolio.readers.own_files import is_document, is_duckdb, is_export
from perfolio.readers.run_description import read_description

Kind = Literal["profile", "store", "report"]
MOST_FILES = 20_000
"""Of a profile, whose links are looked at."""
MOST_LISTED, MOST_SEEN, DEEPEST = 200, 5_000, 3
"""Entries of a listing, files that are looked at for it, and folders below each other."""


@dataclass(frozen=True)
class ServedFile:
    """A profile, a store or a report of the folder."""

    path: Path
    """The real one."""
    kind: Kind


class ServedFolder:
    """A folder whose runs are served, and nothing else."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError for no folder, and for one that is a profile itself."""
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder", hint="name the folder of your profiles")
        self.root = folder.resolve()
        if registry.is_known(self.root):
            raise InputError(
                f"{folder}: is a profile, and no folder of profiles",
                hint="serve the folder above it",
            )

    def find(self, name: str) -> ServedFile:
        """The run at a path relative to the folder. Raises InputError where it is none of it."""
        shown = one_line(name, 200)
        if not name or "\0" in name or Path(name).is_absolute():
            raise InputError(f"{shown!r}: is no path relative to the folder", hint="see list_runs")
        try:
            path = (self.root / name).resolve()
        except (OSError, RuntimeError, UnicodeError) as problem:  # a circle of links, a half sign
            raise InputError(f"{shown}: cannot be found", hint="see list_runs") from problem
        if not path.is_relative_to(self.root):
            raise InputError(f"{shown}: lies outside of the folder", hint="see list_runs")
        if not _exists(path):
            raise InputError(f"{shown}: there is no such file or folder", hint="see list_runs")
        kind = find_kind(path)
        if kind is None or path == self.root:
            raise InputError(
                f"{shown}: is no profile, store or findings.json", hint="see list_runs"
            )
        self._refuse_ways_out(path, kind, shown)
        return ServedFile(path, kind)

    def list_files(self) -> list[ServedFile]:
        """What the folder holds, at most so many folders deep; hidden files are left out."""
        found: list[ServedFile] = []
        for path in islice(self._walk(self.root, DEEPEST), MOST_SEEN):
            kind = find_kind(path)
            within_another = any(path.is_relative_to(one.path) for one in found)
            if kind is not None and not within_another:
                found.append(ServedFile(path, kind))
            if len(found) == MOST_LISTED:
                break
        return sorted(found, key=lambda one: self.get_name(one.path))

    def get_name(self, path: Path) -> str:
        """The path of a served file relative to the folder."""
        return path.relative_to(self.root).as_posix()

    def _walk(self, folder: Path, deep: int) -> Iterator[Path]:
        """Files and folders, each folder before what is in it; of links those within."""
        try:
            inside = sorted(folder.iterdir())
        except OSError:
            return
        for path in inside:
            if path.name.startswith(".") or self._leads_out(path):
                continue
            yield path
            if deep > 1 and path.is_dir() and not path.is_symlink():
                yield from self._walk(path, deep - 1)

    def _refuse_ways_out(self, path: Path, kind: Kind, shown: str) -> None:
        """Raise InputError where reading a run would read a file outside of the folder."""
        self._refuse_links(_list_inside(path.parent), shown)
        if path.is_dir():
            self._refuse_links(_list_below(path), shown)
        if kind != "profile":
            return
        for one in read_description(path).witnesses:
            if self._leads_out(one):
                raise UsageError(f"{shown}: its profile.toml names a file outside the folder")
            if one.parent.is_dir():
                self._refuse_links(_list_inside(one.parent), shown)

    def _refuse_links(self, paths: Iterable[Path], shown: str) -> None:
        for count, one in enumerate(paths):
            if count >= MOST_FILES:
                raise InputError(f"{shown}: more than {MOST_FILES:,} files are in it or beside it")
            if one.is_symlink() and self._leads_out(one):
                name = one_line(one.name, 100)
                raise InputError(
                    f"{shown}: the link {name} in it or beside it leads out of the folder",
                    hint="move the run into a folder of its own",
                )

    def _leads_out(self, path: Path) -> bool:
        try:
            return not path.resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):
            return True


def find_kind(path: Path) -> Kind | None:
    """What a path is; None for no run."""
    if path.is_dir():
        if is_export(path):
            return "store"
        return "profile" if registry.is_profile_beside(path) else None
    if not path.is_file():
        return None
    if is_duckdb(path):
        return "store"
    if is_document(path):
        return "report"
    return "profile" if registry.is_profile_beside(path) else None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # its name is too long
        return False


def _list_inside(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        yield from (Path(entry.path) for entry in entries)


def _list_below(folder: Path) -> Iterator[Path]:
    """All files and folders below one, also by links, each real folder once."""
    seen: set[Path] = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        real = Path(place).resolve()
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        yield from (Path(place, name) for name in (*folders, *files))


MOST_KEPT = 8
"""Runs whose documents, and profiles whose stores, are kept."""
R = TypeVar("R")
State = tuple[tuple[str, int, int, int], ...]


class MeasuredRuns:
    """What was made of the runs of a folder."""

    def __init__(self, scratch: Path) -> None:
        """`scratch` is an empty folder for the stores of profiles."""
        self._scratch = scratch
        self._count = 0
        self._stores: dict[tuple[Path, State], Path] = {}
        self._documents: dict[tuple[Path, State, str | None], RunDocuments] = {}

    def measure(self, served: ServedFile, run: str | None) -> RunDocuments:
        """Metrics and findings of a run. Raises UsageError where a store has several."""

        def make() -> RunDocuments:
            if served.kind == "report":
                return choose_only_run(read_documents(served.path, run, Context()))
            return make_documents_of_run(self.find_store(served), run)

        return _keep(self._documents, (served.path, read_state(served.path), run), make)

    def find_store(self, served: ServedFile) -> Path:
        """The store of a run. Raises UsageError for a report, which holds results alone."""
        if served.kind == "store":
            return served.path
        if served.kind == "report":
            raise UsageError(
                "a findings.json holds results alone, and no events", hint="ask its profile"
            )

        def make() -> Path:
            self._count += 1
            store = self._scratch / f"{self._count}.duckdb"
            ingest_paths([served.path], store)
            return store

        return _keep(self._stores, (served.path, read_state(served.path)), make)


def read_state(path: Path) -> State:
    """Sizes and times of the files of a run and beside it: others where one changed."""
    near = path.iterdir() if path.is_dir() else path.parent.iterdir()
    found = ((one.name, one.lstat()) for one in near)
    return tuple(sorted((name, it.st_size, it.st_mtime_ns, it.st_ino) for name, it in found))


K = TypeVar("K")


def _keep(kept: dict[K, R], key: K, make: Callable[[], R]) -> R:
    """What was made for a key, made now if need be; of too many the oldest goes."""
    if key not in kept:
        made = make()
        while len(kept) >= MOST_KEPT:
            oldest = kept.pop(next(iter(kept)))
            if isinstance(oldest, Path):
                oldest.unlink(missing_ok=True)
        kept[key] = made
    return kept[key]
