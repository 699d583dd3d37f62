"""Order of findings, evidence, what a metric without value gives; conditions by shared names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import structs

from perfolio.common.errors import ContentError
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.conditions import (
    get_field_metric,
    invert_condition,
    load_shared,
    parse_condition,
)
from perfolio.findings.model.evidence import EVIDENCE_ROWS
from perfolio.findings.model.rule import SEVERITIES, Conditions
from perfolio.findings.report.action_plan import list_targets
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from tests.findings.support import ABSENT, COMMAND, results

RULES = load_rules()
GPU_RUN = {
    "gpu.operation_time": 0.1398,
    "gpu.kernel_time": 0.0659,
    "gpu.copy_time": 0.0739,
    "gpu.kernel_share": 0.4713,
    "gpu.copy_share": 0.5287,
    "gpu.copy_to_kernel": 1.1216,
    "gpu.launches": 7400.0,
    "gpu.mean_kernel_time": 8.9e-6,
    "stall.stalled_share": 0.3741,
    "stall.issue_ratio": 0.6259,
    "stall.gmem_of_stalls": 0.4379,
    "stall.gmem_of_samples": 0.1638,
    "stall.idep_of_stalls": 0.1475,
    "stall.idep_of_samples": 0.0552,
    "stall.sync_of_stalls": 0.0473,
    "stall.sync_of_samples": 0.0177,
    "run.cpu_threads": 224.0,
}


def test_fired_findings_come_first_by_severity_then_by_worth() -> None:
    findings = evaluate(results(GPU_RUN), RULES)
    fired = [finding for finding in findings if finding.status == "fired"]
    assert [finding.rule.code for finding in fired] == ["X2", "M1", "M2", "L1"]
    keys = [
        (SEVERITIES.index(finding.severity or "info"),
         -(finding.estimate.reduction if finding.estimate else 0.0))
        for finding in fired
    ]  # fmt: skip
    assert keys == sorted(keys)


def test_states_follow_each_other_and_passed_ones_go_by_margin() -> None:
    findings = evaluate(results(GPU_RUN), RULES)
    order = ["fired", "error", "passed", "not_evaluated", "not_applicable"]
    places = [order.index(finding.status) for finding in findings]
    assert places == sorted(places)
    assert [finding.rule.code for finding in findings if finding.status == "passed"] == ["M3", "M4"]


def test_every_rule_gives_one_finding() -> None:
    assert {finding.rule.code for finding in evaluate(results(), RULES)} == set(RULES)


def test_thresholds_have_the_unit_of_the_metric_whether_or_not_it_has_a_value() -> None:
    nothing = results()
    for finding in evaluate(nothing, load_rules()):
        rule = finding.rule
        expected = nothing[rule.metric].metric.unit if rule.metric else rule.needs.unit
        assert finding.unit == expected, rule.code


def test_the_order_of_rules_does_not_matter() -> None:
    backwards = dict(reversed(list(RULES.items())))
    assert evaluate(results(GPU_RUN), RULES) == evaluate(results(GPU_RUN), backwards)


def test_what_is_not_measured_keeps_its_reason_and_its_command() -> None:
    (finding,) = evaluate(results({"gpu.operation_time": 1.0}), {"X2": RULES["X2"]})
    assert finding.status == "not_evaluated"
    assert ABSENT in finding.reason
    assert finding.collect == COMMAND


def test_a_gpu_rule_without_gpu_metrics_stays_open_where_gpu_streams_were_seen() -> None:
    (finding,) = evaluate(results({"run.gpu_streams": 2.0}), {"X2": RULES["X2"]})
    assert finding.status == "not_evaluated"


def test_evidence_is_the_first_rows_of_its_table() -> None:
    rows = [{"label": f"thread {i}", "share": 0.1} for i in range(9)]
    given = results(
        {"run.cpu_threads": 9.0, "run.gpu_streams": 0.0, "balance.threads": 3.0},
        {"balance.working_threads": rows},
    )
    (finding,) = evaluate(given, {"D3t": RULES["D3t"]})
    assert [row["label"] for row in finding.evidence] == [
        f"thread {i}" for i in range(EVIDENCE_ROWS)
    ]
    assert list(finding.evidence[0]) == ["label", "work", "python_waits", "cost", "share"]


@pytest.mark.parametrize(
    ("shares", "metric", "names"),
    [
        ((0.1, 0.5, 0.0), "stall.lines", ["b", "a"]),
        ((0.1, 0.2, 0.0), "stall.kernels", ["k"]),
    ],
)
def test_closer_evidence_is_shown_where_it_holds_half_of_the_finding(
    shares: tuple[float, ...], metric: str, names: list[str]
) -> None:
    rows = [
        {"code": code, "idep": share, "samples": 1.0}
        for code, share in zip("abc", shares, strict=True)
    ]
    kernels = [{"kernel": "k", "samples": 9.0, "stalled": 0.9, "idep": 0.5}]
    measured = GPU_RUN | {"stall.idep_of_stalls": 0.7}
    given = results(measured, {"stall.lines": rows, "stall.kernels": kernels})
    (finding,) = evaluate(given, {"M3": RULES["M3"]})
    assert finding.rule.evidence.table == metric
    assert [row.get("code", row.get("kernel")) for row in finding.evidence] == names


def test_a_finding_without_its_evidence_still_fires() -> None:
    given = results({"run.cpu_threads": 9.0, "run.gpu_streams": 0.0, "balance.threads": 3.0})
    (finding,) = evaluate(given, {"D3t": RULES["D3t"]})
    assert (finding.status, finding.evidence) == ("fired", ())


def test_a_sentence_without_one_of_its_numbers_falls_back_to_the_metric() -> None:
    given = results({"gpu.operation_time": 2.0, "gpu.copy_to_kernel": 1.5})
    (finding,) = evaluate(given, {"X2": RULES["X2"]})
    assert "1.50" in finding.sentence
    assert "{" not in finding.sentence


@pytest.mark.parametrize("interval", [[0.29, 0.27, 0.31], [0.31, 0.29, 0.33]])
def test_an_interval_that_includes_the_threshold_is_said(interval: list[float]) -> None:
    given = results({**GPU_RUN, "stall.gmem_of_stalls": interval})
    (finding,) = evaluate(given, {"M2": RULES["M2"]})
    assert "spans the threshold of 30 %" in finding.sentence


def test_a_rule_that_fails_is_an_error_and_costs_no_other_finding() -> None:
    broken = structs.replace(RULES["X2"], metric="gpu.magic", applies=Conditions())
    findings = evaluate(results(GPU_RUN), {"X2": broken, "L1": RULES["L1"]})
    assert [(one.rule.code, one.status) for one in findings] == [("L1", "fired"), ("X2", "error")]
    assert "gpu.magic" in findings[1].reason
    assert findings[1].value is None


@pytest.mark.parametrize(
    ("value", "sentence", "relative"),
    [
        (0.9, "It would be medium above 1; the value is 0.900.", 0.1),
        (1.0, "It would be medium above 1; the value is 1.", 0.0),
        (1.5, "It would pass at 1 or less; the value is 1.50.", 0.5),
        (3.8, "It would be high above 4; the value is 3.80.", 0.05),
        (4.4, "It would be medium at 4 or less; the value is 4.40.", 0.1),
    ],
)
def test_the_margin_is_to_the_nearest_change(value: float, sentence: str, relative: float) -> None:
    given = results({"gpu.operation_time": 2.0, "gpu.copy_to_kernel": value})
    (finding,) = evaluate(given, {"X2": RULES["X2"]})
    assert finding.margin is not None
    assert finding.margin.sentence == sentence
    assert finding.margin.relative == pytest.approx(relative)
    assert finding.margin.distance == pytest.approx(abs(value - finding.margin.threshold))


def test_without_a_value_there_is_no_margin() -> None:
    (finding,) = evaluate(results(), {"X2": RULES["X2"]})
    assert finding.margin is None


def test_a_bound_that_passes_is_no_near_miss() -> None:
    """968 copies in all may be 968 small ones or none: nothing says that it nearly fired."""
    given = results({"gpu.copy_time": 0.5, "transfer.copies": 968.0})
    (finding,) = evaluate(given, {"X3": RULES["X3"]})
    assert finding.margin is not None
    assert (finding.margin.distance, finding.margin.relative) == (32.0, None)
    assert finding.margin.sentence == (
        "It would be low above 1,000, which 968 at most rule out; "
        "how many there are is not measured."
    )


def test_a_margin_names_the_condition_that_would_still_hold_a_finding_back() -> None:
    given = {"gpu.kernel_time": 2.0, "launch.own_occupancy": 0.818, "launch.own_share": 0.144}
    (finding,) = evaluate(results(given), {"K4": RULES["K4"]})
    (free,) = evaluate(results({**given, "launch.own_share": 0.6}), {"K4": RULES["K4"]})
    assert (finding.status, free.status) == ("passed", "passed")
    assert finding.margin is not None
    assert free.margin is not None
    assert "but only where" in finding.margin.sentence
    assert "above 50 %; here that is 14.4 %, and the value is 81.8 %." in finding.margin.sentence
    assert free.margin.sentence == "It would be low below 80 %; the value is 81.8 %."


def test_a_metric_gives_the_target_that_a_run_allows() -> None:
    low = {"time.gpu_operations": 9.0, "compute.mfu": 0.01}
    (known,) = evaluate(results({**low, "target.mfu": 0.2}), {"G8": RULES["G8"]})
    (unknown,) = evaluate(results(low), {"G8": RULES["G8"]})
    assert (known.rule.target.value, unknown.rule.target.value) == (0.2, None)


REACH = "target.link_efficiency"


@pytest.mark.parametrize(
    ("reach", "target"),
    [({REACH: 0.57}, 0.5), ({REACH: 0.5}, 0.5), ({REACH: 0.075}, None), ({}, None)],
)
def test_there_is_no_target_beyond_what_the_step_reaches(
    reach: dict[str, float], target: float | None
) -> None:
    slow = {"gpu.copy_time": 0.1, "transfer.bytes": 1e7, "transfer.bandwidth": 4.3e9,
            "transfer.link_efficiency": 0.069}  # fmt: skip
    (finding,) = evaluate(results(slow | reach), {"X5": RULES["X5"]})
    assert (finding.status, finding.rule.target.value) == ("fired", target)
    assert [each.target for each in list_targets([finding])] == ([] if target is None else [target])


def test_an_aside_in_brackets_is_left_out_where_it_is_not_measured() -> None:
    measured = {"time.gpu_operations": 9.0, "time.gpu_idle_share": 0.9,
    "time.top_blame": 0.8,
                "time.idle_in_long_gaps": 0.9, "time.blame_launches": 0.0,
                "time.steady_idle_share": 0.9,
                "time.blamed_share": 0.7}  # fmt: skip
    focus = {"time.blame_focus": [{"function": "prepare", "share": 0.8}]}
    (finding,) = evaluate(results(measured, focus), {"G6": RULES["G6"]})
    assert finding.sentence.startswith("prepare, with what it calls, ran on the host during 80.0 %")


@pytest.mark.parametrize(
    ("gaps", "severity", "words"),
    [
        (0.5, "info", "so it is no more than information."),
        (3.0, "low", "so it is no more than low."),
        (9.0, "high", "Fires above 50 %"),
    ],
)
def test_what_is_worth_little_is_not_severe(gaps: float, severity: str, words: str) -> None:
    measured = {"time.gpu_operations": 9.0, "time.gpu_idle_share": 0.9,
    "time.top_blame": 1.0,
                "time.idle_in_long_gaps": 0.9, "time.blame_launches": 0.0,
                "time.steady_idle_share": 0.9,
                "time.gap_time": gaps, "time.wall": 100.0}  # fmt: skip
    (finding,) = evaluate(results(measured), {"G6": RULES["G6"]})
    assert finding.severity == severity
    assert words in finding.sentence
    assert finding.margin is not None
    assert ("Its value alone would make it high" in finding.margin.sentence) == (severity != "high")


def test_what_comes_first_follows_from_the_run() -> None:
    """Copies within the passes go before CUDA graphs; where there are none, nothing waits."""
    copies = {"time.copies_in_passes": [{"phase": "forward", "place": "a.py:1", "copies": 2.0}]}
    rules = {"L1": load_rules()["L1"]}
    for tables, expected in (({}, ("G6",)), (copies, ("G6", "X1", "X2", "X6"))):
        (found,) = evaluate(results({"gpu.mean_kernel_time": 8.9e-6}, tables), rules)
        assert found.rule.after == expected


def test_what_a_step_takes_follows_from_the_run() -> None:
    """Where devices take long to open, the step is a setting of the driver."""
    begun = {"time.gpu_operations": 9.0, "time.start_up_share": 0.4, "time.start_up": 40.0,
             "time.wall": 100.0, "time.gpu_initialisation": 30.0,
             "run.nvidia_gpu": 1.0}  # fmt: skip
    opens = {"time.device_opens": [{"call": "open", "calls": 8, "time": 23.0, "median": 2.9}]}
    (quick,) = evaluate(results(begun, opens), {"G5": RULES["G5"]})
    (slow,) = evaluate(results(begun), {"G5": RULES["G5"]})
    assert (quick.rule.effort, slow.rule.effort) == ("hours", "days")
    assert (quick.rule.who, slow.rule.who) == ("administrator", "developer")
    assert quick.estimate is not None
    assert slow.estimate is not None
    assert (quick.estimate.reduction, slow.estimate.reduction) == (0.3, 0.4)


FOLDER = Path(__file__).parents[2] / "generator" / "perfolio" / "findings"


@pytest.mark.parametrize("name", load_shared())
def test_a_shared_condition_reads_a_metric_and_has_its_opposite(name: str) -> None:
    condition = parse_condition(f"is {name}")
    assert get_field_metric(condition.metric) in load_catalog()
    assert condition == load_shared()[name]
    assert parse_condition(f"is not {name}") == invert_condition(condition)


@pytest.mark.parametrize("name", load_shared())
def test_the_number_of_a_shared_condition_stands_once(name: str) -> None:
    condition = load_shared()[name]
    number = re.compile(rf"(?<![\w.]){re.escape(condition.metric)} [<>] {condition.bound:g}(?!\d)")
    files = [*FOLDER.rglob("*.yaml"), *FOLDER.rglob("rules/*.md")]
    spelled = [file.name for file in files if number.search(file.read_text(encoding="utf-8"))]
    assert spelled == ["conditions.yaml"]


@pytest.mark.parametrize("text", ["is unheard_of", "is not unheard_of"])
def test_an_unknown_name_is_refused(text: str) -> None:
    with pytest.raises(ContentError, match="unheard_of"):
        parse_condition(text)


@pytest.mark.parametrize("text", ["[]", "short: [1]", "short: time.wall below 1", "short: {"])
def test_a_faulty_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "conditions.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=r"conditions\.yaml"):
        load_shared(path)
