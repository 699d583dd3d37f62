"""A store that several processes filled is the one that one process would have made."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from perfolio.common import processes
from perfolio.common.errors import FormatError, InvariantError, OutputError
from perfolio.pipeline import reports, run_documents
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.store import parallel_ingest
from perfolio.store.database import open_store
from perfolio.store.ingest import IngestedRun
from perfolio.store.model_catalog import list_tables_of_runs
from perfolio.store.parallel_ingest import PortionReport, RunPortion, is_many
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT

FOLDERS = "abcde"


class Told:
    """Progress that is kept."""

    def __init__(self) -> None:
        self.tasks: list[tuple[str, float | None]] = []

    def start(self, name: str, total: float | None) -> None:
        """Keep a task."""
        self.tasks.append((name, total))

    def advance(self, steps: float) -> None:
        """Nothing."""

    def rename(self, name: str) -> None:
        """Nothing."""


@pytest.fixture
def profiles(tmp_path: Path) -> Path:
    """Runs that are all called alike, one of them by its folder."""
    for seed, folder in enumerate(FOLDERS):
        write_database(tmp_path / "profiles" / folder / "run.d", Shape(seed=seed, depth=2))
    (tmp_path / "profiles" / "c" / "profile.toml").write_text('title = "Third"\n')
    return tmp_path / "profiles"


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs are many."""
    monkeypatch.setattr(processes, "count_processors", lambda: 2)
    monkeypatch.setattr(parallel_ingest, "FEW", 1)


