"""What a finding says in one line: the fact, the threshold and the distance from it.

In:  findings and results.
Out: plain text; names that come from the profile are not trusted.
"""

from __future__ import annotations

from perfolio.common.units import (
    compute_half_width,
    format_interval_ends,
    format_number,
    format_percent,
    format_threshold,
    quantity,
)
from perfolio.findings.model.conditions import fill_template, is_also_met, is_beyond
from perfolio.findings.model.confidence import describe_spanned, describe_undecided
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import Condition, Rule, Severity, Threshold
from perfolio.findings.model.wording import choose_event_words, format_figure
from perfolio.metrics.model import Result, Results

_COUNTS = ("count", "threads", "samples")

NO_GPU = "This run recorded no GPU operation: neither GPU metrics nor GPU streams."


def write_headline(finding: Finding, results: Results) -> str:
    """The fact in one short sentence; the metric and its value where the rule has none."""
    value = format_figure(finding, finding.unit)
    words = {"value": value, **choose_event_words(results)}
    said = fill_template(finding.rule.headline, results, words) if finding.rule.headline else None
    return said or f"{results[finding.rule.metric].metric.title}: {value}."


def write_fired(finding: Finding, results: Results) -> str:
    """The fact, the last threshold that it lies beyond, how far, and what severer ones are."""
    parts = (
        _write_fact(finding, results),
        _compare_value(finding),
        *_describe_next(finding),
        *describe_undecided(finding),
    )
    return " ".join(parts)


def write_fired_for_little(
    finding: Finding, most: str, severity: Severity, results: Results
) -> str:
    """The fact, the threshold, and why the finding is no severer all the same: `most`."""
    mild = "information" if severity == "info" else severity
    little = f"{most}, so it is no more than {mild}."
    return " ".join(
        (
            _write_fact(finding, results),
            _compare_value(finding),
            *describe_undecided(finding),
            little,
        )
    )


def write_passed(finding: Finding, held_back: Condition | None, results: Results) -> str:
    """The fact and how far it is from the threshold, or why it is harmless beyond it."""
    if held_back is None:
        return " ".join(
            (_write_fact(finding, results), _compare_value(finding), *describe_undecided(finding))
        )
    other = results[held_back.metric]
    harmless = (
        f"{_describe_threshold(finding)}, but only where {name_metric(other)} is "
        f"{describe_side(held_back, results)}; "
        f"here it is {format_figure(other, other.metric.unit)}, so it does not matter."
    )
    return f"{_write_fact(finding, results)} {harmless}"


def explain_not_applicable(condition: Condition, result: Result) -> str:
    """Why a rule has nothing to say: the metric and what it would have to be."""
    unit = result.metric.unit
    word = "more" if condition.direction == "above" else "less"
    return (
        f"{result.metric.title}: {format_figure(result, unit)}; "
        f"this rule needs {word} than {format_threshold(condition.bound, unit)}."
    )


def explain_undecided_bound(rule: Rule, result: Result, results: Results) -> str:
    """Why a bound short of the threshold decides nothing."""
    first = format_threshold(rule.thresholds[0].value, result.metric.unit)
    fact = _write_statement(rule, results, format_figure(result, result.metric.unit))
    return (
        f"{fact or result.metric.title} That is a bound, not the value: "
        f"it decides only {rule.direction} {first}."
    )


def explain_too_little(rule: Rule, result: Result, lacking: Condition, results: Results) -> str:
    """The fact, and the condition without which nothing follows from it."""
    fact = _write_statement(rule, results, format_figure(result, result.metric.unit))
    other = results[lacking.metric]
    return (
        f"{fact or result.metric.title + '.'} Nothing follows from that: {name_metric(other)} is "
        f"{format_figure(other, other.metric.unit)}, and this rule needs one "
        f"{describe_side(lacking, results)}."
    )


def _write_fact(finding: Finding, results: Results) -> str:
    value = _format_with_interval(finding, results)
    stated = _write_statement(finding.rule, results, value)
    return stated or f"{results[finding.rule.metric].metric.title}: {value}."


def _write_statement(rule: Rule, results: Results, value: str) -> str | None:
    words = {"value": value, **choose_event_words(results)}
    stated = fill_template(rule.states, results, words)
    if stated is None:
        return None
    also = (each.say for each in rule.also if each.say and is_also_met(each, results))
    further = (fill_template(say, results, words) for say in also)
    return "; ".join([stated.removesuffix("."), *filter(None, further)]) + "."


def _format_with_interval(finding: Finding, results: Results) -> str:
    half = compute_half_width(finding.low, finding.high)
    value = quantity(finding.value, finding.unit, half)
    if finding.low is None or finding.high is None:
        return value
    words = results[finding.rule.metric].metric.interval
    if finding.unit == "ratio":
        low, high = format_interval_ends(finding.low, finding.high, "ratio")
        return f"{value} ({words} {low} to {high} %{describe_spanned(finding)})"
    low, high = (quantity(end, finding.unit, half) for end in (finding.low, finding.high))
    return f"{value} ({words} {low} to {high}{describe_spanned(finding)})"


def _describe_threshold(finding: Finding) -> str:
    bound = format_threshold(finding.threshold or 0.0, finding.unit)
    return f"Fires {finding.rule.direction} {bound}"


def _describe_next(finding: Finding) -> tuple[str, ...]:
    """The next severer threshold, where there is one."""
    rule, value = finding.rule, finding.value or 0.0
    severer = [each for each in rule.thresholds if not is_beyond(value, rule.direction, each.value)]
    if not severer:
        return ()
    return (f"{describe_severity(finding, severer[0])}.",)


def _compare_value(finding: Finding) -> str:
    """The threshold, and the value's distance from it where it is the value and no bound."""
    if finding.rule.ceiling:
        return f"{_describe_threshold(finding)}, which that rules out."
    value, threshold = finding.value or 0.0, finding.threshold or 0.0
    distance = _describe_distance(value, threshold, finding.unit)
    return f"{_describe_threshold(finding)}; the value is {distance}."


def _describe_distance(value: float, threshold: float, unit: str) -> str:
    """Points between shares, the number between counts, else relative to the threshold."""
    word = "higher" if value > threshold else "lower"
    distance = abs(value - threshold)
    if distance == 0.0:
        return "exactly that"
    if unit == "ratio":
        return f"{format_percent(distance)} points {word}"
    if unit in _COUNTS or threshold == 0.0:
        return f"{quantity(distance, unit)} {word}"
    if value >= 2.0 * abs(threshold):
        return f"{format_number(value / threshold, 'x')} times that"
    return f"{format_percent(distance / abs(threshold))} % {word}"


def describe_severity(finding: Finding, threshold: Threshold) -> str:
    """How severe it would be beyond a threshold."""
    bound = format_threshold(threshold.value, finding.unit)
    return f"It would be {threshold.severity} {finding.rule.direction} {bound}"


def describe_side(condition: Condition, results: Results) -> str:
    """The side of its bound on which a condition holds: `above 5 %`."""
    unit = results[condition.metric].metric.unit
    return f"{condition.direction} {format_threshold(condition.bound, unit)}"


def name_metric(result: Result) -> str:
    """A metric's title within a sentence: `exposed copies (share of wall time)`."""
    title = result.metric.title
    starts_a_name = title[1:2].isupper()
    head, comma, rest = title.partition(", ")
    head = head if starts_a_name else head[:1].lower() + head[1:]
    return f"{head} ({rest})" if comma else head
