"""Profiles to a lake: each content once, equal to what a report says, whatever else fails."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from perfolio.common.errors import InputError, OutputError
from perfolio.common.progress import QuietProgress
from perfolio.comparison.run_record import parse_record
from perfolio.fleet import lake_compaction
from perfolio.fleet.lake import Lake, create_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.pipeline import fleet_ingest
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.fleet_ingest import (
    FleetReport,
    identify_input,
    ingest_fleet,
    list_given_paths,
)
from perfolio.pipeline.fleet_watch import watch_fleet
from perfolio.pipeline.run_comparison import read_records
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.pipeline.run_redaction import ShareRequest, open_shared_run
from perfolio.pipeline.worker_engine import WorkerEngine, open_engine
from perfolio.store.database import open_store
from perfolio.store.model_catalog import list_tables_of_runs
from perfolio.store.run_lookup import read_hosts
from tests.fleet.support import SerialEngine
from tests.kit.databases import Shape, write_database
from tests.kit.measurements import measured_anew, measured_once_from_all
from tests.readers.nsys_files import report, write_sqlite
from tests.readers.rocm_files import write_rocpd
from tests.recordings.formats import write
from tests.recordings.program import recording_of

PROFILE = """
title = "A program"
[workload]
name = "dlrm"
host = "zqnode7"
owner = "zqalice"
team = "zqspeech"
gpu_hours = 12.5
[price]
gpu_hour = 2.5
currency = "EUR"
"""


@pytest.fixture(scope="module", autouse=True)
def _measured_once() -> Iterator[None]:
    """Many of these lakes have the same runs."""
    with measured_once_from_all():
        yield


def ingest(lake: Lake, *paths: Path) -> FleetReport:
    return ingest_fleet(list(paths), lake, SerialEngine(), QuietProgress())


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("databases")
    for number in (1, 2):
        write_database(folder / f"run{number}.d", Shape(seed=number))
    (folder / "run1.d" / "profile.toml").write_text(PROFILE)
    return folder


@pytest.fixture(scope="module")
def lake(databases: Path, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """A lake of both, one of them twice, with what is no profile."""
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(databases / "run2.d", other / "twin.d")
    (other / "bad.sqlite").write_text("no SQLite")
    made = create_lake(tmp_path_factory.mktemp("lakes") / "lake")
    report = ingest(made, databases, other, other / "nowhere")
    assert (sorted(report.added), report.twins, report.known) == (["run1.d", "run2.d"], 1, 0)
    assert sorted(one.name for one in report.refused) == ["bad.sqlite", "nowhere"]
    assert all(one.reason.isprintable() for one in report.refused)
    return made


def test_a_run_says_what_its_record_and_profile_say(lake: Lake, databases: Path) -> None:
    with measured_anew():
        (record,) = read_records([databases / "run1.d"])
    with open_lake(lake) as connection:
        asked = connection.execute("SELECT * FROM run WHERE name = 'run1'")
        names = [column[0] for column in asked.description or ()]
        (row,) = asked.fetchall()
        run = dict(zip(names, row, strict=True))

        ((text,),) = connection.execute(
            "SELECT content FROM document WHERE name = 'record' AND run = $run", {"run": run["run"]}
        ).fetchall()
        ((spent,),) = connection.execute(
            "SELECT sum(ns) FROM part WHERE run = $run", {"run": run["run"]}
        ).fetchall()
    assert parse_record(text, "lake") == record
    assert record.whole is not None
    assert spent == record.whole.total_ns == run["window_ns"] * run["lanes"]
    assert (run["workload"], run["owner"], run["hosts"]) == ("dlrm", "zqalice", ["zqnode7"])
    assert (run["price"], run["currency"]) == (2.5, "EUR")
    assert run["iterations"] == record.whole.iterations
    assert run["run"] == identify_input(databases / "run1.d")


def test_what_is_there_is_left_out(lake: Lake, databases: Path) -> None:
    engine = SerialEngine()
    report = ingest_fleet([databases], lake, engine, QuietProgress())
    assert (report.added, report.known) == ([], 2)
    assert len(engine.done) == 2, "they were looked at, and not read"


def test_what_was_refused_comes_in_when_it_is_mended(databases: Path, tmp_path: Path) -> None:
    lake, place = create_lake(tmp_path / "lake"), tmp_path / "runs" / "a.d"
    shutil.copytree(databases / "run2.d", place)
    whole = (place / "profile.db").read_bytes()
    (place / "profile.db").write_bytes(whole[: len(whole) // 2])
    (refused,) = ingest(lake, tmp_path / "runs").refused
    assert lake.list_refused() == [refused]
    (place / "profile.db").write_bytes(whole)
    assert ingest(lake, tmp_path / "runs").added == ["a.d"]
    assert len(lake.list_manifests()) == 1


def test_identity_is_of_content_and_of_what_is_said_of_it(databases: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.d"
    shutil.copytree(databases / "run1.d", copy)
    assert identify_input(copy) == identify_input(databases / "run1.d")
    (copy / "profile.toml").write_text(PROFILE.replace("dlrm", "other"))
    assert identify_input(copy) != identify_input(databases / "run1.d")


def test_shared_runs_name_nobody(databases: Path, tmp_path: Path) -> None:
    lake = create_lake(tmp_path / "lake")
    report = ingest_fleet(
        [databases / "run1.d"], lake, SerialEngine(), QuietProgress(), ShareRequest()
    )
    assert len(report.added) == 1
    with open_lake(lake) as connection:
        for table in ("run", "document", "kernel", "gpu"):
            rows = str(connection.execute(f"FROM {table}").fetchall())
            assert "zqalice" not in rows
            assert "zqnode7" not in rows
            assert "zqspeech" not in rows
        # `host-1` and `user` are others in each run: as names of machines they would be merged.
        found = connection.execute("SELECT DISTINCT hosts, owner, team FROM run").fetchall()
        assert found == [([], None, None)]
        assert connection.execute("SELECT DISTINCT host FROM gpu").fetchall() in ([], [(None,)])
    for path in (lake.root / "inputs").iterdir():
        assert "zq" not in path.read_text()


HOSTS = ("zqnode18", "zq9")
"""A machine that nothing but the recording tells to be one, and one whose name is too short."""


@pytest.fixture(params=["nsys", "rocpd"])
def machines(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A run of two ranks on two machines, which the tool names."""
    folder = tmp_path / "machines"
    folder.mkdir()
    for rank, host in enumerate(HOSTS):
        if request.param == "nsys":
            said = [{"name": "Hostname", "value": host}]
            write_sqlite(folder / f"run.{rank}.sqlite", report(TARGET_INFO_SYSTEM_ENV=said))
        else:
            place = folder / f"{70 + rank}_results.db"
            write_rocpd(place, 70 + rank, host=host, OMPI_COMM_WORLD_RANK=str(rank))
    return folder


