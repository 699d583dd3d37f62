"""Thresholds that a project sets in place of the rules' own: its file perfolio.toml.

    [thresholds]
    X2 = {medium = 2.0, high = 8.0}

In:  the file, and the rules. Out: rules with these thresholds, which keep their own as
     `defaults`, so that pages can say both. UsageError for what cannot be meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from perfolio.common.errors import UsageError
from perfolio.common.toml_files import read_toml
from perfolio.findings.model.conditions import is_beyond
from perfolio.findings.model.content_entries import read, read_each
from perfolio.findings.model.rule import (
    SEVERITIES,
    ContentEntry,
    Rule,
    RuleTarget,
    Severity,
    Threshold,
    Thresholds,
)

NAME = "perfolio.toml"
"""Name of the file in a project's folder."""
_HINT = "see the how-to on thresholds: X2 = {medium = 2.0} below [thresholds]"
_TARGET = f"the threshold that {NAME} sets"


class _ThresholdFile(ContentEntry, frozen=True, kw_only=True):
    thresholds: Mapping[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class ThresholdOverrides:
    """Thresholds by rule code and severity; none by default."""

    by_code: Mapping[str, Mapping[Severity, float]] = field(default_factory=dict)
    path: Path | None = None


def read_overrides(path: Path) -> ThresholdOverrides:
    """The thresholds of a perfolio.toml. Raises UsageError where it is faulty."""
    try:
        found = read_each(read(read_toml(path), _ThresholdFile).thresholds, Thresholds)
    except ValueError as problem:
        raise UsageError(f"{path}: {problem}", hint=_HINT) from problem
    by_code = {code: {one.severity: one.value for one in own} for code, own in found.items()}
    return ThresholdOverrides(by_code, path)


def apply_overrides(rules: Mapping[str, Rule], overrides: ThresholdOverrides) -> dict[str, Rule]:
    """`rules` with the project's thresholds; UsageError names a rule that there is not."""
    if unknown := sorted(overrides.by_code.keys() - rules.keys()):
        raise UsageError(
            f"{overrides.path}: there is no rule {unknown[0]!r}",
            hint="the reference of rules lists their codes",
        )
    return {
        code: _replace_thresholds(rule, overrides.by_code[code], overrides.path)
        if code in overrides.by_code
        else rule
        for code, rule in rules.items()
    }


def _replace_thresholds(rule: Rule, own: Mapping[Severity, float], path: Path | None) -> Rule:
    """`rule` with the values in `own`; severities that it does not name keep theirs."""
    merged = {each.severity: each.value for each in rule.thresholds} | dict(own)
    mild_first = [severity for severity in reversed(SEVERITIES) if severity in merged]
    thresholds = Thresholds(Threshold(severity, merged[severity]) for severity in mild_first)
    if any(not is_beyond(b.value, rule.direction, a.value) for a, b in pairwise(thresholds)):
        listed = ", ".join(f"{each.severity} {each.value:g}" for each in thresholds)
        raise UsageError(
            f"{path}: {rule.code}: severer thresholds must lie farther {rule.direction}: {listed}",
            hint="name the other severities of the rule too",
        )
    aimed, mildest = rule.target.value, thresholds[0].value
    missed = aimed is not None and is_beyond(aimed, rule.direction, mildest)
    target = RuleTarget(value=mildest, source=_TARGET) if missed else rule.target
    return structs.replace(rule, thresholds=thresholds, defaults=rule.thresholds, target=target)
