"""Rule files: front matter and Markdown sections become `Rule`s; gaps are refused.

In:  `rules/<CODE>-<slug>.md`.
Out: rules by code. A rule that is incomplete never reaches a report.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import yaml

from generator.errors import ContentError
from generator.findings.conditions import field_metric, fields, parse_condition
from generator.findings.estimate import ESTIMATORS
from generator.findings.events import FIELDS
from generator.findings.model import (
    SECTIONS,
    SEVERITIES,
    Condition,
    Direction,
    Exact,
    Rule,
    Severity,
    Threshold,
)

RULES = Path(__file__).parent / "rules"

_REQUIRED = {"title", "metric", "direction", "thresholds", "threshold_source", "states"}
_OPTIONAL = {
    "estimator",
    "evidence",
    "evidence_columns",
    "evidence_by",
    "chart",
    "applies",
    "only_if",
    "exact",
    "decide_with",
}
_DIRECTIONS: tuple[Direction, ...] = ("above", "below")
_FILE = re.compile(r"(?P<code>[A-Z]\d+[a-z]?)-(?P<slug>[a-z0-9-]+)\.md")
_PAGE = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def load_rules(folder: Path = RULES, metrics: Collection[str] | None = None) -> dict[str, Rule]:
    """All rules of `folder` by code, in the order of their codes.

    `metrics` are the names of the known metrics: where given, a rule that reads
    another one is refused. ContentError names the faulty file.
    """
    rules = [_load(path, metrics) for path in sorted(folder.glob("*.md"))]
    codes = [rule.code for rule in rules]
    for code in codes:
        if codes.count(code) > 1:
            raise ContentError(f"{folder}: more than one rule has the code {code}")
    return {rule.code: rule for rule in rules}


def metrics_of(rule: Rule) -> tuple[str, ...]:
    """Every metric that the rule reads for itself; its estimator may read more."""
    conditions = (*rule.applies, *rule.only_if)
    states = (rule.states, *((rule.exact.states,) if rule.exact else ()))
    stated = [name for words in states for name in fields(words)]
    named = [name for name in stated if name != "value" and name not in FIELDS]
    evidence = (rule.evidence,) if rule.evidence else ()
    return (
        rule.metric,
        *((rule.exact.metric,) if rule.exact else ()),
        *(condition.metric for condition in conditions),
        *(field_metric(name) for name in named),
        *evidence,
    )


def _load(path: Path, metrics: Collection[str] | None) -> Rule:
    try:
        rule = _rule(path)
        _refuse_unknown(rule, metrics)
    except ContentError as error:
        raise ContentError(f"{path}: {error.message}", hint=error.hint) from error
    return rule


def _rule(path: Path) -> Rule:
    name = _FILE.fullmatch(path.name)
    if name is None:
        raise ContentError("a rule file is called <CODE>-<slug>.md, e.g. X2-copies.md")
    head, body = _split(path)
    direction = _direction(head["direction"])
    return Rule(
        code=name["code"],
        slug=name["slug"],
        title=_text(head, "title"),
        metric=_text(head, "metric"),
        direction=direction,
        thresholds=_thresholds(head["thresholds"], direction),
        threshold_source=_text(head, "threshold_source"),
        states=_text(head, "states"),
        sections=_sections(body),
        estimator=_text(head, "estimator"),
        evidence=_text(head, "evidence"),
        evidence_columns=_listed(head, "evidence_columns"),
        evidence_by=_listed(head, "evidence_by"),
        chart=_text(head, "chart"),
        applies=_conditions(head, "applies"),
        only_if=_conditions(head, "only_if"),
        exact=_exact(head),
        decide_with=_text(head, "decide_with"),
    )


def _split(path: Path) -> tuple[Mapping[str, Any], str]:
    """Front matter with exactly the known keys, and the Markdown below it."""
    page = _PAGE.fullmatch(path.read_text(encoding="utf-8"))
    if page is None:
        raise ContentError("no front matter between two lines of ---")
    try:
        head = yaml.safe_load(page["head"])
    except yaml.YAMLError as error:
        raise ContentError(f"front matter is not YAML: {error}") from error
    if not isinstance(head, dict):
        raise ContentError("front matter is not a list of `key: value`")
    missing = sorted(_REQUIRED - head.keys())
    unknown = sorted(str(key) for key in head.keys() - _REQUIRED - _OPTIONAL)
    if missing or unknown:
        raise ContentError(f"front matter: missing {missing}, unknown {unknown}")
    return head, page["body"]


def _text(head: Mapping[str, Any], key: str) -> str:
    value = head.get(key, "")
    if not isinstance(value, str) or (key in _REQUIRED and not value.strip()):
        raise ContentError(f"`{key}` must be text")
    return " ".join(value.split())


def _exact(head: Mapping[str, Any]) -> Exact | None:
    value = head.get("exact")
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"metric", "states"}:
        raise ContentError("`exact` must have `metric` and `states`")
    return Exact(_text(value, "metric"), _text(value, "states"))


def _direction(value: object) -> Direction:
    for direction in _DIRECTIONS:
        if value == direction:
            return direction
    raise ContentError(f"`direction` is above or below, not {value!r}")


def _thresholds(value: object, direction: Direction) -> tuple[Threshold, ...]:
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


def _conditions(head: Mapping[str, Any], key: str) -> tuple[Condition, ...]:
    return tuple(parse_condition(item) for item in _listed(head, key))


def _listed(head: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = head.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ContentError(f"`{key}` must be a list of texts")
    return tuple(value)


def _sections(body: str) -> dict[str, str]:
    before, *pieces = _HEADING.split(body)
    headings = tuple(heading.strip() for heading in pieces[::2])
    if headings != SECTIONS or before.strip():
        raise ContentError(f"sections must be exactly {', '.join(SECTIONS)}")
    sections = {name: text.strip() for name, text in zip(headings, pieces[1::2], strict=True)}
    empty = [name for name, text in sections.items() if not text]
    if empty:
        raise ContentError(f"nothing below {', '.join(empty)}")
    return sections


def _refuse_unknown(rule: Rule, metrics: Collection[str] | None) -> None:
    if rule.estimator and rule.estimator not in ESTIMATORS:
        raise ContentError(f"unknown estimator {rule.estimator!r}")
    if any(name.startswith("seed.") for name in metrics_of(rule)):
        raise ContentError("metrics of the group seed are known to be wrong")
    unknown = sorted(set(metrics_of(rule)) - set(metrics)) if metrics is not None else []
    if unknown:
        raise ContentError(f"unknown metrics {unknown}")
