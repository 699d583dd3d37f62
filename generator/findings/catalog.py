"""Rule files: front matter and Markdown sections become `Rule`s; gaps are refused.

In:  `rules/<CODE>-<slug>.md`.
Out: rules by code. A rule that is incomplete never reaches a report.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path
from typing import cast

from generator.errors import ContentError
from generator.findings.amounts import metrics_in
from generator.findings.conditions import beyond, field_metric, fields, parse_condition
from generator.findings.estimate import ESTIMATORS
from generator.findings.events import FIELDS
from generator.findings.head import Head, choice, listed, number, split, text
from generator.findings.inputs import by_vendor, load_inputs
from generator.findings.model import (
    EFFORTS,
    PHASES,
    SECTIONS,
    SEVERITIES,
    Also,
    Closer,
    Condition,
    Direction,
    Effort,
    Exact,
    Input,
    Lacking,
    Rule,
    Severity,
    Threshold,
)
from generator.findings.order import refuse_impossible_order
from generator.findings.passages import metrics_named, refuse_empty
from generator.units import UNITS

RULES = Path(__file__).parent / "rules"

_DIRECTIONS: tuple[Direction, ...] = ("above", "below")
_NODE = re.compile(r"(?:[a-z]+(?:\.[a-z]+)*)?")
_FILE = re.compile(r"(?P<code>[A-Z]\d+[a-z]?)-(?P<slug>[a-z0-9-]+)\.md")
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
    refuse_impossible_order(rules)
    return {rule.code: rule for rule in rules}


def metrics_of(rule: Rule) -> tuple[str, ...]:
    """Every metric that the rule reads for itself; its estimator may read more."""
    also = (each for further in rule.also for each in (*further.when, *further.unless))
    exactly = (each for other in rule.exact for each in other.only_if)
    chosen = (*rule.effort_if.values(), *rule.after_if.values())
    choices = (each for conditions in chosen for each in conditions)
    conditions = (*rule.applies, *rule.only_if, *rule.harmless_if, *also, *exactly, *choices)
    further = (each.say for each in rule.also)
    states = (rule.states, *(each.states for each in rule.exact), *further)
    stated = [name for words in states for name in fields(words)]
    named = [name for name in stated if name != "value" and name not in FIELDS]
    others = (each.evidence for each in (*rule.exact, rule.closer) if each)
    evidence = tuple(name for name in (rule.evidence, *others) if name)
    advice = (name for words in rule.sections.values() for name in metrics_named(words))
    return (
        *((rule.metric,) if rule.metric else ()),
        *(each.metric for each in rule.exact),
        *((rule.target_metric,) if rule.target_metric else ()),
        *(field_metric(condition.metric) for condition in conditions),
        *(field_metric(name) for name in named),
        *(metrics_in(rule.concerns) if rule.concerns else ()),
        *evidence,
        *advice,
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
    head, body = split(path.read_text(encoding="utf-8"))
    direction = choice(head, "direction", _DIRECTIONS)
    return Rule(
        code=name["code"],
        slug=name["slug"],
        title=text(head, "title"),
        metric=text(head, "metric"),
        direction=direction,
        thresholds=_thresholds(head["thresholds"], direction),
        threshold_source=text(head, "threshold_source"),
        states=text(head, "states"),
        sections=_sections(body),
        estimator=text(head, "estimator"),
        unbounded=text(head, "unbounded"),
        concerns=text(head, "concerns"),
        evidence=text(head, "evidence"),
        evidence_columns=listed(head, "evidence_columns"),
        evidence_by=listed(head, "evidence_by"),
        closer=_closer(head),
        chart=text(head, "chart"),
        applies=_conditions(head, "applies"),
        only_if=_conditions(head, "only_if"),
        harmless_if=_conditions(head, "harmless_if"),
        also=_also(head),
        exact=_exact(head),
        decide_with=by_vendor(head["decide_with"]) if "decide_with" in head else {},
        parent=_parent(head),
        effort=choice(head, "effort", EFFORTS),
        effort_if=_effort_if(head),
        phase=choice(head, "phase", PHASES),
        after=listed(head, "after"),
        after_if=_after_if(head),
        risk=text(head, "risk"),
        target=number(head, "target"),
        target_metric=text(head, "target_metric"),
        target_source=text(head, "target_source"),
        lacking=_lacking(head),
        otherwise=None if "metric" not in head else _needs(head),
    )


def _needs(head: Head) -> Input | None:
    name = text(head, "needs_input")
    needed = load_inputs().get(name)
    if name and needed is None:
        raise ContentError(f"unknown input {name!r}", hint="inputs.toml lists the known ones")
    return needed


def _lacking(head: Head) -> Lacking | None:
    needed = _needs(head)
    if needed is None or "metric" in head:
        return None
    unit = text(head, "unit")
    if unit not in UNITS:
        raise ContentError(f"unknown unit {unit!r}")
    return Lacking(needed, text(head, "measures"), unit)


def _also(head: Head) -> tuple[Also, ...]:
    value = head.get("also", [])
    if not isinstance(value, list) or not all(
        isinstance(each, dict) and {"say"} <= each.keys() <= {"say", "when", "unless"}
        for each in value
    ):
        raise ContentError("`also` is a list of `say`, each with `when` or `unless`")
    return tuple(
        Also(text(each, "say"), _conditions(each, "when"), _conditions(each, "unless"))
        for each in value
    )


def _exact(head: Head) -> tuple[Exact, ...]:
    value = head.get("exact", [])
    needed, further = {"metric", "states"}, {"evidence", "parent", "evidence_columns", "only_if"}
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
            _conditions(each, "only_if"),
        )
        for each in given
    )


def _effort_if(head: Head) -> dict[Effort, tuple[Condition, ...]]:
    """Conditions by effort: `{hours: ["time.device_opens[0].calls > 1"]}`."""
    value = head.get("effort_if", {})
    if not isinstance(value, dict) or not value.keys() <= set(EFFORTS):
        raise ContentError(f"`effort_if` has conditions by effort: {', '.join(EFFORTS)}")
    return {effort: _conditions(value, effort) for effort in value}


def _after_if(head: Head) -> dict[str, tuple[Condition, ...]]:
    """Conditions by code: `{X1: ["time.copies_in_passes[0].copies > 0"]}`."""
    value = head.get("after_if", {})
    if not isinstance(value, dict):
        raise ContentError("`after_if` has conditions by the code of a rule")
    return {code: _conditions(value, code) for code in value}


def _closer(head: Head) -> Closer | None:
    value = head.get("closer")
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"evidence", "share", "evidence_columns"}:
        raise ContentError("`closer` must have exactly `evidence`, `share` and `evidence_columns`")
    columns = listed(value, "evidence_columns")
    return Closer(text(value, "evidence"), text(value, "share"), columns)


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


def _conditions(head: Head, key: str) -> tuple[Condition, ...]:
    return tuple(parse_condition(item) for item in listed(head, key))


def _sections(body: str) -> dict[str, str]:
    before, *pieces = _HEADING.split(body)
    headings = tuple(heading.strip() for heading in pieces[::2])
    if headings != SECTIONS or before.strip():
        raise ContentError(f"sections must be exactly {', '.join(SECTIONS)}")
    sections = {name: text.strip() for name, text in zip(headings, pieces[1::2], strict=True)}
    empty = [name for name, text in sections.items() if not text]
    if empty:
        raise ContentError(f"nothing below {', '.join(empty)}")
    for name, words in sections.items():
        refuse_empty(name, words)
    return sections


def _refuse_unknown(rule: Rule, metrics: Collection[str] | None) -> None:
    _refuse_bad_target(rule)
    if rule.estimator and rule.estimator not in ESTIMATORS:
        raise ContentError(f"unknown estimator {rule.estimator!r}")
    if rule.estimator and rule.unbounded:
        raise ContentError("a rule has an `estimator` or says why there is none (`unbounded`)")
    if any(name.startswith("seed.") for name in metrics_of(rule)):
        raise ContentError("metrics of the group seed are known to be wrong")
    unknown = sorted(set(metrics_of(rule)) - set(metrics)) if metrics is not None else []
    if unknown:
        raise ContentError(f"unknown metrics {unknown}")


def _parent(head: Head) -> str:
    node = text(head, "parent")
    if _NODE.fullmatch(node) is None:
        raise ContentError(f"`parent` is a node of the tree of causes, not {node!r}")
    return node


def _refuse_bad_target(rule: Rule) -> None:
    """A target has a reason, and reaching it makes the rule pass."""
    given = (rule.target is not None) + bool(rule.target_metric)
    if given != bool(rule.target_source):
        raise ContentError("`target` or `target_metric`, and `target_source`, go together")
    mildest = rule.thresholds[0].value
    if rule.target is not None and beyond(rule.target, rule.direction, mildest):
        raise ContentError(f"the rule would still fire at its target {rule.target}")
