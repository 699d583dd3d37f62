"""A project: the reports of its profiles in docs/reports, made again where something changed.

In:  a folder with mkdocs.yml, docs/ and profiles/ (databases and scenarios), perhaps perfolio.toml.
Out: a report per profile below docs/reports, and the site.

A report is current while its files are as they were written and nothing has changed on which it
depends: the files of its profile (by size and time), the thresholds, and Perfolio itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from generator.editions import Edition, check_code, edition_of, metrics_edition
from generator.errors import BusyError, StoreError
from generator.findings.overrides import NAME, read_overrides
from generator.metrics.kept import Kept
from generator.pipeline import Context, Documents, document_of_file, documents_of, ingest_paths
from generator.progress import Progress, Quiet
from generator.reports import Report, Subject, made_reports, shared_files
from generator.site.build import build_site
from generator.site.bundle import made_meanwhile
from generator.site.sync import sync_tree, write_atomic
from generator.sources import registry
from generator.sources.description import CLAIMS, locate
from generator.sources.description import NAME as DESCRIPTION
from generator.store.connect import open_store
from generator.store.ingest import alone_with, remove_store
from generator.whole import one_at_a_time

PROFILES = "profiles"
REPORTS = Path("docs") / "reports"
REFRESHED = Path(".cache") / "refreshed"
"""Stands for all that refreshing the reports writes."""
STORE = Path(".cache") / "project.duckdb"
"""Store of a project's profiles, kept so that unchanged ones are not read again."""
SIMULATED = Path(".cache") / "profiles"
"""Databases of a project's scenarios."""
STAMPS = Path(".cache") / "reports.json"
METRICS = Path(".cache") / "metrics"
FINDINGS = "findings.json"

State = Mapping[str, Sequence[int]]
"""Size and time of change of files, by name."""


@dataclass(frozen=True)
class Stamp:
    """From what a report was made, and the files that it consists of."""

    slug: str
    inputs: State
    edition: Edition
    files: State


@dataclass(frozen=True)
class Stamps:
    """The reports of an earlier build by the path of the profile, and what they share."""

    reports: Mapping[str, Stamp] = field(default_factory=dict)
    shared: State = field(default_factory=dict)
    edition: str = ""
    """On what the shared pages depended besides the documents."""


@dataclass(frozen=True)
class Entry:
    """A profile and what is known of its report."""

    path: Path
    inputs: State
    judged: Stamp | None
    """The report that an earlier build wrote, if its documents still hold."""
    current: bool
    """Whether its pages still hold, too."""


def build_project(root: Path, site: Path, *, context: Context | None = None) -> list[Documents]:
    """The project's own site: its hand-written pages and a report per profile."""
    told = context or Context()
    with made_meanwhile():
        folders = refresh_project(root, context=told)
    documents = [document_of_file(folder / FINDINGS) for folder in folders]
    for one in documents:
        told.judged(one)
    with told.timings.stage("site"):
        told.progress.start("building the site", None)
        build_site(root / "docs", site, config=root / "mkdocs.yml")
    return documents


@one_at_a_time(REFRESHED)
def refresh_project(
    root: Path, *, progress: Progress | None = None, context: Context | None = None
) -> list[Path]:
    """Bring `docs/reports` of the project in `root` up to date; returns the reports' folders.

    The thresholds are those of the context, else of the project's perfolio.toml.
    """
    check_code()
    told = _of_project(root, context or Context(progress=progress or Quiet()))
    told = replace(told, kept=Kept(root / METRICS, metrics_edition()))
    paths = profiles_of(root, told)
    held, edition, reports = _read_stamps(root), edition_of(told), root / REPORTS
    entries = [_entry(path, held.reports.get(str(path)), edition, reports) for path in paths]
    made = _made(root, [entry for entry in entries if not entry.current], told)
    stamps = {str(each.path): each.judged for each in entries if each.judged and each.current}
    shared = held.shared
    same = (stamps.keys(), edition.shared) == (held.reports.keys(), held.edition)
    if made or not same or shared != _state(reports, shared):
        listed = [made.get(path) or stamps[str(path)] for path in paths]
        shared = _write(reports, listed, told)
    for entry in entries:
        if report := made.get(entry.path):
            slug = report.documents.slug
            files = _state(reports, report.placed())
            stamps[str(entry.path)] = Stamp(slug, entry.inputs, edition, files)
    _keep_stamps(root, Stamps(stamps, shared, edition.shared))
    return [reports / stamps[str(path)].slug for path in paths]


def documents_of_project(
    root: Path, slugs: Collection[str], context: Context | None = None
) -> list[Documents]:
    """Metrics and findings of the runs of these short names in the project in `root`."""
    told = _of_project(root, context or Context())
    store = _usable(root / STORE)
    with alone_with(store):
        runs = ingest_paths(profiles_of(root, told), store, told)
        return documents_of(store, [one.run for one in runs if one.slug in slugs], told)


