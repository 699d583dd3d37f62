"""Rules against results: each rule becomes one finding.

In:  results of metrics by name, rules by code.
Out: findings, the ones that matter first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec import structs

from perfolio.common.errors import ContentError, PerfolioError
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.estimates.multi_gpu import judge_over_gpus
from perfolio.findings.evaluation import finding_sentences, threshold_margin
from perfolio.findings.evaluation.severity import cap_by_worth, order_findings
from perfolio.findings.model.conditions import is_also_met, is_beyond, is_met, list_gate_conditions
from perfolio.findings.model.evidence import choose_closer_evidence, collect_evidence
from perfolio.findings.model.finding import Estimate, Finding, Refusal
from perfolio.findings.model.rule import (
    ByVendor,
    Condition,
    Conditions,
    ExactMetric,
    ExternalInput,
    Rule,
    RuleTarget,
    Threshold,
)
from perfolio.findings.model.run_traits import (
    find_gpu_vendor,
    find_setting,
    has_no_gpu,
    is_about_gpu,
)
from perfolio.metrics.metric_values import get_value, is_measured
from perfolio.metrics.model import Result, Results
from perfolio.metrics.run_commands import prepare_command


def evaluate(results: Results, rules: Mapping[str, Rule]) -> tuple[Finding, ...]:
    """One finding per rule, in the order in which a reader needs them.

    Fired ones come first, by severity and worth, then passed ones by margin, then the
    rules that could not be evaluated or do not apply.
    A rule that cannot be evaluated as it is written gives a finding of status error.
    """
    return order_findings(_evaluate_rule(rule, results) for rule in rules.values())


def _evaluate_rule(rule: Rule, results: Results) -> Finding:
    """The finding of a rule; an error in it must not cost the reader all other findings."""
    try:
        exact = _choose_exact(_set_step(_set_target(rule, results), results), results)
        finding = _make_finding(choose_closer_evidence(exact, results), results)
    except PerfolioError as error:
        return Finding(rule, "error", reason=error.message)
    return (
        finding if finding.value is not None else replace(finding, unit=_find_unit(rule, results))
    )


def _find_unit(rule: Rule, results: Results) -> str:
    """The unit of a rule's thresholds, which are shown where it has no value too."""
    return results[rule.metric].metric.unit if rule.metric else rule.needs.unit


def _set_target(rule: Rule, results: Results) -> Rule:
    """`rule` with the target that this run allows, where a metric gives it or what is in reach."""
    target = rule.target
    if target.metric:
        own = RuleTarget(value=get_value(results, target.metric), source=target.source)
        return structs.replace(rule, target=own)
    if target.value is None or not target.within:
        return rule
    reach = get_value(results, target.within)
    within = reach is not None and not is_beyond(reach, rule.direction, target.value)
    return rule if within else structs.replace(rule, target=RuleTarget(source=""))


def _set_step(rule: Rule, results: Results) -> Rule:
    """`rule` with what its step takes on this run, and whom, after all that comes first there."""
    also = [each for each in rule.also if is_also_met(each, results)]
    effort = next((each.effort for each in also if each.effort), rule.effort)
    who = next((each.who for each in also if each.who), rule.who)
    first = next((each.first for each in also if each.first), rule.first)
    after = (*rule.after, *(code for each in also for code in each.after))
    return structs.replace(rule, effort=effort, who=who, first=first, after=after)


def _choose_exact(rule: Rule, results: Results) -> Rule:
    """`rule` on its first exact metric that decides it: no bound, or the opposite one."""
    exact = next((each for each in rule.exact if _is_decisive(each, rule, results)), None)
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
        evidence=exact.evidence or rule.evidence,
        chart=exact.chart or rule.chart,
        cause=exact.cause or rule.cause,
        ceiling=exact.passes_only,
    )


def _is_decisive(exact: ExactMetric, rule: Rule, results: Results) -> bool:
    """Whether it is measured; the opposite bound also has to pass, on a run that it applies to."""
    value = results[exact.metric].value if is_measured(results, exact.metric) else None
    if value is None or not exact.passes_only:
        return value is not None
    barred = any(is_met(condition, results) is False for condition in rule.applies)
    return not barred and not is_beyond(value, rule.direction, rule.thresholds[0].value)


def _make_finding(rule: Rule, results: Results) -> Finding:
    barred = _check_applies(rule, results)
    if rule.input is not None and not rule.metric:
        if barred is not None and barred.status == "not_applicable":
            return barred
        return _report_missing_input(rule, rule.input, results)
    if rule.metric not in results:
        raise ContentError(f"rule {rule.code}: unknown metric {rule.metric!r}")
    result = results[rule.metric]
    if barred is not None:
        return barred
    if result.status != "measured" or result.value is None:
        return _report_not_evaluated(rule, _choose_missing(rule, result, results), results)
    return _judge_value(rule, result, result.value, results)


def _report_missing_input(rule: Rule, needed: ExternalInput, results: Results) -> Finding:
    """The finding of a rule whose input no profile holds."""
    vendor = find_gpu_vendor(results)
    return Finding(
        rule,
        needed.missing,
        unit=rule.needs.unit,
        reason=f"{needed.title}: {needed.why.of(vendor)}",
        collect=prepare_command(needed.collect.of(vendor), find_setting(results)),
    )


