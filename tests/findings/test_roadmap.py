"""Steps, what they are worth, and targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from perfolio.findings.estimates.time_ledger import IDLE, START
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.evaluation.threshold_margin import is_spared
from perfolio.findings.model.finding import Finding
from perfolio.findings.report.action_plan import list_targets
from perfolio.findings.report.combined_gain import CombinedWorth, compute_worth
from perfolio.findings.report.key_figures import choose_key_figures
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.affected_share import find_affected
from perfolio.findings.tree.cause_tree import CauseTree
from perfolio.findings.tree.roadmap import Roadmap, find_gains, make_roadmap
from perfolio.findings.tree.run_tree import build_tree
from perfolio.metrics.document import read_results
from tests.findings.support import results
from tests.findings.test_causes import DLRM, TABLES
from tests.findings.test_estimate import cell
from tests.kit.samples import sample_documents

PRICES = {"price.gpu_hour": "3.6", "price.currency": "EUR", "price.gpu_power": "500.0"}


def planned(
    measured: dict[str, Any], tables: Any = None, settings: dict[str, str] | None = None
) -> tuple[Roadmap, CombinedWorth, tuple[Finding, ...]]:
    given = results(measured, tables)
    findings = evaluate(given, load_rules())
    tree: CauseTree = build_tree(given, findings)
    roadmap = make_roadmap(tree, findings, given)
    return roadmap, compute_worth(tree, roadmap, given, settings or {}), findings


def test_the_dlrm_roadmap_is_for_the_host() -> None:
    roadmap, worth, _ = planned(DLRM, TABLES)
    assert roadmap.kind == "gpu_hardly_matters"
    assert [step.code for step in roadmap.steps] == ["G6", "G5"]
    assert {"G1", "G9"} <= set(roadmap.steps[0].also)
    assert all(step.cause.startswith("host") for step in roadmap.steps)
    assert worth.most is not None
    assert worth.most.reduction == pytest.approx(roadmap.steps[-1].joint)
    assert worth.most.saved == pytest.approx(62.56, abs=0.01), (
        "one step, so the largest bound of its findings; neither limit is a gain"
    )
    assert worth.unbounded == ("G5",)
    assert roadmap.steps[1].most is None, "start-up never vanishes: a limit"
    assert "115.2 ms" in worth.iteration
    assert worth.limit.startswith(
        "The GPU's own work, 140.7 ms, is the limit that no change of the host's side can go below "
        "while kernels last as long as now and copies stay as they are; its kernels alone take "
        "65.88 ms."
    ), "input that is made on the device has no copies"
    apart = [{"part": "run", "copies": 0.06, "apart": 0.5}]
    assert planned(DLRM, {**TABLES, "time.copy_waits": apart})[1].limit.startswith(
        "The GPU's own work takes 140.7 ms, of which copies of 44.86 ms can run behind kernels: "
        "95.88 ms are the limit that no change of the host's side can go below while kernels "
        "last as long as now and copies stay as they are;"
    )
    without = {**DLRM, "time.kernel_busy": DLRM["time.gpu_busy"]}
    assert "copies stay" not in planned(without, TABLES)[1].limit


def test_several_gpus_have_no_limit_for_the_host() -> None:
    """A GPU that waits for another rank's host in a collective operation counts as busy."""
    assert planned({**DLRM, "run.gpus": 1.0}, TABLES)[1].limit
    assert not planned({**DLRM, "run.gpus": 8.0}, TABLES)[1].limit


def test_samples_tell_what_of_a_profiled_iteration_is_the_profilers() -> None:
    """Without them nothing follows of what a run without PC sampling would have left."""
    sampled = {**DLRM, "sampling.metrics_listed": 24.0}
    _, worth, _ = planned(sampled, TABLES)
    assert "115.2 ms if its longest gap vanishes. PC sampling makes what is left" in worth.iteration
    _, worth, _ = planned({**sampled, "time.data_dropped_share": 0.25}, TABLES)
    assert "hook" not in worth.iteration
    _, worth, _ = planned({**sampled, "time.data_dropped_share": 0.812}, TABLES)
    assert "Most of the gap itself is most likely the profiler's hook in Python" in worth.iteration
    told = {"time.iteration_profiler": 0.1163, "time.unprofiled_rest": 0.0093}
    _, worth, _ = planned({**sampled, **told}, TABLES)
    assert "116.3 ms of an iteration are on average the profiler's own calls" in worth.iteration
    assert "without these and without input, about 9.30 ms are left." in worth.iteration


