"""The documents that Perfolio makes of recordings, figures in them, and what holds in each."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from perfolio.common.progress import QuietProgress
from perfolio.comparison.record_extraction import DRAWN_ALONE
from perfolio.findings.document import make_findings_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_document, make_records, run_facts
from perfolio.metrics.model import Metric
from perfolio.metrics.run_measurement import evaluate
from perfolio.readers.run_files import read_run
from perfolio.store.database import create_store
from perfolio.store.ingest import ingest_all
from tests.kit.kept import KNOWN, digest_of
from tests.kit.shelf import Shelf
from tests.recordings.formats import write
from tests.recordings.model import Recording

Cell = float | int | str | None
Row = dict[str, Cell]
AT_ONCE = 8
"""Recordings that share a store: more would make queries slower than a new store does."""


class Documents:
    """What Perfolio says of a recording."""

    def __init__(self, findings: dict[str, Any]) -> None:
        self.findings = findings
        self._metrics = {one["name"]: one for one in findings["metrics"]["metrics"]}

    def value(self, metric: str) -> float | None:
        """A scalar; None where it was not measured."""
        found = self._metrics[metric].get("value")
        return None if found is None else float(found)

    def scalars(self) -> dict[str, float]:
        """All scalars that were measured."""
        every = {name: self.value(name) for name in self._metrics}
        return {name: value for name, value in every.items() if value is not None}

    def rows(self, metric: str) -> list[Row]:
        """The rows of a table, by the names of its columns; none where it was not measured."""
        found = self._metrics[metric]
        names = [column["name"] for column in found.get("columns", [])]
        return [dict(zip(names, row, strict=True)) for row in found.get("rows") or []]

    def finding(self, code: str) -> dict[str, Any]:
        """A finding."""
        return next(dict(one) for one in self.findings["findings"] if one["code"] == code)


def documents(recordings: Sequence[tuple[Recording, str]]) -> Iterator[Documents]:
    """The documents of recordings, each in its format."""
    for first in range(0, len(recordings), AT_ONCE):
        yield from _documents(recordings[first : first + AT_ONCE])


def kept_documents(recordings: Sequence[tuple[Recording, str]]) -> Iterator[Documents]:
    """The same, kept from the first time that they were made by the same code."""
    for first in range(0, len(recordings), AT_ONCE):
        some = recordings[first : first + AT_ONCE]
        yield from map(Documents, _shelf().kept(digest_of(repr(some), by=()), partial(_made, some)))


@cache
def _shelf() -> Shelf:
    written_by = (Path(__file__), Path(__file__).with_name("formats.py"))
    return Shelf("recordings", digest_of(*written_by, by=(*KNOWN, "writers"))[:32])


def _made(recordings: Sequence[tuple[Recording, str]]) -> list[dict[str, Any]]:
    return [one.findings for one in _documents(recordings)]


@cache
def _find_judged() -> dict[str, Metric]:
    """The metrics but those that pages alone draw, and take long: none is a figure or a rule's."""
    left_out = DRAWN_ALONE - {"time.bursts", "time.drawn_operations"}
    return {name: one for name, one in load_catalog().items() if name not in left_out}


def _documents(recordings: Sequence[tuple[Recording, str]]) -> Iterator[Documents]:
    with tempfile.TemporaryDirectory(prefix="perfolio-recordings-") as name:
        folder = Path(name)
        paths = [
            write(recording, form, folder / f"run{number}")
            for number, (recording, form) in enumerate(recordings)
        ]
        sources = [read_run(path) for path in paths]
        with create_store(folder / "store.duckdb") as connection:
            runs = ingest_all(connection, sources, QuietProgress())
            connection.execute("SET threads = 1")  # as where a report is made
            for run in runs:
                facts = run_facts(connection, run.run)
                records = make_records(evaluate(connection, run.run, _find_judged()))
                metrics = make_document(facts, records)
                rules = load_rules(metrics=load_catalog())
                yield Documents(make_findings_document(metrics, rules))


_JUST = 1e-6
_SHARES = ("_share", "utilisation", "efficiency", "balance")
"""Endings of names of metrics that are parts of a whole."""
_NO_SHARES = frozenset({"time.idle_imbalance"})
_SUMS: tuple[tuple[tuple[str, ...], str | float], ...] = (
    (("time.exposed_copy", "time.overlap"), "time.copy_busy"),
    (("time.gpu_busy", "time.gap_time"), "time.gpu_span"),
    (("time.gpu_utilisation", "time.gpu_idle_share"), 1.0),
    (("gpu.kernel_time", "gpu.copy_time"), "gpu.operation_time"),
)
"""Parts, and the whole that they make up, or do not exceed."""
_EXACT = 3
"""So many of the sums are exact."""


def broken(documents: Documents) -> Iterator[str]:
    """What does not hold of a document."""
    yield from _shares(documents)
    yield from _sums(documents)
    yield from _tables(documents)
    yield from _estimates(documents)
    for warning in documents.findings["metrics"]["run"].get("warnings", []):
        if "defect of Perfolio" in warning:
            yield warning


def _shares(documents: Documents) -> Iterator[str]:
    for name, value in documents.scalars().items():
        if name.endswith(_SHARES) and name not in _NO_SHARES and not -_JUST <= value <= 1 + _JUST:
            yield f"{name} is {value}"


def _sums(documents: Documents) -> Iterator[str]:
    for number, (parts, whole) in enumerate(_SUMS):
        found = [documents.value(part) for part in parts]
        every = documents.value(whole) if isinstance(whole, str) else whole
        if every is None or all(value is None for value in found):
            continue
        total = sum(value or 0.0 for value in found)
        if total > every + _JUST * every or (number < _EXACT and total < every - _JUST * every):
            yield f"{' + '.join(parts)} is {total}, of {whole}: {every}"


def _tables(documents: Documents) -> Iterator[str]:
    wholes: tuple[tuple[str, str, float | None], ...] = (
        ("time.wall_parts", "time", documents.value("time.wall")),
        ("time.span_parts", "time", documents.value("time.gpu_span")),
        ("time.iteration_classes", "share", 1.0),
        ("gpu.kernel_classes", "share", 1.0),
    )
    for table, column, whole in wholes:
        rows = documents.rows(table)
        total = sum(float(row[column] or 0) for row in rows)
        if rows and whole is not None and abs(total - whole) > _JUST * max(whole, total):
            yield f"{column} of {table} sum to {total}, not to {whole}"


def _estimates(documents: Documents) -> Iterator[str]:
    wall = documents.value("time.wall")
    for one in documents.findings["findings"]:
        worth, expected = one["estimate"], one["expected"]
        if worth is None or one["status"] != "fired":
            continue
        if not 0 < worth["reduction"] < 1:
            yield f"{one['code']} saves {worth['reduction']}"
        if wall and worth["saved"] is not None and worth["saved"] > wall * (1 + _JUST):
            yield f"{one['code']} saves {worth['saved']} s of {wall} s"
        if worth["weaker"] is not None and worth["weaker"] > worth["reduction"] * (1 + _JUST):
            yield f"{one['code']} saves {worth['weaker']} of {worth['reduction']} by weaker means"
        if expected is not None and not 0 <= expected["low"] <= expected["high"] <= 1 + _JUST:
            yield f"{one['code']} is expected to save {expected['high']} of its bound"
