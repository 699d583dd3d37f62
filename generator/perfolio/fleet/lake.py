"""The folder of a lake: which runs are in it, which inputs were refused, and how a run comes in.

    lake.json              what the folder is, and the version of its tables
    table=<name>/month=<yyyy-mm>/
        <input>.parquet    rows of the runs of one input
        all-<hash>.parquet the same of many, after they were compacted
    inputs/
        <input>.json       its manifest, which is written last: then its runs are visible
        all-<hash>.json    manifests of many
    refused/<input>.json   an input that was not readable, and why
    .staging/              what is being written
    compaction.json        while files are replaced: what is left to do

Any number of processes, on any machines that see the folder, add inputs at once. An input is known
by the hash of its content, so that two of them that add the same one write the same files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa

from perfolio.common.errors import InputError, OutputError, StoreError
from perfolio.common.progress import Progress
from perfolio.fleet.lake_tables import VERSION, Rows, load_table_schemas, make_table, write_parquet

T = TypeVar("T")
SCHEMA = f"perfolio-lake/{VERSION}"
UNKNOWN_MONTH = "unknown"
COMPACTED = "all-"
"""How files begin that hold many inputs."""
JOURNAL = "compaction.json"
MARK = "lake.json"
_BEGUN = re.compile(r"\.lake-[0-9a-f]{32}|lake\.json")
"""What another process that makes the lake has put there."""
_STAGING = ".staging"
_COMPACTION = "compaction"
STAGED = f"{_STAGING}/{_COMPACTION}"
"""Where a compaction keeps files until they are put where they belong."""
_PLACE = re.compile(r"(?:table=\w+/month=[\w-]+|inputs)/\w[\w.-]*")
"""What a journal may name."""
_OLD = 24 * 3600.0
"""Age of what a process that ended has left in the folder for writing [s]."""


@dataclass(frozen=True)
class InputManifest:
    """An input that is in the lake."""

    input: str
    """Hash of its content [id]."""
    name: str
    """Of the file or folder that it was read from first."""
    month: str
    runs: tuple[str, ...]


@dataclass(frozen=True)
class RefusedInput:
    """An input that was not readable."""

    input: str
    name: str
    reason: str
    """One line."""


class Lake:
    """A lake that is there. Raises InputError where there is none, StoreError of a newer one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        _check_mark(root)

    def list_manifests(self) -> list[InputManifest]:
        """Every input that is visible, in the order of their hashes."""
        manifests = self.read_manifest_files().values()
        found = {one.input: one for inputs in manifests for one in inputs}
        return [found[key] for key in sorted(found)]

    def read_manifest_files(self) -> dict[Path, Sequence[InputManifest]]:
        """The inputs of each file of manifests: read again where a compaction removes one."""
        while True:
            paths = self._list_manifest_files()
            try:
                found = {path: _read_manifests(path) for path in paths}
            except StoreError:
                if paths <= self._list_manifest_files():
                    raise
            else:
                if paths <= self._list_manifest_files():
                    return found

    def _list_manifest_files(self) -> set[Path]:
        return set((self.root / "inputs").glob("*.json"))

    def has_input(self, identity: str) -> bool:
        """Whether an input is visible: by a manifest of its own, or by one of many."""
        if (self.root / "inputs" / f"{identity}.json").is_file():
            return True
        merged, _ = split_inputs(self.read_manifest_files())
        return identity in merged

    def list_refused(self) -> list[RefusedInput]:
        """Inputs that were refused, and did not come in later."""
        known = {one.input for one in self.list_manifests()}
        paths = sorted((self.root / "refused").glob("*.json"))
        found = (_convert(path, _load(path), RefusedInput) for path in paths)
        return [one for one in found if one.input not in known]

    def add_runs(self, identity: str, name: str, month: str, runs: Mapping[str, Any]) -> None:
        """Make the runs of an input visible: `runs` are rows by table, by run.

        Whole or not at all; of an input that is there already, the same again. Raises OutputError.
        """
        manifest = InputManifest(identity, name, month, tuple(runs))
        with self._open_staging() as staging:
            for table in load_table_schemas():
                rows: Rows = [row for tables in runs.values() for row in tables.get(table, ())]
                if rows:
                    self._put(make_table(table, rows), staging, table, manifest)
            self._write(staging, self.root / "inputs" / f"{identity}.json", asdict(manifest))
        with suppress(OSError):
            (self.root / "refused" / f"{identity}.json").unlink(missing_ok=True)

    def _put(self, table: pa.Table, staging: Path, name: str, manifest: InputManifest) -> None:
        made = staging / f"{name}.parquet"
        write_parquet(table, made)
        sync_file(made)
        target = self.locate_file(name, manifest.month, manifest.input)
        target.parent.mkdir(parents=True, exist_ok=True)
        made.replace(target)

    def locate_file(self, table: str, month: str, stem: str) -> Path:
        """Where rows of a table lie."""
        return self.root / f"table={table}" / f"month={month}" / f"{stem}.parquet"

    def refuse_input(self, refused: RefusedInput) -> None:
        """Keep why an input is not in the lake."""
        with self._open_staging() as staging:
            path = self.root / "refused" / f"{refused.input}.json"
            self._write(staging, path, asdict(refused))

    def write_document(self, path: Path, document: Mapping[str, Any]) -> None:
        """Write a small document of the lake, whole or not at all."""
        with self._open_staging() as staging:
            self._write(staging, path, document)

    @staticmethod
    def _write(staging: Path, path: Path, document: Mapping[str, Any]) -> None:
        made = staging / path.name
        text = json.dumps({"schema": SCHEMA, **document}, ensure_ascii=False, sort_keys=True)
        with made.open("w", encoding="utf-8") as file:
            file.write(f"{text}\n")
        sync_file(made)
        path.parent.mkdir(parents=True, exist_ok=True)
        made.replace(path)

    @contextmanager
    def _open_staging(self) -> Iterator[Path]:
        """A folder of its own, on the same file system. Raises OutputError."""
        folder = self.root / _STAGING / uuid.uuid4().hex
        try:
            folder.mkdir(parents=True)
            yield folder
        except OSError as problem:
            raise OutputError(
                f"{self.root}: cannot be written: {problem.strerror or problem}"
            ) from problem
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def empty_compaction(self) -> None:
        """Remove what a compaction kept that did not come to its journal."""
        shutil.rmtree(self.root / STAGED, ignore_errors=True)

    def sweep(self) -> None:
        """Remove what processes left that ended a day ago or earlier."""
        oldest = time.time() - _OLD
        for folder in (self.root / _STAGING).glob("*"):
            with suppress(OSError):
                if folder.name != _COMPACTION and folder.stat().st_mtime < oldest:
                    shutil.rmtree(folder, ignore_errors=True)

    def list_files(self, table: str) -> list[Path]:
        """The files of a table that count, in the order of their names."""
        return self.list_table_files([table])[table]

    def list_table_files(self, tables: Iterable[str]) -> dict[str, list[Path]]:
        """The files of each table that count, in the order of their names.

        Files of inputs without a manifest do not: a process that wrote them did not end. Nor do
        those of an input whose rows were merged: a process wrote them again. What a compaction has
        begun counts as done; where one ended meanwhile, it is looked again.
        """
        chosen = list(tables)
        while True:
            manifests, journal = self.read_manifest_files(), self.read_journal()
            merged, single = split_inputs(manifests)
            found = {one: self._choose_files(one, single - merged, journal) for one in chosen}
            if manifests.keys() <= self._list_manifest_files() and journal == self.read_journal():
                return found

    def _choose_files(
        self, table: str, known: Collection[str], journal: CompactionJournal
    ) -> list[Path]:
        """Files of a table: merged ones, and those of known inputs."""
        place = f"table={table}"
        added = {name: self.locate_staged(name) for name in journal.add}
        found = {  # first: a file is put in its place meanwhile, and never back
            name: waiting
            for name, waiting in added.items()
            if name.startswith(f"{place}/") and waiting.is_file()
        }
        found |= {
            path.relative_to(self.root).as_posix(): path
            for path in (self.root / place).glob("month=*/*.parquet")
            if path.stem in known or path.stem.startswith(COMPACTED)
        }
        return [found[name] for name in sorted(found) if name not in journal.remove]

    def fetch_documents(self, runs: Collection[str], progress: Progress) -> None:
        """Make the documents of runs readable: in a folder they are."""

    def locate_staged(self, name: str) -> Path:
        """Where a compaction keeps a file until it is put where it belongs."""
        return self.root / STAGED / name

    def read_journal(self) -> CompactionJournal:
        """What a compaction that has begun has yet to do; nothing without one."""
        path = self.root / JOURNAL
        if not path.is_file():
            return CompactionJournal()
        try:
            journal = _convert(path, _load(path), CompactionJournal)
        except StoreError:
            if path.is_file():
                raise
            return CompactionJournal()  # it ended meanwhile
        for place in (*journal.add, *journal.remove):
            if not _PLACE.fullmatch(place):
                raise StoreError(f"{path}: names a place outside of the lake: {place}")
        return journal


