"""What the main thread of simulated runs does, against the same runs with fifty times the samples.

Also: Scenarios from TOML: what is refused, and what the error says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError, UsageError
from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.simulation.calling_paths import PathFrame, parse_frame
from perfolio.simulation.engine import simulate
from perfolio.simulation.hpctoolkit_export import record
from perfolio.simulation.quantity_parser import (
    Duration,
    parse_duration,
    parse_frequency,
    parse_rate,
    parse_size,
)
from perfolio.simulation.scenario import Measurement, Scenario
from perfolio.simulation.scenario_parser import load, merge_entries
from perfolio.simulation.simulate import UNDESCRIBED
from perfolio.simulation.simulated_events import SimulatedRecording
from perfolio.writers.hpctoolkit import write
from tests.kit.kept import SIMULATED, digest_of, kept
from tests.kit.samples import PROFILES, results_at, simulated_sample, some_results_at
from tests.simulation.scenes import scene

Part = tuple[str, float, float, float]
METRIC = "time.main_thread"
LEFT_OUT = ("waiting for the GPU", "moving data to or from a GPU", "other")
PERIODS = (4_700_000, 5_000_000, 5_300_000)
"""Distances of samples, each of which begins elsewhere in the phases [ns]."""
WAIT = "waiting for the backward pass"
WAITS = {
    "dlrm-h100": 1,
    "dlrm-h100-gpu-data": 0,
    "dlrm-h100-pinned": 0,
    "eight-ranks": None,
    "transformer": 1,
}
"""Whether samples carry such waits: no row where about eight do, one where hundreds do."""


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.0, 0.15])
def test_intervals_hold_the_truth(lost: float) -> None:
    measurement = _transformer().measurement
    fine = replace(measurement, cpu_period=100_000, lost_samples=0.0)
    truth = {part: time for part, time, _, _ in _parts(fine)}
    seen = [
        (part, low <= truth[part] <= high, (high - low) / time)
        for period in PERIODS
        for part, time, low, high in _parts(
            replace(measurement, cpu_period=period, lost_samples=lost)
        )
        if part not in LEFT_OUT
    ]
    assert len(seen) >= 5 * len(PERIODS)
    assert [part for part, holds, _ in seen if not holds] == []
    widths = [width for part, _, width in seen if part in ("the forward pass", "importing modules")]
    assert max(widths) < (0.3 if lost == 0.0 else 1.5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, 10, 15, 18])
@pytest.mark.parametrize("name", sorted(WAITS))
def test_waits_for_the_backward_pass_are_told_where_samples_carry_them(
    name: str, seed: int | None
) -> None:
    """The samples of the main thread that are dropped make its waits seem longer."""
    made = simulated_sample(name, seed)
    spent = [time for of, time in made.truth["cpu_time"].items() if of.endswith(" autograd")]
    truth = sum(spent) / len(spent)
    told = _of_sample(made.folder) if seed is None else _told(made.folder)
    found = [row for row in told if row[0] == WAIT]
    assert [low <= truth <= high for _, _, low, high in found] == [True] * len(found)
    assert WAITS[name] is None or len(found) == WAITS[name]


def _parts(measurement: Measurement) -> list[Part]:
    """Parts of the main thread's time, with the ends of their intervals [s]."""
    measured = replace(_transformer(), measurement=measurement)

    def make(folder: Path) -> None:
        recorded = record(measured, _events())
        found = replace(recorded.database, beside={DESCRIPTION: UNDESCRIBED})
        write(found, folder / "measured.d", recorded.values, recorded.traces)

    made = kept("measured", digest_of(repr(measured), by=SIMULATED), make)
    return _told(made / "measured.d")


@cache
def _transformer() -> Scenario:
    return load(PROFILES / "transformer" / "scenario.toml")


@cache
def _events() -> SimulatedRecording:
    return simulate(_transformer())


def _of_sample(database: Path) -> list[Part]:
    """The same of a sample as it is, of which other tests have made the documents."""
    return _rows(results_at(database)[METRIC].records())


def _told(database: Path) -> list[Part]:
    return _rows(some_results_at(database, METRIC)[METRIC].records())


def _rows(records: Iterable[Mapping[str, Any]]) -> list[Part]:
    return [
        (row["part"], *(row[name] or 0.0 for name in ("time", "time_low", "time_high")))
        for row in records
    ]


