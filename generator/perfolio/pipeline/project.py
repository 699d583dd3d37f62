"""A project: the reports of its profiles in docs/reports, made again where something changed.

In:  a folder with mkdocs.yml, docs/ and profiles/ (databases and scenarios), perhaps perfolio.toml.
Out: a report per profile below docs/reports, and the site.

A report is current while its files are as they were written and nothing has changed on which it
depends: the files of its profile (by size and time), the thresholds, and Perfolio itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from perfolio.common.cache import make_key
from perfolio.common.content_files import State, read_states
from perfolio.common.errors import BusyError, StoreError
from perfolio.common.file_locks import run_one_at_a_time
from perfolio.common.progress import Progress, QuietProgress
from perfolio.exercises.run_view import Run
from perfolio.findings.rules.threshold_overrides import NAME, read_overrides
from perfolio.metrics.result_cache import ResultCache
from perfolio.pages.report_rendering import list_page_names
from perfolio.pipeline.build_context import BuiltSite, Context, RunDocuments, say_nothing
from perfolio.pipeline.build_state import (
    BuildStamps,
    Edition,
    ReportStamp,
    check_code,
    compute_edition,
    compute_metrics_edition,
    find_site_state,
    load_stamps,
)
from perfolio.pipeline.project_outcomes import read_outcomes
from perfolio.pipeline.redacted_site import build_shared
from perfolio.pipeline.report_files import Content, RunReport
from perfolio.pipeline.reports import ReportSubject, make_reports, read_written_document
from perfolio.pipeline.run_documents import ingest_paths, make_documents
from perfolio.pipeline.shared_pages import (
    KnownInputs,
    ReadyPart,
    UnreadRuns,
    compute_numbers_digest,
    list_part_makers,
    refresh_parts,
)
from perfolio.readers import registry
from perfolio.readers.own_files import SCENARIO
from perfolio.readers.run_description import CLAIMS, locate_file
from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.site.build import build_site
from perfolio.site.file_sync import as_bytes, sync_tree
from perfolio.store.database import open_store
from perfolio.store.ingest import remove_store, reserve_store

PROFILES = "profiles"
REPORTS = Path("docs") / "reports"
REFRESHED = Path(".cache") / "refreshed"
"""Stands for all that refreshing the reports writes."""
STORE = Path(".cache") / "project.duckdb"
"""Store of a project's profiles, kept so that unchanged ones are not read again."""
SIMULATED = Path(".cache") / "profiles"
"""Databases of a project's scenarios."""
FINDINGS = "findings.json"


@dataclass(frozen=True)
class ProfileEntry:
    """A profile and what is known of its report."""

    path: Path
    key: str
    """Digest of its files and of all else on which its documents depend."""
    judged: ReportStamp | None
    """The report that an earlier build wrote, if its documents still hold."""
    stale: tuple[str, ...] = ()
    """Those of its pages whose templates have changed."""

    @property
    def current(self) -> bool:
        """Whether all of it holds."""
        return self.judged is not None and not self.stale


@dataclass(frozen=True)
class ReadyReport:
    """A report as it is to be."""

    entry: ProfileEntry
    slug: str
    document: str
    """Digest of its findings.json."""
    numbers: str
    """Digest of it without words."""
    run: Run | Path
    """Its documents, or where they are."""
    new: Content
    """What was made of it now, by path below the folder of all reports."""
    unchanged: State
    """Its files that stay."""

    def read(self) -> Run:
        """Its documents."""
        return _as_run(read_written_document(self.run)) if isinstance(self.run, Path) else self.run

    def stamp(self, edition: Edition, reports: Path) -> ReportStamp:
        """From what it was made, now that it is written."""
        files = {**self.unchanged, **read_states(reports, self.new)}
        return ReportStamp(
            self.entry.key, files, self.slug, edition.templates, self.document, self.numbers
        )