def test_what_a_gain_has_in_another_cause_is_named() -> None:
    """Of an iteration of the warm-up the usual gap goes, too, and one before the first."""
    warm = {"iteration": 0, "duration": 2.0, "gpu_busy": 0.0, "longest_gap": 0.7, "mark": "warm-up"}
    idle = {"part": "warm-up", "period": "warm-up", "host": 1.0, "profiler": 0.0, "wait": 0.0}
    tables = {
        **TABLES,
        "time.iteration_times": [warm, *TABLES["time.iteration_times"]],
        "time.idle_parts": [*TABLES["time.idle_parts"], idle],
    }
    both = ["host.warm_up", "host.start"]
    for given, others in ((results(DLRM, tables), both), (results(DLRM, TABLES), both[1:])):
        findings = evaluate(given, load_rules())
        (waits,) = [finding for finding in findings if finding.rule.code == "G9"]
        found = find_affected(waits, build_tree(given, findings), given)
        assert found is not None
        assert found["at_most"] is True
        assert found.get("with") == others
        assert waits.estimate is not None
        (usual,) = [each.most for each in waits.estimate.effects if each.where == START & IDLE]
        assert 0.6 < usual < 0.7


@pytest.mark.parametrize(("high", "others"), [(0.7, []), (0.83, ["host.launch"])])
def test_input_that_may_be_more_than_the_long_wait_is_told_to_lie_beside_it(
    high: float, others: list[str]
) -> None:
    """Of 1 s, 0.9 idle: 0.8 in long waits, and input takes 0.65 by samples, or up to `high`."""
    clock = {"time.wall": 1.0, "time.gpu_busy": 0.1, "time.gpu_utilisation": 0.1,
             "time.exposed_copy": 0.0, "time.kernel_busy": 0.1, "time.steady": 1.0,
             "time.steady_complete": 1.0, "time.steady_utilisation": 0.1, "time.iterations": 50.0,
             "time.iteration_median": 0.02, "time.gpu_operations": 1e3}  # fmt: skip
    idle = [{"part": "iterations", "period": "typical iterations", "host": 0.9, "profiler": 0.0,
             "wait": 0.8, "waits": 0.8}]  # fmt: skip
    given = results({**clock, "time.data_share": [0.65, 0.6, high]}, {"time.idle_parts": idle})
    findings = evaluate(given, load_rules())
    (data,) = [finding for finding in findings if finding.rule.code == "D8"]
    found = find_affected(data, build_tree(given, findings), given)
    assert found is not None
    assert found["amount"] == pytest.approx(high)
    assert found.get("with", []) == others


def test_steps_never_save_more_together_than_the_whole_nor_less_than_alone() -> None:
    roadmap, _, _ = planned(DLRM, TABLES)
    joint = [step.joint for step in roadmap.steps]
    assert joint == sorted(joint)
    assert all(step.most is None or step.most <= step.joint <= 1.0 for step in roadmap.steps)


RANKS = {"time.wall": 3.13, "time.gpu_busy": 1.6, "time.gpu_span": 1.8,
         "time.gpu_operations": 900.0,
         "time.start_up": 1.33, "time.start_up_share": 0.425, "time.steady": 1.54, "run.ranks": 8.0,
         "run.communicating_ranks": 8.0,
         "time.steady_utilisation": 0.9,
         "time.iterations": 119.0, "gpu.operation_time": 1.6, "gpu.kernel_time": 1.5,
         "time.exposed_copy": 0.1, "time.iteration_exposed_copy": 0.09,
         "time.iteration_kernel_alone": 1.4, "time.kernel_busy": 1.4, "time.overlap": 0.0,
         "communication.exposed_everywhere_share": 0.12, "communication.exposed_share": 0.24,
         "communication.exposed_everywhere": 0.186, "communication.late_by": 0.184,
         "communication.late_share": 0.12}  # fmt: skip


def test_gains_come_before_what_is_only_limited_and_count_for_the_steady_state() -> None:
    idle = [{"part": "start-up", "period": "start-up", "host": 1.33, "profiler": 0.0, "wait": 0.0}]
    roadmap, worth, _ = planned(RANKS, {"time.idle_parts": idle})
    codes = [step.code for step in roadmap.steps]
    assert codes[0] == "D5", "D1 waits for it"
    assert codes[-1] == "G5"
    assert [step.most is None for step in roadmap.steps if step.code == "G5"] == [True]
    assert "G5" in worth.unbounded
    assert worth.most is not None
    share = worth.most.saved / 1.54
    assert f"{share:.1%}".replace("%", " %") in worth.iteration


