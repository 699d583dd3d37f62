"""What a command is about: a profile, a scenario, a store, exported runs, a findings.json.

In:  a path, and perhaps the short name of a run. Out: `RunDocuments` of one or several runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import UsageError
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.run_documents import (
    ingest_paths,
    make_documents,
    make_documents_of_run,
    read_document_file,
)
from perfolio.readers import registry
from perfolio.readers.own_files import SCENARIO, find_scenario, is_duckdb, is_export
from perfolio.readers.stable_file import open_input
from perfolio.store.run_lookup import make_run_choice_error

if TYPE_CHECKING:  # a project alone has scenarios
    from perfolio.simulation.simulate import SimulatedRun


def read_documents(
    subject: Path, slug: str | None = None, context: Context | None = None
) -> list[RunDocuments]:
    """Metrics and findings of what `subject` is: of all runs, or of the one called `slug`.

    A scenario is simulated. Raises UsageError where there is no such run, or where a findings.json
    is to be judged by other thresholds, and InputError for what is none of these.
    """
    if is_duckdb(subject) or is_export(subject):
        return read_store_documents(subject, slug, context)
    if subject.suffix == ".json" and not registry.is_readable(subject):
        return [_check_slug(_read_document_file(subject, context or Context()), slug)]
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths([simulate_subject(subject, folder, context)], store, context)
        return read_store_documents(store, slug, context)


def read_store_documents(
    store: Path, slug: str | None, context: Context | None = None
) -> list[RunDocuments]:
    """Metrics and findings of all runs of a store, or of the one with this short name."""
    if slug is None:
        return make_documents(store, None, context)
    return [make_documents_of_run(store, slug, context)]


def _read_document_file(path: Path, context: Context) -> RunDocuments:
    open_input(path)  # says what no parser would: that a file is empty, or none
    if context.overrides.path is not None:
        raise UsageError(f"{path} was judged already", hint="--config goes with a profile or store")
    return read_document_file(path, context)


def simulate_subject(subject: Path, folder: Path, context: Context | None) -> Path:
    """The database that a scenario gives; what is none as it is."""
    scenario = find_scenario(subject)
    if scenario is None:
        return subject
    resolved = scenario.resolve()
    name = resolved.parent.name if resolved.name == SCENARIO else resolved.stem
    database = folder / f"{name}.d"
    simulate_scenario(scenario, database, context=context)
    return database


def simulate_scenario(
    scenario: Path, folder: Path, *, seed: int | None = None, context: Context | None = None
) -> SimulatedRun:
    """A scenario's file to a database with its truth; see `perfolio.simulation`."""
    from perfolio.simulation.simulate import simulate_file

    return simulate_file(scenario, folder, seed=seed, progress=(context or Context()).progress)


def choose_only_run(documents: Sequence[RunDocuments]) -> RunDocuments:
    """The one run that there is. Raises UsageError where there are several, or none."""
    if len(documents) != 1:
        raise make_run_choice_error([one.slug for one in documents])
    return documents[0]


def _check_slug(one: RunDocuments, slug: str | None) -> RunDocuments:
    if slug not in (None, one.slug):
        raise UsageError(f"the document has no run {slug!r}", hint=f"it has {one.slug}")
    return one
