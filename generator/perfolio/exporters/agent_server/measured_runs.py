"""Documents and stores of served runs: made when they are first asked for, and again after changes.

In:  a served file, and perhaps the short name of a run. Out: its documents, or the place of its
     store. Stores of profiles lie in a temporary folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from perfolio.common.errors import UsageError
from perfolio.exporters.agent_server.served_folder import ServedFile
from perfolio.pipeline.inputs import choose_only_run, read_documents
from perfolio.pipeline.run_documents import (
    Context,
    RunDocuments,
    ingest_paths,
    make_documents_of_run,
)

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
