"""Events to the values and traces of a database, as HPCToolkit records them.

GPU operations are values of the thread that launched them; streams have traces only. CPU
samples are values and trace points of their thread, which the trace takes for idle when no
sample follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np

from perfolio.simulation.context_tree import ContextTreeBuilder
from perfolio.simulation.gpu_metric_names import AMD_METRICS, NVIDIA_METRICS, PC_METRICS
from perfolio.simulation.profiler_sampling import (
    CpuSamples,
    count_resident_warps,
    take_cpu_samples,
    take_pc_samples,
)
from perfolio.simulation.scenario import AMD, Scenario
from perfolio.simulation.simulated_events import (
    KINDS,
    GpuOperations,
    HostThread,
    SimulatedRecording,
    Whole,
)
from perfolio.simulation.size_limits import check_samples
from perfolio.writers.hpctoolkit import Database, Identifier, Metric, Profile, TracePoints, Values
from perfolio.writers.hpctoolkit.model import APPLICATION_THREAD, MAIN_THREAD

MAIN = "main"
HOST_ID = 0x5EED0001
FIRST_STREAM = 7
"""CUDA numbers a context's default stream so."""
Row = tuple[int, str, float]
"""Context, metric, value."""


@dataclass(frozen=True)
class RecordedDatabase:
    """A database with its values and traces."""

    database: Database
    values: list[Values]
    traces: list[TracePoints]


def record(scenario: Scenario, recording: SimulatedRecording) -> RecordedDatabase:
    """What a profiler with the scenario's measurement writes of a run.

    Raises UsageError where these are too many samples.
    """
    check_samples(scenario, recording)
    if scenario.artefacts.unseen_graphs:
        recording = replace(recording, operations=_drop_graph_operations(recording.operations))
    contexts, metrics = ContextTreeBuilder(), _number_metrics(scenario)
    samples = [take_cpu_samples(scenario, recording, i) for i in range(len(recording.threads))]
    rows: list[list[Row]] = [[] for _ in recording.threads]
    for thread, row in _list_gpu_values(scenario, recording, contexts):
        rows[thread].append(row)
    values = [
        _make_values(
            profile + 1,
            [*_list_cpu_values(scenario, recording, contexts, (profile, one)), *own],
            metrics,
        )
        for profile, (one, own) in enumerate(zip(samples, rows, strict=True))
    ]
    traces = list(_list_traces(scenario, recording, contexts, samples))
    functions = contexts.functions()
    database = Database(
        title=scenario.executable,
        metrics=tuple(Metric(name) for name in metrics),
        entry_points=contexts.entry_points(),
        tree=contexts.tree(),
        profiles=_list_profiles(scenario, recording),
        modules=contexts.modules(),
        files=contexts.files(),
        functions=functions,
    )
    return RecordedDatabase(database, values, traces if scenario.measurement.traces else [])


def _drop_graph_operations(operations: GpuOperations) -> GpuOperations:
    """Those that were not launched by a graph: HPCToolkit knows no calling path of the others."""
    columns = {each.name: getattr(operations, each.name) for each in fields(operations)}
    return GpuOperations(**{name: column[~operations.graph] for name, column in columns.items()})


def _number_metrics(scenario: Scenario) -> dict[str, int]:
    """Names of the metrics that the measurement lists, used or not, with their positions."""
    names: list[str] = []
    if scenario.measurement.cpu_period > 0.0:
        names.append(scenario.measurement.cpu_event)
    names.extend(AMD_METRICS if scenario.device.vendor == AMD else NVIDIA_METRICS)
    if scenario.measurement.pc_samples:
        names.extend(PC_METRICS)
    return {name: position for position, name in enumerate(names)}


def _make_values(profile: int, rows: list[Row], metrics: dict[str, int]) -> Values:
    kept = [row for row in rows if row[1] in metrics and row[2] != 0.0]
    return Values(
        profile=profile,
        context=np.array([row[0] for row in kept], np.uint32),
        metric=np.array([metrics[row[1]] for row in kept], np.uint16),
        value=np.array([row[2] for row in kept], np.float64),
    )


