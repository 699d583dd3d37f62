"""findings.json: valid, complete, and made from metrics.json alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema
import msgspec
import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.document import load_schema, make_findings_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.document import make_metrics_document
from perfolio.metrics.model import Results
from tests.findings.support import cases, metrics, results, validate

RUN = {
    "slug": "a-run", "title": "A run", "digest": "0" * 64, "path": "/somewhere", "files": [],
    "tool": "HPCToolkit",
}  # fmt: skip
ALL = [
    pytest.param(case, id=f"{name}: {case['name']}", marks=[pytest.mark.slow] if number else [])
    for folder in ("cases", "verdicts")
    for name, listed in cases(folder).items()
    for number, case in enumerate(listed)
]
"""All cases; the first one of each rule and verdict is a fast one."""


def _document(given: Results) -> dict[str, Any]:
    return make_findings_document(make_metrics_document(RUN, given))


@pytest.mark.parametrize("case", ALL)
def test_every_case_gives_a_valid_document_that_json_keeps(case: dict[str, Any]) -> None:
    document = _document(results(case.get("measured"), case.get("tables")))
    validate(document)
    whole = document["metrics"]
    pairs = zip(whole["metrics"], unmeasured(), strict=True)
    own = [entry for entry, without in pairs if entry != without]
    assert bool(own) == bool(case.get("measured") or case.get("tables"))
    assert json_keeps(document | {"metrics": whole | {"metrics": own}})


def json_keeps(value: object) -> bool:
    """Whether it is read as it was written: NaN would be null."""
    return bool(msgspec.json.decode(msgspec.json.encode(value)) == value)


@cache
def unmeasured() -> list[dict[str, Any]]:
    """What a document says of metrics without values, as each case does of nearly all."""
    entries: list[dict[str, Any]] = _document(results())["metrics"]["metrics"]
    assert json_keeps(entries)
    return entries


def test_the_schema_is_a_schema_and_refuses_what_it_does_not_know() -> None:
    jsonschema.Draft202012Validator.check_schema(load_schema())
    document = _document(results())
    with pytest.raises(jsonschema.ValidationError):
        validate(document | {"more": 1})
    document["findings"][0]["severity"] = "high"
    with pytest.raises(jsonschema.ValidationError):
        validate(document)


def test_the_document_names_its_run_and_every_rule() -> None:
    document = _document(results())
    assert document["run"] == {key: RUN[key] for key in ("slug", "title", "digest")}
    assert {finding["code"] for finding in document["findings"]} == set(load_rules())


def test_what_is_not_measured_is_listed_without_the_wrong_alternatives() -> None:
    document = _document(results({"gpu.operation_time": 1.0}))
    listed = {item["metric"] for item in document["not_measured"]}
    expected = {name for name in metrics() if not name.startswith("seed.")}
    batches = {"time.batch", "time.batch_running", "time.batch_samples"}
    assert listed == expected - {"gpu.operation_time"} - batches
    assert all(item["reason"] and item["title"] for item in document["not_measured"])


@pytest.mark.parametrize(("told", "missed"), [(0.8, True), (0.0, False)])
def test_only_who_trains_on_the_cpu_misses_the_time_of_a_batch(told: float, missed: bool) -> None:
    document = _document(
        results(
            {
                "cpu.event_total": 9.0,
                "run.values": 5.0,
                "run.gpu_streams": 0.0,
                "time.main_told_share": told,
            }
        )
    )
    listed = {item["metric"] for item in document["not_measured"]}
    assert ("time.batch" in listed, "time.wall" in listed) == (missed, True)


def test_evidence_has_the_columns_of_the_rule() -> None:
    kernels = [
        {"kernel": "busy", "samples": 1000.0, "stalled": 0.1, "gmem": 0.1},
        {"kernel": "waiting", "samples": 500.0, "stalled": 0.9, "gmem": 0.9},
        {"kernel": "unknown", "samples": 700.0, "stalled": 0.9},
    ]
    given = results(
        {"gpu.kernel_time": 1.0, "gpu.kernel_share": 1.0, "stall.stalled_share": 0.5,
         "stall.issue_ratio": 0.5, "stall.gmem_of_stalls": 0.6, "stall.gmem_of_samples": 0.3},
        {"stall.kernels": kernels},
    )  # fmt: skip
    (finding,) = [one for one in _document(given)["findings"] if one["code"] == "M2"]
    evidence = finding["evidence"]
    assert [column["name"] for column in evidence["columns"]] == [
        "kernel", "samples", "stalled", "gmem", "file", "line", "module",
    ]  # fmt: skip
    assert [row[0] for row in evidence["rows"]] == ["waiting", "busy", "unknown"]


def test_the_parts_of_thread_time_leave_out_helpers_that_wait() -> None:
    asleep = [{"module": "/lib/libc.so.6", "time": 90.0, "share": 0.9}]
    own = [{"module": "/app/run", "time": 10.0, "share": 1.0}]
    given = results(
        {"cpu.event_total": 100.0, "cpu.thread_time": 100.0, "cpu.engaged_time": 10.0},
        {"cpu.modules": asleep, "cpu.engaged_modules": own},
    )
    found = _document(given)["breakdown"]
    assert [(part["name"], part["share"]) for part in found["parts"]] == [("run", 1.0)]
    assert found["of"].startswith("10.00 thread-s of thread time, without waits of helper threads")


@pytest.mark.parametrize(
    ("kernels", "name", "parts"),
    [
        (0.9, "Kernels", {"matrix products": 0.45, "memory-bound": 0.27, "communication": 0.18}),
        (
            0.9,
            "Kernels other than collectives",
            {"matrix products": 0.5625, "memory-bound": 0.3375},
        ),
        (0.5, "Kernels", None),
    ],
)
def test_kernels_that_take_most_of_the_time_are_divided_by_class(
    kernels: float, name: str, parts: dict[str, float] | None
) -> None:
    classes = [
        {"class": "product", "time": 50.0}, {"class": "element-wise", "time": 10.0},
        {"class": "reduction", "time": 20.0}, {"class": "collective", "time": 20.0},
    ]  # fmt: skip
    whole = [
        {"part": name, "time": 10 * kernels, "share": kernels},
        {"part": "GPU idle: start-up", "time": 10 - 10 * kernels, "share": 1 - kernels},
    ]
    given = results(
        {"time.gpu_utilisation": kernels, "time.wall": 10.0},
        {"time.wall_parts": whole, "gpu.kernel_classes": classes},
    )
    breakdown = _document(given)["breakdown"]
    assert sum(part["share"] for part in breakdown["parts"]) == pytest.approx(1.0)
    assert sum(part["value"] for part in breakdown["parts"]) == pytest.approx(10.0)
    found = {
        part["name"].removeprefix("Kernels: "): part["share"]
        for part in breakdown["parts"]
        if part["metric"] == "gpu.kernel_classes"
    }
    assert found == pytest.approx(parts or {})


def test_a_module_called_like_a_part_is_not_divided() -> None:
    modules = [{"module": "/lib/Kernels", "time": 10.0, "share": 1.0}]
    classes = [{"class": "product", "time": 5.0}]
    given = results(
        {"cpu.event_total": 10.0, "cpu.time": 10.0},
        {"cpu.modules": modules, "gpu.kernel_classes": classes,
         "cpu.event": [{"event": "CPUTIME (sec)", "unit": "CPU-s"}]},
    )  # fmt: skip
    assert [part["name"] for part in _document(given)["breakdown"]["parts"]] == ["Kernels"]


def test_the_parts_of_the_main_time_add_up() -> None:
    modules = [{"module": f"/lib/m{i}.so", "time": 10.0, "share": 0.1} for i in range(10)]
    given = results(
        {"cpu.event_total": 100.0, "cpu.time": 100.0},
        {"cpu.modules": modules, "cpu.event": [{"event": "CPUTIME (sec)", "unit": "CPU-s"}]},
    )
    breakdown = _document(given)["breakdown"]
    assert sum(part["share"] for part in breakdown["parts"]) == pytest.approx(1.0)
    assert sum(part["value"] for part in breakdown["parts"]) == pytest.approx(100.0)
    assert breakdown["parts"][0]["name"] == "m0.so"
    assert breakdown["parts"][-1]["name"] == "everything else"
    assert (breakdown["unit"], breakdown["of"]) == (
        "CPU-s", "100.0 CPU-s of CPU time, all threads together",
    )  # fmt: skip


def test_small_modules_are_one_part() -> None:
    shares = {"large": 0.99, "small": 0.006, "tiny": 0.003, "dust": 0.001}
    modules = [
        {"module": f"/lib/{name}.so", "time": 100 * share, "share": share}
        for name, share in shares.items()
    ]
    given = results(
        {"cpu.event_total": 100.0, "cpu.time": 100.0},
        {"cpu.modules": modules, "cpu.event": [{"event": "CPUTIME (sec)", "unit": "CPU-s"}]},
    )
    parts = _document(given)["breakdown"]["parts"]
    assert [part["name"] for part in parts] == ["large.so", "small.so", "everything else"]
    assert parts[-1]["value"] == pytest.approx(0.4)


def test_gpu_time_is_divided_before_cpu_cost() -> None:
    operations = [
        {"operation": "kernels", "time": 1.0, "share": 0.25},
        {"operation": "copies", "time": 3.0, "share": 0.75},
    ]
    given = results(
        {"gpu.operation_time": 4.0, "cpu.event_total": 100.0},
        {
            "gpu.composition": operations,
            "cpu.modules": [{"module": "m", "time": 1.0, "share": 1.0}],
        },
    )
    breakdown = _document(given)["breakdown"]
    assert [part["name"] for part in breakdown["parts"]] == ["copies", "kernels"]
    assert breakdown["unit"] == "s"


def test_a_run_without_cost_has_no_parts() -> None:
    assert _document(results())["breakdown"]["parts"] == []


def test_a_document_of_another_version_is_refused() -> None:
    document = make_metrics_document(RUN, results()) | {"schema": "perfolio-metrics/99"}
    with pytest.raises(ContentError, match="perfolio-metrics/99"):
        make_findings_document(document)


def test_a_run_without_gpu_misses_no_gpu_metric() -> None:
    document = _document(results({"run.gpu_streams": 0.0, "run.values": 9.0, "cpu.time": 1.0}))
    listed = {item["metric"] for item in document["not_measured"]}
    assert "balance.ranks" in listed
    assert "time.wall" in listed
    gpu = {name for name in listed if name.startswith(("gpu.", "stall.", "time.gpu_"))}
    own = {"time.gpu_initialisation", "time.gpu_initialisation_functions"}
    assert gpu <= own, "which a run of the CPU alone may have"
    assert "compute.mfu" not in listed


@pytest.mark.parametrize(("vendor", "missed"), [("NVIDIA", True), ("AMD", False)])
def test_nobody_misses_a_compute_capability_of_another_maker(vendor: str, missed: bool) -> None:
    software = {"run.software": [{"kind": "GPU vendor", "name": vendor, "seen": 1}]}
    document = _document(results({"gpu.operation_time": 1.0}, software))
    listed = {item["metric"] for item in document["not_measured"]}
    assert ("run.compute_capability" in listed) == missed


@pytest.mark.parametrize(
    ("version", "note"),
    [("ROCm 5.7.1", "# This run used ROCm 5.7.1: first"), ("ROCm 7.2", "rocprof-compute")],
)
def test_commands_of_rules_ask_for_the_version_that_they_need(version: str, note: str) -> None:
    rows = [("GPU runtime", version), ("GPU vendor", "AMD")]
    software = [{"kind": kind, "name": name, "seen": 1} for kind, name in rows]
    given = results({"gpu.operation_time": 1.0, "gpu.kernel_time": 1.0}, {"run.software": software})
    (tail,) = [each for each in _document(given)["findings"] if each["code"] == "K7"]
    assert tail["collect"].startswith(note)


@pytest.mark.parametrize(("ranks", "missed"), [(0.0, False), (4.0, True)])
def test_a_single_process_misses_no_metric_of_ranks(ranks: float, *, missed: bool) -> None:
    document = _document(results({"run.ranks": ranks, "run.values": 9.0, "cpu.time": 1.0}))
    listed = {item["metric"] for item in document["not_measured"]}
    assert ("balance.by_rank" in listed) == missed
    assert "time.wall" in listed


def test_a_finding_says_where_its_interval_does_not_decide() -> None:
    measured: dict[str, Any] = {"cpu.event_total": 9.0, "run.gpu_streams": 0.0}
    for low, undecided in ((0.25, False), (0.15, True)):
        measured["cpu.hot_share"] = [0.3, low, 0.6]
        document = _document(results(measured))
        by_code = {finding["code"]: finding for finding in document["findings"]}
        assert by_code["C2"]["undecided"] is undecided
        assert "50 %" in by_code["C2"]["sentence"]
        assert by_code["C2"]["margin"]["sentence"].endswith("and its interval does not decide.")
        assert by_code["G1"]["undecided"] is False, "it was not evaluated"


def test_a_finding_says_what_part_of_the_run_it_concerns() -> None:
    measured = {
        "time.wall": 100.0,
        "time.gpu_operations": 9.0,
        "time.gpu_idle_share": 0.9,
        "time.steady_idle_share": 0.9,
        "time.gpu_busy": 10.0,
        "time.gpu_utilisation": 0.1,
    }
    idle = {"part": "iterations", "period": "between", "host": 90.0, "profiler": 0.0, "wait": 0.0}
    document = _document(results(measured, {"time.idle_parts": [idle]}))
    by_code = {finding["code"]: finding for finding in document["findings"]}
    assert by_code["G1"]["affected"] == {
        "cause": "host.iterations",
        "amount": 90.0,
        "share": 0.9,
        "at_most": False,
    }
    assert by_code["X1"]["affected"] is None, "it was not evaluated"