_TIMES = ("iterations", "idle", "sampling_gaps", "profiler", "host")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ranks", "share", "function"),
    [
        ("eight-ranks", 8, 0.0395, "__next__"),
        ("transformer", 1, 0.0577, "get_batch"),
        ("amd-mi300x", 1, 0.0716, "__next__"),
        ("dlrm-h100-timed", 1, 0.9965, "generate_uniform_input_batch"),
    ],
)
def test_idle_time_for_input_data_is_true(
    name: str, ranks: int, share: float, function: str
) -> None:
    made = simulated_sample(name)
    found = results_at(made.folder)
    iterations = made.truth["iterations"]
    idle = made.truth["idle_by_phase"]["data"] / ranks / iterations["count"]
    true = idle / iterations["gpu_median"]
    assert true == pytest.approx(share, abs=5e-5)
    result = found["time.data_share"]
    if result.low is None or result.high is None:
        # A gap has in it the launch that ends it, and the first iteration is left out.
        assert result.value == pytest.approx(true, rel=0.01)
    else:
        assert 0.99 * result.low <= true <= 1.01 * result.high
        assert result.high - result.low < max(0.6 * true, 0.005)
    rows = found["time.typical_iteration"].records()
    assert [row["name"] for row in rows if row["line"] == "CPU"] == [function]
    if true > 0.05:
        workers = found["target.workers"].records()[0]
        assert float(workers["prepare"] or 0) == pytest.approx(idle, rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dlrm-h100-gpu-data", "dlrm-h100-pinned", "transformer"])
def test_idle_time_of_phases_is_true_where_samples_are_few(name: str) -> None:
    """A gap ends with an operation whose path tells the phase: within 15 % or 30 us."""
    made = simulated_sample(name)
    rows = results_at(made.folder)["time.iteration_phases"].records()
    idle = {row["phase"]: float(row["gpu_idle"] or 0.0) for row in rows}
    truth, count = made.truth["idle_by_phase"], made.truth["iterations"]["count"]
    for phase in ("backward", "optimizer"):
        assert idle[phase] == pytest.approx(truth[phase] / count, rel=0.15, abs=30e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eight-ranks", "dlrm-h100"])
def test_each_moment_without_an_operation_is_in_one_period(name: str) -> None:
    """All idle time is there once, on every page, and a typical iteration has what it truly has."""
    made = simulated_sample(name)
    found = results_at(made.folder)
    truth, rows = made.truth, found["time.idle_parts"].records()
    idle = sum(truth[part] for part in ("idle_before", "idle_between", "idle_after"))
    periods = {row["period"]: {key: float(row[key] or 0) for key in _TIMES} for row in rows}
    assert sum(row["idle"] for row in periods.values()) == pytest.approx(idle, rel=1e-6)
    for row in periods.values():
        parts = row["sampling_gaps"] + row["profiler"] + row["host"]
        assert parts == pytest.approx(row["idle"], abs=1e-9)
    phases = {row["phase"]: row for row in found["time.phases"].records()}
    for phase, period in (("start-up", "start-up"), ("warm-up", "warm-up"), ("tail", "end")):
        length, busy = (float(phases[phase][key] or 0) for key in ("duration", "gpu_busy"))
        assert periods[period]["idle"] == pytest.approx(length - busy, abs=1e-6)
    typical = periods["typical iterations"]
    each = typical["idle"] / typical["iterations"]
    true = truth["iterations"]["gpu_median"] - truth["iteration_busy_median"]
    assert each == pytest.approx(true, rel=0.05)
    shown = {row["part"]: float(row["time"] or 0) for row in found["time.wall_parts"].records()}
    assert sum(shown.values()) == pytest.approx(truth["wall"], rel=1e-6)
    for part, period in (
        ("start-up", "start-up"),
        ("warm-up", "warm-up"),
        ("end of the run", "end"),
    ):
        assert shown[f"GPU idle: {part}"] == pytest.approx(periods[period]["host"], rel=1e-9)
    own, listed = found["time.profiler_idle"].value, found["sampling.metrics_listed"].value
    assert (own is None) == bool(listed), "no library of the profiler was sampled beside PC samples"
    assert shown.get("GPU idle: the profiler", 0.0) == pytest.approx(own or 0.0, abs=1e-9)


def test_amounts() -> None:
    assert parse_duration("4.5 us") == Duration(4500.0)
    assert parse_duration("1.5 ms ± 20 %") == Duration(1.5e6, 0.2)
    assert parse_duration("2s+-5%") == Duration(2e9, 0.05)
    assert parse_size("4 MiB") == 4_194_304
    assert parse_size("615 kB") == 615_000
    assert parse_rate("5.9 GB/s") == pytest.approx(5.9e9)
    assert parse_frequency("1.98 GHz") == pytest.approx(1.98e9)


@pytest.mark.parametrize("text", ["", "5", "us", "5 kg", "-5 us", "nan us", "5 us ± 3", "1e999x"])
def test_amounts_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="must be a time"):
        parse_duration(text)


def test_frames() -> None:
    assert parse_frame("forward @ a/b.py:12") == PathFrame(
        "forward", "<logical python>", "a/b.py", 12
    )
    assert parse_frame("@ train.py:3") == PathFrame("", "", "train.py", 3)
    assert parse_frame("gemm [lib/libblas.so]") == PathFrame("gemm [libblas.so]", "lib/libblas.so")
    assert parse_frame("<listcomp>") == PathFrame("<listcomp>")


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"iterations": 0}, "iterations must be from 1 to 100,000, not 0"),
    ({"iteration": ["nope"]}, "iteration names 'nope'; there are backward, data, exit, forward"),
    ({"iteration": []}, "iteration must name at least one phase"),
    ({"sed": 1}, "sed is unknown; did you mean seed"),
    ({"seed": "x"}, "seed must be a whole number, not a text"),
    ({"seed": True}, "seed must be a whole number, not true or false"),
    ({"device": {"clock": "fast"}}, "device.clock must be a frequency such as 1.98 GHz"),
    ({"device": {"vendor": "acme"}}, "device.vendor must be one of nvidia, amd, not 'acme'"),
    ({"device": 3}, "device must be a table, not a whole number"),
    ({"host": {"delay": "2 us ± 5 %"}}, "host.delay cannot vary"),
    ({"link": {"h2d": {"pinned": "0 GB/s"}}}, "link.h2d.pinned must be above 0"),
    ({"paths": {"top": ["=top"]}}, "paths.top contains itself"),
    ({"paths": {"top": ["=away"]}}, "paths.top refers to 'away', which is no path"),
    ({"paths": {"top": [3]}}, "paths.top must be a list of texts"),
    ({"paths": {"top": [" "]}}, "paths.top has a frame without text"),
    ({"paths": {"a b": []}}, "is no name"),
    ({"kernels": {"gemm": {"stalls": {"gmem": 0.9}}}}, "kernels.gemm.stalls sum to 1.1"),
    ({"kernels": {"new": {"time": "1 us"}}}, "kernels.new.name is missing"),
    ({"kernels": {"gemm": {"time": "fast"}}}, "kernels.gemm.time must be a time"),
    ({"ranks": {"count": 2, "host": {"2": 1.5}}}, "ranks.host.2 must be a rank from 0 to 1"),
    ({"measurement": {"cpu_period": "1 us"}}, "measurement.cpu_period must be 100 us or more"),
    ({"warm_up": {"extra": "1 s", "phase": "x"}}, "warm_up.phase names 'x'"),
]
STEP_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"kernel": "x"}, "steps[1].kernel names 'x'; there are gemm, loss, relu"),
    ({"cpu": "1 s", "wait": "main"}, "steps[1] must have one of cpu, kernel, copy"),
    ({}, "steps[1] must have one of"),
    ({"copy": "h2x", "size": "1 B"}, "steps[1].copy must be one of h2d, d2h, d2d"),
    ({"copy": "h2d", "size": "big"}, "steps[1].size must be a size such as 4 MiB"),
    ({"copy": "h2d"}, "steps[1].size is missing"),
    ({"load": True}, "steps[1] loads a batch, but loader.workers is 0"),
    ({"cpu": "1 s", "path": "x"}, "steps[1].path names 'x'"),
    ({"cpu": "1 s", "repeet": 2}, "steps[1].repeet is unknown; did you mean repeat"),
]


