"""Traces at the edge of what there is: every metric of time has a sound value or a reason.

Also: metrics.json: valid, complete and reversible.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import perfolio.metrics
from perfolio.common.errors import ContentError, StoreError
from perfolio.common.units import UNITS
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_metrics_document, read_results, run_facts
from perfolio.metrics.document_format import shorten_document
from perfolio.metrics.model import Cell, Metric, Result, Results
from perfolio.metrics.run_measurement import evaluate, list_metric_queries, load_tool_vocabulary
from tests.kit.kept import digest_of
from tests.kit.samples import some_results_at
from tests.kit.shelf import Shelf
from tests.metrics.support import MADE_BY, RUN, input_of, store_of, tool_of

TIME = {name: m for name, m in load_catalog().items() if name.startswith("time.")}
MAY_BE_NEGATIVE = {"time.iteration_trend"}
MAIN, LOAD, STEP, KERNEL, COPY = 2, 4, 3, 6, 7

Points = list[list[int]]
"""Points (profile, time in ns, context) of two CPU threads, 1 and 2, and two streams, 3 and 4."""
ODD: dict[str, Points] = {
    "no point": [],
    "one sample": [[1, 5, MAIN]],
    "one idle point": [[1, 5, 0]],
    "one point of a stream": [[3, 5, KERNEL]],
    "one point per line": [[1, 5, MAIN], [2, 9, LOAD], [3, 5, KERNEL], [4, 7, COPY]],
    "only idle points": [[1, 0, 0], [1, 9, 0], [3, 0, 0], [3, 9, 0]],
    "a sample and an operation at one time": [[1, 5, STEP], [1, 6, 0], [3, 5, KERNEL], [3, 6, 0]],
    "all at one time": [[1, 5, STEP], [1, 5, MAIN], [1, 5, 0], [3, 5, KERNEL], [3, 5, COPY]],
    "points repeat": [[1, 0, STEP], [1, 0, STEP], [1, 8, STEP], [1, 8, STEP], [1, 9, 0],
                      [3, 2, KERNEL], [3, 2, KERNEL], [3, 4, 0], [3, 4, 0], [3, 7, COPY],
                      [3, 9, 0]],
    "streams overlap and never idle": [[1, 0, STEP], [1, 50, 0], [3, 0, KERNEL], [3, 30, COPY],
                                       [3, 50, 0], [4, 10, COPY], [4, 40, 0]],
    "the GPU ends after the CPU": [[1, 10, STEP], [1, 20, 0], [3, 0, KERNEL], [3, 15, 0],
                                   [3, 90, COPY], [3, 99, 0]],
    "an operation without an end": [[1, 0, STEP], [1, 90, 0], [3, 10, KERNEL], [3, 20, 0],
                                    [3, 50, KERNEL]],
    "every idle is the artefact": [[1, 0, STEP], [1, 90, 0], [3, 0, 0], [3, 1, KERNEL],
                                   [3, 21, 0], [3, 22, KERNEL], [3, 80, 0]],
    "a stream is a CPU thread too": [[1, 0, STEP], [1, 20, KERNEL], [1, 30, 0], [3, 5, KERNEL],
                                     [3, 9, 0]],
}  # fmt: skip


@cache
def _shelf() -> Shelf:
    return Shelf("odd", digest_of(*MADE_BY, by=("metrics", "readers", "store"))[:32])


@cache
def found(name: str) -> Results:
    """What was measured, kept from the first time that it was by the same code."""
    points = ODD[name]
    return _shelf().kept(digest_of(input_of(_case(points)), by=()), lambda: found_in(points))


def found_in(points: Points, metrics: dict[str, Metric] = TIME) -> Results:
    case = _case(points)
    queries = list_metric_queries(metrics, load_tool_vocabulary(tool_of(case)))
    with store_of(case, queries) as connection:
        return evaluate(connection, RUN, metrics)


def _case(points: Points) -> dict[str, Any]:
    return {"base": "traced", "lines": {}, "trace": points}


def numbers(result: Result) -> list[float]:
    cells = [cell for row in result.rows or () for cell in row] + [result.value]
    return [float(cell) for cell in cells if isinstance(cell, (int, float))]


@pytest.mark.parametrize("name", ODD)
def test_each_metric_has_a_sound_value_or_a_reason(name: str) -> None:
    for metric, result in found(name).items():
        assert result.status == "measured" or result.reason, metric
        assert all(map(math.isfinite, numbers(result))), metric
        assert metric in MAY_BE_NEGATIVE or min(numbers(result), default=0) >= 0, metric
        for column in result.metric.columns:
            if column.unit == "ratio" and metric != "time.efficiency":
                cells = [row[column.name] for row in result.records()]
                assert all(cell is None or float(cell) <= 1 + 1e-9 for cell in cells), metric


@pytest.mark.parametrize("name", ODD)
def test_parts_sum_to_the_whole(name: str) -> None:
    results = found(name)
    for parts, column, whole in (
        ("wall_parts", "time", "wall"),
        ("span_parts", "time", "gpu_span"),
        ("concurrency", "time", "gpu_span"),
        ("operations", "time", "gpu_repaired_total"),
        ("start_up_parts", "time", "start_up"),
    ):
        table, value = results[f"time.{parts}"], results[f"time.{whole}"].value
        if table.status == "measured" and value is not None:
            total = sum(float(row[column] or 0) for row in table.records())
            assert total == pytest.approx(value, abs=1e-12), parts
    busy, gaps = results["time.gpu_busy"].value, results["time.gap_time"].value
    if busy is not None and gaps is not None:
        assert busy + gaps == pytest.approx(results["time.gpu_span"].value, abs=1e-12)


def test_a_long_iteration_is_drawn_whole() -> None:
    """A copy and 600 kernels of 10 ns, 10 ns apart, and 5,000 ns of waiting, eight times."""
    each, whole = 600, 10 + 600 * 20 + 5000
    points = [[1, 0, STEP], [1, 8 * whole, 0]]
    for start in range(0, 8 * whole, whole):
        points += [[3, start, COPY], [3, start + 10, 0]]
        for begin in range(start + 20, start + 20 + each * 20, 20):
            points += [[3, begin, KERNEL], [3, begin + 10, 0]]
    name = "time.typical_iteration"
    rows = found_in(points, {name: TIME[name]})[name].records()
    total = next(row for row in rows if row["line"] == "GPU")
    drawn = [row for row in rows if row["line"] not in ("GPU", "CPU")]
    assert len(drawn) < 510, "several operations in a row"
    assert sum(cell(row, "operations") for row in drawn) == cell(total, "operations") == each + 1
    assert sum(cell(row, "busy") for row in drawn) == pytest.approx(cell(total, "busy"))
    assert cell(total, "busy") == pytest.approx((each + 1) * 1e-8)
    assert cell(total, "duration") == pytest.approx(5e-6)
    last = max(cell(row, "start") + cell(row, "duration") for row in drawn)
    assert last == pytest.approx((20 + each * 20 - 10) * 1e-9)


def cell(row: Mapping[str, Cell], column: str) -> float:
    return float(row[column] or 0)


SCHEMA_PATH = Path(perfolio.metrics.__path__[0]) / "schema" / "metrics-2.schema.json"
CASE = {
    "base": "nvidia-pc",
    "hardware": "h100-sxm5",
    "settings": {"workload.batch_size": "2048"},
    "totals": {"GPUOP (sec)": 2, "GKER (sec)": 1, "GKER:COUNT": 10},
}


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(SCHEMA_PATH.read_text())


@pytest.fixture(scope="module")
def made() -> tuple[dict[str, Any], Results]:
    with store_of(CASE) as connection:
        results = evaluate(connection, RUN, load_catalog())
        return make_metrics_document(run_facts(connection, RUN), results), results


@pytest.mark.slow
def test_the_document_is_valid(schema: Any, made: tuple[dict[str, Any], Results]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(shorten_document(made[0]), allow_nan=False)), schema)


def test_results_survive_the_document(made: tuple[dict[str, Any], Results]) -> None:
    document, results = made
    assert read_results(json.loads(json.dumps(document))) == results


def test_the_document_says_what_was_measured(made: tuple[dict[str, Any], Results]) -> None:
    run = made[0]["run"]
    assert run["slug"] == "run-1"
    assert run["settings"] == {"workload.batch_size": "2048"}
    assert run["hardware"]["name"] == "h100-sxm5"
    assert run["hardware"]["link_bandwidth"] == 63e9
    assert "GKER:COUNT" in run["metrics_recorded"]
    assert len(made[0]["metrics"]) == len(load_catalog())


@pytest.mark.parametrize(
    "change",
    [
        {"status": "not_measured"},
        {"gap": 0},
        {"status": "measured", "value": None},
        {"unit": "furlong"},
        {"name": "no dots"},
        {"surprise": 1},
    ],
)
def test_a_wrong_record_is_not_valid(
    schema: Any, made: tuple[dict[str, Any], Results], change: dict[str, Any]
) -> None:
    record = next(m for m in shorten_document(made[0])["metrics"] if m["name"] == "gpu.launches")
    faulty = made[0] | {"metrics": [record | change]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(faulty, schema)


def test_the_schema_knows_all_units(schema: Any) -> None:
    assert schema["$defs"]["unit"]["enum"] == list(UNITS)


def test_another_version_is_refused() -> None:
    with pytest.raises(ContentError, match="perfolio-metrics/9"):
        read_results({"schema": "perfolio-metrics/9", "metrics": []})


def test_an_unknown_run_is_refused() -> None:
    with store_of(CASE, []) as connection, pytest.raises(StoreError, match="no run 9"):
        run_facts(connection, 9)


def test_lines_may_be_longer_together_than_64_bits(tmp_path: Path) -> None:
    event = {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "dur": 1}
    events = [
        {**event, "tid": thread, "ts": begin + 2 * number}
        for thread in range(1, 9)
        for begin in (0, 1_700_000_000_000_000)
        for number in range(50)
    ]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"traceEvents": events}), "utf-8")
    found = some_results_at(trace, "time.bursts")["time.bursts"]
    assert found.status == "measured"
    rows = [row for row in found.records() if row["start"] == 1.7e9]
    assert len(rows) == 8