def _choose_entry(thread: HostThread) -> int:
    return MAIN_THREAD if thread.name == MAIN else APPLICATION_THREAD


def _list_cpu_values(
    scenario: Scenario,
    recording: SimulatedRecording,
    contexts: ContextTreeBuilder,
    samples: tuple[int, CpuSamples],
) -> Iterator[Row]:
    """Each sample stands for one period."""
    entry = _choose_entry(recording.threads[samples[0]])
    seconds = scenario.measurement.cpu_period / 1e9
    for path, number in zip(*np.unique(samples[1].path, return_counts=True), strict=True):
        context = contexts.of(entry, recording.paths[path])
        yield context, scenario.measurement.cpu_event, float(number) * seconds


def _list_gpu_values(
    scenario: Scenario, recording: SimulatedRecording, contexts: ContextTreeBuilder
) -> Iterator[tuple[int, Row]]:
    """Costs of GPU operations per launching thread, calling path and kind."""
    operations = recording.operations
    keys = np.stack(
        (operations.thread, operations.path, operations.kind, operations.kernel), axis=1
    )
    kinds, which = np.unique(keys, axis=0, return_inverse=True)
    lengths = operations.stop - operations.start
    for number, (thread, path, kind, kernel) in enumerate(kinds.tolist()):
        own = which.reshape(-1) == number
        context = contexts.of(_choose_entry(recording.threads[thread]), recording.paths[path])
        seconds, count = float(lengths[own].sum()) / 1e9, float(own.sum())
        costs = {"GPUOP (sec)": seconds}
        if kind == 0:
            costs |= {
                "GKER (sec)": seconds,
                **_sum_launch_costs(scenario, recording.kernels[kernel], count),
            }
        else:
            direction = KINDS[kind].rpartition(" ")[2].upper()
            moved = float(operations.size[own].sum())
            costs |= {"GXCOPY (sec)": seconds}
            if scenario.device.vendor != AMD:
                costs |= {"GXCOPY:COUNT": count, f"GXCOPY:{direction} (B)": moved}
        yield from ((thread, (context, name, value)) for name, value in costs.items())
    yield from _list_pc_values(scenario, recording, contexts)


def _sum_launch_costs(scenario: Scenario, key: str, count: float) -> dict[str, float]:
    """Sums over launches of what HPCToolkit notes of each; AMD's databases lack all of it."""
    kernel, device = scenario.kernels[key], scenario.device
    blocks = kernel.threads if scenario.artefacts.threads_as_blocks else kernel.blocks
    each = {
        "GKER:COUNT": 1,
        "GKER:THR_REG_ACUMU": kernel.registers,
        "GKER:BLK_THR_ACUMU": kernel.threads,
        "GKER:BLKS_ACUMU": blocks,
        "GKER:STMEM_ACUMU (B)": kernel.static_shared,
        "GKER:DYMEM_ACUMU (B)": kernel.dynamic_shared,
        "GKER:BLK_SM_ACUMU": kernel.static_shared + kernel.dynamic_shared,
        "GKER:LMEM_ACUMU (B)": kernel.local_memory,
        "GKER:FGP_ACT_ACUMU": count_resident_warps(scenario, kernel),
        "GKER:FGP_MAX_ACUMU": device.max_warps,
    }
    return {name: value * count for name, value in each.items()}


def _list_pc_values(
    scenario: Scenario, recording: SimulatedRecording, contexts: ContextTreeBuilder
) -> Iterator[tuple[int, Row]]:
    """PC samples count the period each, those of GSAMP one each."""
    period = float(scenario.measurement.pc_period)
    for one in take_pc_samples(scenario, recording):
        context = contexts.of(
            _choose_entry(recording.threads[one.thread]), recording.paths[one.path]
        )
        costs = {f"GINS:STL_{name.upper()}": n * period for name, n in one.stalls.items()}
        costs |= {
            "GINS": one.total * period,
            "GINS:STL_ANY": sum(one.stalls.values()) * period,
            "GSAMP:TOT": one.total,
            "GSAMP:EXP": one.expected,
            "GSAMP:DRP": one.dropped,
            "GSAMP:PER (cyc)": period,
        }
        yield from ((one.thread, (context, name, value)) for name, value in costs.items())


