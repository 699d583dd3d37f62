"""Runs to run records, and two groups of them to comparison.json.

In:  paths: what `build` takes, a store, exported runs, a findings.json, a kept run record, or a
     baseline; a folder of repeats is several runs. Out: records, in the order of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import InputError, UsageError
from perfolio.comparison.baseline_file import is_baseline_text, read_baseline
from perfolio.comparison.record_extraction import extract_record, make_report_record
from perfolio.comparison.run_record import RunRecord, is_record_text, read_record
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.inputs import read_documents, simulate_subject
from perfolio.pipeline.run_documents import ingest_paths, open_measured_run
from perfolio.readers import registry
from perfolio.readers.own_files import is_duckdb, is_export
from perfolio.store.connections import report_damage
from perfolio.store.database import open_store
from perfolio.store.run_lookup import find_run, list_run_numbers

RecordedRun = tuple[RunRecord, RunDocuments | None]
_HEAD = 200
"""Characters of a file that tell whether it is a run record, or a baseline."""


@dataclass(frozen=True)
class ComparedSide:
    """The runs of one side."""

    records: tuple[RunRecord, ...]
    documents: RunDocuments | None
    """Of the only run; None of several, and of a kept record."""


def read_side(
    subjects: Sequence[Path], slug: str | None = None, context: Context | None = None
) -> ComparedSide:
    """All runs of these subjects; of a store that of `slug`, where one is given.

    Raises UsageError where no subject is a store and there is a `slug`, and InputError for what is
    no run.
    """
    records: list[RunRecord] = []
    documents = None
    for record, found in _read_runs(subjects, slug, context or Context()):
        documents = None if records else found
        records.append(record)
    if subjects and not records:
        raise InputError(f"{subjects[0]}: holds no run", hint="store one: perfolio ingest PATH")
    return ComparedSide(tuple(records), documents)


def read_records(
    subjects: Sequence[Path], slug: str | None = None, context: Context | None = None
) -> list[RunRecord]:
    """The records of all runs of these subjects, as `read_side` gives them."""
    return list(read_side(subjects, slug, context).records)


def _read_runs(
    subjects: Sequence[Path], slug: str | None, context: Context
) -> Iterator[RecordedRun]:
    if slug is not None and not any(is_duckdb(one) or is_export(one) for one in subjects):
        raise UsageError("--run names a run of a store", hint="give a store, or leave out --run")
    for one in subjects:
        yield from _read_subject(one, slug, context)


def _read_subject(subject: Path, slug: str | None, context: Context) -> Iterator[RecordedRun]:
    if not subject.exists():
        raise InputError(f"{subject}: there is no such file or folder")
    if is_duckdb(subject) or is_export(subject):
        yield from _read_store(subject, slug, context)
    elif subject.suffix == ".json" and not registry.is_readable(subject):
        head = _read_head(subject)
        if is_record_text(head):
            yield read_record(subject), None
            return
        if is_baseline_text(head):
            yield from ((record, None) for record in read_baseline(subject).records)
            return
        for one in read_documents(subject, None, context):
            yield make_report_record(one.findings), one
    else:
        with make_temporary_folder() as folder:
            store = folder / "store.duckdb"
            ingest_paths([simulate_subject(subject, folder, context)], store, context)
            yield from _read_store(store, None, context)


def read_store_records(store: Path, slug: str | None, context: Context) -> list[RunRecord]:
    """The records of all runs of a store, or of the one with this short name."""
    return [record for record, _ in _read_store(store, slug, context)]


def _read_store(store: Path, slug: str | None, context: Context) -> Iterator[RecordedRun]:
    with report_damage(store), open_store(store, reproducible=True) as connection:
        runs = list_run_numbers(connection) if slug is None else [find_run(connection, slug)]
        for run in runs:
            with open_measured_run(connection, store, run, context) as (place, documents):
                context.progress.start(f"{documents.slug}: run record", None)
                record = extract_record(place, run, documents.findings)
            yield record, documents


def _read_head(path: Path) -> str:
    """How a file begins; nothing of what is no text."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(_HEAD)
    except (OSError, UnicodeDecodeError):
        return ""
