"""What a scenario would make, counted before it is made: a few lines of TOML can ask for years.

In:  a scenario; then, of its run, when all ends and what ran. Out: nothing, or a UsageError that
     says how much it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from perfolio.simulation.phase_steps import (
    CollectiveStep,
    CopyStep,
    EventStep,
    HostStep,
    LaunchStep,
    LoadStep,
    Step,
    WaitStep,
)
from perfolio.simulation.scenario import Scenario, ScenarioPhase
from perfolio.simulation.simulated_events import BEGIN, SimulatedRecording
from perfolio.simulation.toml_fields import make_fault

MOST_EVENTS = 5_000_000
"""Of some 300 bytes each."""
MOST_SAMPLES = 2_000_000
MOST_COMPARED = 50_000_000_000
"""Events are compared with each rank, thread and step to find its own: 1 ns each."""
LONGEST = 365 * 86_400
"""Time of a run [s]: a year, so that all times fit 64 bits."""
MOST_COUNTED = 2**53
"""Bytes of all copies, and PC samples: whole numbers that are exact as numbers with a point."""
_EVENTS: Mapping[type[Step], int] = {
    HostStep: 1,
    LaunchStep: 4,
    CopyStep: 3,
    WaitStep: 1,
    EventStep: 1,
    LoadStep: 2,
    CollectiveStep: 4,
}
"""Segments and operations of a step, at most."""
_OF_PHASE = 4
"""Entering it, its warm-up, and the launch of its graph."""


def check_events(scenario: Scenario) -> None:
    """Raise UsageError where a scenario would take more than some GB, or more than minutes."""
    all_phases = (*scenario.start, *scenario.iteration, *scenario.finish)
    names = len({phase.thread for phase in all_phases}) + scenario.loader.workers
    threads = scenario.ranks.count * names
    events = threads + scenario.ranks.count * (
        _count_events(scenario.start)
        + _count_events(scenario.finish)
        + scenario.iterations * (1 + _count_events(scenario.iteration))
    )
    _refuse_above(MOST_EVENTS, events, "events")
    steps = sum(len(phase.steps) for phase in all_phases)
    groups = (threads + scenario.ranks.count * (steps + 1)) * events
    _refuse_above(MOST_COMPARED, groups, "comparisons of events with their groups")
    sizes = scenario.iterations * _sum_sizes(scenario.iteration)
    sizes += _sum_sizes(scenario.start) + _sum_sizes(scenario.finish)
    _refuse_above(MOST_COUNTED, scenario.ranks.count * sizes, "bytes of copies and collectives")


def check_end(end: int) -> None:
    """Raise UsageError where a run ends after a year."""
    _refuse_above(LONGEST, (end - BEGIN) // 10**9, "s of run time")


def check_samples(scenario: Scenario, recording: SimulatedRecording) -> None:
    """Raise UsageError where a profiler would take too many samples of a run."""
    segments, operations = recording.segments, recording.operations
    if scenario.measurement.cpu_period > 0.0:
        ran = float(((segments.stop - segments.start) * segments.runs).sum(dtype=float))
        _refuse_above(MOST_SAMPLES, round(ran / scenario.measurement.cpu_period), "CPU samples")
    if scenario.measurement.pc_samples:
        ran = float((operations.stop - operations.start).sum(dtype=float)) / 1e9
        cycles = ran * scenario.device.clock * scenario.device.multiprocessors
        number = round(cycles / scenario.measurement.pc_period)
        _refuse_above(MOST_COUNTED, number, "PC samples")


def _count_events(phases: Iterable[ScenarioPhase]) -> int:
    return sum(
        _OF_PHASE + sum(_EVENTS[type(step)] * step.repeat for step in phase.steps)
        for phase in phases
    )


def _sum_sizes(phases: Iterable[ScenarioPhase]) -> int:
    steps = (step for phase in phases for step in phase.steps)
    return sum(
        step.size * step.repeat for step in steps if isinstance(step, CopyStep | CollectiveStep)
    )


def _refuse_above(most: int, number: int, what: str) -> None:
    if number > most:
        raise make_fault("the scenario", f"makes {number:,} {what}; {most:,} are allowed")
