"""For programs: a short document; findings.json has the whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from perfolio.exporters.ci_checks.model import Check, CheckItem

SCHEMA = "perfolio-check/1"


def render(checks: Sequence[Check]) -> str:
    """`{schema, failed, runs: [{run, level, failed, verdict, provenance, findings}]}`."""
    document = {
        "schema": SCHEMA,
        "failed": any(check.failing for check in checks),
        "runs": [_make_run(check) for check in checks],
    }
    return json.dumps(document, indent=1) + "\n"


def _make_run(check: Check) -> dict[str, Any]:
    return {
        "run": check.slug,
        "title": check.title,
        "fail_on": check.level,
        "failed": bool(check.failing),
        "state": check.state,
        "outcome": check.outcome,
        "verdict": check.verdict,
        "provenance": dict(check.provenance),
        "findings": [_make_item(item) for item in check.items],
    }


def _make_item(item: CheckItem) -> dict[str, Any]:
    return {
        "code": item.code,
        "title": item.title,
        "status": item.status,
        "severity": item.severity or None,
        "fails": item.fails,
        "metric": item.metric,
        "value": item.value or None,
        "thresholds": item.thresholds,
        "words": item.words,
        "collect": item.collect,
        "worth": item.worth or None,
        "places": [
            {"file": place.file, "line": place.line or None, "name": place.name}
            for place in item.places
        ],
    }
