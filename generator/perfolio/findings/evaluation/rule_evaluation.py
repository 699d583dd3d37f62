"""Rules against results: each rule becomes one finding.

In:  results of metrics by name, rules by code.
Out: findings, the ones that matter first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec import structs

from perfolio.common.errors import ContentError, PerfolioError
from perfolio.findings.estimates.estimate import ESTIMATORS
from perfolio.findings.estimates.multi_gpu import over_gpus
from perfolio.findings.evaluation import finding_sentences, threshold_margin
from perfolio.findings.evaluation.severity import capped_by_worth, ordered
from perfolio.findings.model.conditions import applies_too, asked, beyond, holds
from perfolio.findings.model.evidence import closest, evidence
from perfolio.findings.model.finding import Estimate, Finding, Refusal
from perfolio.findings.model.rule import (
    ByVendor,
    Condition,
    Conditions,
    Evidence,
    Exact,
    Input,
    Rule,
    Target,
    Threshold,
)
from perfolio.findings.model.run_traits import gpu_vendor, has_no_gpu, is_about_gpu, setting
from perfolio.metrics.metric_values import is_measured, measured
from perfolio.metrics.model import Result, Results
from perfolio.metrics.run_commands import fitted


def evaluate(results: Results, rules: Mapping[str, Rule]) -> tuple[Finding, ...]:
    """One finding per rule, in the order in which a reader needs them.

    Fired ones come first, by severity and worth, then passed ones by margin, then the
    rules that could not be evaluated or do not apply.
    A rule that cannot be evaluated as it is written gives a finding of status error.
    """
    return ordered(_outcome(rule, results) for rule in rules.values())


def _outcome(rule: Rule, results: Results) -> Finding:
    """The finding of a rule; an error in it must not cost the reader all other findings."""
    try:
        exact = _most_exact(_with_step(_with_target(rule, results), results), results)
        finding = _finding(closest(exact, results), results)
    except PerfolioError as error:
        return Finding(rule, "error", reason=error.message)
    return finding if finding.value is not None else replace(finding, unit=_unit(rule, results))


def _unit(rule: Rule, results: Results) -> str:
    """The unit of a rule's thresholds, which are shown where it has no value too."""
    return results[rule.metric].metric.unit if rule.metric else rule.needs.unit


def _with_target(rule: Rule, results: Results) -> Rule:
    """`rule` with the target that this run allows, where a metric gives it or what is in reach."""
    target = rule.target
    if target.metric:
        own = Target(value=measured(results, target.metric), source=target.source)
        return structs.replace(rule, target=own)
    if target.value is None or not target.within:
        return rule
    reach = measured(results, target.within)
    within = reach is not None and not beyond(reach, rule.direction, target.value)
    return rule if within else structs.replace(rule, target=Target(source=""))


def _with_step(rule: Rule, results: Results) -> Rule:
    """`rule` with what its step takes on this run, and whom, after all that comes first there."""
    also = [each for each in rule.also if applies_too(each, results)]
    effort = next((each.effort for each in also if each.effort), rule.effort)
    who = next((each.who for each in also if each.who), rule.who)
    first = next((each.first for each in also if each.first), rule.first)
    after = (*rule.after, *(code for each in also for code in each.after))
    return structs.replace(rule, effort=effort, who=who, first=first, after=after)


def _most_exact(rule: Rule, results: Results) -> Rule:
    """`rule` on its first exact metric that decides it: no bound, or the opposite one."""
    exact = next((each for each in rule.exact if _decides(each, rule, results)), None)
    if exact is None:
        return rule
    return structs.replace(
        rule,
        metric=exact.metric,
        headline=exact.headline or rule.headline,
        states=exact.states,
        applies=Conditions(),
        gates=exact.gates or rule.gates,
        needs=structs.replace(rule.needs, decide_with=ByVendor()),
        evidence=_evidence_of(exact, rule),
        parent=exact.parent or rule.parent,
        ceiling=exact.passes_only,
    )


def _evidence_of(exact: Exact, rule: Rule) -> Evidence:
    """Its own table, with the rule's chart unless it has another."""
    own = exact.evidence
    if own is None:
        return rule.evidence
    return structs.replace(own, chart=own.chart or rule.evidence.chart)


def _decides(exact: Exact, rule: Rule, results: Results) -> bool:
    """Whether it is measured; the opposite bound also has to pass, on a run that it applies to."""
    value = results[exact.metric].value if is_measured(results, exact.metric) else None
    if value is None or not exact.passes_only:
        return value is not None
    barred = any(holds(condition, results) is False for condition in rule.applies)
    return not barred and not beyond(value, rule.direction, rule.thresholds[0].value)


def _finding(rule: Rule, results: Results) -> Finding:
    barred = _not_applicable(rule, results)
    if rule.input is not None and not rule.metric:
        if barred is not None and barred.status == "not_applicable":
            return barred
        return _without_input(rule, rule.input, results)
    if rule.metric not in results:
        raise ContentError(f"rule {rule.code}: unknown metric {rule.metric!r}")
    result = results[rule.metric]
    if barred is not None:
        return barred
    if result.status != "measured" or result.value is None:
        return _not_evaluated(rule, _exact_or(rule, result, results), results)
    return _judged(rule, result, result.value, results)


