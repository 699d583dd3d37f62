"""What a command is about: a profile, a scenario, a store, exported runs, a findings.json.

In:  a path, and perhaps the short name of a run. Out: `Documents` of one or several runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perfolio.common.atomic_output import temporary_folder
from perfolio.common.errors import UsageError
from perfolio.pipeline.run_documents import (
    Context,
    Documents,
    document_of_file,
    documents_of,
    documents_of_run,
    ingest_paths,
    simulate_scenario,
)
from perfolio.readers import registry
from perfolio.readers.own_files import SCENARIO, is_duckdb, is_export, scenario_at
from perfolio.readers.stable_file import open_input
from perfolio.store.run_lookup import not_one


def documents_at(
    subject: Path, slug: str | None = None, context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of what `subject` is: of all runs, or of the one called `slug`.

    A scenario is simulated. Raises UsageError where there is no such run, or where a findings.json
    is to be judged by other thresholds, and InputError for what is none of these.
    """
    if is_duckdb(subject) or is_export(subject):
        return documents_of_store(subject, slug, context)
    if subject.suffix == ".json" and not registry.is_readable(subject):
        return [_named(_document(subject, context or Context()), slug)]
    with temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths([_simulated(subject, folder, context)], store, context)
        return documents_of_store(store, slug, context)


def documents_of_store(
    store: Path, slug: str | None, context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of all runs of a store, or of the one with this short name."""
    if slug is None:
        return documents_of(store, None, context)
    return [documents_of_run(store, slug, context)]


def _document(path: Path, context: Context) -> Documents:
    open_input(path)  # says what no parser would: that a file is empty, or none
    if context.overrides.path is not None:
        raise UsageError(f"{path} was judged already", hint="--config goes with a profile or store")
    return document_of_file(path, context)


def _simulated(subject: Path, folder: Path, context: Context | None) -> Path:
    """The database that a scenario gives; what is none as it is."""
    scenario = scenario_at(subject)
    if scenario is None:
        return subject
    whole = scenario.resolve()
    name = whole.parent.name if whole.name == SCENARIO else whole.stem
    database = folder / f"{name}.d"
    simulate_scenario(scenario, database, context=context)
    return database


def only(documents: Sequence[Documents]) -> Documents:
    """The one run that there is. Raises UsageError where there are several, or none."""
    if len(documents) != 1:
        raise not_one([one.slug for one in documents])
    return documents[0]


def _named(one: Documents, slug: str | None) -> Documents:
    if slug not in (None, one.slug):
        raise UsageError(f"the document has no run {slug!r}", hint=f"it has {one.slug}")
    return one
