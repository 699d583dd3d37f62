"""A new store of many runs, each of which is a portion that another process stores.

In:  paths of profiles. Out: the store that one process would have made: the same runs under the
same numbers and names.

DuckDB lets one process write to a file. So each portion has a file of its own beside the store, and
its rows are copied from there, in their order, while the next ones are stored. They are those of
the run alone, to the last digit: in a store with others, sums are added in another order.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from perfolio.common.processes import count_workers
from perfolio.common.progress import Progress
from perfolio.readers.model import Source
from perfolio.readers.run_description import RunDescription, locate_file
from perfolio.store.database import create_store
from perfolio.store.ingest import (
    IngestedRun,
    RunName,
    ingest_all,
    make_new_store,
    remove_store,
    report_write_errors,
    run_transaction,
    translate_errors,
    write_out,
)
from perfolio.store.model_catalog import list_tables_of_runs
from perfolio.store.parquet_export import quote_path
from perfolio.store.run_identity import find_free_slug

FEW = 8
"""Runs that one process stores before others have begun."""
_FILLED = """
    SELECT table_name FROM duckdb_tables()
    WHERE database_name = 'portion' AND estimated_size > 0
"""
"""Tables of a portion that have rows, or had some: half have none."""


@dataclass(frozen=True)
class RunPortion:
    """A profile that one process stores."""

    store: Path
    path: Path
    name: RunName
    """What its run is called in the whole store."""


@dataclass
class PortionReport:
    """What became of a portion: what one process tells another."""

    runs: list[IngestedRun] = field(default_factory=list)
    tasks: list[tuple[str, float | None]] = field(default_factory=list)
    """What its progress told."""

    def start(self, name: str, total: float | None) -> None:
        """Note a task."""
        self.tasks.append((name, total))

    def advance(self, steps: float) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Nothing."""


def is_many(paths: Sequence[Path]) -> bool:
    """Whether several processes store these, each of which is a run of its own, sooner than one."""
    many = len(paths) > FEW and count_workers(len(paths)) > 1
    return many and len({path.resolve() for path in paths}) == len(paths)


def fill_portion(
    source: tuple[Source, RunDescription], portion: RunPortion, stored: PortionReport
) -> None:
    """Store the profile of a portion, which is open, in its file."""
    with create_store(portion.store) as connection:
        stored.runs = ingest_all(connection, [source], stored, [portion.name])


@dataclass(frozen=True)
class PortionedStore:
    """A new store, and what it is put together of."""

    whole: duckdb.DuckDBPyConnection
    each: list[RunPortion]

    def add(
        self, portion: RunPortion, stored: PortionReport, progress: Progress
    ) -> list[IngestedRun]:
        """Append the rows of a portion that is filled, whose file then goes; tell of its run."""
        for task in stored.tasks:
            progress.start(*task)
        with translate_errors("the store"):
            self.whole.execute(f"ATTACH {quote_path(portion.store)} AS portion (READ_ONLY)")
            filled = {name for (name,) in self.whole.execute(_FILLED).fetchall()}
            with run_transaction(self.whole, "the store"):
                for table in list_tables_of_runs():
                    if table in filled:
                        self.whole.execute(
                            f'INSERT INTO main."{table}" FROM portion.main."{table}"'
                        )
            self.whole.execute("DETACH portion")
        remove_store(portion.store)
        return stored.runs


@contextmanager
def open_portions(paths: Sequence[Path], store: Path) -> Iterator[PortionedStore]:
    """A store of `paths` to be put together, which is there if the block succeeds.

    Within `alone_with`.
    """
    folder = store.with_name(f".{store.name}.portions")
    with (
        report_write_errors(store),
        _make_empty_folder(folder),
        make_new_store(store, folder) as whole,
    ):
        yield PortionedStore(whole, plan_portions(folder, paths))
        write_out(whole)


@contextmanager
def _make_empty_folder(folder: Path) -> Iterator[None]:
    """A folder for the time of the block, without what a run left there that was killed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def plan_portions(folder: Path, paths: Sequence[Path], name: str = "") -> list[RunPortion]:
    """The portions that profiles are stored in, none of which is there yet.

    `name` is what the caller calls the only one.
    """
    portions: list[RunPortion] = []
    taken: set[str] = set()
    for run, path in enumerate(paths, 1):
        slug = find_free_slug(path, locate_file(path), taken, name)
        taken.add(slug)
        portions.append(RunPortion(folder / f"{run}.duckdb", path, RunName(run, slug)))
    return portions
