"""Thresholds that a project sets in place of the rules' own: its file perfolio.toml.

    [thresholds]
    X2 = {medium = 2.0, high = 8.0}

In:  the file, and the rules. Out: rules with these thresholds, which keep their own as
     `defaults`, so that pages can say both. UsageError for what cannot be meant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from generator.errors import UsageError
from generator.findings.terms.conditions import beyond
from generator.findings.terms.model import SEVERITIES, Rule, Severity, Threshold
from generator.toml import TomlError, read_toml

NAME = "perfolio.toml"
"""Name of the file in a project's folder."""
_TABLE = "thresholds"
_HINT = "see the how-to on thresholds: X2 = {medium = 2.0} below [thresholds]"
_TARGET = f"the threshold that {NAME} sets"


@dataclass(frozen=True)
class Overrides:
    """Thresholds by rule code and severity; none by default."""

    by_code: Mapping[str, Mapping[Severity, float]] = field(default_factory=dict)
    path: Path | None = None


def read_overrides(path: Path) -> Overrides:
    """The thresholds of a perfolio.toml. Raises UsageError where it is faulty."""
    try:
        entries = read_toml(path)
    except TomlError as problem:
        raise UsageError(f"{path}: {problem}", hint=_HINT) from problem
    if unknown := sorted(entries.keys() - {_TABLE}):
        raise UsageError(f"{path}: unknown entry {unknown[0]!r}", hint=_HINT)
    table = entries.get(_TABLE, {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {_TABLE} must be a table", hint=_HINT)
    return Overrides({code: _thresholds(path, code, value) for code, value in table.items()}, path)


def overridden(rules: Mapping[str, Rule], overrides: Overrides) -> dict[str, Rule]:
    """`rules` with the project's thresholds; UsageError names a rule that there is not."""
    if unknown := sorted(overrides.by_code.keys() - rules.keys()):
        raise UsageError(
            f"{overrides.path}: there is no rule {unknown[0]!r}",
            hint="the reference of rules lists their codes",
        )
    return {
        code: _with(rule, overrides.by_code[code], overrides.path)
        if code in overrides.by_code
        else rule
        for code, rule in rules.items()
    }


def _thresholds(path: Path, code: str, value: Any) -> dict[Severity, float]:
    if not isinstance(value, dict) or not value:
        raise UsageError(f"{path}: {code} must have severities with values", hint=_HINT)
    found: dict[Severity, float] = {}
    for name, bound in value.items():
        known = [severity for severity in SEVERITIES if severity == name]
        if not known:
            raise UsageError(f"{path}: {code}: unknown severity {name!r}", hint=_HINT)
        if (
            isinstance(bound, bool)
            or not isinstance(bound, int | float)
            or not math.isfinite(bound)
        ):
            raise UsageError(f"{path}: {code}: {name} must be a number, not {bound}", hint=_HINT)
        found[known[0]] = float(bound)
    return found


def _is_number(value: Any) -> bool:
    """TOML also knows true, nan and inf."""
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return numeric and math.isfinite(value)


def _with(rule: Rule, own: Mapping[Severity, float], path: Path | None) -> Rule:
    """`rule` with the values in `own`; severities that it does not name keep theirs."""
    merged = {each.severity: each.value for each in rule.thresholds} | dict(own)
    mild_first = [severity for severity in reversed(SEVERITIES) if severity in merged]
    thresholds = tuple(Threshold(severity, merged[severity]) for severity in mild_first)
    if any(not beyond(b.value, rule.direction, a.value) for a, b in pairwise(thresholds)):
        listed = ", ".join(f"{each.severity} {each.value:g}" for each in thresholds)
        raise UsageError(
            f"{path}: {rule.code}: severer thresholds must lie farther {rule.direction}: {listed}",
            hint="name the other severities of the rule too",
        )
    missed = rule.target is not None and beyond(rule.target, rule.direction, thresholds[0].value)
    return replace(
        rule,
        thresholds=thresholds,
        defaults=rule.thresholds,
        target=thresholds[0].value if missed else rule.target,
        target_source=_TARGET if missed else rule.target_source,
    )
