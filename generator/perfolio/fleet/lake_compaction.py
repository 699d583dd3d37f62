"""Many small files of a lake to one of each table and month.

In:  a lake. Out: the same rows in few files.

New files are written beside the lake's first. A journal that names them, and the files that they
replace, is the moment from which the lake has them: whoever opens the lake to write finishes what
stands there, and who only reads it reads what it says.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import duckdb

from perfolio.common.errors import BusyError, OutputError, StoreError
from perfolio.common.file_locks import open_locked
from perfolio.common.progress import Progress
from perfolio.fleet.lake import COMPACTED, JOURNAL, InputManifest, Lake, split_inputs, sync_file
from perfolio.fleet.lake_tables import load_table_schemas
from perfolio.store.connections import open_in_memory
from perfolio.store.parquet_export import quote_path

_LOCK = ".compacting"
_GROUP_ROWS = 100_000


def compact_lake(lake: Lake, progress: Progress) -> int:
    """Merge the files of each table and month; how many files are left.

    Raises BusyError where another process does so, and OutputError where the lake cannot be
    written.
    """
    with _lock_lake(lake):
        _finish(lake)
        manifests = lake.read_manifest_files()  # what comes in later is left for the next one
        merged, single = split_inputs(manifests)
        lake.empty_compaction()
        progress.start("compacting", float(len(load_table_schemas())))
        add: list[str] = []
        remove: list[str] = []
        for table in load_table_schemas():
            remove += [_relate(path, lake) for path in _list_left(lake, table, merged)]
            for month, files in sorted(_group_files(lake, table, single).items()):
                if not _is_merged(files):
                    final = lake.locate_file(table, month, f"{COMPACTED}{_name_files(files)}")
                    name = _relate(final, lake)
                    _merge_files(files, lake.locate_staged(name))
                    add.append(name)
                    remove += [_relate(one, lake) for one in files]
            progress.advance(1.0)
        _merge_manifests(lake, manifests, add, remove)
        if add or remove:
            lake.write_document(lake.root / JOURNAL, {"add": add, "remove": remove})
            _finish(lake)
    return sum(len(lake.list_files(table)) for table in load_table_schemas())


def finish_compaction(lake: Lake) -> None:
    """Do what a journal says is left; nothing without one, or where another process does it.

    Raises OutputError.
    """
    if (lake.root / JOURNAL).is_file():
        with suppress(BusyError), _lock_lake(lake):
            _finish(lake)


def _finish(lake: Lake) -> None:
    """The same by whoever has the lock: two that do so would take files from each other."""
    journal = lake.read_journal()
    try:
        for name in journal.add:
            staged = lake.locate_staged(name)
            if staged.is_file():
                (lake.root / name).parent.mkdir(parents=True, exist_ok=True)
                staged.replace(lake.root / name)
        for name in sorted(journal.remove):
            (lake.root / name).unlink(missing_ok=True)
        (lake.root / JOURNAL).unlink(missing_ok=True)
        lake.empty_compaction()
    except OSError as problem:
        raise OutputError(
            f"{lake.root}: cannot be written: {problem.strerror or problem}"
        ) from problem


@contextmanager
def _lock_lake(lake: Lake) -> Iterator[None]:
    """Be the only process that compacts a lake.

    Raises BusyError where another one does, and OutputError without locks: two would remove what
    the other still needs.
    """
    path = lake.root / _LOCK
    try:
        with ExitStack() as stack:
            lock = open_locked(lambda: path, os.O_RDWR | os.O_CREAT, waits=False)
            try:
                _, locked = stack.enter_context(lock)
            except BlockingIOError as problem:
                raise BusyError(f"{lake.root}: another process compacts it") from problem
            if not locked:
                raise OutputError(
                    f"{lake.root}: cannot be compacted: its file system has no locks",
                    hint="compact a copy of it on another file system",
                )
            yield
    except OSError as problem:
        raise OutputError(
            f"{lake.root}: cannot be written: {problem.strerror or problem}"
        ) from problem


def _group_files(lake: Lake, table: str, single: set[str]) -> dict[str, list[Path]]:
    """Files by month: merged ones, and those of these inputs."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for path in lake.list_files(table):
        if path.stem in single or path.stem.startswith(COMPACTED):
            found[path.parent.name.partition("=")[2]].append(path)
    return found


def _list_left(lake: Lake, table: str, merged: set[str]) -> list[Path]:
    """Files of inputs whose rows were merged before: a process wrote them again."""
    paths = sorted((lake.root / f"table={table}").glob("month=*/*.parquet"))
    return [path for path in paths if path.stem in merged]


def _is_merged(files: Sequence[Path]) -> bool:
    """Whether there is nothing to do: one file, which is no input's own."""
    return len(files) == 1 and files[0].name.startswith(COMPACTED)


def _name_files(files: Sequence[Path]) -> str:
    return sha256("\n".join(sorted(path.name for path in files)).encode()).hexdigest()[:16]


def _relate(path: Path, lake: Lake) -> str:
    return path.relative_to(lake.root).as_posix()


def _merge_files(files: Sequence[Path], made: Path) -> None:
    """All rows of these files in one, in the order of runs."""
    made.parent.mkdir(parents=True, exist_ok=True)
    with open_in_memory() as connection:
        connection.execute("SET preserve_insertion_order = true")
        try:
            connection.execute(
                'COPY (SELECT * EXCLUDE (month, "table") FROM read_parquet($files, '  # noqa: S608 - quoted
                "hive_partitioning = true, union_by_name = true) ORDER BY run) "
                f"TO {quote_path(made)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE "
                f"{_GROUP_ROWS})",
                {"files": [str(path) for path in files]},
            )
        except duckdb.Error as problem:
            raise StoreError(f"{files[0].parent}: cannot be merged: {problem}") from problem
    sync_file(made)


def _merge_manifests(
    lake: Lake,
    manifests: Mapping[Path, Sequence[InputManifest]],
    add: list[str],
    remove: list[str],
) -> None:
    """These manifests in one file; nothing where they are in one already."""
    paths = sorted(manifests)
    if not paths or _is_merged(paths):
        return
    name = f"inputs/{COMPACTED}{_name_files(paths)}.json"
    inputs = {one.input: asdict(one) for path in paths for one in manifests[path]}
    lake.write_document(
        lake.locate_staged(name), {"inputs": [inputs[key] for key in sorted(inputs)]}
    )
    add.append(name)
    remove += [_relate(path, lake) for path in paths]