def test_what_nothing_bounds_is_after_what_has_a_gain_whatever_it_concerns() -> None:
    """Kernels of 0.2 s can hide copies of 0.2; late launches concern 0.6."""
    measured = {"time.wall": 1.0, "time.gpu_busy": 0.4, "time.gpu_utilisation": 0.4,
                "time.gpu_operations": 1e3, "time.copy_busy": 0.2, "time.copy_wait_share": 0.2,
                "time.exposed_copy": 0.2, "time.kernel_busy": 0.2,
                "gpu.operation_time": 0.4, "time.steady_idle_share": 0.6,
                "calls.host_wait_share": 0.9, "calls.slow_time_share": 0.3}  # fmt: skip
    cells = [{"gpu": 0, "period": "between", "state": state, "beside": "none", "gap": gap,
              "time": time, "share": time, "number": 1.0}
             for state, gap, time in (("copy waited for", "none", 0.2), ("kernel", "none", 0.2),
                                      ("idle", "other", 0.6))]  # fmt: skip
    idle = [{"part": "iterations", "period": "between operations", "host": 0.6, "profiler": 0.0}]
    roadmap, _, _ = planned(measured, {"time.gpu_ledger": cells, "time.idle_parts": idle})
    told = [(step.code, step.most) for step in roadmap.steps if step.phase == "immediate"]
    assert told[0][0] == "X1"
    assert {code for code, most in told if most is None} >= {"L4", "L7"}
    unknown = [most is None for _, most in told]
    assert unknown == sorted(unknown)


def test_what_is_saved_at_the_end_of_the_run_is_no_part_of_the_steady_iterations() -> None:
    """A host that runs ahead saves 0.1 s there, and idle time of iterations, which alone recurs."""
    blocked = {**RANKS, "gpu.operation_time": 1.0, "gpu.sync_share": 0.46}
    idle = [{"part": "start-up", "period": "start-up", "host": 1.33, "profiler": 0.0},
            {"part": "iterations", "period": "typical iterations", "host": 0.06,
             "profiler": 0.0, "idle": 0.06, "waits": 0.0},
            {"part": "end", "period": "end", "host": 0.1, "profiler": 0.0}]  # fmt: skip
    roadmap, worth, findings = planned(blocked, {"time.idle_parts": idle})
    assert "S1" in {each.rule.code for each in findings if each.status == "fired"}
    assert worth.most is not None
    assert worth.most.steady is not None
    recurring = (worth.most.saved - 0.1) / 1.54
    alone = sum(step.steady or 0.0 for step in roadmap.steps)
    assert worth.most.steady == pytest.approx(min(recurring, alone))
    assert "of it, what is saved only once left out, are at most" in worth.iteration


def test_shares_of_iterations_without_short_gaps_are_not_added_up() -> None:
    """They have wholes of their own, so that only a single step tells what a long run saves."""
    sampled = {**RANKS, "time.sampling_gaps": 0.2, "sampling.metrics_listed": 1.0}
    roadmap, worth, _ = planned(sampled)
    assert len([step for step in roadmap.steps if step.most is not None]) > 1
    assert worth.most is not None
    assert worth.most.steady is None


def test_steps_of_different_wholes_have_no_joint_bound() -> None:
    """29 s of wall time, 296 of 500 CPU-s: each in its own whole, and time on the clock first."""
    measured = {"cpu.event_total": 500.0, "cpu.time": 500.0, "time.wall": 110.4,
                "cpu.waiting_share": [0.592, 0.588, 0.596], "cpu.initialisation_share": 0.058,
                "time.unused_initialisation_share": 0.263, "time.gpu_initialisation": 29.05,
                "run.cpu_threads": 223.0, "run.gpu_streams": 0.0}  # fmt: skip
    roadmap, worth, findings = planned(measured)
    assert [step.code for step in roadmap.steps[:2]] == ["C3", "C1"]
    first, second = roadmap.steps[:2]
    assert (first.apart, first.most) == (True, None)
    assert second.most == pytest.approx(0.596), "no less than the finding's own bound"
    assert worth.most is None
    by_code = {finding.rule.code: finding for finding in findings}
    assert by_code["C3"].estimate is not None
    assert by_code["C3"].estimate.saved == pytest.approx(0.263 * 110.4)


