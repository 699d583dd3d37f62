"""Rule files: front matter and Markdown sections become `Rule`s; gaps are refused.

In:  `rules/<CODE>-<slug>.md`.
Out: rules by code. A rule that is incomplete never reaches a report.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.findings.estimates.amounts import metrics_in
from generator.findings.estimates.estimate import ESTIMATORS
from generator.findings.rules import entries
from generator.findings.rules.head import choice, listed, number, split, text
from generator.findings.rules.inputs import INPUTS, by_vendor
from generator.findings.rules.order import refuse_impossible_order
from generator.findings.rules.passages import metrics_named, refuse_empty
from generator.findings.terms.conditions import SHARED, beyond, field_metric, fields
from generator.findings.terms.events import FIELDS
from generator.findings.terms.model import (
    EFFORTS,
    PHASES,
    SECTIONS,
    Direction,
    Rule,
)

RULES = Path(__file__).parent

_DIRECTIONS: tuple[Direction, ...] = ("above", "below")
_FILE = re.compile(r"(?P<code>[A-Z]\d+[a-z]?)-(?P<slug>[a-z0-9-]+)\.md")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def load_rules(folder: Path = RULES, metrics: Collection[str] | None = None) -> dict[str, Rule]:
    """All rules of `folder` by code, in the order of their codes.

    `metrics` are the names of the known metrics: where given, a rule that reads
    another one is refused. ContentError names the faulty file.
    """
    rules = _load_folder(folder)
    for rule in rules.values() if metrics is not None else ():
        if unknown := sorted(set(metrics_of(rule)) - set(metrics or ())):
            raise ContentError(f"{folder / _file_name(rule)}: unknown metrics {unknown}")
    return dict(rules)


@until_edited(RULES, SHARED, INPUTS)
def _load_folder(folder: Path) -> dict[str, Rule]:
    rules = [_load(path) for path in sorted(folder.glob("*.md"))]
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
    guards = (*rule.only_if, *rule.harmless_if, *rule.undecided_if)
    conditions = (*rule.applies, *guards, *also, *exactly, *choices)
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
        *(name for name in (rule.target_metric, rule.target_within) if name),
        *(field_metric(condition.metric) for condition in conditions),
        *(field_metric(name) for name in named),
        *(metrics_in(rule.concerns) if rule.concerns else ()),
        *evidence,
        *advice,
    )


def _file_name(rule: Rule) -> str:
    return f"{rule.code}-{rule.slug}.md"


def _load(path: Path) -> Rule:
    try:
        rule = _rule(path)
        _refuse_faulty(rule)
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
        thresholds=entries.thresholds(head["thresholds"], direction),
        threshold_source=text(head, "threshold_source"),
        states=text(head, "states"),
        sections=_sections(body),
        estimator=text(head, "estimator"),
        besides=text(head, "besides"),
        unbounded=text(head, "unbounded"),
        concerns=text(head, "concerns"),
        evidence=text(head, "evidence"),
        evidence_columns=listed(head, "evidence_columns"),
        evidence_by=listed(head, "evidence_by"),
        closer=entries.closer(head),
        chart=text(head, "chart"),
        applies=entries.conditions(head, "applies"),
        only_if=entries.conditions(head, "only_if"),
        harmless_if=entries.conditions(head, "harmless_if"),
        undecided_if=entries.conditions(head, "undecided_if"),
        also=entries.also(head),
        exact=entries.exact(head),
        decide_with=by_vendor(head["decide_with"]) if "decide_with" in head else {},
        parent=entries.parent(head),
        effort=choice(head, "effort", EFFORTS),
        effort_if=entries.effort_if(head),
        phase=choice(head, "phase", PHASES),
        after=listed(head, "after"),
        after_if=entries.after_if(head),
        risk=text(head, "risk"),
        target=number(head, "target"),
        target_metric=text(head, "target_metric"),
        target_within=text(head, "target_within"),
        target_source=text(head, "target_source"),
        lacking=entries.lacking(head),
        otherwise=None if "metric" not in head else entries.needs(head),
    )


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


def _refuse_faulty(rule: Rule) -> None:
    _refuse_bad_target(rule)
    if rule.estimator and rule.estimator not in ESTIMATORS:
        raise ContentError(f"unknown estimator {rule.estimator!r}")
    if rule.estimator and rule.unbounded:
        raise ContentError("a rule has an `estimator` or says why there is none (`unbounded`)")
    if any(name.startswith("seed.") for name in metrics_of(rule)):
        raise ContentError("metrics of the group seed are known to be wrong")


def _refuse_bad_target(rule: Rule) -> None:
    """A target has a reason, and reaching it makes the rule pass."""
    given = (rule.target is not None) + bool(rule.target_metric)
    if given != bool(rule.target_source):
        raise ContentError("`target` or `target_metric`, and `target_source`, go together")
    if rule.target_within and rule.target is None:
        raise ContentError("`target_within` goes with a `target`")
    mildest = rule.thresholds[0].value
    if rule.target is not None and beyond(rule.target, rule.direction, mildest):
        raise ContentError(f"the rule would still fire at its target {rule.target}")
