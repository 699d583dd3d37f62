"""Trace lines: order, durations, and what the tool is known to record wrongly.

Also: profile.toml.
"""

from __future__ import annotations

import struct
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import FormatError, UsageError
from perfolio.readers import model
from perfolio.readers.hpctoolkit import trace_db
from perfolio.readers.hpctoolkit.file_header import open_file
from perfolio.readers.run_description import read_description
from tests.kit.databases import write_database

Line = list[tuple[int, int]]
"""Points (time, context) of a line."""


def write_trace(path: Path, lines: list[Line]) -> Path:
    """A trace.db with these lines; line i belongs to profile i + 1."""
    begin = 0x40 + 24 * len(lines)
    heads, points = b"", b""
    for i, line in enumerate(lines):
        start = begin + len(points)
        points += b"".join(struct.pack("<QI", *point) for point in line)
        heads += struct.pack("<I4xQQ", i + 1, start, begin + len(points))
    times = [time for line in lines for time, _ in line] or [0]
    section = struct.pack("<QIB3xQQ", 0x40, len(lines), 24, min(times), max(times))
    header = b"HPCTOOLKITtrce\x04\x00" + struct.pack("<QQ", begin - 0x20, 0x20)
    path.write_bytes(header + section + heads + points + b"trace.db")
    return path


def read_lines(path: Path) -> tuple[trace_db.DatabaseTraces, pa.Table]:
    """The lines of a trace.db and all their rows."""
    traces = trace_db.read_traces(open_file(path, b"trce"))
    stream = trace_db.make_trace_stream(traces)
    table = pa.Table.from_batches(list(stream.batches()), stream.schema)
    assert len(table) == stream.rows
    return traces, table


def test_durations_end_with_the_next_point_of_the_line(tmp_path: Path) -> None:
    path = write_trace(tmp_path / "trace.db", [[(10, 1), (25, 0), (25, 2)], [(40, 3)], []])
    traces, table = read_lines(path)
    assert table["profile"].to_pylist() == [1, 1, 1, 2]
    assert table["duration"].to_pylist() == [15, 0, None, None]
    assert traces.warnings == ()


def test_an_operation_after_an_idle_of_one_nanosecond_is_suspect(tmp_path: Path) -> None:
    line = [(10, 1), (20, 0), (21, 2), (30, 0), (32, 3), (33, 4), (34, 0), (35, 0), (36, 5)]
    _, table = read_lines(write_trace(tmp_path / "trace.db", [line, [(1, 6)]]))
    suspect = [
        c
        for c, s in zip(table["context"].to_pylist(), table["suspect"].to_pylist(), strict=True)
        if s
    ]
    assert suspect == [2, 5]


def test_lines_out_of_order_are_sorted_with_a_warning(tmp_path: Path) -> None:
    lines: list[Line] = [[(30, 3), (10, 1), (20, 2), (20, 0)], [(1, 1), (2, 2)]]
    traces, table = read_lines(write_trace(tmp_path / "trace.db", lines))
    assert table["time"].to_pylist() == [10, 20, 20, 30, 1, 2]
    assert table["context"].to_pylist() == [1, 2, 0, 3, 1, 2]
    assert table["duration"].to_pylist() == [10, 0, 10, None, 1, None]
    assert traces.warnings == ("1 trace lines were not in order of time and were sorted",)


def test_a_time_that_cannot_be_computed_with_is_refused(tmp_path: Path) -> None:
    latest = 2**63 - 1
    path = write_trace(tmp_path / "trace.db", [[(1, 1), (latest, 0)]])
    assert read_lines(path)[1]["time"].to_pylist() == [1, latest]
    path = write_trace(tmp_path / "trace.db", [[(1, 1), (latest + 1, 0)]])
    with pytest.raises(FormatError, match="2262"):
        trace_db.read_traces(open_file(path, b"trce"))


@given(
    lines=st.lists(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2)), max_size=40), max_size=4
    ),
    rows=st.integers(1, 7),
)
def test_batches_do_not_change_rows(
    lines: list[Line], rows: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = write_trace(tmp_path_factory.mktemp("trace") / "trace.db", lines)
    unsorted = {i for i, line in enumerate(lines) if [time for time, _ in line] != times_of(line)}
    traces, whole = read_lines(path)
    assert traces.unsorted == unsorted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace_db, "BATCH_ROWS", rows)
        patch.setattr(model, "BATCH_ROWS", rows)
        traces, table = read_lines(path)
        assert traces.unsorted == unsorted
        assert table.to_pylist() == whole.to_pylist()


