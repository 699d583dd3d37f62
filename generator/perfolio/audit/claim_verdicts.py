"""Claims against facts.

In:  claims and the facts of one run. Out: a `Judgement` per claim, in their order.

First what a claim is divided by, then its value, then why it differs. Each reason is a sentence
with the numbers from which it follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.audit.denominators import find_wrong_denominators
from perfolio.audit.expression import evaluate, list_names
from perfolio.audit.facts import AuditFacts
from perfolio.audit.known_mistakes import MistakenValue, find_alternatives
from perfolio.audit.model import Claim, Claims, Judgement, Verdict
from perfolio.audit.speedup import judge_speedup
from perfolio.common.units import format_significant, format_threshold, quantity
from perfolio.metrics.model import Results

Judgements = tuple[Judgement, ...]

_MOST_TIMES = 1e18
"""Beyond that, how many times says nothing."""
_BAD: tuple[Verdict, ...] = ("off by a factor", "wrong denominator")


def judge_claims(
    claims: Claims, results: Results, findings: Sequence[Mapping[str, Any]]
) -> Judgements:
    """Every claim against the results and findings of one run."""
    facts = AuditFacts(results, findings, {claim.key: claim for claim in claims.claims})
    mistakes = _count_mistakes(claims, facts)
    done: dict[str, Judgement] = {}
    waiting = list(claims.claims)
    while waiting:  # those that others are computed from first: claims have no circles
        claim = waiting.pop(0)
        used = [name for name in list_names(claim.formula) if name in facts.claims]
        if all(name in done for name in used):
            done[claim.key] = _judge_claim(claim, claims.tolerance, done, facts, mistakes)
        else:
            waiting.append(claim)
    return tuple(done[claim.key] for claim in claims.claims)


def _count_mistakes(claims: Claims, facts: AuditFacts) -> Counter[str]:
    """How many claims each mistake explains: a report that makes one makes it throughout."""
    return Counter(
        one.words
        for claim in claims.claims
        if claim.kind == "value"
        for one in _find_fitting(claim, claims.tolerance, facts)
    )


def _judge_claim(
    claim: Claim,
    tolerance: float,
    done: Mapping[str, Judgement],
    facts: AuditFacts,
    mistakes: Counter[str],
) -> Judgement:
    if claim.kind == "speedup":
        return judge_speedup(claim, tolerance, facts)
    truth = evaluate(claim.quantity, facts.value)
    wrong = find_wrong_denominators(claim, tolerance, facts)
    if wrong:
        known = _format_measured(claim, truth, facts)
        return Judgement(claim, "wrong denominator", truth, (*wrong, *known))
    if truth is None:
        return Judgement(claim, "cannot be checked", None, _explain_unknown(claim, facts))
    if is_equal(claim, truth, tolerance):
        return Judgement(
            claim, "holds", truth, (_format_distance(claim, truth, tolerance, "from it"),)
        )
    fitting = _find_fitting(claim, tolerance, facts)
    if fitting:
        return _explain_by_mistake(claim, truth, tolerance, fitting, mistakes)
    return _judge_off(claim, truth, tolerance, done, facts)


def is_equal(claim: Claim, value: float, tolerance: float) -> bool:
    """Whether a claim and a value agree, within the tolerance and the claim's rounding."""
    return abs(claim.value - value) <= tolerance * abs(value) + claim.rounding


def _find_fitting(claim: Claim, tolerance: float, facts: AuditFacts) -> list[MistakenValue]:
    found = find_alternatives(claim.quantity, facts)
    return [one for one in found if is_equal(claim, one.value, tolerance)]


def _explain_by_mistake(
    claim: Claim,
    truth: float,
    tolerance: float,
    fitting: Sequence[MistakenValue],
    mistakes: Counter[str],
) -> Judgement:
    """A value that a known mistake gives: the one that explains most claims, then the closest."""
    found = min(fitting, key=lambda one: (-mistakes[one.words], abs(one.value - claim.value)))
    verdict: Verdict = "wrong denominator" if found.denominator else "off by a factor"
    shown = quantity(found.value, claim.unit)
    reason = (
        f"{shown} is what this profile gives for {found.words.rstrip('.')}. "
        f"{_format_distance(claim, found.value, tolerance, 'from that')}"
    )
    return Judgement(claim, verdict, truth, (reason,))


