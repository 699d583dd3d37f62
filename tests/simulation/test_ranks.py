"""What is said of ranks that meet in collectives, against what the scenario makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.findings.evaluation.rule_evaluation import evaluate as findings_of
from perfolio.findings.report.action_plan import make_action_plan
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.run_tree import build_tree
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import SimulatedRun
from tests.kit.samples import results_at, simulated, simulated_sample, some_results_at
from tests.kit.shared import ROOT

BASE = ROOT / "profiles" / "eight-ranks" / "scenario.toml"
EVEN = "[ranks.kernels]\n5 = 1.0\n[ranks.host]\n2 = 1.0\n6 = 1.0\n"
NOTHING_LOST = """
[ranks]
rate = "78000 GB/s"
latency = "0.1 us"
[ranks.kernels]
5 = 1.0
[phases.data]
steps = [
  { cpu = "1 us ± 20 %" },
  { copy = "h2d", size = "1 kB", memory = "pinned", blocking = false },
]
[phases.optimizer]
steps = [{ kernel = "sgd", repeat = 3 }]
"""
"""No straggler, no waits, and communication, copies and input that take next to no time."""
LAST = 120e6 / 78e9 + 24e-6
"""The scenario's third reduction of an iteration, behind which nothing runs [s]."""


def _changed(changes: str, tmp_path: Path) -> SimulatedRun:
    """What the scenario of the sample gives with `changes`."""
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(f'base = "{BASE}"\n{changes}', "utf-8")
    return simulated(load(scenario))


def _short(changes: str, tmp_path: Path) -> SimulatedRun:
    """The same with few iterations."""
    return _changed(f"iterations = 20\n{changes}", tmp_path)


@pytest.mark.slow
def test_a_slower_device_is_named_and_what_it_costs_is_bounded(tmp_path: Path) -> None:
    made = _short("", tmp_path)
    late, iteration = results_at(made.folder), made.truth["iterations"]["gpu_median"]
    without = _short(EVEN, tmp_path).truth["iterations"]["gpu_median"]
    row = late["communication.late_rank"].records()[0]
    assert (row["rank"], row["because"]) == (5, "device")
    assert row["longer"] == pytest.approx(1.18, rel=0.005)
    last = late["communication.collectives"].records()[0]
    assert (last["place"], last["of_iteration"], last["bits"]) == (3, 3, 16)
    assert last["launched_by"] == "DistributedDataParallel"
    assert last["exposed"] == pytest.approx(LAST, rel=1e-3)
    share = late["communication.exposed_everywhere_share"].value
    assert share == pytest.approx(LAST / iteration, rel=0.02)
    found = {each.rule.code: each for each in findings_of(late, load_rules())}
    bound = found["D5"].estimate
    assert bound is not None
    saved = 1.0 - without / iteration
    assert 0.8 * bound.reduction < saved <= bound.reduction


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "rank", "because"),
    [(EVEN.replace("2 = 1.0", "2 = 30.0"), 2, "host"), (EVEN, None, "nothing")],
)
def test_a_late_host_is_told_from_a_slower_device(
    changes: str, rank: int | None, because: str, tmp_path: Path
) -> None:
    found = some_results_at(_short(changes, tmp_path).folder, "communication.late_rank")
    row = found["communication.late_rank"].records()[0]
    assert row["because"] == because
    assert rank in (None, row["rank"])


@pytest.mark.slow
def test_each_rank_begins_its_first_iteration_on_its_own() -> None:
    """What ranks do once before they meet is start-up and warm-up of each, and they wait apart."""
    made = simulated_sample("eight-ranks")
    found = results_at(made.folder)
    truth = made.truth
    phases = {row["phase"]: row for row in found["time.phases"].records()}
    length, usual = float(phases["warm-up"]["duration"] or 0), truth["iterations"]["median"]
    first = sum(rank["iteration_first"] for rank in truth["ranks"]) / 8
    assert length == pytest.approx(first, rel=0.005)
    idle, waits = found["time.warm_up_excess"].value, found["communication.warm_up_exposed"].value
    assert idle is not None
    assert waits is not None
    assert idle == pytest.approx(0.110, rel=0.06)
    assert idle + waits == pytest.approx(first - usual, rel=0.02)
    wait = found["communication.warm_up_wait_share"].value
    assert wait == pytest.approx((waits - LAST) / truth["wall"], rel=0.01)
    runs = {(row["runs"], row["copies"]) for row in found["time.exposed_copies"].records()}
    assert runs == {("in each iteration", 8 * 120), ("outside of iterations", 8)}
    before = found["time.start_up_parts"].records()[0]
    assert before["time"] == pytest.approx(truth["idle_before"], rel=1e-6)
    work = {row["work"]: row["time"] for row in found["time.start_up_work"].records()}
    main = {row["part"]: row["time"] for row in found["time.main_thread"].records()}
    assert work["importing modules of Python"] == pytest.approx(main["importing modules"])
    assert work["importing modules of Python"] == pytest.approx(0.9, rel=0.03)


@pytest.mark.slow
def test_all_steps_together_save_what_the_roadmap_bounds(tmp_path: Path) -> None:
    without = _changed(NOTHING_LOST, tmp_path).truth["wall"]
    made = simulated_sample("eight-ranks")
    results = results_at(made.folder)
    findings = findings_of(results, load_rules())
    worth = make_action_plan(build_tree(results, findings), results, findings, {})["worth"]
    bound, saved = worth.most.saved, made.truth["wall"] - without
    assert 0.95 * bound < saved <= bound
