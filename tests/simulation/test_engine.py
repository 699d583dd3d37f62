"""The event model: what must hold of every run, whatever the scenario."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.common.errors import UsageError
from perfolio.simulation.engine import simulate
from perfolio.simulation.ground_truth import compute_truth
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.simulated_events import ACTIVITIES, KINDS, LAUNCH, SimulatedRecording
from tests.simulation.scenes import SCENES, scene

STEPS = st.one_of(
    st.builds(
        lambda time, stream, repeat: {
            "kernel": "gemm",
            "time": f"{time} us ± 20 %",
            "stream": stream,
            "repeat": repeat,
        },
        st.integers(1, 500),
        st.sampled_from(["main", "copy"]),
        st.integers(0, 3),
    ),
    st.builds(
        lambda way, size, pinned, blocking, stream: {
            "copy": way,
            "size": f"{size} B",
            "memory": "pinned" if pinned else "pageable",
            "blocking": blocking,
            "stream": stream,
        },
        st.sampled_from(["h2d", "d2h", "d2d"]),
        st.integers(0, 10**7),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["main", "copy", "third"]),
    ),
    st.builds(lambda time: {"cpu": f"{time} us ± 10 %"}, st.integers(0, 5000)),
    st.builds(lambda stream: {"wait": stream}, st.sampled_from(["main", "copy"])),
    st.builds(lambda after: {"event": after}, st.sampled_from(["main", "copy", "never used"])),
    st.builds(lambda size: {"collective": "nccl", "size": f"{size} B"}, st.integers(0, 10**8)),
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    changes: dict[str, Any] = {
        "seed": draw(st.integers(0, 1000)),
        "iterations": draw(st.integers(1, 4)),
        "ranks": {"count": draw(st.integers(1, 3)), "kernels": {"0": 1.5}},
        "measurement": {"pc_samples": draw(st.booleans())},
        "artefacts": {"serialisation": "100 us ± 50 %"},
        "kernels": {"nccl": {"name": "nccl", "time": "1 us"}},
        "loader": {"workers": draw(st.integers(1, 3)), "time": "1 ms ± 30 %", "path": "data"},
        "phases": {
            "forward": {"steps": draw(st.lists(STEPS, max_size=6))},
            "backward": {"steps": [*draw(st.lists(STEPS, max_size=6)), {"load": True}]},
        },
    }
    return scene("loop", changes)


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_what_holds_of_every_run(scenario: Scenario) -> None:
    recording = simulate(scenario)
    streams_take_one_operation_at_a_time_and_in_order(recording)
    copies_take_latency_plus_bytes_over_rate(scenario, recording)
    control_has_no_gaps(recording)
    threads_do_one_thing_at_a_time(recording)
    parts_sum_to_wall(compute_truth(scenario, recording))


def streams_take_one_operation_at_a_time_and_in_order(recording: SimulatedRecording) -> None:
    operations = recording.operations
    assert np.all(operations.stop > operations.start)
    for rank, stream in {
        (int(r), int(s)) for r, s in zip(operations.rank, operations.stream, strict=True)
    }:
        own = (operations.rank == rank) & (operations.stream == stream)
        idle = operations.start[own][1:] - operations.stop[own][:-1]
        assert np.all(idle >= 0)
        assert np.all(idle != 1), "an idle of 1 ns marks wrong records of HPCToolkit"


def copies_take_latency_plus_bytes_over_rate(
    scenario: Scenario, recording: SimulatedRecording
) -> None:
    operations = recording.operations
    for kind, name in enumerate(KINDS[1:], start=1):
        link = scenario.links[name.removeprefix("copy ")]
        own = operations.kind == kind
        rate = np.where(operations.pinned[own], link.pinned, link.pageable)
        expected = link.latency.mean + operations.size[own] / rate * 1e9
        lengths = operations.stop[own] - operations.start[own]
        assert np.all(np.abs(lengths - expected) <= 1.0)


def control_has_no_gaps(recording: SimulatedRecording) -> None:
    segments = recording.segments
    ranks = np.array([one.rank for one in recording.threads])[segments.thread]
    for rank in set(ranks.tolist()):
        own = segments.control & (ranks == rank)
        assert np.array_equal(segments.stop[own][:-1], segments.start[own][1:])


def threads_do_one_thing_at_a_time(recording: SimulatedRecording) -> None:
    segments = recording.segments
    for thread, life in enumerate(recording.threads):
        own = segments.thread == thread
        assert np.all(segments.stop[own][:-1] <= segments.start[own][1:])
        assert np.all(segments.start[own] >= life.begin)
        assert np.all(segments.stop[own] <= life.end)


def parts_sum_to_wall(found: dict[str, Any]) -> None:
    parts = ("gpu_busy", "idle_before", "idle_between", "idle_after")
    assert sum(found[name] for name in parts) == pytest.approx(found["wall"], abs=1e-9)
    assert found["gpu_busy"] <= found["kernel_busy"] + found["copy_busy"] + 1e-9


@pytest.mark.parametrize("name", SCENES)
def test_the_same_seed_gives_the_same_run_and_another_does_not(name: str) -> None:
    one, same, other = (simulate(scene(name, {"seed": seed})).operations.stop for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_events_do_not_depend_on_how_they_are_measured() -> None:
    plain = {"measurement": {"pc_samples": False, "cpu_period": "1 ms"}}
    other = {"measurement": {"pc_samples": True, "cpu_period": "7 ms", "lost_samples": 0.4}}
    runs = [simulate(scene("loop", changes)).operations for changes in (plain, other)]
    assert np.array_equal(runs[0].start, runs[1].start)


def test_pinned_copies_run_beside_kernels_and_pageable_ones_do_not() -> None:
    found = {name: compute_truth(scene(name), simulate(scene(name))) for name in ("loop", "pinned")}
    hidden = {name: one["copy_busy"] - one["copy_exposed"] for name, one in found.items()}
    assert hidden["loop"] == 0.0
    assert hidden["pinned"] > 0.5 * found["pinned"]["copy_busy"]


def test_a_graph_costs_one_launch() -> None:
    launched, graph = (
        simulate(one).segments
        for one in (scene("pinned", {"phases": {"backward": {"graph": False}}}), scene("pinned"))
    )
    calls = [int((one.activity == LAUNCH).sum()) for one in (launched, graph)]
    assert calls == [12 * (11 + 10), 12 * (11 + 1)]


def test_workers_hide_what_they_can() -> None:
    """Three workers make three batches of 30 ms in 30 ms: one each 10 ms."""
    scenario = scene("loaded", {"iterations": 60, "loader": {"time": "30 ms"}})
    found = compute_truth(scenario, simulate(scenario))
    assert found["iterations"]["mean"] == pytest.approx(10e-3, rel=0.05)
    assert found["idle_by_activity"]["waiting for the loader"] > 0.3


def test_all_ranks_end_a_collective_together() -> None:
    recording = simulate(scene("ranks"))
    operations = recording.operations
    nccl = operations.kernel == recording.kernels.index("nccl")
    ends = operations.stop[nccl].reshape(-1, 3)
    assert np.all(ends == ends[:, :1])
    waits = (operations.stop - operations.start)[nccl].reshape(-1, 3).mean(axis=0)
    assert waits[2] < waits[0], "the slow rank waits least"


def test_serialisation_costs_only_with_pc_samples() -> None:
    cost = {"artefacts": {"serialisation": "1 ms"}}
    on, off = (
        compute_truth(one, simulate(one))
        for one in (
            scene("loop", cost),
            scene("loop", {**cost, "measurement": {"pc_samples": False}}),
        )
    )
    assert on["wall"] - off["wall"] > 12 * 21 * 0.9e-3
    assert ACTIVITIES[4] not in off["idle_by_activity"]


def test_too_many_steps_are_refused() -> None:
    changes = {
        "iterations": 100_000,
        "phases": {"forward": {"steps": [{"kernel": "relu", "repeat": 1000}]}},
    }
    with pytest.raises(UsageError, match="5,000,000 are allowed"):
        simulate(scene("loop", changes))
