"""A finding is no severer than what it concerns allows; findings stand in order of that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from perfolio.findings.estimates.time_formulas import compute_amount
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.evaluation.severity import cap_by_cause, cap_severity, order_findings
from perfolio.findings.model.confidence import judge_confidence
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, EstimateKind, Finding
from perfolio.findings.model.rule import RuleWorth, Severity
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.affected_share import find_affected
from perfolio.findings.tree.cause_tree import Cause, CauseTree
from perfolio.findings.tree.roadmap import make_roadmap
from perfolio.findings.tree.run_tree import build_tree
from tests.findings.support import Number, results

RULES = load_rules()
GIVEN = results(
    {"time.gpu_operations": 9.0, "time.gpu_span": 10.0, "time.longest_gap": 4.0, "time.gaps": 3.0,
     "time.gap_time": 9.0, "time.long_gap_time": 9.0, "time.wall": 100.0}
)  # fmt: skip


def _gaps(concerns: str = "") -> Finding:
    (finding,) = evaluate(
        GIVEN, {"G3": structs.replace(RULES["G3"], worth=RuleWorth(concerns=concerns))}
    )
    assert (finding.status, finding.severity, finding.estimate) == ("fired", "medium", None)
    return finding


def _tree(whole: str, share: float | None) -> CauseTree:
    causes = (_cause("run", "", 1.0), _cause("host.iterations", "run", share))
    return CauseTree(whole, "100 s", 100.0, "s", causes)


def _cause(key: str, parent: str, share: float | None) -> Cause:
    return Cause(
        key=key,
        parent=parent,
        depth=0,
        title=key,
        sentence="",
        amount=None if share is None else 100.0 * share,
        bound="",
        most=None,
        share=share,
        view=False,
        same=False,
    )


@pytest.mark.parametrize(
    ("share", "severity", "says"),
    [
        (0.004, "info", "What it concerns is at most 0.40 % of wall time, so it is no more than"),
        (0.04, "low", "What it concerns is at most 4.0 % of wall time, so it is no more than low."),
        (0.4, "medium", "Fires above"),
        (None, "medium", "Fires above"),
    ],
)
def test_without_an_estimate_its_cause_caps_it(
    share: float | None, severity: str, says: str
) -> None:
    (finding,) = cap_by_cause([_gaps()], _tree("wall", share), GIVEN)
    assert finding.severity == severity
    assert says in finding.sentence
    assert finding.margin is not None
    mild = severity != "medium"
    assert ("Its value alone would make it medium" in finding.margin.sentence) == mild


@pytest.mark.parametrize("left_out", [0.0, 10.0])
def test_a_share_of_what_is_left_of_the_steady_iterations_says_so(left_out: float) -> None:
    """0.4 s of the 50 s that are left of the steady iterations, or that they last."""
    tree = replace(_tree("wall", 0.004), steady=50.0, left_out=left_out)
    (finding,) = cap_by_cause([_gaps()], tree, GIVEN)
    words = "0.80 % of the steady iterations" + (" without short gaps" if left_out else "") + ", so"
    assert f"What it concerns is at most {words}" in finding.sentence
    assert finding.margin is not None
    assert ("without short gaps" in finding.margin.sentence) == bool(left_out)


@pytest.mark.parametrize("sampled", [True, False])
def test_a_worth_of_what_is_left_of_the_steady_iterations_says_so(sampled: bool) -> None:
    """At most 0.3 s: of the steady iterations' 50 s, or of 40 s without gaps of PC sampling."""
    gaps = {"time.sampling_gaps": 10.0} if sampled else {}
    values = {"gpu.operation_time": 0.5, "gpu.copy_to_kernel": 1.5, "gpu.copy_time": 0.3,
              "gpu.copy_share": 0.6, "gpu.kernel_time": 0.2, "time.exposed_copy": 0.3,
              "time.gpu_span": 60.0, "time.wall": 70.0, "time.steady": 50.0,
              "time.steady_utilisation": 0.01,
              "time.iteration_exposed_copy_share": 0.006, **gaps}  # fmt: skip
    phases = [{"phase": "steady state", "sampling_gaps": 10.0 if sampled else None}]
    (finding,) = evaluate(results(values, {"time.phases": phases}), {"X2": RULES["X2"]})
    share = (
        "0.75 % of the steady iterations without short gaps"
        if sampled
        else "0.60 % of the steady iterations"
    )
    assert f"It is worth at most {share}, so it is no more than information" in finding.sentence


def test_shares_of_cost_cap_nothing() -> None:
    (finding,) = cap_by_cause([_gaps()], _tree("cost", 0.001), GIVEN)
    assert finding == _gaps()


def test_what_was_capped_comes_after_what_was_not() -> None:
    given = results({"time.gpu_operations": 9.0, "time.gpu_idle_share": 0.99,
    "time.steady_idle_share": 0.99,
    "time.wall": 100.0,
                     "time.gpu_utilisation": 0.01, "time.gpu_busy": 1.0, "time.longest_gap": 4.0,
                     "time.gaps": 3.0, "time.gap_time": 9.0, "time.long_gap_time": 9.0,
                     "time.gpu_span": 10.0})  # fmt: skip
    found = evaluate(given, {"G1": RULES["G1"], "G3": RULES["G3"]})
    ordered = cap_by_cause(found[::-1], _tree("wall", 0.004), given)
    assert [(each.rule.code, each.severity) for each in ordered] == [("G1", "high"), ("G3", "info")]


