"""The whole verification.

In:  a site, profiles, perhaps a project. Out: `VerificationResult`: what was compared and what
     differs.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from perfolio import __version__
from perfolio.charts.call_tree_rows import holds_all
from perfolio.charts.model import TILES
from perfolio.charts.tiles.tile_encoding import FIRST
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import InputError
from perfolio.findings.document_format import restore_document, shorten_document
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.report_files import report_tree
from perfolio.pipeline.verification import comparison
from perfolio.pipeline.verification.comparison import Difference
from perfolio.pipeline.verification.rebuild import (
    find_changed_inputs,
    find_inputs,
    make_documents_again,
)
from perfolio.pipeline.verification.site_provenance import RecordedReport, read_reports
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.site_marker import MARKER, read_versions, versions

_PROJECT = "mkdocs.yml"


@dataclass(frozen=True)
class VerificationResult:
    """What came of it."""

    reports: int
    metrics: int
    findings: int
    files: int
    """How many of each were compared."""
    notes: tuple[str, ...]
    """What may explain differences: other versions."""
    differences: tuple[Difference, ...]


def verify(site: Path, profiles: Sequence[Path], context: Context) -> VerificationResult:
    """Make `site` again from its profiles, or from `profiles`, and compare.

    Pages are compared only where all inputs are what they were. Raises InputError where the
    site holds no report or a profile is not there.
    """
    found = read_reports(site)
    notes = tuple(
        dict.fromkeys(note for one in found for note in _list_version_notes(one))
    ) + _list_site_notes(site)
    inputs = [(one, find_inputs(one, site, profiles)) for one in found]
    wrong = [each for one, profile in inputs for each in find_changed_inputs(one, profile)]
    if wrong:
        return VerificationResult(len(found), 0, 0, 0, notes, tuple(wrong))
    fresh = [make_documents_again(one, profile, context) for one, profile in inputs]
    drift = [list(_compare_documents(one, again)) for one, again in zip(found, fresh, strict=True)]
    differences = [each for listed in drift for each in listed]
    # Last digits that differ would be other bytes: equal documents are those of the site.
    shown = [
        _place_live(one, again, again if listed else _read_documents(one))
        for one, again, listed in zip(found, fresh, drift, strict=True)
    ]
    with make_temporary_folder() as folder:
        built = folder / "site"
        _build_again(site, found, shown, built, context)
        ignored = frozenset({MARKER})
        differences += comparison.compare_folders(site, built, ignored)
        files = sum(path.is_file() for path in built.rglob("*"))
    return VerificationResult(
        len(found),
        sum(len(one.metrics["metrics"]) for one in fresh),
        sum(len(one.findings["findings"]) for one in fresh),
        files,
        notes,
        tuple(differences),
    )


def _place_live(recorded: RecordedReport, again: RunDocuments, one: RunDocuments) -> RunDocuments:
    """Documents with the timeline and whole call trees that the input gives, where the site has."""
    tiled = (recorded.folder / TILES / FIRST).is_file()
    live = {
        path: text
        for path, text in again.live.items()
        if (tiled if path.startswith(TILES) else _holds_tree(recorded.folder / path))
    }
    return replace(one, live=live)


def _holds_tree(path: Path) -> bool:
    return path.is_file() and holds_all(path.read_text("utf-8"))


def _read_documents(recorded: RecordedReport) -> RunDocuments:
    findings = restore_document(recorded.findings)
    return RunDocuments(findings["metrics"], findings)


def _compare_documents(recorded: RecordedReport, again: RunDocuments) -> Iterator[Difference]:
    """Values that differ; metrics are those of findings.json, which metrics.json repeats."""
    fresh, site = _as_json(again.findings), dict(recorded.findings)
    metrics, measured = dict(fresh.pop("metrics")), dict(site.pop("metrics"))
    place = f"{recorded.slug}/metrics"
    yield from comparison.compare_documents(
        measured.pop("metrics", []), metrics.pop("metrics"), place
    )
    yield from comparison.compare_documents(measured, metrics, recorded.slug)
    yield from comparison.compare_documents(site, fresh, recorded.slug)


def _as_json(document: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(json.dumps(shorten_document(document))))


def _list_version_notes(recorded: RecordedReport) -> Iterator[str]:
    """Versions other than the present ones: what differs may be due to them."""
    made = recorded.findings.get("provenance", {})
    for key, name, here in (
        ("perfolio", "Perfolio", __version__),
        ("duckdb", "DuckDB", duckdb.__version__),
    ):
        if made.get(key) != here:
            yield (
                f"{recorded.slug} was made by {name} {made.get(key)}, this is {here}: "
                "what differs may be due to that"
            )


def _list_site_notes(site: Path) -> tuple[str, ...]:
    made, here = read_versions(site), versions()
    return tuple(
        f"the site was built with {name} {made[name]}, this is {version}: pages may differ for that"
        for name, version in here.items()
        if name in made and made[name] != version
    )


def _build_again(
    site: Path,
    found: Sequence[RecordedReport],
    fresh: Sequence[RunDocuments],
    built: Path,
    context: Context,
) -> None:
    """The site again, without any cache. One of a project has its hand-written pages too."""
    of_project = found[0].folder.parent.name == "reports"
    root = _find_project(site, context) if of_project else context.project
    tree = report_tree(fresh, replace(context, project=root), cached=False)
    docs = built.parent / "docs"
    if root is None or not of_project:
        sync_tree(tree, docs)
        build_site(docs, built)
        return
    shutil.copytree(root / "docs", docs, ignore=shutil.ignore_patterns("reports"))
    sync_tree(tree, docs / "reports")
    build_site(docs, built, config=root / _PROJECT, cached=False)


def _find_project(site: Path, context: Context) -> Path:
    """The project that a site belongs to: the one that is named, else the current folder.

    Never the folder that the site lies in: both may be a stranger's, and a project has hooks.
    """
    root = context.project or Path.cwd()
    if (root / _PROJECT).is_file() and (root / "docs").is_dir():
        return root
    raise InputError(
        f"{site}: is the site of a project, which is not here",
        hint="run perfolio verify in the project's folder, or name it: --project DIR",
    )
