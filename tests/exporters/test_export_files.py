"""Runs as files for other programs."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from perfolio.common.errors import OutputError, UsageError
from perfolio.exporters import arrow_tables, data_frames, export_files
from perfolio.readers import registry
from perfolio.store.database import open_store
from tests.exporters.test_hatchet import stored
from tests.kit.samples import PROFILES, simulated_sample, store_at
from tests.readers.hatchet.files import write_database, write_recursion


def sample(name: str) -> Path:
    if (PROFILES / name / "scenario.toml").is_file():
        return store_at(simulated_sample(name).folder)
    return store_at(registry.find(PROFILES / name)[0])


def exported(store: Path, form: str, folder: Path) -> Any:
    place = export_files.export(store, None, form, folder / "out")
    return json.loads(place.read_text("utf-8"))


def total(store: Path, measure: str) -> float:
    frame = data_frames.query(store, "SELECT name, value FROM total")
    return float(frame[frame["name"] == measure]["value"].iloc[0])


@pytest.mark.parametrize("name", ["dlrm-cpu", "dlrm-cpu-torch", "dlrm-h100-graphs"])
def test_flame_graphs_add_up_to_the_totals(tmp_path: Path, name: str) -> None:
    store = sample(name)
    found = exported(store, "speedscope", tmp_path)
    assert found["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames_known = len(found["shared"]["frames"])
    for profile in found["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == pytest.approx(profile["endValue"])
        assert all(0 <= f < frames_known for stack in profile["samples"] for f in stack)
    measures = {
        "CPU time": "cpu_time",
        "elapsed time": "elapsed_time",
        "GPU time": "gpu_operation_time",
    }
    for profile in found["profiles"]:
        measure = measures[profile["name"].split(",")[0]]
        assert profile["endValue"] == pytest.approx(total(store, measure), rel=1e-9)
    assert len(found["profiles"]) == (2 if name == "dlrm-h100-graphs" else 1)


@pytest.mark.slow
def test_stacks_begin_at_the_entry_point(tmp_path: Path) -> None:
    store = stored(tmp_path, write_database(tmp_path / "db"))
    found = exported(store, "speedscope", tmp_path)
    names = [each["name"] for each in found["shared"]["frames"]]
    (profile,) = found["profiles"]
    stacks = {
        tuple(names[f] for f in stack): weight
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True)
    }
    loop = ("<main thread>", "main", "step", "loop at solver.c:21")
    assert stacks == pytest.approx(
        {loop[:2]: 6e-6, loop: 6e-6, (*loop, "solver.c:22"): 18e-6}
    )  # fmt: skip


def slices(found: Any) -> dict[int, list[tuple[float, float, str]]]:
    """Begin, end and name of each slice, by thread, longest first where they begin together."""
    by_thread: dict[int, list[tuple[float, float, str]]] = defaultdict(list)
    for event in found["traceEvents"]:
        if event["ph"] == "X":
            end = round(event["ts"] + event["dur"], 3)
            by_thread[event["tid"]].append((event["ts"], end, event["name"]))
    return {tid: sorted(rows, key=lambda row: (row[0], -row[1])) for tid, rows in by_thread.items()}


@pytest.mark.parametrize("name", ["dlrm-cpu", "dlrm-cpu-torch", "dlrm-h100-graphs"])
def test_slices_of_a_thread_lie_in_each_other_or_apart(tmp_path: Path, name: str) -> None:
    found = exported(sample(name), "perfetto", tmp_path)
    assert found["displayTimeUnit"] == "ns"
    for rows in slices(found).values():
        ends: list[float] = []
        for begin, end, _ in rows:
            while ends and ends[-1] <= begin:
                ends.pop()
            assert begin >= 0
            assert end >= begin
            # An inner range may reach a little beyond the one around it, as clocks allow.
            assert not ends or end <= ends[-1] + 1_000
            ends.append(end)


def test_gpu_operations_are_there_to_the_nanosecond(tmp_path: Path) -> None:
    store = sample("dlrm-h100-graphs")
    found = exported(store, "perfetto", tmp_path)
    kinds = {"kernel", "memset", "copy", "other"}
    events = [e for e in found["traceEvents"] if e.get("cat", "").split()[0:1] and e["ph"] == "X"]
    gpu = [e for e in events if e["cat"].split()[0] in kinds]
    with open_store(store) as connection:
        ((count, length, origin),) = connection.execute(
            "SELECT count(*), sum(duration), (SELECT min(start) FROM trace_line) FROM gpu_operation"
        ).fetchall()
        starts = connection.execute("SELECT min(start), max(start) FROM gpu_operation").fetchall()
    assert len(gpu) == count
    assert sum(round(event["dur"] * 1_000) for event in gpu) == length
    found_starts = [round(event["ts"] * 1_000) + origin for event in gpu]
    assert [(min(found_starts), max(found_starts))] == starts


@pytest.mark.slow
def test_samples_are_paths_as_long_as_their_thread(tmp_path: Path) -> None:
    """The outermost slices of a sampled thread cover what its samples do."""
    store = sample("dlrm-cpu")
    found = exported(store, "perfetto", tmp_path)
    with open_store(store) as connection:
        expected = dict(
            connection.execute(
                "SELECT profile, sum(duration) FROM trace WHERE context <> 0 "
                "AND context IN (SELECT id FROM context) GROUP BY profile"
            ).fetchall()
        )
    for tid, rows in slices(found).items():
        covered, until = 0.0, 0.0
        for begin, end, _ in rows:
            covered += max(end - max(begin, until), 0.0)
            until = max(until, end)
        assert covered * 1_000 == pytest.approx(float(expected[tid] or 0), rel=1e-6, abs=10)


def test_names_of_threads_and_ranks_are_told(tmp_path: Path) -> None:
    found = exported(sample("dlrm-h100-graphs"), "perfetto", tmp_path)
    named = {e["args"]["name"] for e in found["traceEvents"] if e["name"] == "process_name"}
    assert {"rank 0"} <= named
    assert any("GPU" in each for each in named)


@pytest.mark.slow
def test_a_run_of_totals_has_no_time_line(tmp_path: Path) -> None:
    store = stored(tmp_path, write_recursion(tmp_path / "run.pstats"))
    with pytest.raises(UsageError, match="no time line"):
        export_files.export(store, None, "perfetto", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.slow
def test_parquet_has_units_in_its_metadata(tmp_path: Path) -> None:
    place = export_files.export(sample("dlrm-cpu-torch"), None, "parquet", tmp_path / "out")
    table = pq.read_table(place / "cpu.top_functions.parquet")
    about = json.loads(table.schema.metadata[arrow_tables.ABOUT])
    assert about["units"]["exclusive_share"] == "ratio"
    assert {"metrics.parquet", "findings.parquet"} <= {each.name for each in place.iterdir()}


@pytest.mark.usefixtures("known_trace")
def test_csv_is_safe_for_spreadsheets_and_says_units(tmp_path: Path) -> None:
    store = sample("dlrm-cpu-torch")
    place = export_files.export(store, None, "csv", tmp_path / "out")
    with (place / "columns.csv").open(encoding="utf-8", newline="") as file:
        columns = {(row["file"], row["column"]): row["unit"] for row in csv.DictReader(file)}
    assert columns["cpu.top_functions.csv", "exclusive_share"] == "ratio"
    with (place / "metrics.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    frame = data_frames.metrics(store)
    assert float(rows["time.wall"]["value"]) == frame.loc["time.wall", "value"]
    assert rows["cpu.time"]["value"] == ""  # not measured, and no 0
    for path in place.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


@pytest.mark.usefixtures("known_trace")
def test_an_export_replaces_an_export_and_nothing_else(tmp_path: Path) -> None:
    store = sample("dlrm-cpu-torch")
    place = tmp_path / "out"
    export_files.export(store, None, "csv", place)
    export_files.export(store, None, "csv", place)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(OutputError, match="no export"):
        export_files.export(store, None, "csv", tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").is_file()
    with pytest.raises(UsageError, match="is a file"):
        export_files.export(store, None, "speedscope", tmp_path / "mine")