@pytest.mark.parametrize(("changes", "words"), FAULTS)
def test_a_faulty_entry_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        scene("loop", changes)
    assert words in caught.value.message


@pytest.mark.parametrize(("step", "words"), STEP_FAULTS)
def test_a_faulty_step_is_named(step: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        scene("loop", {"phases": {"forward": {"steps": [step]}}})
    assert f"phases.forward.{words}" in caught.value.message


def test_a_graph_refuses_what_holds_up_the_host() -> None:
    with pytest.raises(UsageError, match=r"phases.backward.steps\[3\] holds up the host"):
        scene("loop", {"phases": {"backward": {"graph": True}}})


def test_tables_are_laid_over_a_base_and_lists_replace() -> None:
    assert merge_entries({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"c": [2]}}) == {
        "a": {"b": 1, "c": [2]},
        "d": 2,
    }


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    with pytest.raises(InputError, match="cannot be read"):
        load(path)
    path.write_text("iterations = [")
    with pytest.raises(UsageError, match=r"scenario\.toml: is not TOML"):
        load(path)
    path.write_text('base = "scenario.toml"')
    with pytest.raises(UsageError, match="base must be the path of another scenario"):
        load(path)
    path.write_text('iteration = ["a"]\n[phases.a]\nsteps = [{cpu = 3}]')
    with pytest.raises(
        UsageError, match=r"scenario\.toml: phases\.a\.steps\[1\]\.cpu must be a text"
    ):
        load(path)