def _without_input(rule: Rule, needed: Input, results: Results) -> Finding:
    """The finding of a rule whose input no profile holds."""
    vendor = gpu_vendor(results)
    return Finding(
        rule,
        needed.missing,
        unit=rule.needs.unit,
        reason=f"{needed.title}: {needed.why.of(vendor)}",
        collect=fitted(needed.collect.of(vendor), setting(results)),
    )


def _judged(rule: Rule, result: Result, value: float, results: Results) -> Finding:
    """The finding of a rule whose metric has a value."""
    for condition, met in asked(rule.gates, "not_evaluated", results):
        if met is False:
            return _too_little(rule, result, condition, results)
    reached = [each for each in rule.thresholds if beyond(value, rule.direction, each.value)]
    if not reached and rule.needs.decide_with:
        return _undecided(rule, result, results)
    finding = Finding(
        rule,
        "fired" if reached else "passed",
        value=value,
        unit=result.metric.unit,
        low=result.low,
        high=result.high,
        threshold=(reached[-1] if reached else rule.thresholds[0]).value,
    )
    said = finding_sentences.headline(finding, results)
    finding = replace(finding, headline=said, margin=threshold_margin.margin_of(finding))
    if not reached:
        return _short_of_it(finding, results)
    return _guarded(finding, reached[-1], results)


def _short_of_it(finding: Finding, results: Results) -> Finding:
    """Passed; beyond the threshold it would pass, too, where a condition of the rule is not met."""
    gates = [gate for gate in finding.rule.gates if gate.unless]
    unmet = (each for each, met in asked(gates, "passed", results) if met is False)
    found = threshold_margin.gated(finding, next(unmet, None), results)
    return replace(finding, sentence=finding_sentences.passed(finding, None, results), margin=found)


def _guarded(finding: Finding, threshold: Threshold, results: Results) -> Finding:
    """Beyond a threshold: fired, unless a condition of the rule shows it to be harmless."""
    for condition, met in asked(finding.rule.gates, "passed", results):
        if met is None:
            return _not_evaluated(finding.rule, results[condition.metric], results)
        if not met:
            return _spared(finding, condition, results)
    return _with_worth(finding, threshold, results)


def _spared(finding: Finding, held_back: Condition, results: Results) -> Finding:
    """Passed, as a condition that would have to hold does not."""
    sentence = finding_sentences.passed(finding, held_back, results)
    spared = threshold_margin.harmless(finding, held_back, results)
    return replace(finding, status="passed", sentence=sentence, margin=spared)


def _with_worth(finding: Finding, threshold: Threshold, results: Results) -> Finding:
    rule, value = finding.rule, finding.value
    estimator = ESTIMATORS.get(rule.worth.estimator)
    found = estimator(rule.metric, value, results) if estimator and value is not None else None
    found = over_gpus(found, results)
    fired = replace(
        finding,
        severity=threshold.severity,
        sentence=finding_sentences.fired(finding, results),
        evidence=evidence(rule, results),
        estimate=found if isinstance(found, Estimate) else None,
        refusal=found if isinstance(found, Refusal) else Refusal(rule.worth.unbounded),
    )
    return capped_by_worth(fired, results)


def _not_applicable(rule: Rule, results: Results) -> Finding | None:
    """The finding of a rule that has nothing to say about this run, else None."""
    for condition in rule.applies:
        answer = holds(condition, results)
        result = results[condition.metric]
        if answer is False:
            reason = finding_sentences.does_not_apply(condition, result)
            return Finding(rule, "not_applicable", reason=reason)
        if answer is None and has_no_gpu(results) and is_about_gpu(result.metric):
            return Finding(
                rule, "not_applicable", reason=finding_sentences.NO_GPU, collect=result.collect
            )
        if answer is None:
            return _not_evaluated(rule, _exact_or(rule, result, results), results)
    return None


def _exact_or(rule: Rule, result: Result, results: Results) -> Result:
    """What to collect for a rule without input: its exact metric if that lacks something else."""
    decisive = [each.metric for each in rule.exact if not each.passes_only]
    exact = results[decisive[-1]] if decisive else result
    return result if exact.reason == result.reason else exact


def _undecided(rule: Rule, result: Result, results: Results) -> Finding:
    """A bound short of the threshold: neither fired nor passed."""
    return Finding(
        rule,
        "not_evaluated",
        unit=result.metric.unit,
        reason=finding_sentences.bound_says_nothing(rule, result, results),
        collect=_command(rule.needs.decide_with, results),
    )


def _too_little(rule: Rule, result: Result, lacking: Condition, results: Results) -> Finding:
    """A run of which a value tells nothing, on either side of the threshold."""
    reason = finding_sentences.tells_too_little(rule, result, lacking, results)
    return Finding(rule, "not_evaluated", unit=result.metric.unit, reason=reason)


def _not_evaluated(rule: Rule, result: Result, results: Results) -> Finding:
    """The finding of a rule whose input `result` is missing."""
    decides = rule.input.collect if rule.input else ByVendor()
    return Finding(
        rule,
        "not_evaluated",
        unit=result.metric.unit,
        reason=f"{result.metric.title}: {result.reason}",
        collect=_command(decides, results) or result.collect,
    )


def _command(texts: ByVendor, results: Results) -> str:
    """A command of a rule for the run's vendor, as it works there; empty without one."""
    return fitted(texts.of(gpu_vendor(results)), setting(results))
