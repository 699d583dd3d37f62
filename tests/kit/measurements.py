"""Metrics as they were measured before: the same content of a run and the same code give the same.

For tests of what becomes of metrics, in whatever process or run of the tests; those of measuring
itself do without. Documents of an input that a test writes are made once by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

from perfolio.charts.tiles.tree_encoding import QUERIES
from perfolio.common.atomic_output import _SCRATCH
from perfolio.metrics.result_cache import _CONTENT, _measure_records
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.build_state import compute_metrics_edition
from perfolio.pipeline.inputs import read_documents
from perfolio.store.derived_tables import derive
from tests.kit.kept import KNOWN, digest_of
from tests.kit.shelf import Shelf
from tests.metrics.support import kept_read_by

_SHELF = Shelf("run-metrics", compute_metrics_edition()[:16])
_FILE = "SELECT path FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL"
_NO_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg"/>'
_RENAMED = "renamed.duckdb"
"""A copy of a store whose names are hidden: its run has the content of the one with all names."""
_PROJECTS = ".cache"
"""The folder of a project's own store."""


def documents_once(content: str, write: Callable[[], Path], *files: Path) -> list[RunDocuments]:
    """The documents of an input, measured anew wherever any code that makes them has changed.

    `write` writes the input: it follows from `content` and from what is in `files` and folders.
    """

    def make() -> list[RunDocuments]:
        with measured_anew():
            return read_documents(write())

    return _documents().kept(digest_of(content, *files, by=()), make)


@cache
def _documents() -> Shelf:
    return Shelf("documents", digest_of(by=KNOWN)[:32])


@contextmanager
def without_images() -> Iterator[None]:
    """Let charts have all but their images, which take most of a report: for tests of the rest."""
    with (
        patch("perfolio.charts.gallery_rendering._make_image", lambda *_: _NO_IMAGE),
        patch("perfolio.charts.gallery_rendering._name_renderer", lambda: "none"),
    ):  # charts are kept under another name then
        yield


@contextmanager
def measured_once() -> Iterator[None]:
    """Let metrics be taken as they were measured before.

    What is derived for them is then left out of stores that nobody reads but the command.
    """
    with _measuring_by(_records_once, _derive_unless_measured):
        yield


@contextmanager
def measured_once_from_all() -> Iterator[None]:
    """The same, where more than metrics is read of stores: all is derived."""
    with _measuring_by(_records_once, derive):
        yield


@contextmanager
def measured_anew() -> Iterator[None]:
    """Let them be measured, also within `measured_once`."""
    with _measuring_by(_measure_records, derive):
        yield


@contextmanager
def derived_for(queries: Sequence[str]) -> Iterator[None]:
    """Let stores that are made meanwhile have of what they derive only what these queries read."""
    with patch("perfolio.store.ingest.derive", partial(derive, only=kept_read_by(queries))):
        yield


@contextmanager
def _measuring_by(records: object, derived: object) -> Iterator[None]:
    with (
        patch("perfolio.metrics.result_cache._measure_records", records),
        patch("perfolio.store.ingest.derive", derived),
    ):
        yield


def _records_once(
    connection: duckdb.DuckDBPyConnection, run: int, left_out: Collection[str] = (), *_: object
) -> list[dict[str, Any]]:
    """All are kept, also where some are left out, but those of a copy with other names.

    One thread measures: two make what both read twice.
    """
    if _find_file(connection).name == _RENAMED:
        return _measure_records(connection, run, left_out)
    content = _content(connection, run)
    found = _SHELF.kept(content, lambda: _measure_records(connection, run))
    return [record for record in found if record["name"] not in left_out]


def _derive_unless_measured(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    passing = _is_passing(connection) and not _has_timeline(connection, run)
    passing = passing and _SHELF.holds(_content(connection, run))
    derive(connection, run, only=_list_read_by_trees() if passing else None)


@cache
def _list_read_by_trees() -> frozenset[str]:
    """What is derived for call trees: pages show each frame of a run."""
    return frozenset(kept_read_by(QUERIES))


def _has_timeline(connection: duckdb.DuckDBPyConnection, run: int) -> bool:
    """Whether pages show each interval of a run: what is derived names them."""
    sql = "SELECT 1 FROM main.host_stay WHERE run = $run LIMIT 1"
    return bool(connection.execute(sql, {"run": run}).fetchall())


def _is_passing(connection: duckdb.DuckDBPyConnection) -> bool:
    folder = _find_file(connection).parent.name
    return folder == _PROJECTS or folder.startswith(_SCRATCH[0])


def _find_file(connection: duckdb.DuckDBPyConnection) -> Path:
    ((path,),) = connection.execute(_FILE).fetchall()
    return Path(str(path))


def _content(connection: duckdb.DuckDBPyConnection, run: int) -> str:
    ((content,),) = connection.execute(_CONTENT, {"run": run}).fetchall()
    return str(content)
