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

from perfolio.common.progress import Progress, Quiet
from perfolio.simulation.calling_paths import Frame, Path
from perfolio.simulation.phase_steps import (
    D2D,
    D2H,
    H2D,
    Collective,
    Copy,
    Event,
    Host,
    Launch,
    Load,
    Step,
    Wait,
)
from perfolio.simulation.rank_clocks import Clocks
from perfolio.simulation.scenario import Phase, Scenario
from perfolio.simulation.simulated_events import (
    COPY,
    DISPATCH,
    HOST,
    KINDS,
    LAUNCH,
    SERIALISED,
    Recorder,
    Recording,
)
from perfolio.simulation.size_limits import check_end, check_events

PLACEHOLDERS = {H2D: "<gpu copyin>", D2H: "<gpu copyout>", D2D: "<gpu copy>"}


def simulate(scenario: Scenario, progress: Progress | None = None) -> Recording:
    """All events of a run. Raises UsageError for more than can be held."""
    told = progress or Quiet()
    check_events(scenario)
    recorder = Recorder(tuple(scenario.kernels))
    ranks = [_clocks(scenario, number, recorder) for number in range(scenario.ranks.count)]
    starts: list[list[int]] = [[] for _ in ranks]
    _phases(ranks, scenario.start)
    for one in ranks:
        one.start_loader()
    told.start("simulating", scenario.iterations)
    for iteration in range(scenario.iterations):
        for one in ranks:
            starts[one.rank].append(one.now)
            _begin_iteration(one, iteration)
        _phases(ranks, scenario.iteration)
        told.advance(1)
    for one in ranks:
        starts[one.rank].append(one.now)
        one.iteration, one.slow = -1, scenario.ranks.host.get(one.rank, 1.0)
    _phases(ranks, scenario.finish)
    check_end(max(max(one.now, *one.streams.values(), *one.free, 0) for one in ranks))
    return recorder.done(starts, [max(one.now, *one.streams.values(), 0) for one in ranks])


def _clocks(scenario: Scenario, rank: int, recorder: Recorder) -> Clocks:
    random = np.random.default_rng((scenario.seed, rank))
    slow = scenario.ranks.host.get(rank, 1.0)
    return Clocks(scenario, rank, recorder, random, slow=slow)


def _begin_iteration(one: Clocks, iteration: int) -> None:
    warm_up, usual = one.scenario.warm_up, one.scenario.ranks.host.get(one.rank, 1.0)
    one.iteration = iteration
    one.slow = usual * warm_up.factor if iteration < warm_up.iterations else usual


def _warm_up(one: Clocks, phase: Phase) -> None:
    """What the first iterations do once more, e.g. load the code of kernels."""
    warm_up = one.scenario.warm_up
    if phase.name == warm_up.phase and one.warmed < one.iteration < warm_up.iterations:
        one.warmed = one.iteration
        usual = one.scenario.ranks.host.get(one.rank, 1.0)
        until = one.now + one.draw(warm_up.extra, usual)
        one.spend(until, one.recorder.path(warm_up.path), HOST)


def _phases(ranks: list[Clocks], phases: tuple[Phase, ...]) -> None:
    for phase in phases:
        for one in ranks:
            one.enter(phase.thread, phase.name)
            _warm_up(one, phase)
        if phase.graph:
            _graph(ranks, phase)
            continue
        for step in phase.steps:
            for _ in range(step.repeat):
                _step(ranks, step)


def _step(ranks: list[Clocks], step: Step) -> None:
    if isinstance(step, Collective):
        _collective(ranks, step)
        return
    for one in ranks:
        _TAKE[type(step)](one, step)


def _host(one: Clocks, step: Host) -> None:
    one.work(step.time, one.recorder.path(step.path))


def _launch(one: Clocks, step: Launch) -> None:
    _submit(one, step.path, step.host)
    end = _kernel(one, step, one.now + round(one.scenario.host.delay))
    _serialise(one, step.path, end)


def _submit(one: Clocks, path: Path, host: Any) -> None:
    """What comes before each operation on the host: preparation and the call."""
    one.work(host, one.recorder.path(path), DISPATCH)
    one.call(one.scenario.host.launch, one.recorder.path(path, one.api("launch")), LAUNCH)


def _kernel(one: Clocks, step: Launch, earliest: int) -> int:
    """A kernel on its stream; returns when it ends."""
    kernel = one.scenario.kernels[step.kernel]
    factor = one.scenario.ranks.kernels.get(one.rank, 1.0) * kernel.factor
    start = _begin(one, step.stream, earliest)
    stop = start + max(one.draw(step.time, factor), 1)
    path = one.recorder.path(step.path, _on_gpu(kernel.name))
    number = one.recorder.kernel(step.kernel)
    _operation(one, step.stream, 0, (start, stop), (path, number, 0))
    return stop


@cache
def _on_gpu(kernel: str) -> Path:
    """Frames of a kernel below the call that launches it."""
    return (Frame("<gpu kernel>"), Frame(kernel))


def _operation(
    one: Clocks, stream: str, kind: int, span: tuple[int, int], what: tuple[int, ...]
) -> None:
    """Record an operation: `what` is its path, kernel, size, and whether memory is pinned."""
    path, kernel, size, *pinned = what
    values = (*span, path, kernel, size, any(pinned), one.thread, one.iteration, one.graph)
    one.recorder.operation(one.rank, one.recorder.stream(stream), kind, *values, one.called)
    one.streams[stream] = span[1]