def test_whose_time_it_is_comes_first() -> None:
    """Where no thread runs for most of the wall time, shares of it are no ground for a step."""
    measured = {"cpu.event_total": 500.0, "cpu.time": 500.0, "time.wall": 110.4,
                "cpu.waiting_share": [0.592, 0.588, 0.596], "cpu.initialisation_share": 0.058,
                "time.unused_initialisation_share": 0.263, "time.gpu_initialisation": 29.05,
                "time.nothing_runs_share": 0.577, "time.nothing_runs_python": 0.577,
                "time.nothing_runs_profiler": 0.551, "time.nothing_runs_waits": 5.7,
                "run.cpu_threads": 223.0, "run.gpu_streams": 0.0}  # fmt: skip
    roadmap, _, _ = planned(measured)
    assert [step.code for step in roadmap.steps[:3]] == ["C4", "C3", "C1"]
    assert roadmap.steps[1].after == ("C4",)


def test_what_is_worth_little_is_not_a_step() -> None:
    copies = {"time.copy_wait_share": 0.4, "time.copy_busy": 0.074}
    waits = {"part": "run", "copies": 0.074, "gaps": 0.0, "brief": 0.0, "share": 0.4,
             "gap_share": 0.0}  # fmt: skip
    tables = {**TABLES, "time.copy_waits": [waits]}
    roadmap, _, _ = planned({**DLRM, **copies}, tables)
    assert "X1" in [step.code for step in roadmap.not_now]
    assert "X1" not in [step.code for step in roadmap.steps]


LAUNCHES = {"time.wall": 1.0, "time.gpu_busy": 0.65, "time.gpu_utilisation": 0.65,
            "time.exposed_copy": 0.21, "time.iteration_exposed_copy": 0.21,
            "time.iteration_exposed_copy_share": 0.21, "time.iteration_copy_wait_share": 0.2,
            "time.iteration_kernel_alone": 0.4, "time.kernel_busy": 0.44,
            "time.steady": 1.0, "time.steady_utilisation": 0.65, "time.steady_idle_share": 0.35,
            "time.steady_kernel_time": 3e-6, "gpu.mean_kernel_time": 3e-6, "gpu.kernel_time": 0.44,
            "sampling.metrics_listed": 0.0}  # fmt: skip


@pytest.mark.parametrize(("spent", "is_step"), [(0.001, False), (30.0, True)])
def test_what_nothing_bounds_is_a_step_where_it_concerns_enough(
    spent: float, *, is_step: bool
) -> None:
    """Partly empty warps in kernels of a millisecond of 100 s, and in those of half a minute."""
    given = {
        "time.wall": 100.0, "time.gpu_utilisation": 0.9, "time.gpu_busy": 90.0,
        "time.exposed_copy": 0.0, "time.kernel_busy": 90.0, "gpu.kernel_time": 90.0,
        "gpu.operation_time": 90.0, "launch.partial_warps": 0.2,
        "launch.partial_warp_time": spent,
    }  # fmt: skip
    roadmap, _, _ = planned(given)
    steps, later = ([step.code for step in each] for each in (roadmap.steps, roadmap.not_now))
    assert ("K3" in steps) == is_step
    assert ("K3" in later) != is_step


@pytest.mark.parametrize(("brief", "wall"), [(0.05, 1.0), (0.0, 1.0), (0.05, 500.0)])
def test_gaps_beside_copies_and_launches_are_one_time(brief: float, wall: float) -> None:
    """Of 1 s, 0.2 in copies that kernels wait for, 0.01 in others, and 0.3 in gaps of up to 32 µs.

    After copies 0.08 of gaps, of which `brief` is in the 0.3, and before them 0.02, of which 0.01
    is: 0.2 + 0.01 + 0.3 + 0.08 - brief + 0.02 - 0.01. The gaps are what launches take alone.
    """
    cells = [cell("copy waited for", 0.2), cell("copy passing", 0.01), cell("kernel", 0.4),
             cell("idle", 0.3 - brief - 0.01, gap="launch"),
             cell("idle", brief, beside="after copy", gap="launch"),
             cell("idle", 0.01, beside="before copy", gap="launch"),
             cell("idle", 0.08 - brief, beside="after copy", gap="other"),
             cell("idle", 0.01, beside="before copy", gap="other")]  # fmt: skip
    gaps = [{"part": "steady iterations", "brief": 0.3, "longer": 0.0, "count": 0.0, "busy": 0.7,
             "operations": 2e4}]  # fmt: skip
    idle = [{"part": "iterations", "period": "typical iterations", "host": 0.35, "profiler": 0.0,
             "wait": 0.0}]  # fmt: skip
    tables: dict[str, Any] = {"time.gpu_ledger": cells, "time.launch_gaps": gaps,
                              "time.idle_parts": idle}  # fmt: skip
    given = results({**LAUNCHES, "time.wall": wall}, tables)
    findings = evaluate(given, load_rules())
    tree = build_tree(given, findings)
    gains = find_gains(tree, findings)
    assert gains["X1"].saved == pytest.approx(0.2)
    assert gains["L1"].saved == pytest.approx(0.31 + 0.09 - brief), "longer gaps hide as well"
    alone = tree.saved([*gains["X1"].effects, *gains["L1"].effects])
    assert alone == pytest.approx(0.2 + 0.01 + 0.3 + 0.08 - brief + 0.01)
    worth = {finding.rule.code: find_affected(finding, tree, given) for finding in findings}
    assert worth["L1"] is not None
    assert worth["L1"]["with"] == ["transfers.exposed"], (
        "gaps beside copies are its own cause; a part that is little of the run is named where it "
        "shows in the gain"
    )


