"""Profiles to a store, and runs of a store to their documents.

Each function reads as the data flow; `reports` takes it on to pages and sites.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from perfolio.audit.claims import load_claims
from perfolio.audit.document import claims_document
from perfolio.common.atomic_folders import within_project
from perfolio.common.errors import UsageError
from perfolio.common.processes import mapped
from perfolio.common.progress import Progress, Quiet
from perfolio.findings.claim_rules import with_claims
from perfolio.findings.document import findings_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.threshold_overrides import Overrides, overridden
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import failed_queries, results_from, run_facts
from perfolio.metrics.result_cache import Kept, measured
from perfolio.pipeline.run_redaction import Share, hidden_run
from perfolio.readers import registry
from perfolio.readers.model import Source
from perfolio.readers.run_description import CLAIMS, Description
from perfolio.readers.run_files import read_run
from perfolio.redaction.leak_check import prove_contents
from perfolio.redaction.pseudonyms import Names, Secrets
from perfolio.site.file_sync import as_bytes
from perfolio.store.connections import readable
from perfolio.store.database import edition, open_store
from perfolio.store.ingest import Ingested, alone_with, ingest
from perfolio.store.parallel_ingest import Portion, Stored, fill_portion, is_many, new_portions
from perfolio.store.parquet_export import export_runs
from perfolio.store.run_attachments import attachment
from perfolio.store.run_lookup import chosen_run, run_numbers
from perfolio.store.run_tables import timed

if TYPE_CHECKING:  # a project alone has scenarios
    from perfolio.simulation.simulate import Simulated

Content = Mapping[str, str | bytes]


@dataclass
class Timings:
    """Seconds per stage, in order of their first use, and of the models that stages made."""

    seconds: dict[str, float] = field(default_factory=dict)
    models: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to stage `name`."""
        start = time.perf_counter()
        try:
            with timed(self.models):
                yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def add(self, other: Timings) -> None:
        """Add what stages and models took elsewhere."""
        for own, found in ((self.seconds, other.seconds), (self.models, other.models)):
            for name, taken in found.items():
                own[name] = own.get(name, 0.0) + taken


def unsaid(line: str) -> None:
    """Print nothing."""
    del line


@dataclass(frozen=True)
class Context:
    """What a caller wants to know of long work, and what it judges by and asks."""

    progress: Progress = field(default_factory=Quiet)
    say: Callable[[str], None] = unsaid
    """Prints a line of the result while the work goes on."""
    said: set[str] = field(default_factory=set)
    timings: Timings = field(default_factory=Timings)
    overrides: Overrides = field(default_factory=Overrides)
    """Thresholds that the caller sets in place of the rules' own."""
    project: Path | None = None
    """The project whose exercises join those that are shipped."""
    kept: Kept | None = None
    """Where metrics of a store of our own are kept."""
    share: Share | None = None
    """Documents are for others to read: what is private in them is hidden."""
    hidden: list[Secrets] = field(default_factory=list)
    """What was hidden in documents so far."""

    def prove(
        self, contents: Iterable[tuple[str, str | bytes]], allowed: Sequence[str] = ()
    ) -> None:
        """Raise SiteError where a file for others to read tells what is private and not allowed."""
        if self.share is not None:
            written = ((name, as_bytes(content)) for name, content in contents)
            prove_contents(written, [*self.hidden, Secrets(allowed=tuple(allowed))])

    def apart(self) -> Context:
        """The same for another process, which tells nothing."""
        return replace(self, progress=Quiet(), say=unsaid, said=set(), timings=Timings())

    def note(self, text: str) -> None:
        """Say once what is not in a report that is made; nothing where there is no text."""
        if text and text not in self.said:
            self.said.add(text)
            sys.stderr.write(f"perfolio: note: {text}\n")

    def judged(self, one: Documents) -> None:
        """Say the verdict of a run, once."""
        if one.slug not in self.said:
            self.said.add(one.slug)
            self.say(f"{one.slug}: {one.findings['verdict']['sentence']}")


@dataclass(frozen=True)
class Documents:
    """All that is known of one run; pages are rendered from these and nothing else."""

    metrics: dict[str, Any]
    findings: dict[str, Any]
    secrets: Secrets | None = None
    """What was hidden, of those for others to read."""

    @property
    def slug(self) -> str:
        """Short name of the run, its folder in the site."""
        return str(self.metrics["run"]["slug"])


def simulate_scenario(
    scenario: Path, folder: Path, *, seed: int | None = None, context: Context | None = None
) -> Simulated:
    """A scenario's file to a database with its truth; see `perfolio.simulation`."""
    from perfolio.simulation.simulate import simulate_file

    return simulate_file(scenario, folder, seed=seed, progress=(context or Context()).progress)


def ingest_paths(
    paths: Sequence[Path], store: Path, context: Context | None = None
) -> list[Ingested]:
    """Store every profile at or below `paths`; see `perfolio.store.ingest`."""
    told = context or Context()
    found = profiles_at(paths, told)
    if is_many(found):
        with alone_with(store):
            if not store.exists():
                return _ingest_many(found, store, told)
    with told.timings.stage("read"):
        sources = [_read(path) for path in found]
    with told.timings.stage("store"):
        return ingest(sources, store, told.progress)


