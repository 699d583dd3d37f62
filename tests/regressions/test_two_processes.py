"""Two processes that created one store: one reported success, and its run was not in it.

Both wrote to the same file aside, and each removed that of the other. One waits for the other
now, whether the store is new or not. Who reads waits as well: it was refused while one wrote.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perfolio.common.errors import BusyError, InputError
from perfolio.common.file_locks import reserve_place
from perfolio.pipeline import project
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import create_store, open_store
from perfolio.store.ingest import ingest
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT


def perfolio(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "perfolio", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.slow
def test_all_that_report_success_are_in_the_store(tmp_path: Path) -> None:
    made = [write_database(tmp_path / f"{i}.d", Shape(seed=i)) for i in range(3)]
    store = tmp_path / "s.duckdb"
    for again in ("new", "there already"):
        running = [perfolio("ingest", path, "--store", store) for path in made]
        for one in running:
            _, said = one.communicate(timeout=300)
            assert one.returncode == 0, (again, said)
        with open_store(store) as connection:
            slugs = connection.execute("SELECT slug FROM run ORDER BY slug").fetchall()
        assert slugs == [("0",), ("1",), ("2",)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.d", "1.d", "2.d", "s.duckdb"]


HOLD = """
import sys, time
from pathlib import Path
from perfolio.common.file_locks import reserve_place
with reserve_place(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_one_waits_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "s.duckdb"
    command = [sys.executable, "-c", HOLD, str(place), "0.5"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holding:
        assert holding.stdout
        assert holding.stdout.readline() == "held\n"
        begun = time.monotonic()
        with reserve_place(place):
            assert time.monotonic() - begun > 0.1
    told = capsys.readouterr().err
    assert told == "perfolio: another process writes s.duckdb: waiting until it has ended\n"
    assert not list(tmp_path.iterdir())


WRITES = """
import sys, time
from pathlib import Path
from perfolio.store.database import open_store
from perfolio.store.ingest import reserve_store
store = Path(sys.argv[1])
with reserve_store(store), open_store(store, read_only=False) as connection:
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_who_reads_waits_for_who_writes_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "s.duckdb"
    create_store(store).close()
    command = [sys.executable, "-c", WRITES, str(store), "0.5"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writing:
        assert writing.stdout
        assert writing.stdout.readline() == "held\n"
        with open_store(store) as connection:
            assert connection.execute("FROM run").fetchall() == []
    told = capsys.readouterr().err
    assert told == "perfolio: another process writes s.duckdb: waiting until it has ended\n"
    assert [path.name for path in tmp_path.iterdir()] == ["s.duckdb"]


def test_two_builds_of_one_project_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "simulate_project", lambda *_: [])
    (tmp_path / "profiles").mkdir()
    command = [sys.executable, "-c", HOLD, str(tmp_path / project.REFRESHED), "0.5"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holding:
        assert holding.stdout
        assert holding.stdout.readline() == "held\n"
        begun = time.monotonic()
        with pytest.raises(InputError, match="no profile found"):
            project.refresh_project(tmp_path)
        assert time.monotonic() - begun > 0.1
    assert not list((tmp_path / ".cache").iterdir())


@pytest.mark.slow
def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x.d"))
    place = tmp_path / "s.duckdb"
    command = [sys.executable, "-c", HOLD, str(place), "600"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holding:
        assert holding.stdout
        assert holding.stdout.readline() == "held\n"
        holding.kill()
    (tmp_path / ".s.duckdb.new").write_text("half a store")
    (tmp_path / ".s.duckdb.new.wal").write_text("half of its log")
    ingest([(source, RunDescription())], place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.duckdb", "x.d"]


@pytest.mark.slow
def test_a_store_that_others_read_is_busy_and_not_foreign(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x.d"))
    store = tmp_path / "s.duckdb"
    ingest([(source, RunDescription())], store)
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); input()"
    command = [sys.executable, "-c", hold, str(store)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as holding:
        assert holding.stdout
        assert holding.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match="another process uses it"):
            open_store(store)
        holding.communicate("\n")


MAKES = """
import sys
from pathlib import Path
from perfolio.common.atomic_output import replace_folder
with replace_folder(Path(sys.argv[1])) as partial:
    (partial / "page").write_text(sys.argv[2])
    print("held", flush=True)
    input()
"""


def test_two_that_make_one_folder_follow_each_other(tmp_path: Path) -> None:
    site, pipe = tmp_path / "site", subprocess.PIPE
    command = [sys.executable, "-c", MAKES, str(site)]
    first = [*command, "first"]
    with subprocess.Popen(first, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as one:
        assert one.stdout
        assert one.stdout.readline() == "held\n"
        with subprocess.Popen(
            [*command, "second"], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        ) as other:
            assert other.stderr
            assert "another process writes site: waiting" in other.stderr.readline()
            assert not site.exists()
            one.communicate("\n")
            assert (site / "page").read_text() == "first"
            other.communicate("\n")
    assert (site / "page").read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_process_does_not_wait_for_itself(tmp_path: Path) -> None:
    with reserve_place(tmp_path / "x"), reserve_place(tmp_path / "x"):
        assert (tmp_path / ".x.lock").exists()
    assert not (tmp_path / ".x.lock").exists()


def test_a_lock_that_another_users_killed_process_left_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".x.lock").touch()
    opened = os.open

    def refuse(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(path)
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    with reserve_place(tmp_path / "x") as locked:
        assert locked


@pytest.mark.slow
def test_two_builds_with_one_store_both_end_well(tmp_path: Path) -> None:
    made = [write_database(tmp_path / f"{i}.d", Shape(seed=i)) for i in range(2)]
    running = [
        perfolio("build", path, "--store", tmp_path / "s.duckdb", "-o", tmp_path / f"site{i}")
        for i, path in enumerate(made)
    ]
    for number, one in enumerate(running):
        _, said = one.communicate(timeout=300)
        assert one.returncode == 0, said
        assert (tmp_path / f"site{number}" / "index.html").is_file()
