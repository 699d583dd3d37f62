"""Odd surroundings: each ends in one line that says what is wrong, or in the result."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from perfolio.cli.command_options import _prepare_process, report_errors
from perfolio.cli.main import main
from perfolio.common import processes
from perfolio.common.address_space import check_address_space
from perfolio.common.errors import UsageError
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.kit.databases import write_database
from tests.kit.shared import ROOT

# Odd surroundings ended in tracebacks: long paths, names of other encodings, a user without home.
#
# Also a FIFO given as a store, which held the command for ever, SOURCE_DATE_EPOCH=abc, and a full
# disk behind standard output. Each ends in one line that says what is wrong, or in the result.


def perfolio(*arguments: object) -> Result:
    return CliRunner().invoke(main, [os.fspath(str(each)) for each in arguments])


def one_line(done: Result, code: int, words: str) -> None:
    assert done.exit_code == code, done.exception
    assert done.stderr.startswith("perfolio: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_database(tmp_path_factory.mktemp("db") / "x.d")


def test_paths_that_are_too_long(database: Path, tmp_path: Path) -> None:
    long = tmp_path / ("x" * 300)
    one_line(perfolio("info", long), 3, "File name too long")
    one_line(perfolio("info", "y/" * 3_000), 3, "File name too long")
    one_line(perfolio("ingest", database, "--store", long), 9, "File name too long")
    one_line(perfolio("query", long, "FROM run"), 3, "File name too long")


def test_paths_that_are_not_utf8(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "db\udcff.d"
    shutil.copytree(database, folder)
    one_line(perfolio("info", folder), 3, "the path is not UTF-8")
    done = perfolio("ingest", database, "--store", tmp_path / "s\udcff.duckdb")
    one_line(done, 5, "the path is not UTF-8")
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_fifo_is_no_store(database: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "s.duckdb"
    os.mkfifo(fifo)
    one_line(perfolio("ingest", database, "--store", fifo), 5, "is no regular file")
    one_line(perfolio("query", fifo, "FROM run"), 5, "is no regular file")
    one_line(perfolio("query", tmp_path, "FROM run"), 5, "is a folder, and a store is a file")


@pytest.mark.parametrize("date", ["abc", "", "1e9", "9" * 30])
def test_a_date_that_is_none(date: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", date)
    sync_tree({"index.md": "# A\n"}, tmp_path / "docs")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH: must be a time in seconds"):
        build_site(tmp_path / "docs", tmp_path / "site")


def test_without_a_home_there_is_one_that_nothing_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "kept")
    _prepare_process()
    assert os.environ["HOME"] == "kept"
    monkeypatch.setattr(Path, "home", no_home)
    _prepare_process()
    assert not Path(os.environ["HOME"]).exists()


@pytest.mark.slow
def test_terminals_that_lack_a_letter_and_disks_that_are_full(database: Path) -> None:
    command = [sys.executable, "-m", "perfolio", "info", str(database)]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u2026" in done.stdout
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 9
    assert done.stderr == b"perfolio: No space left on device\n"


# Under `ulimit -v` commands ended with signal 11, a SystemError, or 64 lines of OpenBLAS,
# by how much was allowed: what libraries need is asked for before they begin.

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


# On a node of 64 cores NumPy began 63 threads, each of which waited busily, in each process.

ENDED = """
import atexit, os
from perfolio.__main__ import perfolio
atexit.register(lambda: print(os.environ.get("OPENBLAS_NUM_THREADS")))
perfolio()
"""


@pytest.mark.parametrize(
    ("command", "given", "left"),
    [("info", {}, "1"), ("info", {"OPENBLAS_NUM_THREADS": "3"}, "3"), ("record", {}, "None")],
)
def test_numpy_has_one_thread_but_not_in_programs_of_others(
    command: str, given: dict[str, str], left: str
) -> None:
    here = {"PYTHONPATH": str(ROOT / "generator"), "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(
        [sys.executable, "-c", ENDED, command, "--help"],
        env=here | given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.splitlines()[-1] == left


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
