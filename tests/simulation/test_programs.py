"""Reports of CPU programs that share cores, against what is known of the programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.simulation.cores.database import write_program
from generator.simulation.cores.program import Program
from tests.kept import SIMULATED, digest_of, kept
from tests.samples import documents_at
from tests.simulation.programs import TRUTHS


def made(program: Program) -> Path:
    """The database of a program."""

    def make(folder: Path) -> None:
        write_program(program, folder / "program.d")

    return kept("program", digest_of(repr(program), by=SIMULATED), make) / "program.d"


@pytest.mark.parametrize("name", TRUTHS)
def test_a_report_says_what_is_true(name: str) -> None:
    truth = TRUTHS[name]
    found = documents_at(made(truth.program)).findings
    fired = [one["code"] for one in found["findings"] if one["status"] == "fired"]
    said = (found["verdict"]["kind"], next(iter(fired), None))
    assert said == (truth.verdict, truth.first), truth.because
