"""The model: which event begins when.

All ranks take the same steps. A step's events are computed as soon as those that they wait
for are known, so that no event queue is needed: the host goes on when its call returns, an
operation begins when the host has submitted it, its stream has done what came before and, for
a copy, the engine of its direction is free. A collective ends when the last rank has come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from perfolio.common.progress import Progress, QuietProgress
from perfolio.simulation.calling_paths import Path, PathFrame
from perfolio.simulation.phase_steps import (
    D2D,
    D2H,
    H2D,
    CollectiveStep,
    CopyStep,
    EventStep,
    HostStep,
    LaunchStep,
    LoadStep,
    Step,
    WaitStep,
)
from perfolio.simulation.rank_clocks import RankClocks
from perfolio.simulation.scenario import Scenario, ScenarioPhase
from perfolio.simulation.simulated_events import (
    COPY,
    DISPATCH,
    HOST,
    KINDS,
    LAUNCH,
    SERIALISED,
    EventRecorder,
    SimulatedRecording,
)
from perfolio.simulation.size_limits import check_end, check_events

PLACEHOLDERS = {H2D: "<gpu copyin>", D2H: "<gpu copyout>", D2D: "<gpu copy>"}


def simulate(scenario: Scenario, progress: Progress | None = None) -> SimulatedRecording:
    """All events of a run. Raises UsageError for more than can be held."""
    told = progress or QuietProgress()
    check_events(scenario)
    recorder = EventRecorder(tuple(scenario.kernels))
    ranks = [_make_clocks(scenario, number, recorder) for number in range(scenario.ranks.count)]
    starts: list[list[int]] = [[] for _ in ranks]
    _run_phases(ranks, scenario.start)
    for one in ranks:
        one.start_loader()
    told.start("simulating", scenario.iterations)
    for iteration in range(scenario.iterations):
        for one in ranks:
            starts[one.rank].append(one.now)
            _start_iteration(one, iteration)
        _run_phases(ranks, scenario.iteration)
        told.advance(1)
    for one in ranks:
        starts[one.rank].append(one.now)
        one.iteration, one.slow = -1, scenario.ranks.host.get(one.rank, 1.0)
    _run_phases(ranks, scenario.finish)
    check_end(max(max(one.now, *one.streams.values(), *one.free, 0) for one in ranks))
    return recorder.done(starts, [max(one.now, *one.streams.values(), 0) for one in ranks])


def _make_clocks(scenario: Scenario, rank: int, recorder: EventRecorder) -> RankClocks:
    random = np.random.default_rng((scenario.seed, rank))
    slow = scenario.ranks.host.get(rank, 1.0)
    return RankClocks(scenario, rank, recorder, random, slow=slow)


def _start_iteration(one: RankClocks, iteration: int) -> None:
    warm_up, usual = one.scenario.warm_up, one.scenario.ranks.host.get(one.rank, 1.0)
    one.iteration = iteration
    one.slow = usual * warm_up.factor if iteration < warm_up.iterations else usual


def _run_warm_up(one: RankClocks, phase: ScenarioPhase) -> None:
    """What the first iterations do once more, e.g. load the code of kernels."""
    warm_up = one.scenario.warm_up
    if phase.name == warm_up.phase and one.warmed < one.iteration < warm_up.iterations:
        one.warmed = one.iteration
        usual = one.scenario.ranks.host.get(one.rank, 1.0)
        until = one.now + one.draw(warm_up.extra, usual)
        one.spend(until, one.recorder.path(warm_up.path), HOST)


def _run_phases(ranks: list[RankClocks], phases: tuple[ScenarioPhase, ...]) -> None:
    for phase in phases:
        for one in ranks:
            one.enter(phase.thread, phase.name)
            _run_warm_up(one, phase)
        if phase.graph:
            _launch_graph(ranks, phase)
            continue
        for step in phase.steps:
            for _ in range(step.repeat):
                _run_step(ranks, step)


def _run_step(ranks: list[RankClocks], step: Step) -> None:
    if isinstance(step, CollectiveStep):
        _run_collective(ranks, step)
        return
    for one in ranks:
        _TAKE[type(step)](one, step)


def _run_host_work(one: RankClocks, step: HostStep) -> None:
    one.work(step.time, one.recorder.path(step.path))


def _launch_kernel(one: RankClocks, step: LaunchStep) -> None:
    _prepare_operation(one, step.path, step.host)
    end = _run_kernel(one, step, one.now + round(one.scenario.host.delay))
    _apply_serialisation(one, step.path, end)


def _prepare_operation(one: RankClocks, path: Path, host: Any) -> None:
    """What comes before each operation on the host: preparation and the call."""
    one.work(host, one.recorder.path(path), DISPATCH)
    one.call(one.scenario.host.launch, one.recorder.path(path, one.api("launch")), LAUNCH)


def _run_kernel(one: RankClocks, step: LaunchStep, earliest: int) -> int:
    """A kernel on its stream; returns when it ends."""
    kernel = one.scenario.kernels[step.kernel]
    factor = one.scenario.ranks.kernels.get(one.rank, 1.0) * kernel.factor
    start = _find_begin(one, step.stream, earliest)
    stop = start + max(one.draw(step.time, factor), 1)
    path = one.recorder.path(step.path, _make_kernel_frames(kernel.name))
    number = one.recorder.kernel(step.kernel)
    _record_operation(one, step.stream, 0, (start, stop), (path, number, 0))
    return stop


@cache
def _make_kernel_frames(kernel: str) -> Path:
    """Frames of a kernel below the call that launches it."""
    return (PathFrame("<gpu kernel>"), PathFrame(kernel))


def _record_operation(
    one: RankClocks, stream: str, kind: int, span: tuple[int, int], what: tuple[int, ...]
) -> None:
    """Record an operation: `what` is its path, kernel, size, and whether memory is pinned."""
    path, kernel, size, *pinned = what
    values = (*span, path, kernel, size, any(pinned), one.thread, one.iteration, one.graph)
    one.recorder.operation(one.rank, one.recorder.stream(stream), kind, *values, one.called)
    one.streams[stream] = span[1]


def _find_begin(one: RankClocks, stream: str, earliest: int) -> int:
    """Never 1 ns after the former operation: that is how HPCToolkit's wrong ones look."""
    ready = one.streams.get(stream, 0)
    return earliest + 1 if earliest - ready == 1 else max(earliest, ready)


