"""The whole flow: profiles to a store, to documents, to pages, to a site.

The only module that sees all folders; each function reads as the data flow.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from generator.audit.claims import load_claims
from generator.audit.document import claims_document
from generator.charts.render import render_all
from generator.errors import StoreError, UsageError
from generator.findings.catalog import load_rules
from generator.findings.claimed import with_claims
from generator.findings.document import findings_document
from generator.findings.overrides import NAME, Overrides, overridden, read_overrides
from generator.findings.reading import read_document
from generator.findings.tables import tables_of
from generator.metrics.catalog import load_catalog
from generator.metrics.document import metrics_document, results_from, run_facts
from generator.metrics.evaluate import evaluate
from generator.pages.render import render_index, render_queries, render_report
from generator.progress import Progress, Quiet
from generator.site.build import build_site
from generator.site.bundle import cache_folder, made_meanwhile
from generator.site.sync import sync_tree
from generator.sources import registry
from generator.sources.description import CLAIMS, Description, describe
from generator.store.attachment import attachment
from generator.store.connect import open_store
from generator.store.ingest import Ingested, ingest

if TYPE_CHECKING:  # a project alone has scenarios
    from generator.simulation.simulate import Simulated

Content = Mapping[str, str | bytes]
PROJECT_STORE = Path(".cache") / "project.duckdb"
"""Store of a project's profiles, kept so that unchanged ones are not read again."""
SIMULATED = Path(".cache") / "profiles"
"""Databases of a project's scenarios."""


@dataclass
class Timings:
    """Seconds per stage, in order of their first use."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to stage `name`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True)
class Context:
    """What a caller wants to know of long work, and by which thresholds it judges."""

    progress: Progress = field(default_factory=Quiet)
    timings: Timings = field(default_factory=Timings)
    overrides: Overrides = field(default_factory=Overrides)
    """Thresholds that the caller sets in place of the rules' own."""


@dataclass(frozen=True)
class Documents:
    """All that is known of one run; pages are rendered from these and nothing else."""

    metrics: dict[str, Any]
    findings: dict[str, Any]

    @property
    def slug(self) -> str:
        """Short name of the run, its folder in the site."""
        return str(self.metrics["run"]["slug"])


def build(
    paths: Sequence[Path], site: Path, *, store: Path | None = None, context: Context | None = None
) -> list[Documents]:
    """Profiles at `paths` to a site with one report each and a start page that lists them.

    With `store`, the store is kept there; else it is temporary.
    """
    told = context or Context()
    with tempfile.TemporaryDirectory(prefix="perfolio-") as folder:
        work = Path(folder)
        kept = store or work / "store.duckdb"
        with made_meanwhile():
            runs = ingest_paths(paths, kept, told)
            documents = documents_of(kept, [one.run for one in runs], told)
            sync_tree(report_tree(documents, told), work / "docs")
        with told.timings.stage("site"):
            told.progress.start("building the site", None)
            build_site(work / "docs", site)
    return documents


def build_project(root: Path, site: Path, *, context: Context | None = None) -> list[Documents]:
    """The project's own site: its hand-written pages and a report per profile."""
    told = context or Context()
    with made_meanwhile():
        documents = refresh_project(root, context=told)
    with told.timings.stage("site"):
        told.progress.start("building the site", None)
        build_site(root / "docs", site, config=root / "mkdocs.yml")
    return documents


def refresh_project(root: Path, *, context: Context | None = None) -> list[Documents]:
    """Bring `docs/reports` of the project in `root` up to date with its profiles.

    The thresholds are those of the context, else of the project's perfolio.toml.
    """
    told = _with_thresholds_of(root, context or Context())
    store = root / PROJECT_STORE
    paths = [*registry.find(root / "profiles"), *simulate_project(root, told)]
    runs = ingest_paths(paths, _usable(store), told)
    documents = documents_of(store, [one.run for one in runs], told)
    sync_tree(report_tree(documents, told), root / "docs" / "reports")
    return documents


def _with_thresholds_of(root: Path, context: Context) -> Context:
    path = root / NAME
    if context.overrides.path is not None or not path.is_file():
        return context
    return replace(context, overrides=read_overrides(path))


def _usable(store: Path) -> Path:
    """The project's store; one that cannot be opened, of another version say, is made anew."""
    try:
        if store.exists():
            open_store(store).close()
    except StoreError:
        store.unlink(missing_ok=True)
    return store


def simulate_project(root: Path, context: Context | None = None) -> list[Path]:
    """Databases of the scenarios of the project in `root`, made anew where they are stale."""
    from generator.simulation.portfolio import refresh

    told = context or Context()
    with told.timings.stage("simulate"):
        return refresh(root / "profiles", root / SIMULATED, told.progress)


def simulate_scenario(
    scenario: Path, folder: Path, *, seed: int | None = None, context: Context | None = None
) -> Simulated:
    """A scenario's file to a database with its truth; see `generator.simulation`."""
    from generator.simulation.simulate import simulate_file

    return simulate_file(scenario, folder, seed=seed, progress=(context or Context()).progress)