@pytest.fixture
def here(many: None, monkeypatch: pytest.MonkeyPatch) -> list[RunPortion]:
    """Portions are stored in this process; the list gets each of them."""
    del many
    stored: list[RunPortion] = []

    def mapped(
        fill: Callable[[RunPortion], tuple[PortionReport, object]], each: Sequence[RunPortion]
    ) -> Iterator[tuple[PortionReport, object]]:
        for portion in each:
            stored.append(portion)
            yield fill(portion)

    monkeypatch.setattr(run_documents, "map_in_processes", mapped)
    return stored


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables about runs."""
    with open_store(store) as connection:
        return {
            table: connection.execute(f'SELECT * FROM main."{table}" ORDER BY ALL').fetchall()
            for table in list_tables_of_runs()
        }


def one_after_another(profiles: Path, store: Path, context: Context) -> list[IngestedRun]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "count_processors", lambda: 1)
        return ingest_paths([profiles], store, context)


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_processes_make_the_store_that_one_makes(profiles: Path, tmp_path: Path) -> None:
    kept, told = (Context(progress=Told()) for _ in range(2))
    one, several = tmp_path / "one.duckdb", tmp_path / "several.duckdb"
    left = tmp_path / ".several.duckdb.portions"
    left.mkdir()
    (left / "1.duckdb").write_text("of a run that was killed")

    expected = one_after_another(profiles, one, kept)
    found = ingest_paths([profiles], several, told)

    assert [each.slug for each in found] == ["run", "run-2", "c", "run-3", "run-4"]
    assert found == expected
    assert contents(several) == contents(one)
    assert contents(one)["value"]
    assert told.progress.tasks == kept.progress.tasks  # type: ignore[attr-defined]
    assert set(told.timings.seconds) == {"read", "store"}
    assert told.timings.models
    assert {path.name for path in tmp_path.iterdir()} == {"profiles", one.name, several.name}


@pytest.mark.slow
def test_what_is_there_already_is_left_to_one_process(
    profiles: Path, here: list[RunPortion], tmp_path: Path
) -> None:
    store = tmp_path / "store.duckdb"
    ingest_paths([profiles], store)
    assert len(here) == 5

    again = ingest_paths([profiles], store)
    assert [(each.run, each.changed) for each in again] == [(run, False) for run in range(1, 6)]
    assert len(here) == 5


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["total", "magic"])
def test_a_faulty_run_is_told_as_ever_and_nothing_is_left(
    profiles: Path, here: list[RunPortion], tmp_path: Path, damage: str
) -> None:
    faulty = profiles / "b" / "run.d" / "profile.db"
    data = bytearray(faulty.read_bytes())
    values = int.from_bytes(data[0x40 + 8 : 0x40 + 16], "little")
    place = values + 2 if damage == "total" else 0
    data[place : place + 8] = bytes(reversed(data[place : place + 8]))
    faulty.write_bytes(data)
    expected = InvariantError if damage == "total" else FormatError

    with pytest.raises((FormatError, InvariantError)) as alone:
        one_after_another(profiles, tmp_path / "one.duckdb", Context())
    with pytest.raises((FormatError, InvariantError)) as found:
        ingest_paths([profiles], tmp_path / "several.duckdb")

    assert len(here) == 2
    assert (type(found.value), str(found.value)) == (type(alone.value), str(alone.value))
    assert isinstance(found.value, expected)
    assert [path.name for path in tmp_path.iterdir()] == ["profiles"]


@pytest.mark.usefixtures("many")
def test_a_store_that_cannot_be_written_is_named(profiles: Path) -> None:
    with pytest.raises(OutputError, match=r"^/proc/s.duckdb: cannot be written"):
        ingest_paths([profiles], Path("/proc/s.duckdb"))


@pytest.mark.usefixtures("many")
def test_one_place_by_two_paths_is_for_one_process(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "ab"]
    paths[0].mkdir()
    paths[1].mkdir()
    assert is_many(paths)
    paths[1].rmdir()
    paths[1].symlink_to(paths[0])
    assert not is_many(paths)


def test_few_runs_and_one_processor_are_for_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [Path(str(number)) for number in range(parallel_ingest.FEW + 1)]
    monkeypatch.setattr(processes, "count_processors", lambda: 2)
    assert is_many(paths)
    assert not is_many(paths[1:])
    monkeypatch.setattr(processes, "count_processors", lambda: 1)
    assert not is_many(paths)


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_terminal")
def test_ctrl_c_leaves_no_file_and_no_traceback(tmp_path: Path) -> None:
    for number in range(parallel_ingest.FEW + 1):
        write_database(tmp_path / "in" / f"{number}.d", Shape(depth=5, fan_out=7, profiles=12))
    script = tmp_path / "work.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom perfolio.common import processes\n"
        "from perfolio.cli.main import main\nprocesses.count_processors = lambda: 2\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    with subprocess.Popen(
        [sys.executable, str(script), "ingest", "in", "--store", "s.duckdb"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        begun = time.monotonic()
        while len(list(tmp_path.glob(".s.duckdb.portions/?.duckdb"))) < 2:
            assert time.monotonic() - begun < 60
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, said = process.communicate(timeout=60)

    assert said.splitlines()[-1:] == ["perfolio: interrupted; nothing half-written was left"]
    assert "Traceback" not in said
    assert {path.name for path in tmp_path.iterdir()} == {"in", "work.py"}


@pytest.mark.slow
def test_a_report_of_many_is_that_of_its_profile_alone(
    profiles: Path, many: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del many
    left: list[list[str]] = []

    def no_site(docs: Path, *_others: object) -> None:
        left.append(sorted(path.name for path in docs.parent.rglob("*.duckdb*")))

    monkeypatch.setattr(reports, "map_in_processes", map)
    monkeypatch.setattr(reports, "_build_site", no_site)
    together = reports.build([profiles / "a", profiles / "b"], tmp_path / "site")
    (alone,) = reports.build([profiles / "b"], tmp_path / "site")

    assert together[1].metrics["metrics"] == alone.metrics["metrics"]
    assert together[0].metrics["metrics"] != alone.metrics["metrics"]
    assert [one.slug for one in together] == ["run", "run-2"]
    assert (left[0], left[1]) == ([], ["store.duckdb"]), "a hundred stores would fill a disk"


def test_a_faulty_profile_among_many_makes_no_site(
    profiles: Path, many: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del many
    (profiles / "a" / "run.d" / "meta.db").write_bytes(b"HPCTOOLKITmeta")
    monkeypatch.setattr(reports, "map_in_processes", map)
    with pytest.raises(FormatError, match=r"meta\.db"):
        reports.build([profiles], tmp_path / "site")
    assert not (tmp_path / "site").exists()
