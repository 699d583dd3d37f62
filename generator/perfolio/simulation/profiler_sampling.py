"""What a profiler that samples sees: CPU samples of threads, PC samples of kernels.

All randomness of measuring is drawn here, from generators of its own, so that a run's events
do not depend on how it was measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from perfolio.simulation.scenario import KernelModel, Scenario
from perfolio.simulation.simulated_events import GpuOperations, SimulatedRecording, Whole

MEASURING = 1_000_003
"""Tells generators of measuring from those of events."""


@dataclass(frozen=True)
class CpuSamples:
    """Samples of one thread in order of time."""

    time: Whole
    path: Whole


@dataclass(frozen=True)
class PcSamples:
    """PC samples of a kernel on one calling path, in samples (not times the period)."""

    thread: int
    path: int
    kernel: int
    total: int
    expected: int
    dropped: int
    stalls: dict[str, int]


def take_cpu_samples(scenario: Scenario, recording: SimulatedRecording, thread: int) -> CpuSamples:
    """Samples each so much time that the thread ran, at a random phase, without lost ones."""
    period = scenario.measurement.cpu_period
    random = np.random.default_rng((scenario.seed, MEASURING, thread))
    segments = recording.segments
    own = np.flatnonzero((segments.thread == thread) & segments.runs)
    own = own[np.argsort(segments.start[own], kind="stable")]
    if period <= 0.0 or not len(own):
        return CpuSamples(np.empty(0, np.int64), np.empty(0, np.int64))
    ran = np.cumsum(segments.stop[own] - segments.start[own])
    ticks = np.arange(random.uniform(0.0, period), ran[-1], period).astype(np.int64)
    index = np.searchsorted(ran, ticks, side="right")
    times = segments.stop[own][index] - (ran[index] - ticks)
    kept = ~_draw_lost(scenario, random, len(ticks))
    return CpuSamples(times[kept], segments.path[own][index][kept])


def _draw_lost(scenario: Scenario, random: np.random.Generator, number: int) -> np.ndarray:
    """Which samples are lost: a chain of two states with the share and burst asked for."""
    share, burst = scenario.measurement.lost_samples, scenario.measurement.burst
    lost = np.zeros(number, bool)
    position = 0
    while share > 0.0 and position < number:
        kept = random.geometric(min(share / (burst * (1.0 - share)), 1.0))
        gone = random.geometric(1.0 / burst)
        lost[position + kept : position + kept + gone] = True
        position += kept + gone
    return lost


def take_pc_samples(scenario: Scenario, recording: SimulatedRecording) -> list[PcSamples]:
    """PC samples per launching thread, calling path and kernel.

    A multiprocessor is sampled every `pc_period` cycles; the tool expects one sample per full
    period and multiprocessor. Stall reasons are drawn from each kernel's mix.
    """
    if not scenario.measurement.pc_samples:
        return []
    random = np.random.default_rng((scenario.seed, MEASURING, -1 % 2**32))
    operations, found = recording.operations, []
    kernels = np.flatnonzero(operations.kernel >= 0)
    places = np.stack(
        (operations.thread[kernels], operations.path[kernels], operations.kernel[kernels]), axis=1
    )
    kinds, which = np.unique(places, axis=0, return_inverse=True)
    for number, place in enumerate(kinds.tolist()):
        periods = _count_periods(scenario, operations, kernels[which.reshape(-1) == number])
        kernel = scenario.kernels[recording.kernels[place[2]]]
        found.append(_draw_pc_samples(scenario, random, tuple(place), (kernel, periods)))
    return found


def _count_periods(scenario: Scenario, operations: GpuOperations, chosen: Whole) -> np.ndarray:
    """How many sampling periods each kernel lasts."""
    seconds = (operations.stop[chosen] - operations.start[chosen]) / 1e9
    return seconds * scenario.device.clock / scenario.measurement.pc_period


def _draw_pc_samples(
    scenario: Scenario,
    random: np.random.Generator,
    place: tuple[int, int, int],
    what: tuple[KernelModel, np.ndarray],
) -> PcSamples:
    kernel, periods = what
    units = scenario.device.multiprocessors
    taken = int(random.binomial(units, kernel.active, len(periods)) @ np.floor(periods))
    rest = random.binomial(round(units * kernel.active), periods - np.floor(periods))
    taken += int(rest.sum())
    dropped = int(random.binomial(taken, scenario.measurement.dropped))
    shares = list(kernel.stalls.values())
    drawn = random.multinomial(taken - dropped, [*shares, max(1.0 - math.fsum(shares), 0.0)])
    return PcSamples(
        thread=place[0],
        path=place[1],
        kernel=place[2],
        total=taken - dropped,
        expected=int(units * np.floor(periods).sum()),
        dropped=dropped,
        stalls=dict(zip(kernel.stalls, drawn[:-1].tolist(), strict=True)),
    )


def count_resident_warps(scenario: Scenario, kernel: KernelModel) -> int:
    """Warps of a kernel that a multiprocessor can hold at once, by NVIDIA's rules.

    With the artefact asked for, eight blocks are the limit, as HPCToolkit takes it.
    """
    device = scenario.device
    warps = math.ceil(kernel.threads / device.warp_size)
    shared = kernel.static_shared + kernel.dynamic_shared
    per_warp = math.ceil(kernel.registers * device.warp_size / 256) * 256
    limits = (
        8 if scenario.artefacts.eight_blocks else device.max_blocks,
        device.max_warps // warps,
        device.registers // per_warp // 4 * 4 // warps,
        device.shared_memory // (shared + 1024) if shared else device.max_blocks,
    )
    return min(limits) * warps