def _apply_serialisation(one: RankClocks, path: Path, end: int) -> None:
    """With PC sampling the launching thread waits for the kernel, then for the profiler."""
    cost = one.scenario.artefacts.serialisation
    if one.scenario.measurement.pc_samples and cost.mean > 0.0:
        inside = one.recorder.path(path, one.api("launch"))
        one.spend(max(one.now, end) + one.draw(cost), inside, SERIALISED)


def _copy_memory(one: RankClocks, step: CopyStep) -> None:
    one.work(step.host, one.recorder.path(step.path), DISPATCH)
    inside = one.recorder.path(step.path, one.api("copy"))
    one.call(one.scenario.host.launch, inside, COPY)
    end = _run_transfer(one, step, one.now + round(one.scenario.host.delay))
    if step.blocking or not step.pinned:
        one.spend(end, inside, COPY, runs=one.scenario.host.spins)


def _run_transfer(one: RankClocks, step: CopyStep, earliest: int) -> int:
    """A copy on its stream and engine, of latency + bytes / rate; returns when it ends."""
    link = one.scenario.links[step.direction]
    rate = link.pinned if step.pinned else link.pageable
    start = _find_begin(one, step.stream, max(earliest, one.engines.get(step.direction, 0)))
    stop = start + max(one.draw(link.latency) + round(step.size / rate * 1e9), 1)
    inner = (PathFrame(PLACEHOLDERS[step.direction]),)
    kind = KINDS.index(f"copy {step.direction}")
    what = (one.recorder.path(step.path, inner), -1, step.size, step.pinned)
    _record_operation(one, step.stream, kind, (start, stop), what)
    one.engines[step.direction] = stop
    return stop