def _list_profiles(scenario: Scenario, recording: SimulatedRecording) -> tuple[Profile, ...]:
    """Threads first, then the streams of each rank that holds one."""
    threads = [
        Profile((*_make_identifiers(scenario, one.rank), Identifier("THREAD", one.number)))
        for one in recording.threads
    ]
    streams = [
        Profile(
            (
                *_make_identifiers(scenario, rank),
                Identifier("GPUCONTEXT", 1),
                Identifier("GPUSTREAM", FIRST_STREAM + stream),
            )
        )
        for rank, stream in _list_streams(recording)
    ]
    return (*threads, *streams)


def _make_identifiers(scenario: Scenario, rank: int) -> tuple[Identifier, ...]:
    node = Identifier("NODE", 0, HOST_ID)
    return (node, Identifier("RANK", rank)) if scenario.ranks.count > 1 else (node,)


def _list_streams(recording: SimulatedRecording) -> list[tuple[int, int]]:
    """Rank and stream of each line of GPU operations."""
    operations = recording.operations
    pairs = np.stack((operations.rank, operations.stream), axis=1)
    return [(rank, stream) for rank, stream in np.unique(pairs, axis=0).tolist()]


def _list_traces(
    scenario: Scenario,
    recording: SimulatedRecording,
    contexts: ContextTreeBuilder,
    samples: list[CpuSamples],
) -> Iterator[TracePoints]:
    for index, (thread, own) in enumerate(zip(recording.threads, samples, strict=True)):
        ids = [contexts.of(_choose_entry(thread), recording.paths[path]) for path in own.path]
        points = _list_cpu_points(thread, own.time, ids, scenario.measurement.cpu_period)
        yield _make_trace_points(index + 1, points)
    random = np.random.default_rng((scenario.seed, 7))
    for line, place in enumerate(_list_streams(recording)):
        points = _list_gpu_points(scenario, recording, contexts, (place, random))
        yield _make_trace_points(len(recording.threads) + line + 1, points)


def _make_trace_points(profile: int, points: list[tuple[int, int]]) -> TracePoints:
    columns = np.array(points, np.uint64).reshape(-1, 2)
    return TracePoints(profile, columns[:, 0], columns[:, 1].astype(np.uint32))


def _list_cpu_points(
    thread: HostThread, times: Whole, ids: list[int], period: float
) -> list[tuple[int, int]]:
    """Begin, samples, end; idle one period after a sample that no other follows soon."""
    points = [(thread.begin, 0)]
    for index, (time, context) in enumerate(zip(times.tolist(), ids, strict=True)):
        points.append((time, context))
        if index + 1 < len(ids) and times[index + 1] - time > 1.5 * period:
            points.append((time + round(period), 0))
    if len(points) > 1:
        points.append((thread.end, 0))
    return points


def _list_gpu_points(
    scenario: Scenario,
    recording: SimulatedRecording,
    contexts: ContextTreeBuilder,
    chosen: tuple[tuple[int, int], np.random.Generator],
) -> list[tuple[int, int]]:
    """Begin and end of each operation of a stream, with the artefact of wrong begins."""
    operations, ((rank, stream), random) = recording.operations, chosen
    own = np.flatnonzero((operations.rank == rank) & (operations.stream == stream))
    starts, stops = operations.start[own].copy(), operations.stop[own]
    later = np.flatnonzero(starts[1:] - stops[:-1] > 1) + 1
    number = min(scenario.artefacts.one_ns_idle, len(later))
    wrong = random.choice(later, number, replace=False) if number else later[:0]
    starts[wrong] = stops[wrong - 1] + 1
    points: list[tuple[int, int]] = []
    begins, ends = starts.tolist(), stops.tolist()
    callers = zip(operations.thread[own].tolist(), operations.path[own].tolist(), strict=True)
    for index, (thread, path) in enumerate(callers):
        context = contexts.of(_choose_entry(recording.threads[thread]), recording.paths[path])
        points.append((begins[index], context))
        if index + 1 == len(own) or begins[index + 1] > ends[index]:
            points.append((ends[index], 0))
    return points
