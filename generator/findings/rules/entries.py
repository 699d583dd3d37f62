"""The entries of a rule's front matter that are more than a text: each refuses what it cannot be.

In:  a front matter. Out: conditions, thresholds and what else a `Rule` holds; ContentError where
     an entry is not as docs/how-to/add-a-rule.md describes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import cast

from generator.errors import ContentError
from generator.findings.rules.head import Head, listed, text
from generator.findings.rules.inputs import load_inputs
from generator.findings.terms.conditions import parse_condition
from generator.findings.terms.model import (
    EFFORTS,
    SEVERITIES,
    Also,
    Closer,
    Condition,
    Direction,
    Effort,
    Exact,
    Input,
    Lacking,
    Severity,
    Threshold,
)
from generator.units import UNITS

_NODE = re.compile(r"(?:[a-z]+(?:\.[a-z]+)*)?")


def needs(head: Head) -> Input | None:
    """The input of `needs_input`, which no HPCToolkit database holds; None without one."""
    name = text(head, "needs_input")
    needed = load_inputs().get(name)
    if name and needed is None:
        raise ContentError(f"unknown input {name!r}", hint="inputs.toml lists the known ones")
    return needed


def lacking(head: Head) -> Lacking | None:
    """What a rule without a metric would compare; None for one that has a metric."""
    needed = needs(head)
    if needed is None or "metric" in head:
        return None
    unit = text(head, "unit")
    if unit not in UNITS:
        raise ContentError(f"unknown unit {unit!r}")
    return Lacking(needed, text(head, "measures"), unit)


def also(head: Head) -> tuple[Also, ...]:
    """What its sentence goes on with: `also: [{say: ..., when: [...]}]`."""
    value = head.get("also", [])
    if not isinstance(value, list) or not all(
        isinstance(each, dict) and {"say"} <= each.keys() <= {"say", "when", "unless"}
        for each in value
    ):
        raise ContentError("`also` is a list of `say`, each with `when` or `unless`")
    return tuple(
        Also(text(each, "say"), conditions(each, "when"), conditions(each, "unless"))
        for each in value
    )


def exact(head: Head) -> tuple[Exact, ...]:
    """The metrics that are judged in place of its own, one or a list."""
    value = head.get("exact", [])
    needed = {"metric", "states"}
    further = {"evidence", "parent", "evidence_columns", "only_if", "passes_only"}
    given = value if isinstance(value, list) else [value]
    if not all(isinstance(each, dict) and needed <= {*each} <= needed | further for each in given):
        raise ContentError("`exact` must have `metric` and `states`, and may have evidence")
    return tuple(
        Exact(
            text(each, "metric"),
            text(each, "states"),
            text(each, "evidence"),
            text(each, "parent"),
            listed(each, "evidence_columns"),
            conditions(each, "only_if"),
            each.get("passes_only") is True,
        )
        for each in given
    )


def effort_if(head: Head) -> dict[Effort, tuple[Condition, ...]]:
    """Conditions by effort: `{hours: ["time.device_opens[0].calls > 1"]}`."""
    value = head.get("effort_if", {})
    if not isinstance(value, dict) or not value.keys() <= set(EFFORTS):
        raise ContentError(f"`effort_if` has conditions by effort: {', '.join(EFFORTS)}")
    return {effort: conditions(value, effort) for effort in value}


def after_if(head: Head) -> dict[str, tuple[Condition, ...]]:
    """Conditions by code: `{X1: ["time.copies_in_passes[0].copies > 0"]}`."""
    value = head.get("after_if", {})
    if not isinstance(value, dict):
        raise ContentError("`after_if` has conditions by the code of a rule")
    return {code: conditions(value, code) for code in value}


def closer(head: Head) -> Closer | None:
    """The table that shows a finding more closely; None without one."""
    value = head.get("closer")
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"evidence", "share", "evidence_columns"}:
        raise ContentError("`closer` must have exactly `evidence`, `share` and `evidence_columns`")
    columns = listed(value, "evidence_columns")
    return Closer(text(value, "evidence"), text(value, "share"), columns)


def thresholds(value: object, direction: Direction) -> tuple[Threshold, ...]:
    """`severity: value` pairs from mild to severe; severer ones lie farther out."""
    if not isinstance(value, dict) or not value:
        raise ContentError("`thresholds` must be `severity: value` pairs, mild ones first")
    for severity, bound in value.items():
        if severity not in SEVERITIES:
            raise ContentError(f"unknown severity {severity!r}")
        if isinstance(bound, bool) or not isinstance(bound, (int, float)):
            raise ContentError(f"threshold of {severity} is not a number: {bound!r}")
    ranks = [-SEVERITIES.index(severity) for severity in value]
    sign = 1.0 if direction == "above" else -1.0
    bounds = [sign * float(bound) for bound in value.values()]
    if not (_increases(ranks) and _increases(bounds)):
        raise ContentError("`thresholds` do not go from mild to severe")
    return tuple(Threshold(cast(Severity, key), float(bound)) for key, bound in value.items())


def _increases(values: Iterable[float]) -> bool:
    return all(a < b for a, b in pairwise(values))


def conditions(head: Head, key: str) -> tuple[Condition, ...]:
    """The conditions of a list in its order; none without one."""
    return tuple(parse_condition(item) for item in listed(head, key))


def parent(head: Head) -> str:
    """The node of the tree of causes; empty for a rule on the data's quality."""
    node = text(head, "parent")
    if _NODE.fullmatch(node) is None:
        raise ContentError(f"`parent` is a node of the tree of causes, not {node!r}")
    return node