def _wait_for_stream(one: RankClocks, step: WaitStep) -> None:
    one.wait(one.streams.get(step.stream, 0), one.recorder.path(step.path, one.api("wait")))


def _join_streams(one: RankClocks, step: EventStep) -> None:
    both = (one.streams.get(step.stream, 0), one.streams.get(step.after, 0))
    if any(both):
        one.streams[step.stream] = max(both)


def _load_batch(one: RankClocks, step: LoadStep) -> None:
    one.load(one.recorder.path(step.path))


def _run_collective(ranks: list[RankClocks], step: CollectiveStep) -> None:
    for one in ranks:
        _prepare_operation(one, step.path, step.host)
    ends = _reduce_ranks(ranks, step, [one.now + round(one.scenario.host.delay) for one in ranks])
    for one, end in zip(ranks, ends, strict=True):
        _apply_serialisation(one, step.path, end)


def _reduce_ranks(ranks: list[RankClocks], step: CollectiveStep, earliest: list[int]) -> list[int]:
    """A kernel on every rank from when it can begin there until all are done."""
    scenario = ranks[0].scenario
    starts = [_find_begin(one, step.stream, at) for one, at in zip(ranks, earliest, strict=True)]
    end = max(starts) + round(scenario.ranks.latency + step.size / scenario.ranks.rate * 1e9)
    inner = _make_kernel_frames(scenario.kernels[step.kernel].name)
    for one, start in zip(ranks, starts, strict=True):
        path, number = one.recorder.path(step.path, inner), one.recorder.kernel(step.kernel)
        _record_operation(
            one, step.stream, 0, (start, max(end, start + 1)), (path, number, step.size)
        )
    return [end] * len(ranks)


def _launch_graph(ranks: list[RankClocks], phase: ScenarioPhase) -> None:
    """One call launches all operations of a phase; its host work was done at capture."""
    for one in ranks:
        one.work(one.scenario.host.dispatch, one.recorder.path(phase.path), DISPATCH)
        call = one.recorder.path(phase.path, one.api("graph"))
        one.call(one.scenario.host.graph_launch, call, LAUNCH)
        one.graph = True
    launched = (*phase.path, *ranks[0].api("graph"))
    for step in phase.steps:
        for _ in range(step.repeat):
            _run_graph_node(ranks, step, launched)
    for one in ranks:
        one.graph = False
        _apply_serialisation(one, phase.path, max(one.streams.values(), default=0))


def _run_graph_node(ranks: list[RankClocks], step: Step, launched: Path) -> None:
    """A node of a graph begins a moment after the former one on its stream.

    The graph's launch is all that is known of its calling path, `launched`.
    """
    if isinstance(step, EventStep):
        for one in ranks:
            _join_streams(one, step)
    if not isinstance(step, LaunchStep | CopyStep | CollectiveStep):
        return
    gap, delay = (
        round(x) for x in (ranks[0].scenario.host.graph_gap, ranks[0].scenario.host.delay)
    )
    earliest = [max(one.now + delay, one.streams.get(step.stream, 0) + gap) for one in ranks]
    step = replace(step, path=launched)
    if isinstance(step, CollectiveStep):
        _reduce_ranks(ranks, step, earliest)
        return
    for one, at in zip(ranks, earliest, strict=True):
        if isinstance(step, LaunchStep):
            _run_kernel(one, step, at)
        else:
            _run_transfer(one, step, at)


_TAKE: dict[type, Callable[[RankClocks, Any], None]] = {
    HostStep: _run_host_work,
    LaunchStep: _launch_kernel,
    CopyStep: _copy_memory,
    WaitStep: _wait_for_stream,
    EventStep: _join_streams,
    LoadStep: _load_batch,
}