def build_project(root: Path, site: Path, *, context: Context | None = None) -> BuiltSite:
    """The project's own site: its hand-written pages and a report per profile."""
    context = context or Context()
    folders = refresh_project(root, context=replace(context, share=None))
    if context.share is not None:
        names = [folder.name for folder in folders]
        hidden = make_project_documents(root, names, replace(context, draws_timeline=True))
        return BuiltSite(build_shared(root, REPORTS.name, hidden, site, context))
    documents = [read_written_document(folder / FINDINGS) for folder in folders]
    for one in documents:
        context.judged(one)
    with context.timings.stage("site"):
        state = find_site_state(root, site)
        if state.holds():
            return BuiltSite(documents, written=False)
        context.progress.start("building the site", None)
        build_site(root / "docs", site, config=root / "mkdocs.yml")
        state.keep()
    return BuiltSite(documents)


@run_one_at_a_time(REFRESHED)
def refresh_project(
    root: Path,
    *,
    progress: Progress | None = None,
    say: Callable[[str], None] = say_nothing,
    context: Context | None = None,
) -> list[Path]:
    """Bring `docs/reports` of the project in `root` up to date; returns the reports' folders.

    The thresholds are those of the context, else of the project's perfolio.toml.
    """
    check_code()
    context = context or Context(progress=progress or QuietProgress(), say=say)
    context = replace(
        _add_project(root, context), results=ResultCache(root, compute_metrics_edition())
    )
    paths = find_project_profiles(root, context)
    earlier, reports = load_stamps(root), root / REPORTS
    edition = compute_edition(context.overrides, context.project, context.outcomes)
    entries = [
        _make_entry(path, earlier.reports.get(str(path)), edition, reports) for path in paths
    ]
    made = _make_stale_reports(root, [entry for entry in entries if not entry.current], context)
    ready = [_prepare_report(entry, made.get(entry.path), reports) for entry in entries]
    with context.timings.stage("pages"):
        beside = _refresh_shared(ready, earlier, edition, reports, context)
    _write_changes(reports, [*ready, *beside.values()], earlier)
    stamps = {str(one.entry.path): one.stamp(edition, reports) for one in ready}
    parts = {name: part.stamp(reports) for name, part in beside.items()}
    BuildStamps(stamps, parts).keep(root)
    return [reports / one.slug for one in ready]


def make_project_documents(
    root: Path, slugs: Collection[str], context: Context | None = None
) -> list[RunDocuments]:
    """Metrics and findings of the runs of these short names in the project in `root`."""
    context = _add_project(root, context or Context())
    store = _ensure_usable(root / STORE)
    with reserve_store(store):
        runs = ingest_paths(find_project_profiles(root, context), store, context)
        return make_documents(store, [one.run for one in runs if one.slug in slugs], context)


def find_project_profiles(root: Path, context: Context | None = None) -> list[Path]:
    """The databases of the project in `root`: its own, and those of its scenarios."""
    simulated = simulate_project(root, context)
    folders = [one for one in (root / PROFILES).iterdir() if one.is_dir()]
    if simulated and all((one / SCENARIO).is_file() for one in folders):
        return simulated
    return [*registry.find(root / PROFILES), *simulated]


def simulate_project(root: Path, context: Context | None = None) -> list[Path]:
    """Databases of the scenarios of the project in `root`, made anew where they are stale."""
    from perfolio.simulation.project_scenarios import refresh

    context = context or Context()
    with context.timings.stage("simulate"):
        return refresh(root / PROFILES, root / SIMULATED, context.progress)


def _add_project(root: Path, context: Context) -> Context:
    """The context with what a project has: exercises, outcomes, thresholds if there are none."""
    context, path = replace(context, project=root, outcomes=read_outcomes(root)), root / NAME
    if context.overrides.path is not None or not path.is_file():
        return context
    return replace(context, overrides=read_overrides(path))