def test_machines_are_those_that_the_tool_names(machines: Path, tmp_path: Path) -> None:
    lake = create_lake(tmp_path / "lake")
    assert ingest(lake, machines).added == ["machines"]
    with open_lake(lake) as connection:
        assert connection.execute("SELECT hosts FROM run").fetchall() == [(sorted(HOSTS),)]
        found = connection.execute("SELECT rank, host FROM gpu ORDER BY rank").fetchall()
        assert found == list(enumerate(HOSTS))
        documents = connection.execute("SELECT content FROM document").fetchall()
        assert "zq" not in str(documents), "documents name no machine, also of what is not shared"


def test_machines_that_the_tool_names_are_not_shared(machines: Path, tmp_path: Path) -> None:
    place = machines.rename(tmp_path / "zqnode18")
    (place / "profile.toml").write_text(
        'title = "On zqnode18"\nnotes = "The run was slow on zqnode18 alone"\n'
    )
    lake = create_lake(tmp_path / "lake")
    done = ingest_fleet([place], lake, SerialEngine(), QuietProgress(), ShareRequest())
    assert len(done.added) == 1
    assert "zq" not in str(list(rows_of(lake).items()))
    for path in (lake.root / "inputs").iterdir():
        assert "zq" not in path.read_text()


def test_a_store_for_others_names_no_machine(machines: Path, tmp_path: Path) -> None:
    store, context = tmp_path / "own.duckdb", Context()
    ingest_paths([machines], store, context)
    with open_store(store) as connection:
        assert read_hosts(connection, 1) == dict(enumerate(HOSTS))
    with open_shared_run(store, None, ShareRequest()) as (shown, _, secrets):
        assert HOSTS[0] in secrets.words
        with open_store(shown) as connection:
            assert read_hosts(connection, 1) == {}
            for table in list_tables_of_runs():
                assert "zq" not in str(connection.execute(f"FROM main.{table}").fetchall())


