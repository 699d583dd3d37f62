"""SARIF 2.1.0, for code scanning: findings at the lines of the sources where they were seen.

Format: OASIS, Static Analysis Results Interchange Format 2.1.0. A result needs a place for
GitHub to show it: where no source line is known, that is the profile itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from perfolio.common.escaping import escape_markdown, to_plain_line
from perfolio.exporters.ci_checks.model import Check, CheckItem, SourcePlace

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BASE = "SRCROOT"
_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
_PARAGRAPH = re.compile(r"\n\s*\n")


def render(checks: Sequence[Check]) -> str:
    """One SARIF run per run of the store."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_make_run(check) for check in checks]}
    return json.dumps(log, indent=1) + "\n"


def _make_run(check: Check) -> dict[str, Any]:
    driver = {
        "name": "Perfolio",
        "version": check.provenance["perfolio"],
        "rules": [_make_rule(item) for item in check.items],
    }
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"perfolio/{check.slug}/"},
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder of the sources."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    _make_notification(item)
                    for status in ("error", "not_evaluated")
                    for item in check.of(status)
                ],
            }
        ],
        "results": [
            _make_result(check, place, item)
            for place, item in enumerate(check.items)
            if item.status == "fired"
        ],
        "properties": {
            "verdict": to_plain_line(check.verdict),
            "provenance": dict(check.provenance),
        },
    }


def _make_rule(item: CheckItem) -> dict[str, Any]:
    sections = [f"{heading}\n\n{text}" for heading, text in item.sections.items()]
    first = _PARAGRAPH.split(next(iter(item.sections.values()), item.title), maxsplit=1)[0]
    threshold = f"Fires {item.thresholds}. Source of the threshold: {item.threshold_source}."
    return {
        "id": item.code,
        "name": item.slug.title().replace("-", ""),
        "shortDescription": {"text": to_plain_line(item.title)},
        "fullDescription": {"text": to_plain_line(first)},
        "help": {
            "text": "\n\n".join([*sections, threshold]),
            "markdown": "\n\n".join(
                [*(f"## {text}" for text in sections), escape_markdown(threshold)]
            ),
        },
        "defaultConfiguration": {"level": _choose_level(item)},
        "properties": {"tags": ["performance"], "metric": item.metric},
    }


def _choose_level(item: CheckItem) -> str:
    """The level of the worst severity that the rule has."""
    worst = item.thresholds.rpartition(": ")[2]
    return _LEVELS.get(worst, "warning")


def _make_notification(item: CheckItem) -> dict[str, Any]:
    return {
        "level": "note",
        "message": {"text": to_plain_line(f"not evaluated: {item.words}")},
        "associatedRule": {"id": item.code},
    }


def _make_result(check: Check, index: int, item: CheckItem) -> dict[str, Any]:
    seen = [place for place in item.places if place.file]
    first, others = (seen[0] if seen else None), seen[1:]
    return {
        "ruleId": item.code,
        "ruleIndex": index,
        "kind": "fail",
        "level": _LEVELS[item.severity],
        "rank": round(100.0 * item.rank, 3),
        "message": {"text": to_plain_line(item.message, 4_000)},
        "locations": _make_locations(check, item, first),
        "relatedLocations": [
            {
                "id": number,
                **_make_physical(place.file, place.line),
                "message": {"text": to_plain_line(place.text)},
            }
            for number, place in enumerate(others, start=1)
        ],
        "partialFingerprints": {"perfolioFinding/v1": _compute_fingerprint(check, item, first)},
        "properties": {
            "severity": item.severity,
            "value": item.value,
            "thresholds": item.thresholds,
            "worth": item.worth,
        },
    }


def _make_locations(
    check: Check, item: CheckItem, first: SourcePlace | None
) -> list[dict[str, Any]]:
    """Where to show it: a line of the sources, else the profile, else a name alone."""
    name = first.name if first else next((place.name for place in item.places), "")
    logical = {"logicalLocations": [{"fullyQualifiedName": to_plain_line(name)}]} if name else {}
    if first:
        return [{**_make_physical(first.file, first.line), **logical}]
    if check.subject:
        return [{**_make_physical(check.subject, 0), **logical}]
    return [logical] if logical else []


def _make_physical(file: str, line: int) -> dict[str, Any]:
    artifact = {"uri": quote(file.lstrip("/") or ".", errors="replace"), "uriBaseId": _BASE}
    return {
        "physicalLocation": {"artifactLocation": artifact, "region": {"startLine": max(line, 1)}}
    }


def _compute_fingerprint(check: Check, item: CheckItem, first: SourcePlace | None) -> str:
    """The same finding of a later profile: rule, run and place without its line."""
    place = (first.file, first.name) if first else ("", "")
    identity = "\n".join([check.slug, item.code, *place])
    return hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()
