"""What is written in formats of events, and read back the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import OutputError
from perfolio.readers import registry
from perfolio.writers.events import kineto_json, nsys_sqlite, rocpd_sqlite, sqlite_writer
from perfolio.writers.events.model import (
    LaunchSizes,
    RecordedEvents,
    RecordedOperation,
    RecordedRange,
    RecordedStep,
    RecordedThread,
)

Write = Callable[[RecordedEvents, Path], Path]
Row = dict[str, Any]
BEGIN = 1_700_000_000_000_000_123
WRITERS: dict[str, Write] = {
    "kineto": kineto_json.write,
    "nsys": nsys_sqlite.write,
    "rocpd": rocpd_sqlite.write,
}
LAUNCH = LaunchSizes(10, 128, 32, 1_024, 512)


def of_rank(rank: int) -> tuple[list[RecordedRange], list[RecordedOperation]]:
    """An operator that launches a kernel, then two copies from functions of Python."""
    main, at, number = RecordedThread(rank, 0, "main"), BEGIN + 3 * rank, 3 * rank
    torch, runtime = "lib/libtorch_cpu.so", "libcudart.so.12"
    ranges = [
        RecordedRange(main, "function", "mm", torch, "", 0, at, at + 200),
        RecordedRange(
            main, "call", "cudaLaunchKernel", runtime, "", 0, at + 10, at + 50, number + 1
        ),
        RecordedRange(main, "python", "copy", "", "train.py", 7, at + 300, at + 700),
        RecordedRange(
            main, "call", "cudaMemcpyAsync", runtime, "", 0, at + 310, at + 320, number + 2
        ),
        RecordedRange(
            main, "call", "cudaMemcpyAsync", runtime, "", 0, at + 330, at + 690, number + 3
        ),
        RecordedRange(
            RecordedThread(rank, 1, "reader"),
            "function",
            "pread",
            "libc.so.6",
            "",
            0,
            at + 5,
            at + 9,
        ),
    ]
    operations = [
        RecordedOperation(
            rank, 7, "kernel", "void f<int>(int*)", at + 60, at + 161, number + 1, main,
            launch=LAUNCH,
        ),
        RecordedOperation(
            rank, 7, "copy h2d", "", at + 330, at + 420, number + 2, main, 64, pinned=True
        ),
        RecordedOperation(rank, 8, "copy d2h", "", at + 450, at + 680, number + 3, main, 1 << 33),
    ]  # fmt: skip
    return ranges, operations


def events(ranks: int) -> RecordedEvents:
    every = [of_rank(rank) for rank in range(ranks)]
    threads = [RecordedThread(rank, number, "") for rank in range(ranks) for number in (0, 1)]
    steps = [
        RecordedStep(rank, n, BEGIN + 400 * n, BEGIN + 400 * n + 390)
        for rank in range(ranks)
        for n in (0, 1)
    ]
    ranges = [one for own, _ in every for one in own]
    operations = [one for _, own in every for one in own]
    return RecordedEvents(
        "a.out",
        "nvidia",
        ranks,
        132,
        tuple(threads),
        tuple(ranges),
        tuple(operations),
        tuple(steps),
    )


def tables(folder: Path, form: str, ranks: int) -> dict[str, list[Row]]:
    WRITERS[form](events(ranks), folder / "run")
    (found,) = registry.find(folder / "run")
    return {name: table.to_pylist() for name, table in registry.read(found).tables.items()}


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("form", WRITERS)
def test_operations_are_read_back_to_the_nanosecond(tmp_path: Path, form: str, ranks: int) -> None:
    found = tables(tmp_path, form, ranks)
    streams = {row["index"]: row for row in found["profile"]}
    seen = {
        (streams[row["profile"]]["rank"] or 0, streams[row["profile"]]["gpu_stream"], row["start"],
         row["duration"], row["operation"], row["bytes"], row["blocks"])
        for row in found["gpu_operation"]
    }  # fmt: skip
    words = {"kernel": "kernel", "copy h2d": "copy H2D", "copy d2h": "copy D2H"}
    assert seen == {
        (one.rank, one.stream, one.start, one.stop - one.start, words[one.kind], one.size or None,
         one.launch.blocks if one.launch else None)
        for one in events(ranks).operations
    }  # fmt: skip


@pytest.mark.parametrize("form", WRITERS)
def test_operations_lie_below_the_calls_that_launched_them(tmp_path: Path, form: str) -> None:
    found = tables(tmp_path, form, 2)
    calls = {row["id"]: row for row in found["host_call"]}
    assert len(calls) == 6
    for row in found["gpu_operation"]:
        kernel = row["operation"] == "kernel"
        call = calls[row["call"]]
        assert call["name"] == ("cudaLaunchKernel" if kernel else "cudaMemcpyAsync")
        assert call["start"] < row["start"]


@pytest.mark.parametrize("form", WRITERS)
def test_steps_are_those_of_each_rank(tmp_path: Path, form: str) -> None:
    found = tables(tmp_path, form, 2)
    steps = [row for row in found["host_range"] if row["kind"] == "step"]
    assert [(row["start"], row["duration"]) for row in steps] == [
        (one.start, one.stop - one.start) for one in events(2).steps
    ]
    assert len({row["profile"] for row in steps}) == 2


def test_what_a_format_has_no_place_for_is_not_said(tmp_path: Path) -> None:
    pinned = {
        form: [row["pinned"] for row in tables(tmp_path / form, form, 1)["gpu_operation"]]
        for form in WRITERS
    }
    assert pinned == {
        "kineto": [None, True, False], "nsys": [None, True, False], "rocpd": [None, None, None],
    }  # fmt: skip


@pytest.mark.parametrize("form", ["nsys", "rocpd"])
def test_a_database_appears_whole_or_not_at_all(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_writer, "_write_table", full)
        with pytest.raises(OutputError, match="disk is full"):
            WRITERS[form](events(1), tmp_path / "run")
    assert not list(tmp_path.iterdir())
    WRITERS[form](events(1), tmp_path / "run")
    with pytest.raises(OutputError, match="exists"):
        WRITERS[form](events(1), tmp_path / "run")