def _begin(one: Clocks, stream: str, earliest: int) -> int:
    """Never 1 ns after the former operation: that is how HPCToolkit's wrong ones look."""
    ready = one.streams.get(stream, 0)
    return earliest + 1 if earliest - ready == 1 else max(earliest, ready)


def _serialise(one: Clocks, path: Path, end: int) -> None:
    """With PC sampling the launching thread waits for the kernel, then for the profiler."""
    cost = one.scenario.artefacts.serialisation
    if one.scenario.measurement.pc_samples and cost.mean > 0.0:
        inside = one.recorder.path(path, one.api("launch"))
        one.spend(max(one.now, end) + one.draw(cost), inside, SERIALISED)


def _copy(one: Clocks, step: Copy) -> None:
    one.work(step.host, one.recorder.path(step.path), DISPATCH)
    inside = one.recorder.path(step.path, one.api("copy"))
    one.call(one.scenario.host.launch, inside, COPY)
    end = _transfer(one, step, one.now + round(one.scenario.host.delay))
    if step.blocking or not step.pinned:
        one.spend(end, inside, COPY, runs=one.scenario.host.spins)


def _transfer(one: Clocks, step: Copy, earliest: int) -> int:
    """A copy on its stream and engine, of latency + bytes / rate; returns when it ends."""
    link = one.scenario.links[step.direction]
    rate = link.pinned if step.pinned else link.pageable
    start = _begin(one, step.stream, max(earliest, one.engines.get(step.direction, 0)))
    stop = start + max(one.draw(link.latency) + round(step.size / rate * 1e9), 1)
    inner = (Frame(PLACEHOLDERS[step.direction]),)
    kind = KINDS.index(f"copy {step.direction}")
    what = (one.recorder.path(step.path, inner), -1, step.size, step.pinned)
    _operation(one, step.stream, kind, (start, stop), what)
    one.engines[step.direction] = stop
    return stop


def _wait(one: Clocks, step: Wait) -> None:
    one.wait(one.streams.get(step.stream, 0), one.recorder.path(step.path, one.api("wait")))


def _event(one: Clocks, step: Event) -> None:
    both = (one.streams.get(step.stream, 0), one.streams.get(step.after, 0))
    if any(both):
        one.streams[step.stream] = max(both)


def _load(one: Clocks, step: Load) -> None:
    one.load(one.recorder.path(step.path))


def _collective(ranks: list[Clocks], step: Collective) -> None:
    for one in ranks:
        _submit(one, step.path, step.host)
    ends = _reduce(ranks, step, [one.now + round(one.scenario.host.delay) for one in ranks])
    for one, end in zip(ranks, ends, strict=True):
        _serialise(one, step.path, end)


def _reduce(ranks: list[Clocks], step: Collective, earliest: list[int]) -> list[int]:
    """A kernel on every rank from when it can begin there until all are done."""
    scenario = ranks[0].scenario
    starts = [_begin(one, step.stream, at) for one, at in zip(ranks, earliest, strict=True)]
    end = max(starts) + round(scenario.ranks.latency + step.size / scenario.ranks.rate * 1e9)
    inner = _on_gpu(scenario.kernels[step.kernel].name)
    for one, start in zip(ranks, starts, strict=True):
        path, number = one.recorder.path(step.path, inner), one.recorder.kernel(step.kernel)
        _operation(one, step.stream, 0, (start, max(end, start + 1)), (path, number, step.size))
    return [end] * len(ranks)


def _graph(ranks: list[Clocks], phase: Phase) -> None:
    """One call launches all operations of a phase; its host work was done at capture."""
    for one in ranks:
        one.work(one.scenario.host.dispatch, one.recorder.path(phase.path), DISPATCH)
        call = one.recorder.path(phase.path, one.api("graph"))
        one.call(one.scenario.host.graph_launch, call, LAUNCH)
        one.graph = True
    launched = (*phase.path, *ranks[0].api("graph"))
    for step in phase.steps:
        for _ in range(step.repeat):
            _node(ranks, step, launched)
    for one in ranks:
        one.graph = False
        _serialise(one, phase.path, max(one.streams.values(), default=0))


def _node(ranks: list[Clocks], step: Step, launched: Path) -> None:
    """A node of a graph begins a moment after the former one on its stream.

    The graph's launch is all that is known of its calling path, `launched`.
    """
    if isinstance(step, Event):
        for one in ranks:
            _event(one, step)
    if not isinstance(step, Launch | Copy | Collective):
        return
    gap, delay = (
        round(x) for x in (ranks[0].scenario.host.graph_gap, ranks[0].scenario.host.delay)
    )
    earliest = [max(one.now + delay, one.streams.get(step.stream, 0) + gap) for one in ranks]
    step = replace(step, path=launched)
    if isinstance(step, Collective):
        _reduce(ranks, step, earliest)
        return
    for one, at in zip(ranks, earliest, strict=True):
        if isinstance(step, Launch):
            _kernel(one, step, at)
        else:
            _transfer(one, step, at)


_TAKE: dict[type, Callable[[Clocks, Any], None]] = {
    Host: _host,
    Launch: _launch,
    Copy: _copy,
    Wait: _wait,
    Event: _event,
    Load: _load,
}
