"""One simulated run says the same in each format that holds the facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perfolio.metrics.model import Result
from tests.simulation.formats import HPCTOOLKIT, KINETO, PAGE, RUNS, page, told

pytestmark = pytest.mark.slow
EXACT = (
    "time.wall", "time.gpu_span", "time.gpu_busy", "time.gpu_raw", "time.kernel_busy",
    "time.copy_busy", "time.exposed_copy", "time.overlap", "time.gap_time", "time.longest_gap",
    "time.tail", "time.iterations", "time.warm_up_iterations", "time.max_concurrency",
    "time.repaired", "gpu.operation_time", "gpu.kernel_time", "gpu.copy_time", "gpu.launches",
    "gpu.mean_kernel_time", "transfer.copies", "transfer.bytes", "transfer.bytes_h2d",
    "transfer.bytes_d2h", "transfer.bytes_d2d", "transfer.small_copies", "launch.blocks",
    "launch.threads_per_block", "launch.registers", "run.gpus", "run.gpu_streams",
    "run.processes", "run.cpu_threads",
)  # fmt: skip
"""What no sample and no mark of a step is needed for."""
EXACT_TABLES = ("time.gpu_operations", "time.span_parts", "time.concurrency")
LIKE = {
    "time.iteration_median": 2e-3,
    "time.iteration_gpu_busy": 1e-3,
    "time.steady_kernel_time": 1e-3,
    "time.steady_utilisation": 1e-3,
    "time.idle_imbalance": 1e-3,
    "time.warm_up_excess": 0.25,
    "communication.exposed_share": 1e-3,
    "communication.straggler_wait": 1e-3,
    "communication.late_by": 1e-3,
}
"""What is about iterations, which HPCToolkit has by recurrence: relative differences."""
BY_SAMPLES = {
    "cpu.gpu_wait_share", "gpu.sync_share", "time.blamed_share", "time.data_share",
    "time.main_data_share", "time.unprofiled_data_share",
}  # fmt: skip
"""Samples of HPCToolkit may find none of it in runs as short as these."""


def measured(metric: str, name: str) -> Iterator[tuple[str, Result]]:
    for form in RUNS[name]:
        result = told(form, name).results[metric]
        if result.status == "measured":
            yield form, result


@pytest.mark.parametrize("name", RUNS)
def test_facts_of_gpus_are_equal_to_the_nanosecond(name: str) -> None:
    for metric in EXACT:
        found = {form: result.value for form, result in measured(metric, name)}
        assert len(found) > 1, metric
        assert len({round((value or 0.0) * 1e9) for value in found.values()}) == 1, (metric, found)
    for metric in EXACT_TABLES:
        rows = [result.rows for _, result in measured(metric, name)]
        assert len(rows) > 1, metric
        assert all(each == rows[0] for each in rows), metric


@pytest.mark.parametrize("name", RUNS)
def test_iterations_are_alike_whether_marked_or_recurring(name: str) -> None:
    for metric, most in LIKE.items():
        values = [result.value for _, result in measured(metric, name)]
        assert values == pytest.approx([values[0]] * len(values) if values else [], rel=most), (
            metric
        )


@pytest.mark.parametrize("name", RUNS)
def test_formats_of_events_have_the_same_iterations_and_calls(name: str) -> None:
    _, one, other = (told(form, name).results for form in RUNS[name])
    for metric in one:
        if metric.startswith(("calls.", "time.iteration_", "communication.")):
            pair = [each[metric] for each in (one, other)]
            if {each.status for each in pair} == {"measured"} and pair[0].value is not None:
                assert pair[0].value == pytest.approx(pair[1].value, rel=1e-9), metric


@pytest.mark.parametrize("name", RUNS)
def test_what_formats_can_judge_they_judge_alike(name: str) -> None:
    runs = [told(form, name) for form in RUNS[name]]
    seen = [run for run in runs if run.verdict != "gpu-graphs"]
    assert len({run.verdict for run in seen}) == 1
    for code in runs[0].rules:
        judged = {run.rules[code] for run in runs if code in run.judged}
        assert len(judged) <= 1, (code, judged)


@pytest.mark.parametrize("name", RUNS)
def test_what_a_format_lacks_is_not_0(name: str) -> None:
    """But for facts of the recording itself, and for what samples show too little of."""
    for metric, result in told(KINETO, name).results.items():
        if metric.startswith(("run.", "quality.")) or not result.value:
            continue
        zero = [form for form, each in measured(metric, name) if each.value == 0.0]
        assert not zero or (zero == [HPCTOOLKIT] and metric in BY_SAMPLES), (metric, zero)


def test_what_hpctoolkit_does_not_see_is_not_measured() -> None:
    run = told(HPCTOOLKIT, "dlrm-h100-graphs")
    assert run.verdict == "gpu-graphs"
    lacking = {run.results[metric].status for metric in ("gpu.kernel_time", "time.gpu_busy")}
    assert lacking == {"not_measured"}


def test_the_page_says_what_the_simulations_give() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.simulation.formats"
