"""Runs to run records, and two groups of them to comparison.json.

In:  paths: what `build` takes, a store, exported runs, a findings.json, a kept run record, or a
     baseline; a folder of repeats is several runs. Out: records, in the order of runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import InputError, UsageError
from perfolio.comparison.baseline_file import is_baseline_text, read_baseline
from perfolio.comparison.record_extraction import extract_record, make_report_record
from perfolio.comparison.run_record import RunRecord, is_record_text, read_record
from perfolio.pipeline.inputs import read_documents, simulate_subject
from perfolio.pipeline.run_documents import Context, ingest_paths, open_measured_run
from perfolio.readers import registry
from perfolio.readers.own_files import is_duckdb, is_export
from perfolio.store.connections import report_damage
from perfolio.store.database import open_store
from perfolio.store.run_lookup import find_run, list_run_numbers

_HEAD = 200
"""Characters of a file that tell whether it is a run record, or a baseline."""


def read_records(
    subjects: Sequence[Path], slug: str | None = None, context: Context | None = None
) -> list[RunRecord]:
    """The records of all runs of these subjects; of a store that of `slug`, where one is given.

    Raises UsageError where no subject is a store and there is a `slug`, and InputError for what is
    no run.
    """
    context = context or Context()
    if slug is not None and not any(is_duckdb(one) or is_export(one) for one in subjects):
        raise UsageError("--run names a run of a store", hint="give a store, or leave out --run")
    found = [record for one in subjects for record in _read_subject(one, slug, context)]
    if subjects and not found:
        raise InputError(f"{subjects[0]}: holds no run", hint="store one: perfolio ingest PATH")
    return found


def _read_subject(subject: Path, slug: str | None, context: Context) -> list[RunRecord]:
    if is_duckdb(subject) or is_export(subject):
        return read_store_records(subject, slug, context)
    if subject.suffix == ".json" and not registry.is_readable(subject):
        head = _read_head(subject)
        if is_record_text(head):
            return [read_record(subject)]
        if is_baseline_text(head):
            return list(read_baseline(subject).records)
        found = read_documents(subject, None, context)
        return [make_report_record(one.findings) for one in found]
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths([simulate_subject(subject, folder, context)], store, context)
        return read_store_records(store, None, context)


def read_store_records(store: Path, slug: str | None, context: Context) -> list[RunRecord]:
    """The records of all runs of a store, or of the one with this short name."""
    found: list[RunRecord] = []
    with report_damage(store), open_store(store, reproducible=True) as connection:
        runs = list_run_numbers(connection) if slug is None else [find_run(connection, slug)]
        for run in runs:
            with open_measured_run(connection, store, run, context) as (place, documents):
                context.progress.start(f"{documents.slug}: run record", None)
                found.append(extract_record(place, run, documents.findings))
    return found


def _read_head(path: Path) -> str:
    """How a file begins; nothing of what is no text."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(_HEAD)
    except (OSError, UnicodeDecodeError):
        return ""