def test_steps_save_no_more_than_the_idle_time_and_the_copies_that_there_are() -> None:
    """Gaps right after copies are part of the idle time, though too little to be a cause.

    Of 1 s, 0.21 in copies within iterations, and 0.35 idle, which the host's waits claim in full;
    start-up is another second of idle time.
    """
    part = {"copies": 0.21, "gaps": 0.02, "brief": 0.005, "share": 0.21, "gap_share": 0.02,
            "before": 0.0, "brief_before": 0.0, "before_share": 0.0}  # fmt: skip
    waits = [{"part": each, **part} for each in ("steady iterations", "iterations")]
    idle = [{"part": "iterations", "period": "typical iterations", "host": 0.35, "profiler": 0.0,
             "wait": 0.0},
            {"part": "start-up", "period": "start-up", "host": 1.0, "profiler": 0.0,
             "wait": 0.0}]  # fmt: skip
    whole = {**LAUNCHES, "time.wall": 2.0, "time.iterations": 50.0, "run.ranks": 1.0,
             "time.iteration_median": 0.02,
             "time.gpu_operations": 1e3, "time.data_share": 0.3495, "time.steady_complete": 1.0,
             "time.steady_kernel_time": 1e-3, "gpu.mean_kernel_time": 1e-3,
             "time.copy_busy": 0.21, "time.exposed_copy_share": 0.21, "time.overlap_share": 0.0,
             "gpu.operation_time": 0.65, "gpu.sync_share": 0.4,
             "time.iteration_overlap_share": 0.0}  # fmt: skip
    tables: dict[str, Any] = {"time.copy_waits": waits, "time.idle_parts": idle}
    given = results(whole, tables)
    findings = evaluate(given, load_rules())
    tree, gains = build_tree(given, findings), find_gains(build_tree(given, findings), findings)
    assert tree.find("host.launch") is None
    assert {"S1", "D8", "X6"} <= set(gains)
    own, gaps, first = 0.3495, 0.35, 0.3495 * 0.02
    for codes, all_of_it in (
        (("D8",), own + first),
        (("S1", "D8"), gaps + first),
        (("S1", "D8", "X6"), gaps + 0.21 + first),
        (("D8", "X6"), own + 0.21 + first),
    ):
        most = tree.saved([effect for code in codes for effect in gains[code].effects])
        assert most == pytest.approx(all_of_it), codes
    less = results({**whole, "time.data_share": 0.2, "gpu.sync_share": 0.0}, tables)
    findings = evaluate(less, load_rules())
    tree = build_tree(less, findings)
    gains = find_gains(tree, findings)
    both = tree.saved([*gains["D8"].effects, *gains["X6"].effects])
    first = 0.2 * 0.02
    assert both == pytest.approx(0.2 + 0.21 + first)


