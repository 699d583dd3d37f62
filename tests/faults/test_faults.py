"""After a fault at any write the old output is whole, and the next run succeeds.

Some moments of each operation here; `python -m tests.faults --all` takes all of them.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from perfolio.cli.command_options import OutputPath
from perfolio.cli.main import main
from tests.faults.operations import OPERATIONS, WRITING
from tests.kit.shared import ROOT
from tests.regressions.test_outputs_that_are_inputs import commands


def faults(operation: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: it forks, and ends most of its children by force."""
    command = [sys.executable, "-m", "tests.faults", "--only", operation]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_any_write_loses_nothing(operation: str) -> None:
    done = faults(operation)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failures" in done.stdout
    assert "killed" in done.stdout


@pytest.mark.slow
def test_an_output_that_is_written_in_place_is_found_out() -> None:
    done = faults("in place")
    assert done.returncode == 1
    assert "beyond 0 bytes: left" in done.stdout
    assert "moment 0: left" not in done.stdout


def test_each_output_of_a_command_has_an_operation() -> None:
    outputs = {
        f"{name} {given.name}"
        for name, command in commands(main)
        for given in command.params
        if isinstance(given.type, OutputPath)
    }
    assert outputs == set(WRITING)
    assert set(WRITING.values()) <= set(OPERATIONS)


@pytest.mark.slow
def test_a_command_that_is_killed_at_random_points_leaves_nothing_half() -> None:
    """Few of the kills that `python -m tests.faults.kills` makes."""
    program = [sys.executable, "-m", "tests.faults.kills", "--only", "grade"]
    command = [*program, "--count", "6", "--full", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "killed" in done.stdout