def _judge_off(
    claim: Claim, truth: float, tolerance: float, done: Mapping[str, Judgement], facts: AuditFacts
) -> Judgement:
    """A value that no mistake gives by itself: perhaps it follows from others that are off."""
    reasons = tuple(_find_inherited(claim, tolerance, done, facts)) or (
        f"No mistake that is known here gives {quantity(claim.value, claim.unit)} on this profile.",
    )
    return Judgement(claim, "off by a factor", truth, (*reasons, *_list_meanings(claim, facts)))


def _find_inherited(
    claim: Claim, tolerance: float, done: Mapping[str, Judgement], facts: AuditFacts
) -> list[str]:
    """Whether the claim follows from other claims of the report, and what is wrong with those."""
    own = evaluate(claim.formula, facts.claimed)
    if own is None or not is_equal(claim, own, tolerance):
        return []
    shown = quantity(own, claim.unit)
    reasons = [f"It follows from the report's own figures: {claim.formula} is {shown}."]
    bad = [done[name] for name in list_names(claim.formula) if name in done]
    for one in (each for each in bad if each.verdict in _BAD):
        times = f", {format_times(one.ratio)}" if one.ratio else ""
        reasons.append(f"Of these, {one.claim.says} is {one.verdict}{times}.")
    measured = evaluate(claim.formula, facts.true)
    if measured is not None:
        given = quantity(measured, claim.unit)
        reasons.append(f"With this profile's figures the same formula gives {given}.")
    return reasons


def _format_distance(claim: Claim, value: float, tolerance: float, what: str) -> str:
    """How far a claim is from a value, and how far it may be."""
    apart = abs(claim.value - value) / abs(value) if value else 0.0
    allowed = format_threshold(tolerance, "ratio")
    rounded = f", and {quantity(claim.rounding, claim.unit)} of rounding" if claim.rounding else ""
    return f"The claim is {quantity(apart, 'ratio')} {what} (tolerance {allowed}{rounded})."


def _format_measured(claim: Claim, truth: float | None, facts: AuditFacts) -> tuple[str, ...]:
    """What a wrongly divided value should be compared with."""
    if truth is not None:
        return (f"Measured: {quantity(truth, claim.unit)}. {_find_definition(claim, facts)}",)
    return _explain_unknown(claim, facts)


def _explain_unknown(claim: Claim, facts: AuditFacts) -> tuple[str, ...]:
    gap = facts.lacking(list_names(claim.quantity))
    if gap is None:
        return ("This profile gives no value for it.",)
    how = f" Collect it with: {gap.collect}" if gap.collect else ""
    return (f"Not measured on this profile: {gap.metric.title}: {gap.reason}.{how}",)


def _list_meanings(claim: Claim, facts: AuditFacts) -> tuple[str, ...]:
    """What a wrong formula counts, where the claim is of one."""
    used = [name for name in list_names(claim.quantity) if name.startswith("seed.")]
    return tuple(facts.results[name].metric.definition for name in used)


def _find_definition(claim: Claim, facts: AuditFacts) -> str:
    used = list_names(claim.quantity)
    return facts.results[used[0]].metric.definition if len(used) == 1 else ""


def format_times(ratio: float) -> str:
    """`19.6 times too much`, `1.80 times too little`."""
    if ratio <= 0.0:
        return "of another sign"
    if not 1.0 / _MOST_TIMES < ratio < _MOST_TIMES:
        return f"more than 10^18 times too {'much' if ratio > 1.0 else 'little'}"
    if ratio >= 1.0:
        return f"{format_significant(ratio)} times too much"
    return f"{format_significant(1.0 / ratio)} times too little"
