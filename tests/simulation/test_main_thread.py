"""What the main thread of simulated runs does, against the same runs with fifty times the samples.

A run's events do not depend on how it is measured, so that samples with almost nothing between
them are its truth. Calls that wait for the GPU are left out, and what they are in where they take
too little to be a part of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.simulation.engine import simulate
from perfolio.simulation.hpctoolkit_export import record
from perfolio.simulation.scenario import Measurement, Scenario
from perfolio.simulation.scenario_parser import load
from perfolio.simulation.simulate import UNDESCRIBED
from perfolio.simulation.simulated_events import SimulatedRecording
from perfolio.writers.hpctoolkit import write
from tests.kit.kept import SIMULATED, digest_of, kept
from tests.kit.samples import PROFILES, results_at, simulated_sample, some_results_at

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