def _make_entry(
    path: Path, stamp: ReportStamp | None, edition: Edition, reports: Path
) -> ProfileEntry:
    key = make_key(edition.documents, repr(_read_input_states(path)))
    if stamp is None or not stamp.hold(key, reports):
        return ProfileEntry(path, key, None)
    changed = {page for page, _ in stamp.templates.items() ^ edition.templates.items()}
    return ProfileEntry(path, key, stamp, tuple(sorted(changed)))


def _make_stale_reports(
    root: Path, stale: Sequence[ProfileEntry], context: Context
) -> dict[Path, RunReport]:
    """The reports that are not current: of their profiles, or of documents that still hold."""
    if not stale:
        return {}
    unread = [entry.path for entry in stale if entry.judged is None]
    store = root / STORE
    with reserve_store(store):
        return _make_reports_alone(root, stale, unread, _ensure_usable(store), context)


def _make_reports_alone(
    root: Path, stale: Sequence[ProfileEntry], unread: Sequence[Path], store: Path, context: Context
) -> dict[Path, RunReport]:
    runs = ingest_paths(unread, store, context)
    present = list_page_names()
    sources: dict[Path, ReportSubject] = {
        entry.path: ReportSubject(
            root / REPORTS / entry.judged.slug / FINDINGS,
            pages=tuple(page for page in entry.stale if page in present),
        )
        for entry in stale
        if entry.judged is not None
    }
    sources |= {path: ReportSubject(store, run.run) for path, run in zip(unread, runs, strict=True)}
    return dict(zip(sources, make_reports(list(sources.values()), context), strict=True))


def _ensure_usable(store: Path) -> Path:
    """The project's store; one that cannot be opened, of another version say, is made anew."""
    try:
        if store.exists():
            open_store(store).close()
    except BusyError:
        raise
    except StoreError:
        remove_store(store)
    return store


def _prepare_report(entry: ProfileEntry, made: RunReport | None, reports: Path) -> ReadyReport:
    """The report of an entry, of which all, some pages or nothing was made now."""
    new = made.placed() if made is not None else {}
    if (judged := entry.judged) is not None:
        gone = {f"{judged.slug}/{page}.md" for page in entry.stale}
        unchanged = {name: state for name, state in judged.files.items() if name not in gone}
        place = reports / judged.slug / FINDINGS
        return ReadyReport(
            entry, judged.slug, judged.document, judged.numbers, place, new, unchanged
        )
    if made is None:
        raise LookupError(entry.path)
    run = _as_run(made.documents)
    document = sha256(as_bytes(made.files[FINDINGS])).hexdigest()
    return ReadyReport(entry, run.slug, document, compute_numbers_digest(run), run, new, {})


def _as_run(documents: RunDocuments) -> Run:
    return Run(documents.metrics, documents.findings)


def _refresh_shared(
    ready: Sequence[ReadyReport],
    earlier: BuildStamps,
    edition: Edition,
    reports: Path,
    context: Context,
) -> dict[str, ReadyPart]:
    """What stands beside the reports: parts that hold, and others made now."""
    documents = {one.slug: one.document for one in ready}
    numbers = {one.slug: one.numbers for one in ready}
    runs = UnreadRuns({one.slug: one.read for one in ready})
    known = KnownInputs(edition.shared, documents, numbers, runs)
    return refresh_parts(list_part_makers(documents, context), known, earlier.parts, reports)


def _write_changes(
    reports: Path, parts: Sequence[ReadyReport | ReadyPart], earlier: BuildStamps
) -> None:
    """Write what is new beside what holds, and remove what is neither."""
    new = {name: data for one in parts for name, data in one.new.items()}
    unchanged = {name for one in parts for name in one.unchanged}
    if new or unchanged != earlier.list_files():
        sync_tree(new, reports, unchanged=unchanged)


def _read_input_states(path: Path) -> State:
    """Size and time of change of all files of a profile, and of what describes it."""
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    beside = [found for name in (DESCRIPTION, CLAIMS) if (found := locate_file(path, name))]
    return read_states(Path(), map(str, [*files, *beside]))
