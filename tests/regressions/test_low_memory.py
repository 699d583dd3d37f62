"""Under `ulimit -v` commands ended with signal 11, a SystemError, or 64 lines of OpenBLAS,
by how much was allowed: what libraries need is asked for before they begin.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from perfolio.cli.command_options import report_errors
from perfolio.common import processes
from perfolio.common.address_space import check_address_space
from perfolio.common.errors import UsageError
from tests.kit.shared import ROOT

TRACE = '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}'
LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)),) * 2)
runpy.run_module("perfolio", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("limit", "command"),
    [
        (300, ["info", "trace.json"]),
        (900, ["build", "trace.json", "-o", "site"]),
        (2_000, ["ingest", "trace.json", "--store", "run.duckdb"]),
    ],
)
def test_too_little_address_space_is_one_line(
    limit: int, command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "trace.json").write_text(TRACE)
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit * 1_000_000), *command],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == UsageError.exit_code
    (line,) = ended.stderr.splitlines()
    assert f"allows {limit:,} MB of address space" in line
    assert [path.name for path in tmp_path.iterdir()] == ["trace.json"]


def test_processors_count(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = 2_900_000_000
    monkeypatch.setattr(resource, "getrlimit", lambda _: (allowed, allowed))
    monkeypatch.setattr(processes, "count_processors", lambda: 8)
    check_address_space()
    monkeypatch.setattr(processes, "count_processors", lambda: 24)
    with pytest.raises(UsageError, match="needs 2,954 MB"):
        check_address_space()


@pytest.mark.parametrize("problem", [MemoryError(), SystemError("returned NULL")])
def test_memory_that_ends_later_is_one_line(problem: Exception) -> None:
    @click.command()
    @report_errors
    def command() -> None:
        raise problem

    ended = CliRunner().invoke(command)
    assert ended.exit_code == 13
    assert ended.output.startswith("perfolio: no memory is left; free some")
    assert ended.output.count("\n") == 1
