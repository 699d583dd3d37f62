"""Findings on real profiles: kind, what fires, and the figures that are known to be true."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.common.units import compute_half_width, quantity
from tests.findings.support import validate
from tests.kit.samples import documents_at
from tests.kit.shared import database

pytestmark = pytest.mark.real

KNOWN = [
    (
        "dlrm-h100-gpu.d",
        "h100-sxm5",
        "gpu-waits",
        {"G1", "G2", "G3", "G4", "G9", "X2", "X5", "M1", "M2", "L1", "P5"},
    ),
    ("loops-cuda-nvidiapc-t.d", "", "gpu-kernels-stalled", {"K4", "M1", "M3"}),
    ("loops-hip-amd-t.d", "", "gpu-kernels-dominate", set()),
    ("dlrm-cpu-python.d", "", "cpu-main-thread", {"C2", "C4", "D3t", "D8c"}),
    ("tinyllama-cpu-python.d", "", "cpu-waiting", {"C1", "C5"}),
    ("mpi4.d", "", "cpu-held-up", {"C5"}),
    ("multi-proc40.d", "", "cpu-held-up", {"C5"}),
    ("loops-cputime-t.d", "", "cpu-hot-spot", {"C2"}),
    ("small.d", "", "cpu-hot-spot", {"C2"}),
    ("cpi-v4.d", "", "cpu-short", set()),
    ("dlrm-h100-cpu.d", "", "cpu-main-thread", {"C1", "C3", "C4", "D3t", "D8c"}),
    (
        "dlrm-h100-traces.d",
        "",
        "gpu-hardly-used",
        {"D8", "G1", "G2", "G3", "G4", "G5", "G6", "G9"},
    ),
]


def document_of(name: str, hardware: str) -> dict[str, Any]:
    return documents_at(database(name), hardware).findings


@pytest.mark.parametrize(
    ("name", "hardware", "kind", "fires"), KNOWN, ids=[name for name, *_ in KNOWN]
)
def test_kind_and_findings(name: str, hardware: str, kind: str, fires: set[str]) -> None:
    document = document_of(name, hardware)
    validate(document)
    assert document["verdict"]["kind"] == kind
    fired = {each["code"] for each in document["findings"] if each["status"] == "fired"}
    assert fired == fires


@pytest.mark.parametrize("name", [name for name, *_ in KNOWN])
def test_the_parts_of_the_breakdown_are_all_of_it(name: str) -> None:
    hardware = next(hardware for known, hardware, *_ in KNOWN if known == name)
    parts = document_of(name, hardware)["breakdown"]["parts"]
    assert sum(part["share"] for part in parts) == pytest.approx(1.0, abs=1e-3)
    assert all(part["value"] >= 0.0 for part in parts)


@pytest.mark.parametrize("name", [name for name, *_ in KNOWN])
def test_causes_share_out_the_run_and_steps_promise_no_more(name: str) -> None:
    hardware = next(hardware for known, hardware, *_ in KNOWN if known == name)
    document = document_of(name, hardware)
    nodes = document["causes"]["nodes"]
    for parent in nodes:
        parts = [each for each in nodes if each["parent"] == parent["key"] and not each["view"]]
        shares = [each["share"] for each in parts if each["share"] is not None]
        assert parent["share"] is None or sum(shares) <= parent["share"] + 1e-9
    most = document["worth"]["most"]
    assert most is None or (most["factor"] or 1.0) < 8.0, "the seed report promised a hundred"


@pytest.mark.parametrize(
    ("name", "share"), [("tinyllama-cpu-python.d", "69 %"), ("mpi4.d", "11.3 %")]
)
def test_the_verdict_on_waiting_has_the_figure_of_its_check(name: str, share: str) -> None:
    document = document_of(name, "")
    check = next(each for each in document["findings"] if each["code"] == "C1")
    assert check["metric"] == "cpu.main_waiting_share"
    half = compute_half_width(check["low"], check["high"])
    assert share == quantity(check["value"], "ratio", half)
    said = " ".join(document["verdict"]["details"])
    assert f"Of the recorded time of main threads, {share} is spent waiting" in said


def test_waits_charged_to_python_are_named_where_figures_of_its_functions_stand() -> None:
    """By the number of its samples, `forward` has at most 3.1 % of the work, not 10.8 %."""
    document = document_of("tinyllama-cpu-python.d", "")
    hot = next(each for each in document["findings"] if each["code"] == "C2")
    assert hot["low"] < 0.01
    assert "which function has most is therefore not known" in hot["sentence"]
    works = next(each for each in document["causes"]["nodes"] if each["key"] == "cpu.hot")
    assert "forward has most" not in works["sentence"]
    assert "up to 10.18 thread-s of that work" in document["verdict"]["details"][-1]


def test_time_that_came_late_is_no_work_of_the_function_that_it_hits() -> None:
    document = document_of("mpi4.d", "")
    found = {each["code"]: each for each in document["findings"]}
    late, undecided = found["C5"], ("C2", "D3", "D3t", "D4", "D5")
    assert late["value"] == pytest.approx(0.734, abs=0.005)
    assert {found[code]["status"] for code in undecided} == {"not_evaluated"}
    hot = next(each for each in document["metrics"]["metrics"] if each["name"] == "cpu.hot_share")
    assert hot["value"] == pytest.approx(0.085, abs=0.001), "0.29 with the time that came late"
    assert hot["high"] > 0.29, "the function may itself have kept its thread in the kernel"
    said = " ".join(document["verdict"]["details"])
    assert "the 8 threads that work had between 1 and 7 cores" in said


def test_processes_that_ran_one_after_another_are_no_crowd() -> None:
    document = document_of("multi-proc40.d", "")
    said = " ".join(document["verdict"]["details"])
    assert (
        "40 processes ran one after another, each for 1.58 s (median; 829.7 ms to 2.53 s)" in said
    )
    assert "the 2 threads that work had between 1 and 7 cores" in said
    (repeated,) = [each for each in document["scorecard"] if each["key"] == "one_run"]
    assert "is 22.0 % of the mean" in repeated["says"]
    drawn = next(each for each in document["metrics"]["metrics"] if each["name"] == "time.timeline")
    assert len({row[0] for row in drawn["rows"]}) == 8


def test_the_gpu_run_says_what_is_true() -> None:
    document = document_of("dlrm-h100-gpu.d", "h100-sxm5")
    verdict = document["verdict"]
    assert verdict["sentence"].startswith(
        "Between its first and last operation, 80.29 s apart, the GPU was busy 0.17 %"
    )
    said = " ".join(verdict["details"])
    for words in (
        "Wall time is not measured, nor what the host did meanwhile",
        "7,400 launches, copies 73.91 ms (52.9 %)",
        "43.8 % of these samples, 16.4 % of all",
    ):
        assert words in said
    findings = {each["code"]: each for each in document["findings"]}
    assert findings["L1"]["sentence"].startswith("On average a kernel ran 8.90 µs")
    assert findings["X1"]["status"] == "passed", "by iterations, which the GPU's trace tells"
    assert findings["G6"]["status"] == "not_evaluated"
    assert "-e CPUTIME -e gpu=nvidia" in findings["G6"]["collect"]
    for code in ("X2", "X5", "M1", "M2"):
        assert findings[code]["severity"] == "info"
        assert findings[code]["affected"]["share"] < 0.00175
    wholes = {"X2": "the time from the first to the last", "X5": "a typical iteration"}
    for code, whole in wholes.items():
        assert findings[code]["estimate"]["of"].startswith(whole)
        assert findings[code]["estimate"]["reduction"] < 0.00175
    assert "bounds no step" in findings["M2"]["refused"]


def test_the_traced_run_convinces_that_the_data_loader_is_the_problem() -> None:
    document = document_of("dlrm-h100-traces.d", "")
    sentence = document["verdict"]["sentence"]
    assert sentence.startswith(
        "The GPU was busy 0.11 % of the 129.7 s: an iteration takes 734.6 ms"
    )
    assert "619.4 ms of it is one gap, in which the host mostly runs __getitem__" in sentence
    assert "generate_uniform_input_batch" in " ".join(document["verdict"]["details"])
    findings = {each["code"]: each for each in document["findings"]}
    assert findings["G1"]["value"] == pytest.approx(0.9981, abs=1e-4), "of steady iterations"
    assert "kernels are missing from the record" in findings["G1"]["sentence"]
    assert "account for 18.0 % of that" in findings["G6"]["sentence"]
    assert findings["G9"]["estimate"]["factor"] == pytest.approx(6.226, rel=0.001), (
        "outlying iterations have more besides their gap than the median"
    )
    assert findings["G6"]["value"] == pytest.approx(0.836, rel=0.005)
    assert findings["G6"]["low"] < findings["G6"]["value"] < findings["G6"]["high"]
    assert findings["G6"]["high"] * (1 - 0.0018855) > 0.855
    assert findings["G6"]["estimate"]["reduction"] == pytest.approx(0.85171, abs=1e-4), (
        "all gaps of more than 5 ms: shorter ones may be PC sampling's"
    )
    assert "without short gaps" in findings["G6"]["estimate"]["formula"]
    assert findings["G6"]["estimate"]["of"] == "a typical iteration of this profiled run"
    assert {row[0] for row in findings["G6"]["evidence"]["rows"]} >= {
        "__getitem__",
        "generate_uniform_input_batch",
    }
    assert findings["X1"]["status"] == "passed"
    assert findings["X1"]["value"] == pytest.approx(0.00099, rel=0.02)
    assert findings["X6"]["status"] == "passed"


def test_the_traced_runs_wall_time_is_divided_without_overlap() -> None:
    breakdown = document_of("dlrm-h100-traces.d", "")["breakdown"]
    assert breakdown["of"].startswith("129.7 s of wall time")
    shares = {part["name"]: part["share"] for part in breakdown["parts"]}
    assert shares["GPU idle: __getitem__ (dlrm_data_pytorch.py)"] == pytest.approx(0.466, rel=0.005)
    assert shares["GPU idle: start-up"] == pytest.approx(0.422, rel=0.01)
    assert shares["GPU idle: warm-up"] == pytest.approx(0.0085, rel=0.02)
    assert shares["GPU idle: the profiler"] == pytest.approx(0.0922, rel=0.01)
    assert shares["Kernels"] + shares["Copies beside no kernel"] == pytest.approx(
        0.001085, rel=0.01
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "dlrm-cpu-python.d",
            "The run as profiled lasted 49.56 s, and its samples carry 27.46 CPU-s over",
        ),
        ("tinyllama-cpu-python.d", "The run lasted 126.0 s, and its 3 CPU threads"),
        ("mpi4.d", "The run lasted 7.99 s, and its 16 CPU threads"),
        (
            "dlrm-h100-cpu.d",
            "The run as profiled lasted 110.4 s, and its samples carry 500.2 CPU-s over",
        ),
    ],
)
def test_a_traced_cpu_run_says_its_wall_time(name: str, words: str) -> None:
    assert words in " ".join(document_of(name, "")["verdict"]["details"])


def test_a_trace_without_profile_tells_sums_of_operations_and_no_costs() -> None:
    document = document_of("dlrm-h100-traces.d", "")
    findings = {each["code"]: each for each in document["findings"]}
    for code in ("X2", "L1"):
        assert findings[code]["status"] == "not_evaluated"
        assert "cuLaunchKernelEx" in findings[code]["reason"], "four products have no kernel"
    assert findings["M1"]["status"] == "not_evaluated"
    assert "profile.db" in findings["M1"]["reason"]
    assert findings["X5"]["status"] == "not_evaluated"
    assert "profile.db" in findings["X5"]["reason"]


def test_what_pc_sampling_may_have_made_is_in_no_cause_and_no_gain() -> None:
    """98 of 99 gaps lie at 0.7 ms, the last at 1.1 ms: nothing says that the host made any."""
    document = document_of("loops-cuda-nvidiapc-t.d", "")
    causes = document["causes"]
    nodes = {node["key"]: node for node in causes["nodes"]}
    assert (causes["whole"], causes["left_out"]) == ("gpu_work", 0.0)
    assert causes["amount"] == pytest.approx(0.019386, abs=1e-6)
    assert "How much of the run they take is not known" in causes["of"]
    assert nodes["gpu"]["share"] == pytest.approx(1.0)
    assert nodes["host"]["amount"] is None
    assert "without PC sampling" in nodes["host"]["unknown"]
    findings = {each["code"]: each for each in document["findings"]}
    assert findings["M3"]["affected"]["share"] == pytest.approx(0.698, abs=0.002)
    assert [findings[code]["estimate"] for code in ("K4", "M1", "M3")] == [None] * 3
    assert document["worth"]["most"] is None, "nothing bounds what more threads bring"
    steps = [step["code"] for phase in document["roadmap"]["phases"] for step in phase["steps"]]
    assert steps == ["K4", "M3"], "the launch before the code"
    figures = {each["metric"]: each["comment"] for each in document["key_figures"]}
    for metric in ("time.span_utilisation", "time.iteration_gap_share"):
        assert "68.70 ms of gaps may be PC sampling's" in figures[metric]


def test_pc_sampling_leaves_no_lower_end() -> None:
    """Nearly all that an iteration does besides its gap is the profiler there: 115 of 735 ms."""
    document = document_of("dlrm-h100-traces.d", "")
    findings = {each["code"]: each for each in document["findings"]}
    assert document["worth"]["most"]["factor"] is None
    assert all(findings[code]["estimate"]["weaker"] is None for code in ("D8", "G6", "G9"))
    within, end = (
        next(node for node in document["causes"]["nodes"] if node["key"] == key)
        for key in ("host.iterations", "host.tail")
    )
    assert within["amount"] == pytest.approx(60.68, abs=0.01), "no short gap, no profiler's call"
    assert end["amount"] == pytest.approx(0.4005, abs=0.0001)
    gap = next(node for node in document["causes"]["nodes"] if node["key"] == "host.gap")
    assert gap["most"] == pytest.approx(60.719, abs=0.001), "the sum of the longest gaps"
    concerned = findings["G9"]["affected"]["amount"]
    assert concerned == pytest.approx(60.719 + 0.624 + 0.6194 + 0.0685 + 0.0052, abs=0.001), (
        "warm-up, the first input, copies, the last one, and no gap that PC sampling may have made"
    )
    assert concerned <= findings["G9"]["estimate"]["saved"]