def times_of(line: Line) -> list[int]:
    """The times of the points of a line in order."""
    return sorted(time for time, _ in line)


@pytest.mark.parametrize(
    ("times", "unsorted"),
    [([0, 3, 3, 3], set()), ([0, 3, 3, 2], {0}), ([1, 0], {0}), ([3, 3, 2, 4], {0})],
)
def test_order_is_told_across_the_ends_of_batches(
    times: list[int], unsorted: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_trace(tmp_path / "trace.db", [[(time, 1) for time in times]])
    for rows in (1, 2, 3, 4):
        monkeypatch.setattr(trace_db, "BATCH_ROWS", rows)
        assert read_lines(path)[0].unsorted == unsorted, rows


FULL = """
title = "DLRM"
description = "one run"
hardware = "h100-sxm5"
model_flops_per_iteration = 2.9e10
notes = "n"
simulated = true
[workload]
batch_size = 2048
optimizer = "sgd"
compiled = false
[price]
gpu_hour = 2.5
currency = "EUR"
gpu_power = 700
"""


def test_without_one_everything_is_empty(tmp_path: Path) -> None:
    found = read_description(write_database(tmp_path / "x.d"))
    assert (found.path, found.title, dict(found.settings)) == (None, "", {})


@pytest.mark.parametrize("place", ["x.d/profile.toml", "profile.toml"])
def test_inside_or_beside_the_database(tmp_path: Path, place: str) -> None:
    database = write_database(tmp_path / "x.d")
    (tmp_path / place).write_text(FULL)
    found = read_description(database)
    assert (found.title, found.hardware) == ("DLRM", "h100-sxm5")
    assert dict(found.settings) == {
        "model_flops_per_iteration": "29000000000.0",
        "simulated": "true",
        "workload.batch_size": "2048",
        "workload.optimizer": "sgd",
        "workload.compiled": "false",
        "price.gpu_hour": "2.5",
        "price.currency": "EUR",
        "price.gpu_power": "700.0",
    }


def test_beside_a_link_to_the_database(tmp_path: Path) -> None:
    """One who may not write beside a database describes a link to it."""
    (tmp_path / "mine").mkdir()
    link = tmp_path / "mine" / "run.d"
    link.symlink_to(write_database(tmp_path / "theirs" / "x.d"))
    (tmp_path / "mine" / "profile.toml").write_text(FULL)
    assert read_description(link).title == "DLRM"
    assert read_description(link.resolve()).title == ""


def test_beside_several_databases_it_is_nobodys(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    write_database(tmp_path / "y.d")
    (tmp_path / "profile.toml").write_text(FULL)
    assert read_description(database).title == ""


TRACE = """{"distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}"""


def test_beside_a_trace_other_files_do_not_matter_and_other_runs_do(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(TRACE % 0)
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / "profile.toml").write_text(FULL)
    assert read_description(tmp_path / "run.json").title == "DLRM"
    (tmp_path / "other.json").write_text(TRACE % 0)
    assert read_description(tmp_path / "run.json").title == ""


def test_beside_several_folders_of_traces_it_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "profile.toml").write_text(FULL)
    for name in ("a", "b"):
        assert read_description(tmp_path / "a").title == "DLRM"
        (tmp_path / name).mkdir()
        for rank in (0, 1):
            (tmp_path / name / f"rank{rank}.json").write_text(TRACE % rank)
    assert read_description(tmp_path / "a").title == read_description(tmp_path / "b").title == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "cannot be read"),
        ("[price]\ngpu_hour = 2", "gpu_hour and price.currency go together"),
        ("[price]\ncurrency = 'EUR'", "go together"),
        ("[price]\ngpu_hour = 0\ncurrency = 'EUR'", "price.gpu_hour must be a number above 0"),
        ("[price]\ngpu_power = 'much'", "price.gpu_power must be"),
        ("[price]\nhour = 1", "unknown entry 'price.hour'"),
        ("price = 3", "price must be"),
        ("titel = 'x'", "unknown entry 'titel'"),
        ("title = 3", "title must be"),
        ("[workload]\nlist = [1]", r"workload\.list must be"),
        ("model_flops_per_iteration = true", "must be"),
        ("model_flops_per_iteration = nan", "must be"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, says: str) -> None:
    database = write_database(tmp_path / "x.d")
    (database / "profile.toml").write_text(text)
    with pytest.raises(UsageError, match=says):
        read_description(database)
