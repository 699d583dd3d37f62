"""Profiles to a store, and runs of a store to their documents.

Each function reads as the data flow; `reports` takes it on to pages and sites.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from perfolio.audit.claims import load_claims
from perfolio.audit.document import make_claims_document
from perfolio.charts.gallery import list_chart_names
from perfolio.common.atomic_folders import shorten_project_path
from perfolio.common.errors import UsageError
from perfolio.common.processes import map_in_processes
from perfolio.findings.claim_rules import judge_claims
from perfolio.findings.document import make_findings_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.own_program import start_own_program
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.threshold_overrides import apply_overrides
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import describe_failed_queries, read_results, run_facts
from perfolio.metrics.result_cache import measure_run
from perfolio.pipeline.build_context import Context, RunDocuments, StageTimings
from perfolio.pipeline.run_redaction import redact_run
from perfolio.pipeline.step_replays import make_replay_query
from perfolio.readers import registry
from perfolio.readers.kineto.rank_reading import RankOutcome
from perfolio.readers.model import Source
from perfolio.readers.program_command import RECORDED
from perfolio.readers.run_description import CLAIMS, RunDescription
from perfolio.readers.run_files import read_run
from perfolio.redaction.pseudonyms import ReportPseudonyms
from perfolio.store.connections import report_damage
from perfolio.store.database import get_edition, is_small, open_beside, open_store
from perfolio.store.ingest import IngestedRun, ingest, reserve_store
from perfolio.store.parallel_ingest import (
    PortionReport,
    RunPortion,
    fill_portion,
    is_many,
    open_portions,
)
from perfolio.store.parquet_export import export_runs
from perfolio.store.run_lookup import find_run, list_run_numbers, read_attachment
from perfolio.store.run_tables import hold_run_tables

OpenedProfile = tuple[Source, RunDescription]
_StoredRun = tuple[duckdb.DuckDBPyConnection, int]
GIVEN_NAME = "run.name"
"""Setting of a run that has the name which a caller gave it."""


def ingest_paths(
    paths: Sequence[Path], store: Path, context: Context | None = None
) -> list[IngestedRun]:
    """Store every profile at or below `paths`; see `perfolio.store.ingest`."""
    context = context or Context()
    found = find_profiles(paths, context)
    if is_many(found):
        with reserve_store(store):
            if not store.exists():
                return _ingest_many(found, store, context)
    return ingest_sources([open_profile(path, context) for path in found], store, context)


def ingest_sources(
    sources: Sequence[OpenedProfile], store: Path, context: Context
) -> list[IngestedRun]:
    """Store profiles that are open."""
    with context.timings.stage("store"):
        return ingest(sources, store, context.progress)


def find_profiles(paths: Sequence[Path], context: Context) -> list[Path]:
    """Every profile at or below `paths`, each once."""
    for given in filter(Path.is_dir, paths):
        registry.announce_export(given, context.progress)
    with context.timings.stage("read"):
        found = list(dict.fromkeys(path for given in paths for path in registry.find(given)))
    if context.name and len(found) != 1:
        raise UsageError(f"{len(found)} runs cannot have one name", hint="name one profile")
    return found


def _ingest_many(paths: Sequence[Path], store: Path, context: Context) -> list[IngestedRun]:
    """Store profiles in a new store: other processes store each, this one joins them."""
    runs: list[IngestedRun] = []
    with (
        open_portions(paths, store) as portions,
        closing(map_in_processes(store_portion, portions.each)) as all_filled,
    ):
        for portion, (stored, timings) in zip(portions.each, all_filled, strict=True):
            context.timings.add(timings)
            with context.timings.stage("store"):
                runs += portions.add(portion, stored, context.progress)
    return runs


def store_portion(portion: RunPortion) -> tuple[PortionReport, StageTimings]:
    """Store a portion, in another process, and what each stage took there."""
    context = Context()
    stored = store_opened_portion(portion, open_profile(portion.path, context), context)
    return stored, context.timings


def store_opened_portion(
    portion: RunPortion, opened: OpenedProfile, context: Context
) -> PortionReport:
    """Store a portion whose profile is open."""
    stored = PortionReport()
    with context.timings.stage("store"):
        fill_portion(opened, portion, stored)
    return stored


def export_ingested(
    store: Path, runs: Sequence[IngestedRun], folder: Path, context: Context | None = None
) -> list[Path]:
    """Write runs of a store below `folder`; see `perfolio.store.parquet_export`."""
    context = context or Context()
    with context.timings.stage("export"), open_store(store) as connection:
        return export_runs(connection, {one.run: one.slug for one in runs}, folder, get_edition())


def open_profile(path: Path, context: Context, ranks: Sequence[RankOutcome] = ()) -> OpenedProfile:
    """A profile and what lies beside it; unreadable claims are refused before it is stored.

    Of `ranks` see `registry.read`.
    """
    if path.is_file():
        registry.announce_export(path, context.progress)
    with context.timings.stage("read"):
        source, description = read_run(path, ranks)
    sys.stderr.writelines(f"perfolio: note: {note}\n" for note in source.left_out)
    if description.claims:
        load_claims(description.claims, load_catalog(), f"{CLAIMS} of {path}")
    if context.name:
        settings = {**description.settings, GIVEN_NAME: context.name}
        description = replace(description, name=context.name, title=context.name, settings=settings)
    return source, replace(description, is_shared=context.share is not None)


def make_documents(
    store: Path, runs: Sequence[int] | None = None, context: Context | None = None
) -> list[RunDocuments]:
    """Metrics and findings of the given runs of a store (None: of all)."""
    context = context or Context()
    with report_damage(store), open_store(store, reproducible=True) as connection:
        chosen = list(runs) if runs is not None else list_run_numbers(connection)
        return [_measure_run((connection, run), store, context) for run in chosen]


def make_documents_of_run(
    store: Path, slug: str | None, context: Context | None = None
) -> RunDocuments:
    """Of the run with this short name (None: the only one). UsageError where there is none such."""
    with report_damage(store), open_store(store, reproducible=True) as connection:
        run = find_run(connection, slug)
        return _measure_run((connection, run), store, context or Context())


def read_document_file(path: Path, context: Context | None = None) -> RunDocuments:
    """What a findings.json says: it holds the metrics too.

    UsageError where it is to be shared, and was not made to be: names in it are cut already.
    """
    findings = read_document(path)
    found = RunDocuments(findings["metrics"], findings)
    if context is None or context.share is None:
        return found
    if "shared" not in found.metrics["run"]:
        raise UsageError(
            f"{path}: was not built with --share, and names in it are shortened already",
            hint="give the profile, the store, or the findings.json of a site built with --share",
        )
    return redact_documents(found, context)


def _measure_run(place: _StoredRun, store: Path, context: Context) -> RunDocuments:
    with open_measured_run(place[0], store, place[1], context) as (_, documents):
        return documents


def _add_live(
    one: RunDocuments,
    connection: duckdb.DuckDBPyConnection,
    run: int,
    context: Context,
    told: Callable[[str], str] = str,
) -> RunDocuments:
    """Documents with what pages draw themselves, if asked for; `told` says names for readers."""
    context.tell_judged(one)
    if not context.draws_timeline:
        return one
    from perfolio.charts.tiles.tree_encoding import write_live_files  # NumPy takes long to import

    with context.timings.stage("timeline"):
        live = write_live_files(connection, run, read_results(one.metrics), told)
    return replace(one, live=live)


@contextmanager
def open_measured_run(
    connection: duckdb.DuckDBPyConnection, store: Path, run: int, context: Context
) -> Iterator[tuple[duckdb.DuckDBPyConnection, RunDocuments]]:
    """Metrics and findings of a run, and its store; for others to read, one with names hidden."""
    facts = run_facts(connection, run)
    facts["path"] = shorten_project_path(facts["path"], context.project)
    context.progress.start(f"{facts['slug']}: metrics", None)
    claims = read_attachment(connection, run, CLAIMS)
    if context.share is None:
        with hold_run_tables(connection, run) if is_small(store) else nullcontext():
            with context.timings.stage("metrics"), open_beside(connection, store) as beside:
                given = facts, context.results, context.left_out, beside
                metrics = measure_run(connection, run, *given)
            judged = _judge_run(metrics, claims, context, (connection, run))
            start_own_program(judged.findings)
            yield connection, _add_live(judged, connection, run, context)
        return
    facts["settings"].pop(RECORDED, None)  # whatever stands for its words, its shape tells
    with redact_run(connection, store, run, context.share) as (place, names), ExitStack() as stack:
        if place != store:
            connection = stack.enter_context(open_store(place, reproducible=True))
        with context.timings.stage("metrics"):
            metrics = measure_run(connection, run, facts, left_out=context.left_out)
        plain = _judge_run(metrics, claims, context, (connection, run))
        judged = redact_documents(plain, context, names)
        yield connection, _add_live(judged, connection, run, context, names.told)


def redact_documents(
    one: RunDocuments, context: Context, names: ReportPseudonyms | None = None
) -> RunDocuments:
    """The documents as others may read them, where they are to; `names` are known of the run."""
    if context.share is None:
        return one
    findings, secrets = context.share.hidden(one.findings, names)
    context.hidden.append(secrets)
    return RunDocuments(findings["metrics"], findings, secrets)


def _judge_run(
    metrics: dict[str, Any], claims: str, context: Context, place: _StoredRun
) -> RunDocuments:
    """Findings on metrics, and what claims of another report are worth."""
    context.note(describe_failed_queries(metrics))
    with context.timings.stage("findings"):
        shipped = load_rules(metrics=load_catalog(), charts=list_chart_names())
        rules = apply_overrides(shipped, context.overrides)
        learnt = context.outcomes.learn(str(metrics["run"]["digest"]))
        ask = make_replay_query(*place, metrics, context.timings.stage)
        findings = make_findings_document(metrics, rules, learnt, ask)
        known, metrics = len(metrics["run"]["warnings"]), findings["metrics"]
        for defect in metrics["run"]["warnings"][known:]:
            context.note(f"{metrics['run']['slug']}: {defect}")
        if claims:
            findings["claims"] = audit_claims(claims, metrics, findings)
            findings["findings"] = judge_claims(findings["findings"], findings["claims"], rules)
        return RunDocuments(metrics, findings)


def audit_claims(
    claims: str, metrics: Mapping[str, Any], findings: Mapping[str, Any], where: str = CLAIMS
) -> dict[str, Any]:
    """Claims of another report (a claims.toml) held against the documents of a run."""
    return make_claims_document(claims, read_results(metrics), findings["findings"], where)
