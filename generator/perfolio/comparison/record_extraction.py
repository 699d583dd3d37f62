"""A run of a store and its documents to its run record.

In:  an open store, a run, and its findings document, which holds that of metrics.
Out: a `RunRecord`. A report without its recording gives one without times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import duckdb
import numpy as np

import perfolio
from perfolio.comparison import (
    collective_waits,
    counted_figures,
    host_time,
    main_thread_time,
    recorded_operations,
    recording_conditions,
)
from perfolio.comparison.collective_waits import find_meetings, measure_instant_window
from perfolio.comparison.counted_figures import NAMES, count_figures
from perfolio.comparison.gpu_time import DividedGpus, divide_gpus
from perfolio.comparison.host_time import divide_idle, read_host_work
from perfolio.comparison.main_thread_time import (
    divide_main_threads,
    find_main_window,
    read_processor_counts,
)
from perfolio.comparison.promise_record import ReplayedRange
from perfolio.comparison.recorded_operations import GpuOperations, read_operations
from perfolio.comparison.recording_conditions import read_conditions, read_reported_conditions
from perfolio.comparison.run_record import (
    CountedFigure,
    DividedTime,
    HostWork,
    KeptStep,
    ProcessorCounts,
    RankTime,
    RecordedFigure,
    RecordedFinding,
    RunRecord,
    TimeRow,
)
from perfolio.comparison.steady_window import SteadyWindow, find_window
from perfolio.findings.model.step_replay import is_plain
from perfolio.store.run_tables import RunTables, make_run_tables

_HAS_GPU = "SELECT 1 FROM gpu_stream LIMIT 1"
_STEADY = "SELECT start, start + duration FROM steady_iterations ORDER BY start"
_SPAN = "SELECT start, stop FROM traced_span"
_BEGINS = """
SELECT ran.start FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile
WHERE stream.device = busiest_device() ORDER BY ran.start
"""
_PERIOD = "SELECT launch_period()"
_IS_RECORDED = "SELECT 1 FROM host_stay LIMIT 1"
_DOUBTS = "SELECT reason FROM hidden_work ORDER BY reason"
_QUERIES = (
    _HAS_GPU, _STEADY, _SPAN, _BEGINS, _PERIOD, _IS_RECORDED, _DOUBTS, *recorded_operations.QUERIES,
    *collective_waits.QUERIES, *host_time.QUERIES, *main_thread_time.QUERIES,
    *counted_figures.QUERIES, *recording_conditions.QUERIES,
)  # fmt: skip
_FIRST_DATE = 946_684_800
"""Seconds from the epoch to 2000: what begins earlier has no date."""
_LAST_DATE = 7_258_118_400
ALWAYS = (
    "time.wall", "time.iteration_median", "steps.unprofiled", "time.start_up",
    "time.iteration_gpu_busy", "time.steady_utilisation", "time.gpu_busy", "compute.mfu",
    "gpu.launches", "transfer.bytes", "gpu.mean_kernel_time", "cpu.work",
)  # fmt: skip
"""Metrics of a record besides the key figures of its report."""
DRAWN_ALONE = frozenset({
    "time.bursts", "time.drawn_operations", "time.typical_iteration", "operators.steps",
    "time.busy_bins", "time.cpu_running_bins", "time.timeline", "gpu.contexts", "tree.cpu",
    "tree.gpu",
})  # fmt: skip
"""Metrics that pages draw, and that neither findings nor records read: a quarter of the time."""


def extract_record(
    connection: duckdb.DuckDBPyConnection, run: int, findings: Mapping[str, Any]
) -> RunRecord:
    """The record of a run of an open store."""
    metrics = findings["metrics"]
    with make_run_tables(connection, run, _QUERIES) as tables:
        found = _divide_run(tables)
        conditions = read_conditions(tables, metrics, found.whole, found.rows)
        partial = found.whole is not None and bool(found.whole.doubts)
        counted = count_figures(tables, found.operations, found.window, metrics, is_partial=partial)
        recorded = _read_moment(found.window)
    return RunRecord(
        **_describe_report(findings),
        recorded=recorded,
        conditions=conditions,
        whole=found.whole,
        rows=found.rows,
        host=found.host,
        host_period_ns=found.host_period,
        ranks=found.ranks,
        processor=found.processor,
        counted=counted,
    )


def make_report_record(findings: Mapping[str, Any]) -> RunRecord:
    """The record of a report whose recording is not at hand: figures and findings alone."""
    return RunRecord(
        **_describe_report(findings),
        recorded=None,
        conditions=read_reported_conditions(findings["metrics"]),
        whole=None,
        counted=dict.fromkeys(NAMES, CountedFigure("run", None)),
    )


class _DividedRun:
    """What is told of the time of a run; nothing where it has no times."""

    def __init__(self) -> None:
        self.whole: DividedTime | None = None
        self.rows: tuple[TimeRow, ...] = ()
        self.host: tuple[HostWork, ...] = ()
        self.host_period: int | None = None
        self.ranks: tuple[RankTime, ...] = ()
        self.processor: ProcessorCounts | None = None
        self.window: SteadyWindow | None = None
        self.operations: GpuOperations | None = None


def _divide_run(tables: RunTables) -> _DividedRun:
    found, span = _DividedRun(), tables.rows(_SPAN)
    wall = (int(span[0][0]), int(span[0][1])) if span and span[0][0] is not None else (0, 0)
    if tables.rows(_HAS_GPU) and wall[1] > wall[0]:
        _divide_gpu_run(tables, found, wall)
    elif (main := find_main_window(tables)) is not None:
        found.window, lanes = main
        divided = divide_main_threads(tables, found.window, lanes)
        found.rows, found.ranks = _order_rows(divided.rows), divided.ranks
        whole = _make_whole(found.window, wall, lanes, None)
        found.whole = replace(whole, instant_ns=divided.instant)
        found.processor = read_processor_counts(tables)
    return found


def _divide_gpu_run(tables: RunTables, found: _DividedRun, wall: tuple[int, int]) -> None:
    tables.provide(_BEGINS)
    begins = tables.connection.sql(_BEGINS).to_arrow_table()
    window = find_window(
        tables.rows(_STEADY), recorded_operations.read_column(begins, "start"), wall
    )
    operations = read_operations(tables, (window.start, window.stop))
    meetings = find_meetings(tables)
    divided = divide_gpus(operations, meetings, window)
    idle = divide_idle(tables, operations, divided.lanes, window)
    doubts = tuple(str(reason) for (reason,) in tables.rows(_DOUBTS))
    found.window, found.operations = window, operations
    found.rows = _order_rows((*divided.rows, *idle))
    found.host = read_host_work(tables, window, divided.rows)
    period = tables.rows(_PERIOD)[0][0]
    found.host_period = round(float(period)) if period and not tables.rows(_IS_RECORDED) else None
    found.ranks = _sum_ranks(operations, divided)
    whole = _make_whole(window, wall, len(operations.ranks), doubts)
    instant = measure_instant_window(operations, meetings, (window.start, window.stop))
    found.whole = replace(whole, instant_ns=instant)


def _make_whole(
    window: SteadyWindow, wall: tuple[int, int], lanes: int, doubts: tuple[str, ...] | None
) -> DividedTime:
    return DividedTime(
        basis="iteration" if window.is_steady else "wall",
        of="main thread" if doubts is None else "GPU",
        lanes=lanes,
        window_ns=window.stop - window.start,
        iterations=len(window.durations),
        durations_ns=window.durations,
        wall_ns=wall[1] - wall[0],
        doubts=doubts or (),
    )


def _order_rows(rows: tuple[TimeRow, ...]) -> tuple[TimeRow, ...]:
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                -row.ns, row.part, row.kind, row.path, row.place, row.shapes, row.name,
            ),
        )
    )  # fmt: skip


def _sum_ranks(operations: GpuOperations, divided: DividedGpus) -> tuple[RankTime, ...]:
    """Parts of each rank; nothing where there is one."""
    ranks: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for device, parts in divided.parts.items():
        for part, spent in parts.items():
            ranks[operations.ranks[device]][part] += spent
    if len(ranks) < 2:
        return ()
    return tuple(RankTime(rank, dict(sorted(ranks[rank].items()))) for rank in sorted(ranks))


def _read_moment(window: SteadyWindow | None) -> str | None:
    """When a run was recorded, where its times are dates."""
    seconds = window.start // 1_000_000_000 if window else 0
    if not _FIRST_DATE <= seconds < _LAST_DATE:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _describe_report(findings: Mapping[str, Any]) -> dict[str, Any]:
    run = findings["metrics"]["run"]
    return {
        "slug": str(run["slug"]),
        "digest": str(run["digest"]),
        "tool": str(run["tool"]),
        "perfolio": perfolio.__version__,
        "figures": _list_figures(findings),
        "findings": tuple(
            _make_finding(one, findings.get("replay")) for one in findings["findings"]
        ),
        "steps": tuple(_list_steps(findings)),
    }


def _list_figures(findings: Mapping[str, Any]) -> tuple[RecordedFigure, ...]:
    keys = {item["metric"] for item in findings["key_figures"]}
    return tuple(
        RecordedFigure(
            item["name"], item["title"], item["unit"], item["better"], float(item["value"]),
            item["low"], item["high"], item["name"] in keys,
        )
        for item in findings["metrics"]["metrics"]
        if item["name"] in keys.union(ALWAYS)
        and item["status"] == "measured"
        and item["value"] is not None
        and np.isfinite(item["value"])
    )  # fmt: skip


def _make_finding(one: Mapping[str, Any], replay: Mapping[str, Any] | None) -> RecordedFinding:
    estimate, expected = one["estimate"] or {}, one["expected"] or {}
    thresholds = one["thresholds"]
    first = thresholds[0]["value"] if thresholds else None
    return RecordedFinding(
        code=one["code"],
        slug=one["slug"],
        title=one["title"],
        status=one["status"],
        severity=one["severity"],
        cause=one["parent"] or "",
        bound=estimate.get("reduction"),
        denominator=estimate.get("of") or "",
        low=expected.get("low"),
        high=expected.get("high"),
        value=one["value"],
        unit=one["unit"],
        threshold=one["threshold"] if one["threshold"] is not None else first,
        direction=one["direction"],
        whole=estimate.get("whole", ""),
        steady=estimate.get("steady"),
        is_limit=estimate.get("kind") == "limit",
        replayed=_find_replayed_range(one.get("expectation"), replay),
    )


def _find_replayed_range(
    told: Mapping[str, Any] | None, replay: Mapping[str, Any] | None
) -> ReplayedRange | None:
    """What a replay expects of iterations; None of a recording without any."""
    if told is None or replay is None or told["method"] != "replay" or not told["recurs"]:
        return None
    low, high = told["low"] - told["error"], min(1.0, told["high"] + told["error"])
    return ReplayedRange(low, high, is_plain(replay))


def _list_steps(findings: Mapping[str, Any]) -> Iterator[KeptStep]:
    """The roadmap. Of steady iterations no steps save more than the whole roadmap does."""
    tree, together = findings["causes"], findings["worth"]["most"] or {}
    steady = tree["steady"]
    most = together.get("steady")
    for phase in findings["roadmap"]["phases"]:
        for step in phase["steps"]:
            joint = min(step["joint"], 1.0)
            of_steady = min(joint * tree["amount"] / steady, 1.0) if steady else None
            if of_steady is not None and most is not None:
                of_steady = min(of_steady, most)
            yield KeptStep(
                step["code"],
                tuple(sorted({*step["also"], *step["part"]})),
                joint if tree["whole"] == "wall" else None,
                of_steady,
            )
