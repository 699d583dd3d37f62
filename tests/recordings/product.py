"""The documents that Perfolio makes of recordings, many in one process, and figures in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from perfolio.common.progress import QuietProgress
from perfolio.findings.document import make_findings_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_document, make_records, run_facts
from perfolio.metrics.run_measurement import evaluate
from perfolio.readers.run_files import read_run
from perfolio.store.database import create_store
from perfolio.store.ingest import ingest_all
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
            for run in runs:
                facts = run_facts(connection, run.run)
                records = make_records(evaluate(connection, run.run, load_catalog()))
                metrics = make_document(facts, records)
                rules = load_rules(metrics=load_catalog())
                yield Documents(make_findings_document(metrics, rules))
