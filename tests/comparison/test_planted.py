"""Simulated pairs with one planted change each: the waterfall names it first."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from perfolio.comparison.difference_causes import find_causes
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.waterfall import make_waterfall
from tests.comparison.planted import (
    ITERATIONS,
    SAMPLED,
    PlantedChange,
    list_changes,
    names_cause,
    record_run,
    vary_run,
)

pytestmark = pytest.mark.slow
RUNS = 2
CHANGES = {f"{one.sample}: {one.what}": one for one in list_changes()}
BY_SAMPLES = ("loader", "one more copy", "straggler", "kernel slower", "collectives")
"""Changes that are recorded by samples of the host, too: the others need more runs."""


@cache
def _run_before(sample: str, form: str) -> tuple[RunRecord, ...]:
    return _record_runs(PlantedChange(sample, "", {}, ()), form, 100)


def _record_runs(change: PlantedChange, form: str, seed: int) -> tuple[RunRecord, ...]:
    count = SAMPLED.get(change.sample, ITERATIONS) if form == "HPCToolkit" else ITERATIONS
    found = []
    for number in range(RUNS):
        entries = vary_run(change.sample, change.entries, seed + number, count)
        with TemporaryDirectory() as folder:
            found.append(record_run(entries, Path(folder), form))
    return tuple(found)


def _check_cause(change: PlantedChange, form: str) -> None:
    before, after = _run_before(change.sample, form), _record_runs(change, form, 200)
    found = make_waterfall(before, after)
    difference = found.after_ns - found.before_ns
    assert sum(row.difference_ns for row in found.rows) == difference
    causes = find_causes(found, before, after)
    if not causes:
        assert abs(difference) < 0.02 * found.before_ns
        return
    assert sum(cause.difference_ns for cause in causes) == difference
    first = causes[0].key
    assert names_cause((first.kind, first.name, first.effect), change.cause), causes[:3]


@pytest.mark.parametrize("name", CHANGES)
def test_events_name_what_was_planted(name: str) -> None:
    _check_cause(CHANGES[name], "Kineto")


@pytest.mark.parametrize("name", [name for name in CHANGES if name.endswith(BY_SAMPLES)])
def test_samples_name_what_was_planted(name: str) -> None:
    _check_cause(CHANGES[name], "HPCToolkit")
