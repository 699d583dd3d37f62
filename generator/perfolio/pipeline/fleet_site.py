"""A lake to a site: what costs most, which machines are slow, what changed, and all runs.

In:  a lake, and how many full reports to make. Out: a site whose first page is that of the fleet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb

from perfolio.charts.comparison_rendering import render_weekly_chart
from perfolio.common.atomic_output import make_temporary_folder, write_file
from perfolio.common.cache import Cache
from perfolio.common.errors import InputError, StoreError, UsageError
from perfolio.fleet.lake import Lake
from perfolio.fleet.lake_connection import ask_lake
from perfolio.fleet.lake_questions import LakeAnswer, ask_question, load_questions
from perfolio.fleet.shared_answers import FleetPseudonyms
from perfolio.pages.fleet_pages import render_fleet
from perfolio.pages.fleet_view import FleetView, name_pages
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.report_files import make_shared_files, report_tree
from perfolio.pipeline.reports import ReportSubject, make_proof, make_reports
from perfolio.pipeline.run_documents import read_document_file, redact_documents
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.build import Proof, build_site, silence_notice
from perfolio.site.file_sync import sync_tree
from perfolio.site.shipped_files import find_telling_files

_NAME = "Performance of a fleet"
_BESIDE = ("queries", "guide")
"""Parts that pages of reports link to; the page of the fleet takes the place of their list."""
_DOCUMENT = "SELECT content FROM document WHERE run = $run AND name = 'findings'"
_FIND = """
SELECT run, name, workload, strftime(recorded, '%Y-%m-%d') AS recorded FROM run
WHERE starts_with(run, $given) OR name = $given ORDER BY run LIMIT 4
"""
_SHOWN = 3


@dataclass
class FleetReports:
    """Documents of runs whose full report a site has."""

    documents: dict[str, RunDocuments] = field(default_factory=dict)
    """By run."""
    withheld: int = 0
    """Runs whose documents others may not read: they came in without --share."""


def build_fleet_site(
    lake: Lake, site: Path, context: Context | None = None, reports: int = 0
) -> FleetView:
    """The site of a lake, with full reports of the runs that lose most.

    Raises OutputError where it cannot be written, and StoreError where the lake cannot be read.
    """
    context = context or Context()
    silence_notice()
    with make_temporary_folder() as work:
        context.progress.start("asking the lake", None)
        with context.timings.stage("questions"):
            answers = ask_lake(lake, ask_all)
        worst = [str(row["run"]) for row in answers["runs"]][:reports]
        found = _read_reports(_find_documents(lake, worst, context), context, work)
        proof = None
        if context.share is not None:
            # A report that was read for others has its own name, as far as others may read that.
            own = {str(row["name"]) for row in answers["runs"] if row["run"] in found.documents}
            allowed = frozenset({*context.share.allowed, *own})
            names = FleetPseudonyms(context.share.words, allowed)
            answers = _hide_names(answers, names)
            proof = _make_fleet_proof(names, context)
        tree, view = _make_tree(answers, found, context)
        sync_tree(tree, work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_NAME, proof=proof)
    return view


def ask_all(connection: duckdb.DuckDBPyConnection) -> dict[str, LakeAnswer]:
    """The answers to all questions, by their names."""
    return {name: ask_question(connection, one) for name, one in load_questions().items()}


def _hide_names(answers: Mapping[str, LakeAnswer], names: FleetPseudonyms) -> dict[str, LakeAnswer]:
    for answer in answers.values():
        names.collect_names(answer)
    return {name: names.rename_answer(answer) for name, answer in answers.items()}


def _make_fleet_proof(names: FleetPseudonyms, context: Context) -> Proof:
    """What looks for all names of the lake, and for what was hidden in reports."""
    secrets = names.list_secrets()
    return lambda site: prove(find_telling_files(site), [secrets, *context.hidden])


def _read_reports(documents: Mapping[str, bytes], context: Context, work: Path) -> FleetReports:
    found = FleetReports()
    for run, content in documents.items():
        one = _read_document(content, work, context)
        if context.share is not None and "shared" not in one.metrics["run"]:
            found.withheld += 1
        else:
            found.documents[run] = _redact_document(one, context)
    return found


def _find_documents(lake: Lake, runs: Sequence[str], context: Context) -> dict[str, bytes]:
    """The findings of these runs, as far as the lake has them."""
    if not runs:
        return {}
    lake.fetch_documents(runs, context.progress)
    found = ask_lake(lake, lambda one: {run: _find_document(one, run) for run in runs})
    return {run: content for run, content in found.items() if content is not None}


def _find_document(connection: duckdb.DuckDBPyConnection, run: str) -> bytes | None:
    """The findings of a run as the lake has them; None where it has none.

    Raises StoreError where they cannot be read.
    """
    try:
        rows = connection.execute(_DOCUMENT, {"run": run}).fetchall()
    except duckdb.Error as problem:
        raise StoreError(f"documents of the lake cannot be read: {problem}") from problem
    return str(rows[0][0]).encode() if rows else None


def _read_document(content: bytes, work: Path, context: Context) -> RunDocuments:
    """A document of the lake, checked as that of any other file is."""
    path = work / "findings.json"
    write_file(path, content)
    return read_document_file(path, replace(context, share=None))


def _redact_document(one: RunDocuments, context: Context) -> RunDocuments:
    """A document that was read for others, without words that are asked for now.

    What stands there for names and paths is no secret: each run has a `host-1`.
    """
    if context.share is None:
        return one
    found = redact_documents(one, context) if context.share.words else one
    secrets = replace(found.secrets or Secrets(), paths=(), words=())
    if context.share.words:
        context.hidden[-1] = secrets
    return replace(found, secrets=secrets)


def _make_tree(
    answers: Mapping[str, LakeAnswer], found: FleetReports, context: Context
) -> tuple[dict[str, str | bytes], FleetView]:
    folders = _name_folders(answers, found.documents)
    view = FleetView(answers, folders, context.share is not None, found.withheld)
    tree: dict[str, str | bytes] = {}
    if folders:
        placed = [_place_documents(found.documents[run], folders[run]) for run in folders]
        tree |= make_shared_files(placed, context, _BESIDE)
        subjects = [ReportSubject(Path(), documents=one) for one in placed]
        for report in make_reports(subjects, context):
            tree |= report.placed()
    context.progress.start("fleet: charts and pages", None)
    with context.timings.stage("charts"):
        charts = render_weekly_chart(view.rows("trend_by_week", workload=None), Cache("charts"))
    with context.timings.stage("pages"):
        return tree | render_fleet(view, charts), view


def _name_folders(
    answers: Mapping[str, LakeAnswer], documents: Mapping[str, RunDocuments]
) -> dict[str, str]:
    """Folders of reports by run, from names as others may read them."""
    names = {
        str(row["run"]): str(row["name"]) for row in answers["runs"] if row["run"] in documents
    }
    titled = {run: f"report {place} {name}" for place, (run, name) in enumerate(names.items(), 1)}
    pages = name_pages("", list(titled.values()))
    return {run: pages[title].strip("/").removesuffix(".md") for run, title in titled.items()}


def _place_documents(one: RunDocuments, folder: str) -> RunDocuments:
    """Documents under the name of their folder: two runs may have the same one."""
    run = {**one.metrics["run"], "slug": folder}
    metrics = {**one.metrics, "run": run}
    return RunDocuments(metrics, {**one.findings, "run": run, "metrics": metrics}, one.secrets)


def find_lake_run(connection: duckdb.DuckDBPyConnection, given: str) -> str:
    """The run whose identifier begins so, or of this name.

    Raises InputError unless it is one, and StoreError where runs cannot be read.
    """
    try:
        rows = connection.execute(_FIND, {"given": given}).fetchall()
    except duckdb.Error as problem:
        raise StoreError(f"runs of the lake cannot be read: {problem}") from problem
    exact = [row for row in rows if row[0] == given]
    found = exact or rows
    if not found:
        raise InputError(
            f"no run of the lake is called {given}",
            hint='list them: perfolio fleet query "SELECT run, name FROM run" --lake DIR',
        )
    if len(found) > 1:
        listed = "; ".join(_describe_run(*row) for row in found[:_SHOWN])
        raise InputError(
            f"{given} names several runs: {listed}", hint="give more of its identifier"
        )
    return str(found[0][0])


def _describe_run(run: str, name: str, workload: str, recorded: str | None) -> str:
    return f"{run} ({', '.join(filter(None, (name, workload, recorded)))})"


def build_fleet_report(
    lake: Lake, given: str, site: Path, context: Context | None = None
) -> RunDocuments:
    """The site of the full report of one run, by the begin of its identifier or by its name.

    Raises InputError where there is no such run, and UsageError where others may not read it.
    """
    context = context or Context()
    silence_notice()
    with make_temporary_folder() as work:
        run = ask_lake(lake, lambda one: find_lake_run(one, given))
        documents = _find_documents(lake, [run], context)
        if not documents:
            raise InputError(f"the lake has no documents of {given}", hint="ingest it again")
        found = _read_document(documents[run], work, context)
        if context.share is not None and "shared" not in found.metrics["run"]:
            raise UsageError(
                f"{given}: came into the lake without --share, and names in it are shortened",
                hint="ingest it with --share into another lake",
            )
        found = _redact_document(found, context)
        sync_tree(report_tree([found], context), work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, proof=make_proof([found]))
    return found
