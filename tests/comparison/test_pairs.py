"""Pairs of runs: simulated ones name the change that was planted, real ones match nearly whole."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from perfolio.comparison.comparison_document import compare_runs
from perfolio.comparison.difference_causes import find_causes
from perfolio.comparison.run_record import (
    MOST_BYTES,
    RunRecord,
    find_wrong_sum,
    parse_record,
    write_record,
)
from perfolio.comparison.waterfall import make_waterfall
from perfolio.pipeline.run_comparison import read_records
from tests.comparison.planted import (
    ITERATIONS,
    SAMPLED,
    PlantedChange,
    list_changes,
    names_cause,
    record_run,
    vary_run,
)
from tests.kit.samples import PROFILES
from tests.kit.shared import recorded

pytestmark = pytest.mark.slow
RUNS = 2
CHANGES = {f"{one.sample}: {one.what}": one for one in list_changes()}
BY_SAMPLES = ("loader", "one more copy", "straggler", "kernel slower", "collectives")
"""Changes that are recorded by samples of the host, too: the others need more runs."""
EAGER, COMPILED = "transformer-h100", "transformer-h100-compiled"
LEAST_SHARE = 0.97


@cache
def _run_before(sample: str, form: str) -> tuple[RunRecord, ...]:
    return _record_runs(PlantedChange(sample, "", {}, ()), form, 100)


def _record_runs(change: PlantedChange, form: str, seed: int) -> tuple[RunRecord, ...]:
    count = SAMPLED.get(change.sample, ITERATIONS) if form == "HPCToolkit" else ITERATIONS
    found = []
    for number in range(RUNS):
        entries = vary_run(change.sample, change.entries, seed + number, count)
        with TemporaryDirectory() as folder:
            found.append(record_run(entries, Path(folder), form))
    return tuple(found)


def _check_cause(change: PlantedChange, form: str) -> None:
    before, after = _run_before(change.sample, form), _record_runs(change, form, 200)
    found = make_waterfall(before, after)
    difference = found.after_ns - found.before_ns
    assert sum(row.difference_ns for row in found.rows) == difference
    causes = find_causes(found, before, after)
    if not causes:
        assert abs(difference) < 0.02 * found.before_ns
        return
    assert sum(cause.difference_ns for cause in causes) == difference
    first = causes[0].key
    assert names_cause((first.kind, first.name, first.effect), change.cause), causes[:3]


@pytest.mark.parametrize("name", CHANGES)
def test_events_name_what_was_planted(name: str) -> None:
    _check_cause(CHANGES[name], "Kineto")


@pytest.mark.parametrize("name", [name for name in CHANGES if name.endswith(BY_SAMPLES)])
def test_samples_name_what_was_planted(name: str) -> None:
    _check_cause(CHANGES[name], "HPCToolkit")


@cache
def _record(path: Path) -> RunRecord:
    (found,) = read_records([path])
    return found


def _compare(before: Path, after: Path) -> dict[str, Any]:
    for path in (before, after):
        record = _record(path)
        assert find_wrong_sum(record) == ""
        text = write_record(record)
        assert len(text.encode()) <= MOST_BYTES
        assert find_wrong_sum(parse_record(text, "kept")) == ""
        assert "/home/" not in text
        assert "/usr/" not in text
    document = compare_runs([_record(before)], [_record(after)])
    change = document["whole"]["difference"]
    assert sum(row["difference"] for row in document["waterfall"]) == change
    assert sum(row["by_calls"] + row["by_duration"] for row in document["waterfall"]) == change
    assert sum(part["difference"] for part in document["parts"]) == change
    assert sum(cause["difference"] for cause in document["causes"]) in (0, change)
    assert min(document["matched_share"].values()) >= LEAST_SHARE
    return document


@pytest.mark.real
def test_a_transformer_as_written_and_compiled() -> None:
    document = _compare(PROFILES / EAGER, PROFILES / COMPILED)
    assert document["verdict"]["kind"] == "recordings-differ"
    assert document["whole"]["difference"] == pytest.approx(-13.47e6, rel=0.01)
    parts = {(one["part"], one["kind"]): one["difference"] / 1e6 for one in document["parts"]}
    assert parts["kernel", "element-wise"] == pytest.approx(-8.3, abs=0.3)
    assert parts["kernel", "product"] == pytest.approx(0.24, abs=0.1)
    first = document["causes"][0]
    assert (first["kind"], first["name"]) == ("kernel", "element-wise")
    assert {one["name"]: one["difference"] for one in document["counted"]}["launches"] == -169
    assert {one["code"]: one["fate"] for one in document["findings"]}["M9"] == "gone"


@pytest.mark.real
def test_one_model_on_two_vendors() -> None:
    document = _compare(recorded("traces/h100_bert.json.gz"), recorded("traces/mi300_bert.json.gz"))
    assert document["verdict"]["kind"] == "not-comparable"
    assert document["matched_share"] == {"before": 1.0, "after": 1.0}


@pytest.mark.real
def test_what_reads_frames_of_python_differs_from_what_does_not() -> None:
    places = (f"databases/recorded/{name}.d" for name in ("dlrm-cpu", "dlrm-cpu-python"))
    before, after = (_record(recorded(place)) for place in places)
    checks = {one["name"]: one for one in compare_runs([before], [after])["comparability"]}
    found = checks["profiler_options"]
    assert (found["before"], found["after"]) == (
        "without frames of Python",
        "with frames of Python",
    )
    assert found["agreement"] == "differs"
    assert found["voids"]


@pytest.mark.real
@pytest.mark.parametrize(
    ("path", "of", "basis"),
    [
        ("inputs/pytorch/v100_5steps.json.gz", "GPU", "iteration"),
        ("inputs/pytorch/mi300x_ddp_rank0of8.json.gz", "GPU", "iteration"),
        ("inputs/pytorch/cpu_only_rank34.json.gz", "main thread", "iteration"),
        ("inputs/pytorch/mi210_gpu_only.json.gz", "GPU", "wall"),
        ("inputs/nsys/a100pcie_a40_exportmeta.sqlite", "GPU", "wall"),
        ("databases/recorded/dlrm-cpu-python.d", "main thread", "wall"),
        ("databases/public/dlrm-h100-gpu.d", "GPU", "iteration"),
        ("databases/public/loops-hip-amd-t.d", "GPU", "iteration"),
    ],
)
def test_a_recording_differs_in_nothing_from_itself(path: str, of: str, basis: str) -> None:
    record = _record(recorded(path))
    assert find_wrong_sum(record) == ""
    assert record.whole is not None
    assert (record.whole.of, record.whole.basis) == (of, basis)
    document = compare_runs([record], [record])
    assert [row for row in document["waterfall"] if row["difference"]] == []
    assert document["verdict"]["kind"] == "no-difference"