@pytest.mark.parametrize(
    ("apart", "step", "beside"), [(0.05, "X6", "X1"), (0.21, "X6", "X1"), (0.4, "X6", "X1")]
)
def test_a_step_on_copies_is_that_of_the_finding_with_its_gain(
    apart: float, step: str, beside: str
) -> None:
    """Copies of 0.21 s have `apart` of kernels to hide behind, whichever finding says so."""
    overlap = {"time.copy_busy": 0.21, "time.overlap_share": 0.0,
               "time.iteration_overlap_share": 0.0, "time.exposed_copy_share": 0.21}  # fmt: skip
    cells = [cell("copy waited for", 0.21), cell("kernel", apart), cell("both", 0.71 - apart),
             cell("idle", 0.08, beside="after copy", gap="launch")]  # fmt: skip
    idle = [{"part": "iterations", "period": "typical iterations", "host": 0.35, "profiler": 0.0,
             "wait": 0.0}]  # fmt: skip
    tables = {"time.gpu_ledger": cells, "time.idle_parts": idle}
    roadmap, _, findings = planned({**LAUNCHES, **overlap}, tables)
    found = {each.code: each for each in roadmap.steps}
    assert step in found
    assert beside in found[step].also
    assert beside not in found
    gain = next(each.estimate for each in findings if each.rule.code == step)
    assert gain is not None
    assert found[step].most == pytest.approx(gain.saved), "of a run of 1 s"


def test_waits_that_nothing_bounds_are_a_step_without_a_gain() -> None:
    """Beside unused warp slots, which are bounded; the finding on all stalls stands with them."""
    clock = {"time.wall": 2.0, "time.gpu_busy": 1.5, "time.gpu_utilisation": 0.75,
             "time.exposed_copy": 0.0, "time.kernel_busy": 1.5}  # fmt: skip
    sums = {"gpu.kernel_time": 1.5, "gpu.operation_time": 1.5, "gpu.kernel_share": 1.0}
    stalls = {"stall.stalled_share": 0.8, "stall.issue_ratio": 0.2, "stall.gmem_of_stalls": 0.9,
              "stall.gmem_of_samples": 0.72}  # fmt: skip
    slots = {"launch.own_share": 1.0, "launch.own_occupancy": 0.25}
    gpu = {**clock, **sums, **stalls, **slots}
    kernel = {"short": "k", "share": 1.0, "stalled": 0.8, "occupancy": 0.25}
    tables = {"gpu.kernels": [kernel], "stall.kernels": [{"kernel": "k", "gmem": 0.9}],
              "launch.limits": [{"short": "k", "occupancy": 0.25, "limit": "registers"}],
              "stall.reasons": [{"reason": "global memory", "of_stalls": 0.9}]}  # fmt: skip
    roadmap, worth, _ = planned(gpu, tables)
    steps = {step.code: step for step in roadmap.steps}
    assert set(steps) == {"M2", "K4"}
    assert (steps["M2"].also, steps["M2"].most) == (("M1",), None)
    assert steps["K4"].most == pytest.approx(0.75 * 1.5 / 2.0)
    assert worth.unbounded == ("M2",)
    assert worth.most is not None
    assert worth.most.saved == pytest.approx(0.75 * 1.5)


def test_a_cpu_run_has_a_cpu_roadmap_and_no_money() -> None:
    measured = {"cpu.event_total": 500.0, "cpu.time": 500.0, "cpu.waiting_share": 0.59,
                "run.cpu_threads": 223.0, "run.gpu_streams": 0.0,
                "balance.threads": 20.1}  # fmt: skip
    roadmap, worth, _ = planned(measured, settings=PRICES)
    assert roadmap.kind == "cpu_only"
    assert [step.code for step in roadmap.steps] == ["C1", "D3t"]
    assert roadmap.steps[1].after == ("C1",)
    assert not worth.is_time
    assert worth.returns == ()
    assert "per hour on the clock" in worth.no_returns


def test_money_and_energy_have_their_formula() -> None:
    """1 h of one GPU at 3.6 EUR and 500 W: 129.662 s cost 12.97 ct and 18.0 Wh."""
    _, worth, _ = planned(DLRM, TABLES, PRICES)
    money, energy = worth.returns
    assert money.now == pytest.approx(129.662 / 3600 * 3.6)
    assert energy.now == pytest.approx(129.662 * 500 / 3.6e6)
    assert worth.most is not None
    assert money.most == pytest.approx(money.now * worth.most.reduction)
    assert energy.most <= energy.now
    assert "3.6 EUR per GPU-hour" in money.formula
    assert "500 W" in energy.formula


def test_two_gpus_cost_twice() -> None:
    one = planned(DLRM, TABLES, PRICES)[1].returns[0]
    two = planned(DLRM, TABLES, {**PRICES, "price.gpus": "2.0"})[1].returns[0]
    assert two.most == pytest.approx(2 * one.most)


