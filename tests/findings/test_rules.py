"""Every rule against its cases: `cases/<code>.toml`, data only."""

from __future__ import annotations

import re
from typing import Any

import pytest

from perfolio.charts.gallery import list_chart_names
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import SECTIONS, ExternalInput
from perfolio.findings.rules.advice_passages import resolve_sections
from perfolio.findings.rules.catalog import find_rule_metrics, load_rules
from perfolio.metrics.model import Results
from tests.findings.support import cases, metrics, results

RULES = load_rules()
CASES = [(code, case) for code, listed in cases("cases").items() for case in listed]


@pytest.mark.parametrize(
    ("code", "case"), CASES, ids=[f"{code}: {case['name']}" for code, case in CASES]
)
def test_case(code: str, case: dict[str, Any]) -> None:
    finding = _evaluated(code, case)
    assert finding.status == case["status"]
    assert finding.severity == case.get("severity")
    for words in case["says"]:
        assert words in finding.sentence + finding.reason
    assert case.get("collect", "") in finding.collect
    _assert_worth(finding, case)
    _assert_advice(finding, case)
    _assert_headline(finding)


def _evaluated(code: str, case: dict[str, Any]) -> Finding:
    (finding,) = evaluate(_given(case), {code: RULES[code]})
    return finding


def _given(case: dict[str, Any]) -> Results:
    return results(case.get("measured"), case.get("tables"))


def _assert_advice(finding: Finding, case: dict[str, Any]) -> None:
    """What the run's advice says, and what neither it nor a command or reason may say."""
    advice = "\n".join(resolve_sections(finding.rule.sections, _given(case)).values())
    for words in case.get("advises", []):
        assert words in advice
    for words in case.get("never", []):
        assert words not in finding.sentence + finding.reason + finding.collect
        assert finding.status != "fired" or words not in advice


def _assert_headline(finding: Finding) -> None:
    """What was judged is told in one short sentence, with one number of its own at most."""
    assert bool(finding.headline) == (finding.value is not None)
    words = re.sub(r"\{\S+\}", "one", finding.rule.headline).split()
    assert len(words) <= 20


def _assert_worth(finding: Finding, case: dict[str, Any]) -> None:
    concerned = case.get("concerned")
    assert finding.refusal.concerned == (concerned and pytest.approx(concerned, rel=1e-3))
    assert case.get("refuses", "") in finding.refusal.reason
    if "reduction" not in case:
        assert finding.estimate is None
        return
    assert finding.estimate is not None
    assert finding.estimate.reduction == pytest.approx(case["reduction"], rel=1e-3)
    assert finding.estimate.factor == pytest.approx(1 / (1 - finding.estimate.reduction))
    assert case.get("of", "") in finding.estimate.of.words
    for name in {"weaker", "weaker_steady", "steady"} & case.keys():
        assert getattr(finding.estimate, name) == pytest.approx(case[name], rel=1e-3)
    assert finding.estimate.formula == case.get("formula", finding.estimate.formula)
    assert case.get("weaker_if", "") in finding.estimate.weaker_if
    for words in case.get("assumes", []):
        assert words in " ".join(finding.estimate.assumptions)


def _input(code: str) -> ExternalInput:
    needed = RULES[code].input
    assert needed is not None
    return needed


@pytest.mark.parametrize("code", RULES)
def test_each_rule_has_a_case_for_every_outcome(code: str) -> None:
    outcomes = {case["status"] for case in cases("cases").get(code, [])}
    if not RULES[code].metric:
        assert outcomes <= {"not_evaluated", "not_applicable"}
        assert _input(code).missing in outcomes
        return
    decides_both_ways = not RULES[code].needs.decide_with or bool(RULES[code].exact)
    assert {"fired", "not_evaluated"} <= outcomes
    assert ("passed" in outcomes) == decides_both_ways


@pytest.mark.parametrize("code", RULES)
def test_each_severity_of_a_rule_has_a_case(code: str) -> None:
    if not RULES[code].metric:
        return
    fired = {case.get("severity") for case in cases("cases")[code]} - {None}
    own = {threshold.severity for threshold in RULES[code].thresholds}
    assert own <= fired <= own | {"info"}  # whatever its value, a finding worth next to nothing


