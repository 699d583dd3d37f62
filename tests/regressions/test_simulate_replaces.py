"""`perfolio simulate -o DB` replaced a measured database, and any other file in its folder.

Any folder with a meta.db went, `notes.txt` with it, and the exit code was 0. Only what a
simulation made is replaced now: a folder with truth.json, and nothing else in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import OutputError
from perfolio.simulation.simulate import simulate_file
from tests.kit.databases import write_database

SCENARIO = 'iteration = ["p"]\n[phases.p]\nsteps = [{cpu = "1 us"}]\n'


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    return tmp_path / "scenario.toml"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_measured_database_stays(scenario: Path, tmp_path: Path) -> None:
    measured = write_database(tmp_path / "x.d")
    before = contents(measured)
    with pytest.raises(OutputError, match="was not made by a simulation"):
        simulate_file(scenario, measured)
    assert contents(measured) == before


def test_files_of_others_stay(scenario: Path, tmp_path: Path) -> None:
    made = simulate_file(scenario, tmp_path / "x.d").folder
    first = contents(made)
    assert contents(simulate_file(scenario, made).folder) == first
    (made / "notes.txt").write_text("precious")
    with pytest.raises(OutputError, match=r"holds notes\.txt"):
        simulate_file(scenario, made, seed=2)
    assert contents(made) == first | {"notes.txt": b"precious"}
