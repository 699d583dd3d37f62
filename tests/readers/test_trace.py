"""Trace lines: order, durations, and what the tool is known to record wrongly."""

from __future__ import annotations

import struct
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import FormatError
from perfolio.readers import model
from perfolio.readers.hpctoolkit import trace_db
from perfolio.readers.hpctoolkit.file_header import open_file

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
