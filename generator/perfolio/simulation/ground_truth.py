"""Ground truth: the figures that a report should find, computed from the model's events.

Times in seconds, sizes in bytes. Nothing here knows how a profiler samples or what it writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.simulation.scenario import Scenario
from perfolio.simulation.simulated_events import (
    ACTIVITIES,
    KINDS,
    GpuOperations,
    SimulatedRecording,
    Whole,
)

SCHEMA = "perfolio-truth/1"
Spans = npt.NDArray[np.int64]
"""Rows of start and stop."""


def compute_truth(scenario: Scenario, recording: SimulatedRecording) -> dict[str, Any]:
    """The document truth.json of a run."""
    operations, threads = recording.operations, recording.threads
    begin, end = min(one.begin for one in threads), max(one.end for one in threads)
    kinds = {name: operations.kind == index for index, name in enumerate(KINDS)}
    return {
        "schema": SCHEMA,
        "wall": _to_seconds(end - begin),
        **_summarize_gpus(operations, begin, end),
        "operations": {name: _sum_kind(operations, chosen) for name, chosen in kinds.items()},
        "kernels": _sum_kernels(scenario, recording),
        "streams": {
            f"rank {rank} {name}": _to_seconds(_sum_lengths(_merge_operations(operations, chosen)))
            for rank in range(scenario.ranks.count)
            for number, name in enumerate(recording.streams)
            if (chosen := (operations.rank == rank) & (operations.stream == number)).any()
        },
        "iterations": _measure_iterations(recording),
        "iteration_busy_median": _measure_iteration_busy(recording),
        "cpu_time": _sum_cpu_time(recording),
        "idle_by_activity": _sum_idle(recording, recording.segments.activity, ACTIVITIES),
        "idle_by_phase": _sum_idle(recording, recording.segments.phase, recording.phases),
        "ranks": [_measure_rank(recording, rank) for rank in range(scenario.ranks.count)],
        "stalls": _weigh_stalls(scenario, recording),
    }


def merge_spans(start: Whole, stop: Whole) -> Spans:
    """Intervals merged where they touch or overlap, in order."""
    if not len(start):
        return np.empty((0, 2), np.int64)
    order = np.argsort(start, kind="stable")
    first, reach = start[order], np.maximum.accumulate(stop[order])
    begins = np.concatenate(([True], first[1:] > reach[:-1]))
    ends = np.concatenate((begins[1:], [True]))
    return np.stack((first[begins], reach[ends]), axis=1)


def find_gaps(merged: Spans) -> Spans:
    """Intervals between merged ones."""
    return np.stack((merged[:-1, 1], merged[1:, 0]), axis=1)


def measure_covered(merged: Spans, moments: Whole) -> Whole:
    """How much of merged intervals lies before each moment."""
    if not len(merged):
        return np.zeros_like(moments)
    before = np.concatenate(([0], np.cumsum(merged[:, 1] - merged[:, 0])))
    index = np.searchsorted(merged[:, 0], moments, side="right")
    last = np.maximum(index - 1, 0)
    within = np.minimum(moments, merged[last, 1]) - merged[last, 0]
    return np.where(index == 0, 0, before[last] + within)


def _merge_operations(operations: GpuOperations, chosen: npt.NDArray[np.bool_] | Whole) -> Spans:
    return merge_spans(operations.start[chosen], operations.stop[chosen])


def _sum_lengths(spans: Spans) -> int:
    return int((spans[:, 1] - spans[:, 0]).sum())


def _to_seconds(nanoseconds: float) -> float:
    return float(nanoseconds) / 1e9


def _summarize_gpus(operations: GpuOperations, begin: int, end: int) -> dict[str, float]:
    """What a GPU does between `begin` and `end`, the mean over those with operations."""
    ranks = np.unique(operations.rank)
    if not len(ranks):
        nothing = ("gpu_busy", "kernel_busy", "copy_busy", "copy_exposed", "gpu_span")
        idle = {"idle_before": _to_seconds(end - begin), "idle_between": 0.0, "idle_after": 0.0}
        return dict.fromkeys(nothing, 0.0) | idle
    own = [_measure_gpu(operations, operations.rank == rank, begin, end) for rank in ranks]
    return {name: _to_seconds(sum(one[name] for one in own) / len(own)) for name in own[0]}


def _measure_gpu(
    operations: GpuOperations, chosen: npt.NDArray[np.bool_], begin: int, end: int
) -> dict[str, int]:
    busy, kernels = (
        _merge_operations(operations, chosen),
        _merge_operations(operations, chosen & (operations.kind == 0)),
    )
    return {
        "gpu_busy": _sum_lengths(busy),
        "kernel_busy": _sum_lengths(kernels),
        "copy_busy": _sum_lengths(_merge_operations(operations, chosen & (operations.kind != 0))),
        "copy_exposed": _sum_lengths(busy) - _sum_lengths(kernels),
        "gpu_span": int(busy[-1, 1] - busy[0, 0]),
        "idle_before": int(busy[0, 0]) - begin,
        "idle_between": _sum_lengths(find_gaps(busy)),
        "idle_after": end - int(busy[-1, 1]),
    }


def _sum_kind(operations: GpuOperations, chosen: npt.NDArray[np.bool_]) -> dict[str, float]:
    lengths = operations.stop[chosen] - operations.start[chosen]
    of_copies = operations.size[chosen & (operations.kind != 0)]
    return {
        "count": int(chosen.sum()),
        "time": _to_seconds(lengths.sum()),
        "bytes": int(of_copies.sum()),
    }


def _sum_kernels(scenario: Scenario, recording: SimulatedRecording) -> dict[str, Any]:
    operations = recording.operations
    found: dict[str, Any] = {}
    for index, key in enumerate(recording.kernels):
        chosen = operations.kernel == index
        if chosen.any():
            lengths = operations.stop[chosen] - operations.start[chosen]
            name = scenario.kernels[key].name
            found[key] = {
                "name": name,
                "count": int(chosen.sum()),
                "time": _to_seconds(lengths.sum()),
            }
    return found


def _measure_iterations(recording: SimulatedRecording) -> dict[str, Any]:
    """Iterations of rank 0, by its host and by its GPU, which may lag behind.

    By the host from begin to begin, by the GPU from the end of the last operation of one
    iteration to that of the next.
    """
    operations, lengths = recording.operations, np.diff(recording.iterations[0])
    own = (found[operations.rank[found] == 0] for found in _group_by_iteration(recording))
    ends = [int(operations.stop[chosen].max()) for chosen in own if len(chosen)]
    return {
        "count": len(lengths),
        "first": _to_seconds(lengths[0]),
        "median": _to_seconds(np.median(lengths)),
        "mean": _to_seconds(lengths.mean()),
        "gpu_median": _to_seconds(np.median(np.diff(ends))) if len(ends) > 1 else None,
    }


def _group_by_iteration(recording: SimulatedRecording) -> Iterator[Whole]:
    """Positions of the operations of each iteration, in order."""
    iteration = recording.operations.iteration
    order = np.argsort(iteration, kind="stable")
    bounds = np.searchsorted(iteration[order], np.arange(recording.iterations.shape[1]))
    return (order[first:last] for first, last in pairwise(bounds))


def _measure_iteration_busy(recording: SimulatedRecording) -> float:
    """Median of the time that operations of one iteration run on a GPU, the mean over GPUs."""
    operations = recording.operations
    gpus = np.unique(operations.rank)
    busy = [
        [
            _sum_lengths(_merge_operations(operations, found[operations.rank[found] == gpu]))
            for gpu in gpus
        ]
        for found in _group_by_iteration(recording)
    ]
    return _to_seconds(np.median([sum(one) / max(len(one), 1) for one in busy]))


def _sum_cpu_time(recording: SimulatedRecording) -> dict[str, float]:
    """Time that threads ran, per thread; threads of one name on several ranks apart."""
    segments = recording.segments
    lengths = np.where(segments.runs, segments.stop - segments.start, 0)
    sums = np.bincount(segments.thread, lengths, len(recording.threads))
    return {
        f"rank {one.rank} {one.name}": _to_seconds(sums[index])
        for index, one in enumerate(recording.threads)
    }


def _sum_idle(
    recording: SimulatedRecording, column: Whole, names: tuple[str, ...]
) -> dict[str, float]:
    """GPU idle time between operations of a rank by what its control did, over all ranks."""
    segments, operations = recording.segments, recording.operations
    ranks = np.array([one.rank for one in recording.threads])[segments.thread]
    sums = np.zeros(len(names))
    for rank in np.unique(ranks):
        idle = find_gaps(_merge_operations(operations, operations.rank == rank))
        chosen = segments.control & (ranks == rank)
        spent = measure_covered(idle, segments.stop[chosen]) - measure_covered(
            idle, segments.start[chosen]
        )
        sums += np.bincount(column[chosen], spent, len(names))
    return {
        name: _to_seconds(value) for name, value in zip(names, sums, strict=True) if value > 0.0
    }


def _measure_rank(recording: SimulatedRecording, rank: int) -> dict[str, float]:
    segments, operations = recording.segments, recording.operations
    own = np.array([one.rank for one in recording.threads])[segments.thread] == rank
    running = np.where(segments.runs & own, segments.stop - segments.start, 0)
    lengths = np.diff(recording.iterations[rank])
    return {
        "gpu_busy": _to_seconds(
            _sum_lengths(_merge_operations(operations, operations.rank == rank))
        ),
        "cpu_time": _to_seconds(running.sum()),
        "iteration_first": _to_seconds(lengths[0]),
        "iteration_median": _to_seconds(np.median(lengths)),
    }


def _weigh_stalls(scenario: Scenario, recording: SimulatedRecording) -> dict[str, float]:
    """Expected share of samples per reason: mixes weighted by time on active multiprocessors."""
    weights: dict[str, float] = {}
    operations = recording.operations
    times = np.bincount(
        operations.kernel[operations.kernel >= 0],
        (operations.stop - operations.start)[operations.kernel >= 0],
        len(recording.kernels),
    )
    whole = 0.0
    for time, key in zip(times, recording.kernels, strict=True):
        kernel = scenario.kernels[key]
        whole += time * kernel.active
        for reason, share in kernel.stalls.items():
            weights[reason] = weights.get(reason, 0.0) + time * kernel.active * share
    return {reason: value / whole for reason, value in weights.items() if value > 0.0}