def test_a_lake_for_others_says_not_what_was_refused(databases: Path, tmp_path: Path) -> None:
    lake, place = create_lake(tmp_path / "lake"), tmp_path / "zqnode7" / "zqalice.d"
    shutil.copytree(databases / "run2.d", place)
    (place / "profile.db").write_bytes(b"zqalice")
    report = ingest_fleet([place], lake, SerialEngine(), QuietProgress(), ShareRequest())
    assert [one.name for one in report.refused] == ["zqalice.d"]
    assert len(lake.list_refused()) == 1
    for path in lake.root.rglob("*.json"):
        assert "zq" not in path.read_text()


def test_names_that_are_no_text_stop_nothing(databases: Path, tmp_path: Path) -> None:
    lake, runs = create_lake(tmp_path / "lake"), tmp_path / "runs"
    shutil.copytree(databases / "run2.d", runs / "run.d")
    (runs / "run.d" / "notes-\udcff.txt").touch()
    shutil.copytree(databases / "run1.d", runs / "run-\udcff.d")
    report = ingest(lake, runs)
    assert (report.added, [one.name for one in report.refused]) == (["run.d"], ["run-?.d"])
    assert [one.name for one in lake.list_refused()] == ["run-?.d"]


@pytest.mark.parametrize("hours", ["nan", "inf", "-5", "0"])
def test_hours_that_are_no_number_of_hours_are_refused(
    hours: str, databases: Path, tmp_path: Path
) -> None:
    place = tmp_path / "run.d"
    shutil.copytree(databases / "run2.d", place)
    (place / "profile.toml").write_text(f"[workload]\ngpu_hours = {hours}\n")
    (refused,) = ingest(create_lake(tmp_path / "lake"), place).refused
    assert "workload.gpu_hours must be a number above 0" in refused.reason