def test_a_milder_one_is_not_made_severer() -> None:
    assert cap_severity("info", 0.04) == ("info", None)
    assert cap_severity("high", 0.05) == ("high", None)
    assert cap_severity("critical", 0.0) == ("info", 0.01)


def test_what_it_concerns_itself_caps_it_before_its_cause_does() -> None:
    """Gaps of 0.4 s in 100 s, in a host that the GPU waits for half of the time."""
    few = {
        **GIVEN,
        "time.long_gap_time": results({"time.long_gap_time": 0.4})["time.long_gap_time"],
    }
    (finding,) = cap_by_cause([_gaps("time.long_gap_time")], _tree("wall", 0.5), few)
    assert finding.severity == "info"
    found = find_affected(finding, _tree("wall", 0.5), few)
    assert found == {
        "cause": "host.iterations",
        "amount": 0.4,
        "share": pytest.approx(0.004),
        "at_most": False,
    }
    assert find_affected(_gaps(), _tree("wall", 0.5), few) == {
        "cause": "host.iterations", "amount": 50.0, "share": 0.5, "at_most": False,
    }  # fmt: skip


def test_holes_concern_their_own_idle_time() -> None:
    chunks = [
        {"bin": 0, "start": 0.0, "stop": 2.0, "busy": 0.25},
        {"bin": 1, "start": 2.0, "stop": 4.0, "busy": 0.75},
    ]
    assert compute_amount("@idle_chunks", results({}, {"time.chunks": chunks})) == pytest.approx(
        1.5
    )
    assert compute_amount("@idle_chunks", results()) is None


@pytest.mark.parametrize(("gpus", "slow"), [(1.0, 0.2), (8.0, 0.16)])
def test_slow_copies_are_the_mean_over_gpus(gpus: float, slow: float) -> None:
    """1.6 s of copies at a fifth of the link's rate, of which a GPU has 0.2 s beside no kernel."""
    given = results({"gpu.copy_time": 1.6, "transfer.bandwidth": 10e9, "run.gpus": gpus,
                     "transfer.link_efficiency": 0.2, "transfer.bytes_h2d": 16e9,
                     "time.exposed_copy": 0.2})  # fmt: skip
    assert compute_amount("@slower", given) == pytest.approx(slow)


def _worth(code: str, severity: Severity, share: float, kind: EstimateKind) -> Finding:
    worth = Estimate(share, BoundWhole("wall"), "", (), kind)
    return Finding(RULES[code], "fired", severity=severity, value=share, estimate=worth)


def test_what_is_only_limited_comes_after_gains_of_its_severity() -> None:
    limited, gain = _worth("G1", "medium", 0.44, "limit"), _worth("L8", "medium", 0.13, "gain")
    milder = _worth("X1", "low", 0.5, "gain")
    assert order_findings([milder, limited, gain]) == (gain, limited, milder)


@pytest.mark.parametrize(
    ("late", "severity", "codes"),
    [
        (0.119, "high", ["D5", "D1"]),
        (0.059, "high", ["D1", "D5"]),
        (0.119, "medium", ["D1", "D5"]),
    ],
)
def test_what_an_equally_severe_one_of_like_worth_waits_for_comes_before_it(
    late: float, severity: Severity, codes: list[str]
) -> None:
    found = order_findings(
        [_worth("D1", "high", 0.12, "gain"), _worth("D5", severity, late, "gain")]
    )
    assert [each.rule.code for each in found] == codes


@pytest.mark.parametrize("missing", [0.0, 1.0])
def test_recorded_kernels_cap_nothing_of_what_concerns_missing_ones(missing: float) -> None:
    """Half of 1 s in 100 s; with kernels missing, products may take any time of the run."""
    given = results(
        {"time.wall": 100.0, "time.gpu_utilisation": 0.01, "time.gpu_busy": 1.0,
         "time.exposed_copy": 0.0, "time.kernel_busy": 1.0, "gpu.kernel_time": 1.0,
         "gpu.fp32_gemm_share": 0.5, "run.nvidia_gpu": 1.0, "run.compute_capability_at_least": 9.0,
         "run.missing_kernels": missing},
        {"gpu.kernels": [{"short": "sgemm", "share": 1.0}]},
    )  # fmt: skip
    found = evaluate(given, {"P5": RULES["P5"]})
    tree = build_tree(given, found)
    found = cap_by_cause(found, tree, given)
    roadmap = make_roadmap(tree, found, given)
    assert found[0].severity == ("medium" if missing else "info")
    assert [step.code for step in roadmap.steps] == (["P5"] if missing else [])
    assert (find_affected(found[0], tree, given) is None) == bool(missing)


# How far one can trust what a finding says.


STEPS = {"time.gpu_operations": 8700.0, "time.iterations": 100.0}


@pytest.mark.parametrize(
    ("share", "besides", "word"),
    [
        (0.6, {}, "sure"),
        ([0.6, 0.55, 0.65], {}, "likely"),
        ([0.06, 0.04, 0.65], {}, "check first"),
        (0.6, {"time.nothing_runs_python": 0.2}, "check first"),
        (0.6, {"time.data_dropped_share": 0.6}, "check first"),
        (0.6, {"steps.overhead": 0.3}, "check first"),
        (0.6, {"steps.overhead": 0.2}, "sure"),
        (0.01, {}, None),
    ],
)
def test_the_word(share: Number, besides: dict[str, Number], word: str | None) -> None:
    measured = {**STEPS, "time.data_share": share, **besides}
    given = results({"time.iteration_median": 0.1, **measured})
    (finding,) = evaluate(given, {"D8": load_rules()["D8"]})
    assert judge_confidence(finding, given) == word