def test_without_a_price_there_is_no_money() -> None:
    worth = planned(DLRM, TABLES)[1]
    assert worth.returns == ()
    assert "profile.toml" in worth.no_returns


def test_nothing_measured_has_no_roadmap() -> None:
    roadmap, worth, findings = planned({})
    assert (roadmap.kind, roadmap.steps, worth.most) == ("nothing", (), None)
    assert list_targets(findings) == ()


def test_targets_say_whether_they_are_reached() -> None:
    _, _, findings = planned(DLRM, TABLES)
    by_code = {target.code: target for target in list_targets(findings)}
    assert not by_code["G9"].reached
    assert not by_code["G9"].undecided
    assert by_code["G9"].target < by_code["G9"].today
    assert by_code["G9"].why
    assert "G1" not in by_code, "a rule without a target sets none"


@pytest.mark.parametrize(("high", "reached"), [(0.19, True), (0.23, False)])
def test_a_target_within_the_interval_is_not_reached_yet(high: float, reached: bool) -> None:
    given = {"cpu.event_total": 9.0, "cpu.main_waiting_share": [0.15, 0.1, high]}
    by_code = {target.code: target for target in list_targets(planned(given)[2])}
    assert by_code["C1"].target == pytest.approx(0.2)
    assert by_code["C1"].reached is reached
    assert by_code["C1"].undecided is not reached


def test_what_is_harmless_in_this_run_has_no_target() -> None:
    _, _, findings = planned({**DLRM, "time.idle_in_long_gaps": 0.1}, TABLES)
    by_code = {finding.rule.code: finding for finding in findings}
    assert by_code["G6"].status == "passed"
    assert is_spared(by_code["G6"])
    assert "G6" not in {target.code for target in list_targets(findings)}
    figures = {
        each.metric: each.rating for each in choose_key_figures(results(DLRM, TABLES), findings)
    }
    assert figures["time.top_blame"] == "neutral"


def test_without_a_gain_the_part_that_is_most_of_it_is_the_step() -> None:
    """A host that takes the run, mostly to start up, is answered by what makes start-up short."""
    small = {
        "time.iteration_gap_share": 0.03,
        "time.iteration_longest_gap": 0.0002,
        "time.top_blame": 0.1,
        "time.start_up": 100.0,
        "time.start_up_share": 0.77,
    }
    idle = [
        {"part": part, "period": part, "host": host, "profiler": 0.0, "wait": 0.0}
        for part, host in (("start-up", 100.0), ("iterations", 0.2))
    ]
    given = {key: value for key, value in DLRM.items() if key != "time.steady_utilisation"}
    roadmap, _, _ = planned({**given, **small}, {**TABLES, "time.idle_parts": idle})
    assert [step.code for step in roadmap.steps] == ["G5"]
    assert "G4" in roadmap.steps[0].also


LAUNCHING = {"time.wall": 27.75, "time.gpu_utilisation": 0.0026, "time.gpu_busy": 0.071,
             "time.gpu_operations": 8800.0, "time.gpu_span": 3.5, "time.start_up": 25.9,
             "time.start_up_share": 0.933, "time.steady": 0.144, "time.steady_utilisation": 0.479,
             "time.steady_idle_share": 0.521, "time.steady_kernel_time": 8.4e-6,
             "time.iterations": 100.0, "time.iteration_median": 0.00145, "gpu.kernel_time": 0.068,
             "gpu.mean_kernel_time": 8.4e-6, "sampling.metrics_listed": 0.0}  # fmt: skip


def test_a_gain_in_copies_and_in_long_waits_is_named_whatever_the_tree_shows() -> None:
    """Copies without a finding are in the branch alone; G9's cause holds 6 ms of the 10 saved."""
    gaps = {"part": "steady iterations", "brief": 0.004, "longer": 0.08, "busy": 0.006,
            "count": 0.0, "operations": 8700.0}  # fmt: skip
    idle = [{"part": "iterations", "period": "typical iterations", "idle": 0.084, "host": 0.084,
             "profiler": 0.0, "wait": 0.08, "waits": 0.08}]  # fmt: skip
    copies = {"time.exposed_copy": 0.02, "time.iteration_exposed_copy_share": 0.02 / 0.144,
              "time.iteration_copy_wait_share": 0.0, "time.iteration_gap_share": 0.5,
              "time.iteration_longest_gap": 0.0008}  # fmt: skip
    tables = {"time.launch_gaps": [{**gaps, "busy": 0.06}], "time.idle_parts": idle}
    given = results({**LAUNCHING, **copies}, tables)
    findings = evaluate(given, load_rules())
    tree = build_tree(given, findings)
    assert tree.find("transfers.exposed") is None
    found = next(find_affected(one, tree, given) for one in findings if one.rule.code == "L1")
    assert found is not None
    assert found["with"] == ["host.gap", "transfers"]