@dataclass(frozen=True)
class CompactionJournal:
    """What a compaction does: names of files relative to the lake."""

    add: tuple[str, ...] = ()
    """Files that it made, and keeps where `locate_staged` says until it puts them there."""
    remove: frozenset[str] = frozenset()


def sync_file(path: Path) -> None:
    """Wait until what was written is on the disk: a manifest may not outlive its rows."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create_lake(root: Path) -> Lake:
    """The lake in `root`, made where there is none. Raises OutputError where it cannot be."""
    if not (root / MARK).is_file():
        if root.is_dir() and not all(_BEGUN.fullmatch(one.name) for one in root.iterdir()):
            raise OutputError(f"{root}: is not empty and is no lake", hint="name another folder")
        try:
            root.mkdir(parents=True, exist_ok=True)
            made = root / f".lake-{uuid.uuid4().hex}"
            made.write_text(json.dumps({"schema": SCHEMA}) + "\n", encoding="utf-8")
            made.replace(root / MARK)
        except OSError as problem:
            raise OutputError(f"{root}: cannot be made: {problem.strerror or problem}") from problem
    return Lake(root)


def _check_mark(root: Path) -> None:
    path = root / MARK
    if not path.is_file():
        hint = "make one: perfolio fleet ingest RUN... --lake DIR"
        raise InputError(f"{root}: is no lake", hint=hint)
    schema = str(_load(path).get("schema"))
    name, _, number = schema.partition("/")
    if name != "perfolio-lake" or not number.isdigit():
        raise StoreError(f"{path}: is no mark of a lake")
    if int(number) > VERSION:
        raise StoreError(f"{root}: was made by a newer Perfolio", hint="update Perfolio")


def split_inputs(
    manifests: Mapping[Path, Sequence[InputManifest]],
) -> tuple[set[str], set[str]]:
    """Inputs whose rows were merged, and those that have a manifest of their own."""
    merged: set[str] = set()
    single: set[str] = set()
    for path, inputs in manifests.items():
        chosen = merged if path.name.startswith(COMPACTED) else single
        chosen |= {one.input for one in inputs}
    return merged, single


def _load(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise StoreError(f"{path}: cannot be read: {problem}") from problem
    if not isinstance(document, dict):
        raise StoreError(f"{path}: is no document of a lake")
    return document


def _read_manifests(path: Path) -> Sequence[InputManifest]:
    document = _load(path)
    if path.name.startswith(COMPACTED):
        return [_convert(path, one, InputManifest) for one in document.get("inputs", [])]
    return [_convert(path, document, InputManifest)]


def _convert(path: Path, document: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as problem:
        raise StoreError(
            f"{path}: is damaged: {problem}", hint="remove it, then resume"
        ) from problem
