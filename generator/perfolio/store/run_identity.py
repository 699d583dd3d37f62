"""Which run a profile is: by the place that it was read from."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb

from perfolio.common.content_files import code_digest
from perfolio.common.errors import InputError, one_line
from perfolio.readers.model import Source
from perfolio.readers.run_description import RunDescription, resolve_place
from perfolio.readers.stable_file import OpenedFile
from perfolio.store.database import get_definition_hash


@dataclass(frozen=True)
class RunCandidate:
    """A profile with the hashes of its files, not yet stored."""

    source: Source
    description: RunDescription
    hashes: tuple[str, ...]
    """SHA-256 of each file of the source, in order."""
    digest: str
    """SHA-256 over names and hashes of the files, what profile.toml says, and claims.toml."""
    content: str
    """SHA-256 over what a number follows from: files, hardware, settings and code, but no words."""
    place: str
    """SHA-256 of the source's whole path."""


@dataclass(frozen=True)
class StoredRun:
    """A run that the store holds."""

    run: int
    slug: str
    digest: str
    content: str


def make_candidate(source: Source, description: RunDescription) -> RunCandidate:
    """Hash the opened files of a source. Raises InputError when one cannot be read."""
    with ThreadPoolExecutor() as pool:
        hashes = tuple(pool.map(OpenedFile.sha256, [file.opened for file in source.files]))
    whole = hashlib.sha256()
    for file, sha256 in zip(source.files, hashes, strict=True):
        whole.update(f"{file.path.name} {sha256}\n".encode())
    facts = [description.hardware, dict(description.settings)]
    whole.update(json.dumps(facts, sort_keys=True).encode())
    content = hashlib.sha256(
        f"{whole.hexdigest()} {get_definition_hash()} {_compute_code_digest()}".encode()
    )
    words = (description.title, description.description, description.notes, description.claims)
    whole.update(json.dumps(words).encode())
    place = hashlib.sha256(os.fsencode(source.path.resolve()))
    return RunCandidate(
        source,
        description,
        hashes,
        digest=whole.hexdigest(),
        content=content.hexdigest(),
        place=place.hexdigest(),
    )


_ENDINGS = re.compile(
    r"(\.pt)?(\.trace)?(\.json|\.nsys)?(\.gz|\.sqlite|\.nsys-rep|\.qdrep|\.db|\.csv|\.d)?$"
)
"""What files and folders of profiles are named by, after the name of the run."""


_GENERIC = {"data", "out", "output", "profile", "report", "result", "results", "trace"}
"""Names that tools propose, and many runs have."""
_COLLECTIONS = {"", "desktop", "downloads", "profiles", "runs", "tmp", "traces", "work"}
"""Names of folders that hold many runs."""
_TITLE = 200
"""Characters of a title that a name gives."""
_LEVELS = 2
"""Folders above a file that may name it: repeats lie in `head/1` and `head/2`."""
_HOMES = {"home", "Users", "users", "scratch"}
"""Folders of homes, whose names are those of people."""


def _compute_code_digest() -> str:
    """Names the code that makes the rows of a run."""
    return code_digest("readers", "store")


def compute_sha256(path: Path) -> str:
    """SHA-256 of a file's content. Raises InputError when it cannot be read."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from problem


def find_present(
    connection: duckdb.DuckDBPyConnection, candidate: RunCandidate
) -> StoredRun | None:
    """The run that was read from the same place."""
    row = connection.execute(
        "SELECT run, slug, digest, content FROM run WHERE place = $place",
        {"place": candidate.place},
    ).fetchone()
    return StoredRun(*row) if row else None


def find_next_run(connection: duckdb.DuckDBPyConnection) -> int:
    """A number that no run of the store has."""
    row = connection.execute("SELECT coalesce(max(run), 0) + 1 FROM run").fetchone()
    return int(row[0]) if row else 1


def choose_slug(connection: duckdb.DuckDBPyConnection, candidate: RunCandidate) -> str:
    """Short name for addresses, which no run of the store has."""
    taken = {row[0] for row in connection.execute("SELECT slug FROM run").fetchall()}
    described = candidate.description
    return find_free_slug(candidate.source.path, described.path, taken, _find_given_name(candidate))


def make_title(candidate: RunCandidate, slug: str) -> str:
    """The words that its short name is made of, and the number of a short name that has one."""
    described = candidate.description
    name = find_name(candidate.source.path, described.path, _find_given_name(candidate))
    number = slug.removeprefix(_make_base(name))
    return one_line(f"{name} {number.removeprefix('-')}", _TITLE) or slug


def _find_given_name(candidate: RunCandidate) -> str:
    """What the caller calls a run; of a shared one its own name, where no person says another."""
    described = candidate.description
    is_own = described.is_shared and not described.path
    return described.name or (find_own_name(candidate.source.path) if is_own else "")


def find_free_slug(
    profile: Path, described: Path | None, taken: Collection[str], given: str = ""
) -> str:
    """Short name of a profile: its own, or that of the folder with profile.toml in it.

    A file called `trace.json` is named by its folder as well. `given` is what the caller calls it.
    """
    base = _make_base(find_name(profile, described, given))
    return next(slug for slug in _number_slugs(base) if slug not in taken)


def find_name(profile: Path, described: Path | None, given: str = "") -> str:
    """What a profile is called, in the words of its file or folder."""
    path = resolve_place(profile)
    beside = described is not None and described.resolve().parent == path.parent
    return given or (path.parent.name if beside else _name_profile(path))


def _make_base(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"


def is_generic(name: str) -> bool:
    """Whether a name tells no run from another."""
    return name.lower() in _GENERIC


def find_own_name(profile: Path) -> str:
    """The name of a file or folder without its ending, which tells nothing of the folders above."""
    return _ENDINGS.sub("", resolve_place(profile).name)


def _name_profile(path: Path) -> str:
    own = find_own_name(path)
    if not is_generic(own):
        return own
    for folder in path.parents[:_LEVELS]:
        is_home = folder == Path.home() or folder.parent.name in _HOMES
        if is_home or folder.name.lower() in _COLLECTIONS:
            break
        if not is_generic(folder.name) and not folder.name.isdecimal():
            return folder.name
    return own


def _number_slugs(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1
