"""What a command is about: a store, a findings.json, profiles, or a scenario, all to documents.

In:  a path, and perhaps the short name of a run. Out: `Documents` of one or several runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.errors import UsageError
from generator.pipeline import (
    Context,
    Documents,
    document_of_file,
    documents_of,
    documents_of_run,
    ingest_paths,
    simulate_scenario,
)
from generator.sources import registry
from generator.store.runs import not_one
from generator.whole import temporary_folder

SCENARIO = "scenario.toml"


def documents_at(
    subject: Path, slug: str | None = None, context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of a store, of a findings.json, of a profile or a folder with profiles.

    The folder of a scenario is simulated. With `slug`, of that run only; raises UsageError where
    there is no such run.
    """
    is_profile = subject.is_dir() or registry.is_readable(subject)
    if subject.suffix == ".json" and not is_profile:
        return [_named(document_of_file(subject, context), slug)]
    if not is_profile:
        return documents_of_store(subject, slug, context)
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


def _simulated(subject: Path, folder: Path, context: Context | None) -> Path:
    """The database that the scenario in a folder gives; a folder without one as it is."""
    scenario = subject / SCENARIO
    if not scenario.is_file():
        return subject
    database = folder / f"{subject.resolve().name}.d"
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