@pytest.mark.parametrize("code", RULES)
def test_a_case_of_each_rule_says_from_where_on_it_is_how_severe(code: str) -> None:
    """Said twice on purpose: such a number decides what a report says first."""
    stated = [case["thresholds"] for case in cases("cases")[code] if "thresholds" in case]
    of_rule = {threshold.severity: threshold.value for threshold in RULES[code].thresholds}
    assert stated == ([of_rule] if of_rule else [])


@pytest.mark.parametrize("code", RULES)
def test_a_target_is_what_its_source_says(code: str) -> None:
    """A threshold of the rule, nothing, or a number of the source: also what it leaves."""
    target = RULES[code].target
    if target is None or not target.value:
        return
    if target.source.startswith("the rule's threshold"):
        assert target.value in {threshold.value for threshold in RULES[code].thresholds}
        return
    numbers = re.findall(r"(\d+(?:\.\d+)?)( %| µs)?", target.source)
    said = [float(number) * {" %": 0.01, " µs": 1e-6}.get(unit, 1.0) for number, unit in numbers]
    assert pytest.approx(target.value) in [way for n in said for way in (n, 1 - n, 1 / n)]


@pytest.mark.parametrize("code", RULES)
def test_a_title_is_one_thing_to_do(code: str) -> None:
    title = RULES[code].title
    assert len(title.split()) <= 9
    assert not title.endswith(".")
    exact = [each.headline for each in RULES[code].exact]
    for headline in filter(None, [RULES[code].headline, *exact]):
        assert "{value}" in headline
        told = re.sub(r"\{\S*function\}", "", headline)
        assert len(re.findall(r"\{\S+\}|\d+", told)) <= 2, headline


@pytest.mark.parametrize("code", RULES)
def test_each_rule_is_documented(code: str) -> None:
    rule = RULES[code]
    assert tuple(rule.sections) == SECTIONS
    assert all(len(words) > 20 for words in rule.sections.values())
    assert (
        "proposed" in rule.threshold_source
        or rule.threshold_source[0].isupper()
        or ":" in (rule.threshold_source)
    )


@pytest.mark.parametrize("code", RULES)
def test_a_rule_reads_only_metrics_that_exist_and_none_that_is_known_to_be_wrong(code: str) -> None:
    named = [name for _, name in find_rule_metrics(RULES[code])]
    assert set(named) <= set(metrics())
    assert not [name for name in named if name.startswith("seed.")]


def test_rules_name_metrics_and_charts_that_exist() -> None:
    assert load_rules(metrics=metrics(), charts=list_chart_names()) == RULES


@pytest.mark.parametrize("code", RULES)
def test_a_rule_states_the_value_it_judges(code: str) -> None:
    if not RULES[code].metric:
        assert RULES[code].needs.measures
        assert not RULES[code].states
        return
    assert "{value}" in RULES[code].states
    assert RULES[code].states.endswith(".")


@pytest.mark.parametrize("code", RULES)
def test_metric_and_direction_agree_on_what_is_bad(code: str) -> None:
    """Only an anomaly, or a plain amount, may be judged against the metric's better side."""
    rule = RULES[code]
    if not rule.metric:
        return
    better = metrics()[rule.metric].better
    against = {"higher": "above", "lower": "below"}.get(better)
    assert rule.direction != against or code in {"Q3", "L1"}


@pytest.mark.parametrize("code", [code for code, rule in RULES.items() if not rule.metric])
def test_a_rule_without_input_names_the_command_that_collects_it(code: str) -> None:
    """Each case of a rule that is not evaluated says a part of its command."""
    unevaluated = [case for case in cases("cases")[code] if case["status"] == "not_evaluated"]
    commands = _input(code).collect.values()
    assert all(any(case["collect"] in each for each in commands) for case in unevaluated)
    assert all(commands)
    assert bool(unevaluated) == (_input(code).missing == "not_evaluated")


def test_the_published_catalogue_is_complete() -> None:
    codes = (
        "G1 G2 G3 G4 G6 G7 G8 L1 L2 L3 L4 L5 L7 L8 S1 S2 S3 S4 S5 X1 X2 X3 X4 X5 X6 K1 K2 K3 K4 "
        "K7 M1 M2 M3 M4 M5 M8 M10 P1 P2 P5 D1 D2 D3 D4 D5 D8 D9 Q1 Q2 Q3 Q4 Q5 Q7"
    )
    assert set(codes.split()) <= set(RULES)


def test_all_cases_belong_to_a_rule() -> None:
    assert set(cases("cases")) == set(RULES)
