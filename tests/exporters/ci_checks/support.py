"""A findings document with something of each kind, names as given."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from perfolio.exporters.ci_checks.level_check import check_findings
from perfolio.exporters.ci_checks.model import Check
from perfolio.findings.document import make_findings_document
from perfolio.metrics.document import make_metrics_document
from tests.findings.support import cases, results

RUN: dict[str, Any] = {
    "slug": "a-run", "title": "A run", "description": "", "notes": None, "path": "/somewhere",
    "tool": "A tool", "format_version": "4.0", "digest": "0123456789abcdef" * 4, "files": [],
    "hardware": None, "settings": {}, "warnings": [], "metrics_recorded": [],
}  # fmt: skip
PATH = "/home/user/dlrm/src/train.py"


@cache
def _document() -> dict[str, Any]:
    """G6 fires as in its first case, with its evidence in a source file."""
    case = next(one for one in cases("cases")["G6"] if one["status"] == "fired")
    made = make_metrics_document(RUN, results(case.get("measured"), case.get("tables")))
    return make_findings_document(made)


def document(**names: Any) -> dict[str, Any]:
    """That document with a name of the profile in every place where one can be, to be changed."""
    return copy.deepcopy(_filled(**names))


def _filled(function: str = "make_batch", file: str = PATH, line: int = 12) -> dict[str, Any]:
    known, said = _document(), f"{function} is slow"
    return known | {
        "run": known["run"] | {"title": said},
        "verdict": known["verdict"] | {"sentence": said},
        "findings": [one | _named(one, function, file, line) for one in known["findings"]],
    }


def _named(finding: dict[str, Any], function: str, file: str, line: int) -> dict[str, Any]:
    """What a finding says in which names stand."""
    if finding["status"] != "fired":
        return {"reason": f"{function} lacks it"} if finding["reason"] else {}
    return {
        "sentence": f"The host runs {function} during 60 % of it.",
        "evidence": {
            "metric": "time.blame",
            "columns": [
                {"name": "function", "title": "Function", "unit": "text"},
                {"name": "file", "title": "File", "unit": "text"},
                {"name": "line", "title": "Line", "unit": "id"},
            ],
            "rows": [[function, file, line], ["elsewhere", "/usr/lib/x.c", 3]],
        },
    }


def locate(path: str) -> str | None:
    """The sources: whatever lies below /home/user/dlrm."""
    inside = path.startswith("/home/user/dlrm/")
    return path.removeprefix("/home/user/dlrm/") if inside else None


def made(level: str = "high", **names: Any) -> Check:
    """A check of that document."""
    return check_findings(_filled(**names), level, locate, "runs/dlrm.d")
