"""`perfolio fleet`: real workers, one of which is killed; the lake is that of one process."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from perfolio.common.progress import QuietProgress
from perfolio.fleet.lake import Lake, create_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_tables import load_table_schemas
from perfolio.pipeline.fleet_ingest import ingest_fleet
from perfolio.pipeline.worker_engine import open_engine
from tests.fleet.support import SerialEngine
from tests.kit.databases import Shape, write_database
from tests.kit.measurements import measured_once_from_all
from tests.kit.shared import ROOT

RUNS = 6
Rows = dict[str, list[tuple[Any, ...]]]
pytestmark = pytest.mark.usefixtures("derived")


def read_all(lake: Lake) -> Rows:
    """All rows of a lake, by table."""
    with open_lake(lake) as connection:
        return {
            table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
            for table in load_table_schemas()
        }


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fleet")
    for number in range(RUNS):
        write_database(folder / f"run{number}.d", Shape(seed=number + 1))
    return folder


@pytest.fixture(scope="module")
def ingested(databases: Path, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = create_lake(tmp_path_factory.mktemp("serial") / "lake")
    with measured_once_from_all():
        report = ingest_fleet([databases], lake, SerialEngine(), QuietProgress())
    assert len(report.added) == RUNS
    return lake


@pytest.fixture(scope="module")
def serial(ingested: Lake) -> Rows:
    return read_all(ingested)


def start_ingest(databases: Path, lake: Path, on: str, **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "perfolio", "fleet", "ingest", str(databases)]
    return subprocess.Popen(
        [*command, "--lake", str(lake), "--on", on],
        env={**os.environ, "PYTHONPATH": str(ROOT), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def list_workers(process: int) -> Iterator[int]:
    """Children of a process that Dask started to work."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = path.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if parent == process and b"spawn_main" in command:
            yield int(path.parent.name)


def wait_for(what: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Until something is so, or the process has ended."""
    for _ in range(600):
        if what() or process.poll() is not None:
            return
        time.sleep(0.1)


def finish(process: subprocess.Popen[str]) -> str:
    try:
        told = process.communicate(timeout=240)
    finally:
        process.kill()
    assert process.returncode == 0, told
    return told[0]


@pytest.mark.slow
def test_a_killed_worker_loses_and_doubles_nothing(
    databases: Path, serial: Rows, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    process = start_ingest(databases, lake, "local:2")
    wait_for(lambda: list((lake / "inputs").glob("*.json")), process)
    workers = list(list_workers(process.pid))
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    assert f"{RUNS} inputs came in" in finish(process)
    assert read_all(Lake(lake)) == serial


@pytest.mark.slow
def test_a_killed_client_is_resumed_by_the_same_command(
    databases: Path, serial: Rows, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    process = start_ingest(databases, lake, "local:1")
    wait_for(lambda: list((lake / "inputs").glob("*.json")), process)
    workers = list(list_workers(process.pid))
    process.kill()
    process.communicate()
    for worker in workers:
        wait_for(lambda worker=worker: not Path(f"/proc/{worker}").exists(), process)  # type: ignore[misc]
    said = finish(start_ingest(databases, lake, "local:2"))
    assert "were there" in said
    assert read_all(Lake(lake)) == serial


def test_the_lake_is_asked_and_compacted(serial: Rows, databases: Path, tmp_path: Path) -> None:
    lake = create_lake(tmp_path / "lake")
    ingest_fleet([databases], lake, SerialEngine(), QuietProgress())

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["fleet", *arguments, "--lake", str(lake.root)])
        assert done.exit_code == 0, done.output
        return done.output

    assert run("query", "SELECT count(*) AS runs FROM run", "--format", "csv") == f"runs\n{RUNS}\n"
    assert run("compact").endswith(" files\n")
    assert read_all(lake) == serial


@pytest.mark.usefixtures("imageless")
def test_a_lake_at_an_address_is_asked(ingested: Lake, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "lake"), "zip", ingested.root)

    def ask(sql: str, address: str) -> str:
        command = ["fleet", "query", sql, "--format", "csv", "--lake", address]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        assert f"copying {address}: " in done.stderr
        return done.stdout

    for address in (f"file://{ingested.root}", f"zip://::{archive}", f"zip://::file://{archive}"):
        assert ask("SELECT count(*) AS runs FROM run", address) == f"runs\n{RUNS}\n"
    run = ask("SELECT min(run) FROM run", f"zip://::{archive}").split()[1]
    command = ["fleet", "report", run, "--lake", f"zip://::{archive}", "-o", str(tmp_path / "site")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.usefixtures("imageless")
def test_a_site_is_made_of_a_lake_at_an_address(ingested: Lake, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = CliRunner().invoke(
        main,
        ["fleet", "site", "-o", str(site), "--reports", "1", "--lake", f"file://{ingested.root}"],
    )
    assert done.exit_code == 0, done.output
    assert list(site.glob("report-1-*/index.html"))
    shown = [path for path in site.rglob("*.html") if "file://" in path.read_text("utf-8")]
    assert shown == []


@pytest.mark.parametrize("command", ["ingest x", "watch .", "compact"])
def test_a_lake_at_an_address_is_not_written(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = [*command.split(), "--lake", "s3://key:secret@bucket/lake"]
    done = CliRunner().invoke(main, ["fleet", *arguments])
    assert done.exit_code == 2
    assert done.stderr == (
        "perfolio: --lake s3://…@bucket/lake: a lake at an address is only read; work on it in a "
        "folder, then copy that there\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("on", "says"),
    [
        ("nowhere", "--on nowhere: is nowhere to work; local, local:4, tcp://HOST:8786 or slurm"),
        ("local:0", "is no worker"),
        ("local:many", "is nowhere to work"),
        ("slurm:none.toml", "none.toml"),
    ],
)
def test_a_place_that_is_none_is_named(on: str, says: str, tmp_path: Path) -> None:
    arguments = ["fleet", "ingest", "x", "--lake", str(tmp_path / "lake"), "--on", on]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.splitlines()[-1].startswith("perfolio: ")


def test_without_dask_one_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = CliRunner().invoke(main, ["fleet", "ingest", "x", "--lake", str(tmp_path / "lake")])
    assert done.exit_code == 2
    assert "not installed; " in done.stderr
    assert " 'dask-jobqueue>=0.9' 'dask[distributed]>=2026.3'" in done.stderr


def test_two_of_one_scheduler_do_all_pieces_each(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with open_engine("local:1") as engine:
        first = engine.map_unordered(Path.mkdir, [made])
        assert not next(first).lost
        made.rmdir()
        assert [one.lost for one in engine.map_unordered(Path.mkdir, [made])] == [""]
    assert made.is_dir()


def test_two_on_one_machine_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Port")
        with open_engine("local:1"), open_engine("local:1"):
            pass


def test_an_interrupt_reaches_no_worker() -> None:
    with open_engine("local:1"):
        (worker,) = list_workers(os.getpid())
        status = Path(f"/proc/{worker}/status").read_text("utf-8")
        (ignored,) = re.findall(r"SigIgn:\s+(\w+)", status)
        assert int(ignored, 16) >> (signal.SIGINT - 1) & 1
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