def test_a_lake_that_another_process_compacts_is_no_failure(
    databases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = create_lake(tmp_path / "lake")
    monkeypatch.setattr(fleet_ingest, "_COMPACT_FROM", 1)
    with lake_compaction._lock_lake(lake):
        assert ingest(lake, databases / "run2.d").added == ["run2.d"]
    assert ingest(lake, databases / "run2.d").known == 1
    assert [path.name[:4] for path in lake.root.glob("table=run/*/*")] == ["all-"]


def test_a_lake_that_cannot_be_written_is_no_fault_of_an_input(
    databases: Path, tmp_path: Path
) -> None:
    lake = create_lake(tmp_path / "lake")
    (lake.root / ".staging").write_text("in the way")
    with pytest.raises(OutputError, match="cannot be written"):
        ingest(lake, databases / "run2.d")


def test_nothing_is_a_lake_without_runs(tmp_path: Path) -> None:
    lake = create_lake(tmp_path / "lake")
    assert ingest(lake).added == []
    with open_lake(lake) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchall() == [(0,)]


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of several ranks."""
    found = (recording_of(seed) for seed in range(1, 200))
    recording = next(one for one in found if one.processes > 1 and one.ranked)
    return write(recording, "kineto", tmp_path_factory.mktemp("run") / "ranks")


@pytest.fixture(scope="module")
def alone(ranks: Path, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """The lake of that run, which one worker read."""
    engine = SerialEngine()
    lake, _ = ingest_by(engine, ranks, tmp_path_factory.mktemp("alone") / "lake")
    assert engine.parts == 0
    return lake


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ranks are many."""
    monkeypatch.setattr(fleet_ingest, "MANY_RANKS", 2)


def rows_of(lake: Lake) -> dict[str, list[tuple[object, ...]]]:
    """All that a lake has of its runs."""
    with open_lake(lake) as connection:
        return {
            table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
            for table in ("run", "part", "kernel", "gpu", "document")
        }


def ingest_by(engine: WorkerEngine, run: Path, place: Path) -> tuple[Lake, FleetReport]:
    lake = create_lake(place)
    return lake, ingest_fleet([run], lake, engine, QuietProgress())


@pytest.mark.usefixtures("few")
def test_workers_share_the_ranks_of_a_run(ranks: Path, alone: Lake, tmp_path: Path) -> None:
    shared, report = ingest_by(engine := SerialEngine(), ranks, tmp_path / "lake")
    assert report.added == ["ranks"]
    assert engine.parts == len(list(ranks.iterdir()))
    assert rows_of(shared) == rows_of(alone)
    assert rows_of(shared)["part"]


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_workers_of_a_scheduler_share_the_ranks(ranks: Path, alone: Lake, tmp_path: Path) -> None:
    with open_engine("local:2") as engine:
        shared, report = ingest_by(engine, ranks, tmp_path / "lake")
    assert report.refused == []
    assert rows_of(shared) == rows_of(alone)


@pytest.mark.usefixtures("few")
def test_ranks_that_no_worker_can_read_refuse_the_run(ranks: Path, tmp_path: Path) -> None:
    copy = tmp_path / "ranks"
    shutil.copytree(ranks, copy)
    for each in copy.iterdir():
        each.write_text(each.read_text().replace('"ph": "X"', '"ph": ]'))
    _, report = ingest_by(engine := SerialEngine(), copy, tmp_path / "lake")
    assert engine.parts > 1
    assert [min(copy.iterdir()).name in one.reason for one in report.refused] == [True]


def test_a_watched_folder_is_read_as_profiles_settle(databases: Path, tmp_path: Path) -> None:
    folder, lake = tmp_path / "runs", create_lake(tmp_path / "lake")
    folder.mkdir()
    reports = watch_fleet(folder, lake, SerialEngine(), QuietProgress(), 30.0)
    assert next(reports) is None
    shutil.copytree(databases / "run1.d", folder / "run1.d", copy_function=shutil.copy)
    assert next(reports) is None, "it was written just now"
    _make_older(folder / "run1.d", 60.0)
    assert [report.added for report in [next(reports)] if report] == [["run1.d"]]
    assert next(reports) is None
    shutil.copytree(databases / "run2.d", folder / "run2.d", copy_function=shutil.copy)
    _make_older(folder / "run2.d", 60.0)
    assert [report.added for report in [next(reports)] if report] == [["run2.d"]]


def _make_older(path: Path, seconds: float) -> None:
    for one in (path, *path.rglob("*")):
        os.utime(one, (time.time() - seconds,) * 2)


def test_lists_name_paths_beside_them(tmp_path: Path) -> None:
    (tmp_path / "runs.txt").write_text("# two\na.json\n\n  b.json \n")
    assert list_given_paths([f"@{tmp_path}/runs.txt", "c.json"]) == [
        tmp_path / "a.json", tmp_path / "b.json", Path("c.json")
    ]  # fmt: skip
    with pytest.raises(InputError, match="list of paths"):
        list_given_paths([f"@{tmp_path}/none.txt"])
