"""What a folder has to serve, and that reading it reads nothing outside.

In:  a folder, and paths relative to it. Out: real paths of profiles, stores and findings.json.

Links may lead anywhere within the folder. A profile is refused where a link in it or beside it, or
a file that its profile.toml names, leads out: readers follow both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from perfolio.common.errors import InputError, UsageError, one_line
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
        except (OSError, RuntimeError) as problem:  # a circle of links
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
