"""What a site says of its own making.

In:  a built site. Out: one `RecordedReport` per report, and the order of its start page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError
from perfolio.findings.document import VERSION
from perfolio.findings.rules.threshold_overrides import ThresholdOverrides
from perfolio.pipeline.project_outcomes import ProjectOutcomes, take_told_outcomes

_HINT = "give a folder that perfolio build wrote"


@dataclass(frozen=True)
class RecordedReport:
    """One report of a site."""

    folder: Path
    findings: Mapping[str, Any]
    """As written."""

    @property
    def run(self) -> Mapping[str, Any]:
        """The facts of its run: path, input files, title."""
        facts: Mapping[str, Any] = self.findings["metrics"]["run"]
        return facts

    @property
    def slug(self) -> str:
        """Its folder's name."""
        return self.folder.name

    @property
    def files(self) -> list[tuple[str, str]]:
        """Name and SHA-256 of each input file; two in different folders may have one name."""
        return [(str(file["name"]), str(file["sha256"])) for file in self.run["files"]]

    @property
    def overrides(self) -> ThresholdOverrides:
        """The thresholds that a project had set in place of the rules' own."""
        found = {
            each["code"]: {one["severity"]: float(one["value"]) for one in each["thresholds"]}
            for each in self.findings["findings"]
            if each["default_thresholds"]
        }
        return ThresholdOverrides(found, self.folder / "findings.json")

    @property
    def outcomes(self) -> ProjectOutcomes:
        """What its project's own steps had come to, where it expects that."""
        return take_told_outcomes(self.findings)


def read_reports(site: Path) -> list[RecordedReport]:
    """The reports of a site. Raises InputError where there is none, or one cannot be read."""
    if not site.is_dir():
        missing = "is no folder" if site.exists() else "there is no such folder"
        raise InputError(f"{site}: {missing}", hint=_HINT)
    paths = sorted([*site.glob("*/findings.json"), *site.glob("reports/*/findings.json")])
    if not paths:
        raise InputError(f"{site}: holds no report", hint=_HINT)
    found = [_read_report(path) for path in paths]
    for one in found:
        if "shared" in one.run:
            raise InputError(
                f"{one.slug}: was built with --share, and other names stand in it",
                hint="verify a site built without it, which has the same numbers and digests",
            )
    return _as_listed(found)


def _read_report(path: Path) -> RecordedReport:
    """A findings.json, as far as it is needed; the rest is compared and not used."""
    try:
        recorded = RecordedReport(path.parent, json.loads(path.read_text("utf-8")))
        known = recorded.files, recorded.overrides, recorded.run["path"], recorded.run["slug"]
        _ = recorded.outcomes
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise InputError(
            f"{path}: does not say what it was made from: {problem!r}",
            hint="build the site again: it may be of another version",
        ) from problem
    if (schema := recorded.findings.get("schema")) != VERSION:
        made = recorded.findings.get("perfolio")
        raise InputError(
            f"{path}: a document of {schema}, not of {VERSION}",
            hint=f"build the site again, or verify it with the Perfolio that made it ({made})",
        )
    if not known[0] or not isinstance(known[2], str):
        raise InputError(f"{path}: names no input", hint="build the site again")
    return recorded


def _as_listed(found: list[RecordedReport]) -> list[RecordedReport]:
    """In the order of the start page, where its headings tell it."""
    try:
        page = (found[0].folder.parent / "index.html").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return found
    places = {one.slug: page.find(f'id="{one.slug}"') for one in found}
    return sorted(found, key=lambda one: places[one.slug]) if min(places.values()) >= 0 else found