def profiles_at(paths: Sequence[Path], told: Context) -> list[Path]:
    """Every profile at or below `paths`, each once."""
    with told.timings.stage("read"):
        return list(dict.fromkeys(path for given in paths for path in registry.find(given)))


def _ingest_many(paths: Sequence[Path], store: Path, told: Context) -> list[Ingested]:
    """Store profiles in a new store: other processes store each, this one joins them."""
    runs: list[Ingested] = []
    with (
        new_portions(paths, store) as portions,
        closing(mapped(filled, portions.each)) as all_filled,
    ):
        for portion, (stored, timings) in zip(portions.each, all_filled, strict=True):
            told.timings.add(timings)
            with told.timings.stage("store"):
                runs += portions.add(portion, stored, told.progress)
    return runs


def filled(portion: Portion) -> tuple[Stored, Timings]:
    """Store a portion, in another process, and what each stage took there."""
    stored = Stored()
    timings = Timings()
    with timings.stage("read"):
        source = _read(portion.path)
    with timings.stage("store"):
        fill_portion(source, portion, stored)
    return stored, timings


def export(
    store: Path, runs: Sequence[Ingested], folder: Path, context: Context | None = None
) -> list[Path]:
    """Write runs of a store below `folder`; see `perfolio.store.parquet_export`."""
    told = context or Context()
    with told.timings.stage("export"), open_store(store) as connection:
        return export_runs(connection, {one.run: one.slug for one in runs}, folder, edition())


def _read(path: Path) -> tuple[Source, Description]:
    """A profile and what lies beside it; unreadable claims are refused before it is stored."""
    source, description = read_run(path)
    sys.stderr.writelines(f"perfolio: note: {note}\n" for note in source.left_out)
    if description.claims:
        load_claims(description.claims, load_catalog(), f"{CLAIMS} of {path}")
    return source, description


def documents_of(
    store: Path, runs: Sequence[int] | None = None, context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of the given runs of a store (None: of all)."""
    told = context or Context()
    with readable(store), open_store(store, reproducible=True) as connection:
        chosen = list(runs) if runs is not None else run_numbers(connection)
        return [_documents(connection, store, run, told) for run in chosen]


def documents_of_run(store: Path, slug: str | None, context: Context | None = None) -> Documents:
    """Of the run with this short name (None: the only one). UsageError where there is none such."""
    with readable(store), open_store(store, reproducible=True) as connection:
        run = chosen_run(connection, slug)
        return _documents(connection, store, run, context or Context())


def document_of_file(path: Path, context: Context | None = None) -> Documents:
    """What a findings.json says: it holds the metrics too.

    UsageError where it is to be shared, and was not made to be: names in it are cut already.
    """
    findings = read_document(path)
    found = Documents(findings["metrics"], findings)
    if context is None or context.share is None:
        return found
    if "shared" not in found.metrics["run"]:
        raise UsageError(
            f"{path}: was not built with --share, and names in it are shortened already",
            hint="give the profile, the store, or the findings.json of a site built with --share",
        )
    return shared(found, context)


def _documents(
    connection: duckdb.DuckDBPyConnection, store: Path, run: int, context: Context
) -> Documents:
    """Metrics and findings of a run; for others to read, of a run in which names are hidden."""
    facts = run_facts(connection, run)
    facts["path"] = within_project(facts["path"], context.project)
    context.progress.start(f"{facts['slug']}: metrics", None)
    claims = attachment(connection, run, CLAIMS)
    if context.share is None:
        with context.timings.stage("metrics"):
            metrics = measured(connection, run, facts, context.kept)
        return _judged(metrics, claims, context)
    with hidden_run(connection, store, run, context.share) as (place, names), ExitStack() as held:
        if place != store:
            connection = held.enter_context(open_store(place, reproducible=True))
        with context.timings.stage("metrics"):
            metrics = measured(connection, run, facts)
        return shared(_judged(metrics, claims, context), context, names)


def shared(one: Documents, context: Context, names: Names | None = None) -> Documents:
    """The documents as others may read them, where they are to; `names` are known of the run."""
    if context.share is None:
        return one
    findings, secrets = context.share.hidden(one.findings, names)
    context.hidden.append(secrets)
    return Documents(findings["metrics"], findings, secrets)


def _judged(metrics: dict[str, Any], claims: str, context: Context) -> Documents:
    """Findings on metrics, and what claims of another report are worth."""
    context.note(failed_queries(metrics))
    with context.timings.stage("findings"):
        rules = overridden(load_rules(metrics=load_catalog()), context.overrides)
        findings = findings_document(metrics, rules)
        known, metrics = metrics["run"]["warnings"], findings["metrics"]
        for defect in metrics["run"]["warnings"][len(known) :]:
            context.note(f"{metrics['run']['slug']}: {defect}")
        if claims:
            findings["claims"] = audited(claims, metrics, findings)
            findings["findings"] = with_claims(findings["findings"], findings["claims"], rules)
        return Documents(metrics, findings)


def audited(
    claims: str, metrics: Mapping[str, Any], findings: Mapping[str, Any], where: str = CLAIMS
) -> dict[str, Any]:
    """Claims of another report (a claims.toml) held against the documents of a run."""
    return claims_document(claims, results_from(metrics), findings["findings"], where)