def test_what_is_worth_an_iteration_is_a_step_whatever_start_up_takes() -> None:
    """Pauses of 75 ms are 0.27 % of the run and 52.1 % of its iterations: one verdict of both."""
    tables = {
        "time.launch_gaps": [
            {"part": "steady iterations", "brief": 0.075, "busy": 0.069, "operations": 8700.0}
        ],
        "time.idle_parts": [
            {
                "part": "iterations",
                "period": "typical",
                "host": 0.0751,
                "profiler": 0.0,
                "wait": 0.0,
            }
        ],
    }
    roadmap, worth, findings = planned(LAUNCHING, tables)
    (step,) = (step for step in roadmap.steps if step.code == "L1")
    assert step.steady == pytest.approx(0.075 / 0.144, rel=1e-3)
    assert step.most == pytest.approx(0.075 / 27.75, rel=1e-3)
    severity = {finding.rule.code: finding.severity for finding in findings}
    assert severity["L1"] == "low", "not capped by its share of the run"
    assert worth.most is not None
    assert worth.most.steady == pytest.approx(0.075 / 0.144, rel=1e-3)
    assert "52.1 % of their 144.0 ms" in worth.iteration


def test_products_of_few_blocks_are_no_part_of_kernels_that_move_values() -> None:
    """A step of its own, which concerns its share of the time of all kernels."""
    given = read_results(sample_documents("transformer-h100").metrics)
    few = replace(given["launch.empty_share"], value=0.2)
    given = {**given, "launch.empty_share": few}
    findings = evaluate(given, load_rules())
    tree = build_tree(given, findings)
    steps = {step.code: step for step in make_roadmap(tree, findings, given).steps}
    assert "K1" in steps
    assert "K1" not in {*steps["M9"].also, *steps["M9"].part}
    (finding,) = [each for each in findings if each.rule.code == "K1"]
    concerned = find_affected(finding, tree, given)
    assert concerned is not None
    busy = given["time.kernel_busy"].value
    assert busy is not None
    assert concerned["amount"] == pytest.approx(0.2 * busy)


@pytest.mark.parametrize(("launching", "waiting", "first"), [(0.05, 0.8, "L7"), (0.3, 0.6, "L3")])
def test_of_steps_that_nothing_bounds_the_larger_one_is_first(
    launching: float, waiting: float, first: str
) -> None:
    """Of 1 s 0.4 idle: the host is late for much of it, or is in a launch meanwhile."""
    idle = [{"part": "run", "period": "between", "host": 0.4, "profiler": 0.0, "wait": 0.0}]
    given = {"gpu.operation_time": 0.6, "time.wall": 1.0, "time.gpu_span": 1.0,
             "time.gap_time": 0.4, "time.steady_idle_share": 0.4, "time.gpu_utilisation": 0.6,
             "time.gpu_busy": 0.6, "time.kernel_busy": 0.6, "calls.host_wait_share": waiting,
             "calls.launching_idle_share": launching}  # fmt: skip
    roadmap, _, _ = planned(given, {"time.idle_parts": idle})
    codes = [step.code for step in roadmap.steps if step.code in ("L3", "L7")]
    assert codes[:1] == [first]


@pytest.mark.parametrize(("late", "alone"), [(0.184, False), (0.02, True)])
def test_waits_are_a_step_of_their_own_only_beyond_what_a_late_rank_explains(
    late: float, alone: bool
) -> None:
    """Hosts wait in collectives for the late rank: 0.1 s of idle time could go with that."""
    measured = {**RANKS, "communication.late_by": late, "gpu.sync_share": 0.4,
                "time.steady_utilisation": 0.9}  # fmt: skip
    roadmap, _, findings = planned(measured)
    fired = {each.rule.code for each in findings if each.status == "fired"}
    assert {"D5", "S1"} <= fired
    codes = [step.code for step in roadmap.steps]
    assert ("S1" in codes) == alone
    step = next(step for step in (*roadmap.steps, *roadmap.not_now) if step.code == "D5")
    assert ("S1" in (*step.also, *step.part)) != alone
