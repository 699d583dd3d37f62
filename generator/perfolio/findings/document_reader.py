"""findings.json back from a file: checked, because it may come from anywhere.

In:  a file, valid against both schemas. Out: the document as programs here have it.

Pages print a rule's sections as Markdown, which a rule's author wrote. Sections that no
installed rule has are kept as plain text: a document must not bring markup of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perfolio.common.errors import ContentError, InputError
from perfolio.common.json_schema import find_first_problem
from perfolio.findings.document import load_schema
from perfolio.findings.document_format import resolve_advice, restore_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.document import load_schema as metrics_schema
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Cell, Results

_HINT = "give a findings.json of this version of Perfolio, or make the report again"
_DIGITS = 20
"""Those of the largest integer of 64 bits."""
_MOST = 1e100
_BACKTICKS = re.compile(r"`+")


def read_document(path: Path) -> dict[str, Any]:
    """The document at `path`. Raises InputError where it is no valid one, and says where."""
    document = _parse_file(path)
    problem = find_first_problem(document, load_schema())
    if problem is None:
        problem = find_first_problem(document["metrics"], metrics_schema())
    if problem is None and document["run"]["slug"] != document["metrics"]["run"]["slug"]:
        problem = "run/slug: findings and metrics are of different runs"
    if problem is not None:
        raise InputError(f"{path}: is no findings document: {problem}", hint=_HINT)
    try:
        restored = restore_document(document)
        _check_trees(read_results(restored["metrics"]))
        return _keep_known_sections(restored)
    except ContentError as error:
        raise InputError(f"{path}: is no findings document: {error}", hint=_HINT) from error


def _parse_file(path: Path) -> Any:
    try:
        return json.loads(
            path.read_text(encoding="utf-8"),
            parse_constant=_refuse_number,
            parse_int=_parse_integer,
            parse_float=_parse_number,
        )
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: is no JSON: {problem}", hint=_HINT) from problem


def _parse_integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"{digits[:20]} is larger than any number of a report")
    return int(digits)


def _parse_number(digits: str) -> float:
    """A number with which sums, ratios and units can be computed."""
    value = float(digits)
    if abs(value) > _MOST:
        raise ValueError(f"{digits[:20]} is larger than any number of a report")
    return value


def _refuse_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _check_trees(results: Results) -> None:
    """Refuse frames that call one another: who follows callers would never come to an end."""
    for name, result in results.items():
        if not {"context", "parent"} <= {column.name for column in result.metric.columns}:
            continue
        rows = get_rows(results, name)
        known, seen = {row["context"] for row in rows}, set[Cell]()
        for row in rows:
            if row["context"] in seen or row["parent"] in known - seen:
                raise ContentError(f"{name}: its rows are no tree with callers first")
            seen.add(row["context"])


def _keep_known_sections(document: dict[str, Any]) -> dict[str, Any]:
    results = read_results(document["metrics"])
    rules, run = load_rules(), document["metrics"]["run"]
    findings = [
        finding
        if finding["sections"] == resolve_advice(rules.get(finding["code"]), results, run)
        else {**finding, "sections": _quote_sections(finding["sections"])}
        for finding in document["findings"]
    ]
    return {**document, "findings": findings}


def _quote_sections(sections: Mapping[str, str]) -> dict[str, str]:
    return {heading: _quote_text(text) for heading, text in sections.items()}


def _quote_text(text: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    marks = "`" * max(3, longest + 1)
    lines = ["".join(c if c.isprintable() else " " for c in line) for line in text.split("\n")]
    return "\n".join([f"{marks} text", *lines, marks])