def ingest_paths(
    paths: Sequence[Path], store: Path, context: Context | None = None
) -> list[Ingested]:
    """Store every profile at or below `paths`; see `generator.store.ingest`."""
    told = context or Context()
    with told.timings.stage("read"):
        found = list(dict.fromkeys(path for given in paths for path in registry.find(given)))
        sources = [(registry.read(path), _described(path)) for path in found]
    with told.timings.stage("store"):
        return ingest(sources, store, told.progress)


def _described(path: Path) -> Description:
    """What lies beside a profile; claims that cannot be read are refused before it is stored."""
    description = describe(path)
    if description.claims:
        load_claims(description.claims, load_catalog(), f"{CLAIMS} of {path}")
    return description


def documents_of(
    store: Path, runs: Sequence[int] | None = None, context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of the given runs of a store (None: of all)."""
    told = context or Context()
    with open_store(store, reproducible=True) as connection:
        chosen = list(runs) if runs is not None else run_numbers(connection)
        return [_documents(connection, run, told) for run in chosen]


def run_numbers(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """The runs of a store in the order of their ingest."""
    return [row[0] for row in connection.execute("SELECT run FROM run ORDER BY run").fetchall()]


def documents_of_run(store: Path, slug: str | None, context: Context | None = None) -> Documents:
    """Metrics and findings of the run with this short name (None: of the only run).

    Raises UsageError when there is no such run, or no only one.
    """
    with open_store(store, reproducible=True) as connection:
        run = _chosen_run(connection, slug)
        return _documents(connection, run, context or Context())


def document_of_file(path: Path) -> Documents:
    """What a findings.json says: it holds the metrics too."""
    findings = read_document(path)
    return Documents(findings["metrics"], findings)


def not_one(slugs: Sequence[str]) -> UsageError:
    """The error of a command about one run where there are several, or none."""
    names = ", ".join(slugs) or "none"
    return UsageError(f"the store holds {len(slugs)} runs", hint=f"choose with --run: {names}")


def _chosen_run(connection: duckdb.DuckDBPyConnection, slug: str | None) -> int:
    runs = dict(connection.execute("SELECT slug, run FROM run ORDER BY run").fetchall())
    if slug is None and len(runs) != 1:
        raise not_one(list(runs))
    if slug is not None and slug not in runs:
        names = ", ".join(runs) or "none"
        raise UsageError(f"the store has no run {slug!r}", hint=f"it has {names}")
    return int(runs[slug] if slug is not None else next(iter(runs.values())))


def _documents(connection: duckdb.DuckDBPyConnection, run: int, context: Context) -> Documents:
    facts = run_facts(connection, run)
    context.progress.start(f"{facts['slug']}: metrics", None)
    with context.timings.stage("metrics"):
        catalog = load_catalog()
        metrics = metrics_document(facts, evaluate(connection, run, catalog))
    with context.timings.stage("findings"):
        rules = overridden(load_rules(metrics=catalog), context.overrides)
        findings = findings_document(metrics, rules)
        claims = attachment(connection, run, CLAIMS)
        if claims:
            findings["claims"] = audited(claims, metrics, findings)
            findings["findings"] = with_claims(findings["findings"], findings["claims"])
        return Documents(metrics, findings)


def audited(
    claims: str, metrics: Mapping[str, Any], findings: Mapping[str, Any], where: str = CLAIMS
) -> dict[str, Any]:
    """Claims of another report (a claims.toml) held against the documents of a run."""
    return claims_document(claims, results_from(metrics), findings["findings"], where)


def report_tree(
    documents: Sequence[Documents], context: Context | None = None, *, cached: bool = True
) -> Content:
    """The files of a folder of reports: a start page, the metrics' queries, and a folder per run.

    Without `cached`, no image is taken from the user's cache.
    """
    told = context or Context()
    cache = cache_folder() / "charts" if cached else None
    tree: dict[str, str | bytes] = {}
    for one in documents:
        told.progress.start(f"{one.slug}: charts and pages", None)
        with told.timings.stage("charts"):
            drawn = {**results_from(one.metrics), **tables_of(one.findings)}
            charts = render_all(drawn, cache=cache)
        with told.timings.stage("pages"):
            pages = render_report(one.metrics, one.findings, charts)
        tree.update({f"{one.slug}/{name}": content for name, content in pages.items()})
    with told.timings.stage("pages"):
        tree["index.md"] = render_index([(one.metrics, one.findings) for one in documents])
        tree["queries.md"] = render_queries([one.metrics for one in documents])
    return tree


def write_reports(source: Path, docs: Path, context: Context | None = None) -> list[Documents]:
    """Pages of every run of a store, or of the run of a findings.json, into folder `docs`.

    Touches only what changed.
    """
    known = source.suffix == ".json"
    documents = [document_of_file(source)] if known else documents_of(source, None, context)
    sync_tree(report_tree(documents, context), docs)
    return documents