def profiles_of(root: Path, context: Context | None = None) -> list[Path]:
    """The databases of the project in `root`: its own, and those of its scenarios."""
    return [*registry.find(root / PROFILES), *simulate_project(root, context)]


def simulate_project(root: Path, context: Context | None = None) -> list[Path]:
    """Databases of the scenarios of the project in `root`, made anew where they are stale."""
    from generator.simulation.portfolio import refresh

    told = context or Context()
    with told.timings.stage("simulate"):
        return refresh(root / PROFILES, root / SIMULATED, told.progress)


def _of_project(root: Path, context: Context) -> Context:
    """The context with the project's exercises, and its thresholds unless there are others."""
    path = root / NAME
    if context.overrides.path is not None or not path.is_file():
        return replace(context, project=root)
    return replace(context, project=root, overrides=read_overrides(path))


def _entry(path: Path, stamp: Stamp | None, edition: Edition, reports: Path) -> Entry:
    inputs = _inputs(path)
    if stamp is None or stamp.inputs != inputs or stamp.edition.documents != edition.documents:
        return Entry(path, inputs, None, current=False)
    if stamp.files != _state(reports, stamp.files):
        return Entry(path, inputs, None, current=False)
    return Entry(path, inputs, stamp, current=stamp.edition.pages == edition.pages)


def _made(root: Path, stale: Sequence[Entry], told: Context) -> dict[Path, Report]:
    """The reports that are not current: of their profiles, or of documents that still hold."""
    if not stale:
        return {}
    unread = [entry.path for entry in stale if entry.judged is None]
    store = root / STORE
    with alone_with(store):
        return _made_alone(root, stale, unread, _usable(store), told)


def _made_alone(
    root: Path, stale: Sequence[Entry], unread: Sequence[Path], store: Path, told: Context
) -> dict[Path, Report]:
    runs = ingest_paths(unread, store, told)
    sources: dict[Path, Subject] = {
        entry.path: Subject(root / REPORTS / entry.judged.slug / FINDINGS)
        for entry in stale
        if entry.judged is not None
    }
    sources |= {path: Subject(store, run.run) for path, run in zip(unread, runs, strict=True)}
    return dict(zip(sources, made_reports(list(sources.values()), told), strict=True))


def _usable(store: Path) -> Path:
    """The project's store; one that cannot be opened, of another version say, is made anew."""
    try:
        if store.exists():
            open_store(store).close()
    except BusyError:
        raise
    except StoreError:
        remove_store(store)
    return store


def _write(reports: Path, listed: Sequence[Report | Stamp], told: Context) -> State:
    """Write new reports beside those that are current, and what all share; returns its state."""
    tree: dict[str, str | bytes] = {}
    documents, kept = [], list[str]()
    for each in listed:
        if isinstance(each, Stamp):
            kept.extend(each.files)
            documents.append(_written(reports / each.slug / FINDINGS))
        else:
            tree |= each.placed()
            documents.append(each.documents)
    with told.timings.stage("pages"):
        shared = shared_files(documents, told.project)
    sync_tree(tree | shared, reports, kept=kept)
    return _state(reports, shared)


def _written(path: Path) -> Documents:
    """A document that is as this version wrote it: it needs no check."""
    findings = json.loads(path.read_bytes())
    return Documents(findings["metrics"], findings)


def _inputs(path: Path) -> dict[str, list[int]]:
    """Size and time of change of all files of a profile, and of what describes it."""
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    beside = [found for name in (DESCRIPTION, CLAIMS) if (found := locate(path, name))]
    return _state(Path(), map(str, [*files, *beside]))


def _state(folder: Path, names: Iterable[str]) -> dict[str, list[int]]:
    return dict(_states(folder, names))


def _states(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
    for name in names:
        try:
            found = (folder / name).stat()
        except OSError:
            continue  # a file that is gone has no state, which differs from any
        yield name, [found.st_size, found.st_mtime_ns]


def _read_stamps(root: Path) -> Stamps:
    """The stamps of an earlier build; none where they cannot be read."""
    try:
        told = json.loads((root / STAMPS).read_bytes())
        reports = {
            path: Stamp(**{**stamp, "edition": Edition(**stamp["edition"])})
            for path, stamp in told["reports"].items()
        }
        return Stamps(reports, told["shared"], told["edition"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Stamps()


def _keep_stamps(root: Path, stamps: Stamps) -> None:
    """Write the stamps; without them the next build makes all reports again."""
    data = json.dumps(asdict(stamps), indent=1).encode()
    try:
        if not (root / STAMPS).is_file() or (root / STAMPS).read_bytes() != data:
            write_atomic(root / STAMPS, data)
    except OSError:
        return