def _judge_value(rule: Rule, result: Result, value: float, results: Results) -> Finding:
    """The finding of a rule whose metric has a value."""
    for condition, met in list_gate_conditions(rule.gates, "not_evaluated", results):
        if met is False:
            return _report_too_little(rule, result, condition, results)
    reached = [each for each in rule.thresholds if is_beyond(value, rule.direction, each.value)]
    if not reached and rule.needs.decide_with:
        return _report_undecided(rule, result, results)
    finding = Finding(
        rule,
        "fired" if reached else "passed",
        value=value,
        unit=result.metric.unit,
        low=result.low,
        high=result.high,
        threshold=(reached[-1] if reached else rule.thresholds[0]).value,
    )
    said = finding_sentences.write_headline(finding, results)
    finding = replace(finding, headline=said, margin=threshold_margin.compute_margin(finding))
    if not reached:
        return _report_passed(finding, results)
    return _check_gates(finding, reached[-1], results)


def _report_passed(finding: Finding, results: Results) -> Finding:
    """Passed; beyond the threshold it would pass, too, where a condition of the rule is not met."""
    gates = [gate for gate in finding.rule.gates if gate.unless]
    unmet = (each for each, met in list_gate_conditions(gates, "passed", results) if met is False)
    found = threshold_margin.make_gated_margin(finding, next(unmet, None), results)
    return replace(
        finding, sentence=finding_sentences.write_passed(finding, None, results), margin=found
    )


def _check_gates(finding: Finding, threshold: Threshold, results: Results) -> Finding:
    """Beyond a threshold: fired, unless a condition of the rule shows it to be harmless."""
    for condition, met in list_gate_conditions(finding.rule.gates, "passed", results):
        if met is None:
            return _report_not_evaluated(finding.rule, results[condition.metric], results)
        if not met:
            return _report_spared(finding, condition, results)
    return _add_worth(finding, threshold, results)


def _report_spared(finding: Finding, held_back: Condition, results: Results) -> Finding:
    """Passed, as a condition that would have to hold does not."""
    sentence = finding_sentences.write_passed(finding, held_back, results)
    spared = threshold_margin.make_harmless_margin(finding, held_back, results)
    return replace(finding, status="passed", sentence=sentence, margin=spared)


def _add_worth(finding: Finding, threshold: Threshold, results: Results) -> Finding:
    rule, value = finding.rule, finding.value
    estimator = load_estimators().get(rule.estimator)
    found = estimator(rule.metric, value, results) if estimator and value is not None else None
    found = judge_over_gpus(found, results)
    fired = replace(
        finding,
        severity=threshold.severity,
        sentence=finding_sentences.write_fired(finding, results),
        evidence=collect_evidence(rule, results),
        estimate=found if isinstance(found, Estimate) else None,
        refusal=found if isinstance(found, Refusal) else Refusal(rule.worth.unbounded),
    )
    return cap_by_worth(fired, results)


def _check_applies(rule: Rule, results: Results) -> Finding | None:
    """The finding of a rule that has nothing to say about this run, else None."""
    for condition in rule.applies:
        answer = is_met(condition, results)
        result = results[condition.metric]
        if answer is False:
            reason = finding_sentences.explain_not_applicable(condition, result)
            return Finding(rule, "not_applicable", reason=reason)
        if answer is None and has_no_gpu(results) and is_about_gpu(result.metric):
            return Finding(
                rule, "not_applicable", reason=finding_sentences.NO_GPU, collect=result.collect
            )
        if answer is None:
            return _report_not_evaluated(rule, _choose_missing(rule, result, results), results)
    return None


def _choose_missing(rule: Rule, result: Result, results: Results) -> Result:
    """What to collect for a rule without input: its exact metric if that lacks something else."""
    decisive = [each.metric for each in rule.exact if not each.passes_only]
    exact = results[decisive[-1]] if decisive else result
    return result if exact.reason == result.reason else exact


def _report_undecided(rule: Rule, result: Result, results: Results) -> Finding:
    """A bound short of the threshold: neither fired nor passed."""
    return Finding(
        rule,
        "not_evaluated",
        unit=result.metric.unit,
        reason=finding_sentences.explain_undecided_bound(rule, result, results),
        collect=_prepare_command(rule.needs.decide_with, results),
    )


def _report_too_little(rule: Rule, result: Result, lacking: Condition, results: Results) -> Finding:
    """A run of which a value tells nothing, on either side of the threshold."""
    reason = finding_sentences.explain_too_little(rule, result, lacking, results)
    return Finding(rule, "not_evaluated", unit=result.metric.unit, reason=reason)


def _report_not_evaluated(rule: Rule, result: Result, results: Results) -> Finding:
    """The finding of a rule whose input `result` is missing."""
    decides = rule.input.collect if rule.input else ByVendor()
    return Finding(
        rule,
        "not_evaluated",
        unit=result.metric.unit,
        reason=f"{result.metric.title}: {result.reason}",
        collect=_prepare_command(decides, results) or result.collect,
    )


def _prepare_command(texts: ByVendor, results: Results) -> str:
    """A command of a rule for the run's vendor, as it works there; empty without one."""
    return prepare_command(texts.of(find_gpu_vendor(results)), find_setting(results))
