"""Mutations of a query: places that a pattern finds outside comments, strings and front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.mutants.model import Change

_HIDDEN = re.compile(
    r"\A/\*---\n.*?\n---\*/\n|--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"", re.DOTALL
)
_SWAPPED = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    "equality": {"=": "<>", "<>": "="},
    "sign": {"+": "-", "-": "+"},
    "product": {"*": "/", "/": "*"},
    "logic": {"AND": "OR", "OR": "AND"},
    "aggregate": {"sum": "max", "min": "max", "max": "min", "avg": "max", "median": "min"},
    "bound": {"least": "greatest", "greatest": "least"},
    "join": {"LEFT JOIN": "JOIN"},
    "order": {" DESC": "", "NULLS LAST": "NULLS FIRST"},
    "distinct": {"DISTINCT ": ""},
    "negation": {"NOT ": ""},
}
_PATTERNS = {
    "comparison": r"(?<![<>=])(?:<=|>=|<(?!>)|>)(?!=)",
    "equality": r"(?<![<>=:])(?:=|<>)(?![=>])",
    "sign": r"(?<=[\w)\]] )[+-](?= )",
    "product": r"(?<=[\w)\]] )(?<!SELECT )[*/](?= )(?! FROM)",
    "logic": r"\b(?:AND|OR)\b",
    "aggregate": r"\b(?:sum|min|max|avg|median)(?=\()",
    "bound": r"\b(?:least|greatest)(?=\()",
    "join": r"\bLEFT JOIN\b",
    "order": r" DESC\b|\bNULLS LAST\b",
    "distinct": r"\bDISTINCT (?!FROM|ON)",
    "negation": r"\bNOT (?!MATERIALIZED|NULL|DISTINCT|EXISTS)",
    "constant": r"(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])",
    "limit dropped": r"\bLIMIT \d+",
    "order reversed": r"(?<=ORDER BY )[\w.]+(?=\s*[,\n)])",
}  # fmt: skip
_RANGE = re.compile(r"\bBETWEEN\b[^()]*\Z")


def mutations(text: str) -> Iterator[Change]:
    """All changes of a query that leave its front matter, names and texts as they are."""
    code = _HIDDEN.sub(lambda found: " " * len(found[0]), text)
    for kind, pattern in _PATTERNS.items():
        for found in re.finditer(pattern, code):
            new = _new(kind, found[0], code[: found.start()])
            if new is not None:
                yield Change(kind, found.start(), found.end(), new)


def _new(kind: str, old: str, before: str) -> str | None:
    """What replaces `old`; None where that would be no query, or mean the same."""
    if kind == "logic" and _RANGE.search(before):
        return None
    if kind == "constant":
        return _next(old, before)
    if kind == "order reversed":
        return f"{old} DESC"
    return _SWAPPED[kind][old] if kind in _SWAPPED else ""


def _next(number: str, before: str) -> str | None:
    # A quotient by 0 is not measured either way; a power of ten is a unit, and has no neighbour.
    if "e" in number or (number == "0" and _called(before) == "nullif"):
        return None
    return str(float(number) * 2 or 1.0) if "." in number else str(int(number) + 1)


def _called(before: str) -> str:
    """The function that is given what follows, or no name."""
    depth = 0
    for position in range(len(before) - 1, -1, -1):
        depth += (before[position] == "(") - (before[position] == ")")
        if depth > 0:
            return re.split(r"\W", before[:position])[-1]
    return ""
