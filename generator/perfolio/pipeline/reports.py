"""Profiles to documents, reports and a site of their own, in one process or several.

In:  profiles, runs of a store, or findings.json. Out: `RunReport`, a folder of Markdown, a site.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from perfolio.charts.model import TILES
from perfolio.charts.tiles.tile_encoding import FIRST
from perfolio.common.atomic_output import make_temporary_folder, write_file
from perfolio.common.errors import UsageError
from perfolio.common.processes import SideTask, map_in_processes, start_beside
from perfolio.findings.document_format import restore_document
from perfolio.pages.first_steps import tell_first_steps
from perfolio.pipeline.build_context import Context, RunDocuments, StageTimings
from perfolio.pipeline.kept_documents import (
    keep_documents,
    load_documents,
    make_documents_key,
)
from perfolio.pipeline.run_documents import (
    OpenedProfile,
    find_profiles,
    ingest_sources,
    make_documents,
    open_profile,
    read_document_file,
    store_opened_portion,
)
from perfolio.pipeline.side_tasks import draw_charts, write_report
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.build import Proof, build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.shipped_files import find_telling_files
from perfolio.site.site_marker import refuse_foreign
from perfolio.store.ingest import remove_store, reserve_store
from perfolio.store.parallel_ingest import RunPortion, is_many, plan_portions

if TYPE_CHECKING:  # charts and pages take long to import, and may be another process' work
    from perfolio.charts.model import RenderedChart
    from perfolio.pipeline.report_files import RunReport

DOCS = "docs"
"""Folder of the Markdown of a site that is made."""
_BESIDE_ONE = ("index", "queries", "guide")
"""What must stand beside the only report of a site, whose pages link to it."""
LITTLE = 100
"""Pages that one process makes before others, which need a second each, have begun."""


@dataclass(frozen=True)
class ReportSubject:
    """A run to report on: one of a store, or what a findings.json says."""

    source: Path
    run: int | None = None
    pages: tuple[str, ...] | None = None
    """The pages to make of a findings.json that this version wrote; all files where None."""
    key: str = ""
    """Under which its documents are kept for the user; nothing where they are not."""
    documents: RunDocuments | None = None
    """What was kept of it."""


def build(
    paths: Sequence[Path], site: Path, *, store: Path | None = None, context: Context | None = None
) -> list[RunDocuments]:
    """Profiles at `paths` to a site with one report each and a start page that lists them.

    With `store`, the store is kept there; else it is temporary. OutputError where the site would
    replace what Perfolio did not make.
    """
    refuse_foreign(site)  # before any work is done
    context = context or Context()
    with make_temporary_folder() as work:
        documents = _write_reports(paths, store, work, context)
        _build_site(work / DOCS, site, context, make_proof(documents))
    return documents


def build_single(
    paths: Sequence[Path],
    target: Path,
    *,
    store: Path | None = None,
    context: Context | None = None,
) -> RunDocuments:
    """The only profile at `paths` to a report in one file, which needs nothing beside it.

    UsageError where there are several; OutputError where the file cannot be written.
    """
    context = context or Context()
    with make_temporary_folder() as work:
        (documents,) = _write_reports(paths, store, work, context, single=True)
        _build_site(work / DOCS, work / "site", context)
        from perfolio.site.single.assembly import build_single_file

        with context.timings.stage("one file"):
            made = work / "report.html"
            made.write_text(build_single_file(work / "site", documents.slug), encoding="utf-8")
            if secrets := list_secrets([documents]):
                prove([made], secrets)
            write_file(target, made.read_bytes())
    return documents


def _write_reports(
    paths: Sequence[Path], store: Path | None, work: Path, context: Context, *, single: bool = False
) -> list[RunDocuments]:
    """Reports of profiles, and what stands beside them, into a folder of `work`."""
    target = store or work / "store.duckdb"
    with reserve_store(target):
        found = find_profiles(paths, context)
        if store is None and not single and is_many(found):
            portions = plan_portions(work, found, is_shared=context.share is not None)
            reports = _collect_reports(portions, context, "reading, ")
        else:
            subjects = (
                _plan_subjects(found, target, context)
                if store is None and context.share is None
                else _store_subjects([open_profile(one, context) for one in found], target, context)
            )
            if len(subjects) == 1:
                beside = _BESIDE_ONE if single else None
                return [_write_only_report(subjects[0], work / DOCS, context, beside)]
            if single:
                raise UsageError(
                    f"there are {len(subjects)} runs, and one file holds one report",
                    hint="name the profile of one of them",
                )
            reports = make_reports(subjects, context)
    from perfolio.pipeline.report_files import make_tree

    sync_tree(make_tree(reports, context), work / DOCS)
    return [report.documents for report in reports]


def _write_only_report(
    subject: ReportSubject, docs: Path, context: Context, beside: Collection[str] | None
) -> RunDocuments:
    """The report of a run: another process draws its charts and writes its pages."""
    drawing: list[SideTask[dict[str, RenderedChart]]] = []

    def begin(one: RunDocuments) -> None:
        context.judged(one, tell_first_steps(one.findings))
        with context.timings.stage("charts"):
            drawing.append(start_beside(draw_charts, one.metrics, one.findings))

    documents = subject.documents or _find_documents(subject, context, begin)
    if not drawing:
        begin(documents)
    context.progress.start(f"{documents.slug}: charts and pages", None)
    with context.timings.stage("charts"):
        charts = drawing[0].get_result()
    with context.timings.stage("pages"):
        asked = documents, charts, docs, context.apart(), beside
        for line in start_beside(write_report, *asked).get_result():
            context.say(line)
    return documents


def _store_subjects(
    sources: Sequence[OpenedProfile], store: Path, context: Context, keys: Sequence[str] = ()
) -> list[ReportSubject]:
    """Profiles as runs of a store; `keys`: under which the documents of each are to be kept."""
    runs = ingest_sources(sources, store, context)
    each = zip(runs, keys or [""] * len(runs), strict=True)
    return [ReportSubject(store, one.run, key=key) for one, key in each]


def _plan_subjects(paths: Sequence[Path], store: Path, context: Context) -> list[ReportSubject]:
    """Runs by what was kept of all of them; where anything is new, as runs of a store."""
    sources = [open_profile(path, context) for path in paths]
    if len({path.resolve() for path in paths}) < len(paths):  # two names of one run
        return _store_subjects(sources, store, context)
    names = [portion.name.slug for portion in plan_portions(store.parent, paths, context.name)]
    each = zip(sources, names, strict=True)
    keys = [make_documents_key(*source, slug, context) for source, slug in each]
    kept = [load_documents(key) for key in keys]
    if not all(kept):
        return _store_subjects(sources, store, context, keys)
    return [ReportSubject(path, documents=one) for path, one in zip(paths, kept, strict=True)]


def _build_site(docs: Path, site: Path, context: Context, proof: Proof | None = None) -> None:
    with context.timings.stage("site"):
        context.progress.start("building the site", None)
        build_site(docs, site, proof=proof)


def make_proof(documents: Sequence[RunDocuments], reports: str = "") -> Proof | None:
    """What looks for all that was hidden of reports in the files of their site, if anything was.

    With `reports`, the folder of the reports, what a project says itself is left alone.
    UsageError where two reports have one name since words are hidden.
    """
    secrets = list_secrets(documents)
    if not secrets:
        return None
    slugs = [one.slug for one in documents]
    if twice := sorted({slug for slug in slugs if slugs.count(slug) > 1}):
        raise UsageError(f"two reports are called {twice[0]}", hint="rename a profile's folder")
    return lambda site: prove(find_telling_files(site, reports), secrets)


def list_secrets(documents: Sequence[RunDocuments]) -> list[Secrets]:
    """What was hidden of documents; nothing where they are not for others to read."""
    return [one.secrets for one in documents if one.secrets is not None]


def make_reports(
    subjects: Sequence[ReportSubject], context: Context | None = None
) -> list[RunReport]:
    """The reports of runs, in several processes where there is much to make."""
    context = context or Context()
    if len(subjects) == 1 or _is_little(subjects):
        return [_make_report(each, context) for each in subjects]
    return _collect_reports(subjects, context)


def _collect_reports(
    each: Sequence[ReportSubject | RunPortion], context: Context, first: str = ""
) -> list[RunReport]:
    """The reports that other processes make, in the order of what they are of."""
    context.progress.start(f"{first}metrics, charts and pages", len(each))
    reports = []
    given = [(one, context.apart()) for one in each]
    for report, timings in map_in_processes(_make_apart, given):
        reports.append(report)
        context.judged(report.documents)
        context.progress.advance(1)
        context.timings.add(timings)
    return reports


def _is_little(subjects: Sequence[ReportSubject]) -> bool:
    """Whether new processes would take longer to begin than they save."""
    pages = [each.pages for each in subjects if each.pages is not None]
    return len(pages) == len(subjects) and sum(map(len, pages)) <= LITTLE


def _make_apart(
    given: tuple[ReportSubject | RunPortion, Context],
) -> tuple[RunReport, StageTimings]:
    """A report made in another process, and what each stage took there."""
    subject, context = given
    return _make_report(subject, context), context.timings


def _make_from_portion(portion: RunPortion, context: Context) -> RunReport:
    """The report of a profile, and no store: a hundred of them would fill a disk."""
    opened = open_profile(portion.path, context)
    if context.share is not None:
        return _store_and_report(portion, opened, "", context)
    key = make_documents_key(*opened, portion.name.slug, context)
    if (kept := load_documents(key)) is not None:
        return _make_report(ReportSubject(portion.path, documents=kept), context)
    return _store_and_report(portion, opened, key, context)


def _store_and_report(
    portion: RunPortion, opened: OpenedProfile, key: str, context: Context
) -> RunReport:
    stored = store_opened_portion(portion, opened, context)
    (run,) = stored.runs
    report = _make_report(ReportSubject(portion.store, run.run, key=key), context)
    remove_store(portion.store)
    return report


def _make_report(subject: ReportSubject | RunPortion, context: Context) -> RunReport:
    from perfolio.pipeline.report_files import RunReport, report_files, report_pages

    if isinstance(subject, RunPortion):
        return _make_from_portion(subject, context)
    if subject.pages is not None:
        documents = read_written_document(subject.source)
        tiled = (subject.source.parent / TILES / FIRST).is_file()
        return RunReport(documents, report_pages(documents, subject.pages, context, tiled=tiled))

    def tell_judged(one: RunDocuments) -> None:
        # Where there are many runs, each is made in another process, whose context says nothing.
        context.judged(one, tell_first_steps(one.findings))

    documents = subject.documents or _find_documents(subject, context, tell_judged)
    tell_judged(documents)
    return RunReport(documents, report_files(documents, context))


def _find_documents(
    subject: ReportSubject, context: Context, tell_judged: Callable[[RunDocuments], None]
) -> RunDocuments:
    """What a findings.json says, or a run of a store; kept where nothing was to be noted."""
    if subject.run is None:
        return read_document_file(subject.source, context)
    noted = len(context.noted)
    asked = replace(context, draws_timeline=True, tell_judged=tell_judged)
    (made,) = make_documents(subject.source, [subject.run], asked)
    if subject.key and len(context.noted) == noted:
        keep_documents(subject.key, made)
    return made


def read_written_document(path: Path) -> RunDocuments:
    """The documents in a findings.json that this version wrote: it needs no check."""
    findings = restore_document(json.loads(path.read_bytes()))
    return RunDocuments(findings["metrics"], findings)
