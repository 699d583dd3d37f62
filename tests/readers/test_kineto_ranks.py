"""Traces of ranks are read one by one, by any process, and give what one recording of all would."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common import processes
from perfolio.common.errors import FormatError, InputError
from perfolio.readers import registry
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    CollectiveCall,
    LineKey,
    OperatorArguments,
    RecordedProcess,
    Recording,
)
from perfolio.readers.events.recording_parts import append_recording
from perfolio.readers.kineto import rank_reading, reader
from perfolio.readers.kineto.rank_reading import RankReading
from perfolio.readers.model import Source
from tests.recordings.formats import write
from tests.recordings.program import recording_of

NAMES = st.sampled_from("abcd")
ROWS = st.lists(st.tuples(NAMES, NAMES, st.integers(0, 9)), max_size=12)
PARTS = st.lists(st.lists(ROWS, min_size=1, max_size=2), min_size=1, max_size=4)
"""Of each part its processes, and of each process rows."""


def fill(recording: Recording, part: Sequence[Sequence[tuple[str, str, int]]]) -> None:
    """Add a part as a reader does: each thing is numbered as it comes."""
    first = len(recording.processes)
    for number, rows in enumerate(part, first):
        recording.processes.append(RecordedProcess(number - first))
        recording.lives[number] = (len(rows), number - first)
        recording.zeros.add(len(rows))
        for line, name, amount in rows:
            key = LineKey(number, False, line)
            thread, code = recording.lines.of(key), recording.codes.of(CodePlace(name))
            said = recording.arguments.of(OperatorArguments(name)) if amount % 2 else NONE
            call = CollectiveCall(name, "", 2, amount, "")
            met = recording.collectives.of(call) if amount % 3 else NONE
            recording.ranges.append(thread, amount, 1, 3, code, amount, said)
            recording.operations.extend(1, line=thread, code=code, start=amount, collective=met)
            recording.memory.append(thread, amount, NONE, 1, NONE, NONE, NONE)
            recording.line_names[key] = name
            recording.recorded[thread, amount] = amount


def facts(recording: Recording) -> dict[str, Any]:
    """All that a recording holds, by the names of its parts."""
    found: dict[str, Any] = {}
    for name, value in vars(recording).items():
        if hasattr(value, "NAMES"):
            found[name] = np.stack([value[column] for column in value.NAMES]).tolist()
        elif hasattr(value, "all"):
            found[name] = value.all()
        else:
            found[name] = list(value.items()) if isinstance(value, dict) else value
    return found


@given(parts=PARTS)
def test_parts_are_what_one_recording_of_all_is(parts: list[Any]) -> None:
    whole, joined = Recording(), Recording()
    for part in parts:
        own = Recording()
        fill(whole, part)
        fill(own, part)
        append_recording(joined, own)
    assert facts(joined) == facts(whole)


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any traces are large, and there are two processors."""
    monkeypatch.setattr(processes, "count_processors", lambda: 2)
    monkeypatch.setattr(rank_reading, "LARGE", 0)


@pytest.fixture
def carried(several: None, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """What a trace holds comes as from another process; the list gets each file."""
    del several
    read: list[Path] = []

    def mapped(function: Callable[[Path], RankReading], files: Sequence[Path]) -> Iterator[object]:
        for file in files:
            read.append(file)
            yield pickle.loads(pickle.dumps(function(file)))

    monkeypatch.setattr(rank_reading, "map_in_processes", mapped)
    return read


def read_alone(path: Path) -> Source:
    """Read in this process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rank_reading, "LARGE", 1 << 60)
        return reader.read(path)


def check_equal(one: Source, other: Source) -> None:
    """All of two sources is equal, value by value."""
    assert list(one.tables) == list(other.tables)
    for name, table in one.tables.items():
        assert table.schema == other.tables[name].schema
        assert table.to_pylist() == other.tables[name].to_pylist(), name
    kept = ("title", "warnings", "device", "device_memory", "ranks", "format_version")
    assert [getattr(one, name) for name in kept] == [getattr(other, name) for name in kept]
    assert [file.opened.state for file in one.files] == [file.opened.state for file in other.files]


def write_ranks(seeds: range, folder: Path) -> Iterator[Path]:
    """The traces of random recordings with several ranks."""
    for seed in seeds:
        recording = recording_of(seed)
        if recording.ranked and recording.processes > 1:
            yield write(recording, "kineto", folder / f"run{seed}")


def test_what_comes_from_elsewhere_is_what_is_read_here(
    tmp_path: Path, carried: list[Path]
) -> None:
    found = list(write_ranks(range(1, 60), tmp_path))
    for path in found:
        check_equal(reader.read(path), read_alone(path))
    assert len(found) >= 10
    assert carried == [file for path in found for file in sorted(path.iterdir())]


@pytest.mark.slow
@pytest.mark.usefixtures("several")
def test_processes_read_what_one_reads(tmp_path: Path) -> None:
    path = next(write_ranks(range(1, 60), tmp_path))
    before = multiprocessing.active_children()
    check_equal(registry.read(path), read_alone(path))
    assert multiprocessing.active_children() == before


@pytest.mark.slow
@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("bad", [(1, 2), (2, 1), (0, 2)])
def test_the_first_rank_that_cannot_be_read_decides(tmp_path: Path, bad: tuple[int, int]) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    event = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 5, "dur": 9}
    whole = json.dumps({"schemaVersion": 1, "traceEvents": [event]})
    for rank in range(3):
        (folder / f"rank{rank}.json").write_text(whole)
    damaged, empty = (folder / f"rank{rank}.json" for rank in bad)
    damaged.write_text(whole.replace("5,", '"soon",'))
    empty.write_text("")

    with pytest.raises(InputError) as alone:
        read_alone(folder)
    with pytest.raises(InputError) as together:
        reader.read(folder)

    assert str(together.value) == str(alone.value)
    assert type(together.value) is (FormatError if bad[0] < bad[1] else InputError)


@pytest.mark.parametrize("change", ["longer", "replaced"])
def test_a_trace_that_changes_before_it_is_stored_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    folder = next(write_ranks(range(1, 60), tmp_path))
    last = max(folder.iterdir())

    def mapped(function: Callable[[Path], RankReading], files: Sequence[Path]) -> Iterator[object]:
        for file in files:
            found = function(file)
            if file == last and change == "longer":
                file.write_text(f"{file.read_text()} ")
            elif file == last:
                (tmp_path / "other").write_text(file.read_text())
                (tmp_path / "other").rename(file)
            yield found

    monkeypatch.setattr(rank_reading, "LARGE", 0)
    monkeypatch.setattr(rank_reading, "map_in_processes", mapped)
    with pytest.raises(InputError, match=rf"{last.name}: the file changed or was replaced"):
        reader.read(folder)


def test_small_traces_and_a_single_one_need_no_other_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank_reading, "map_in_processes", None)
    folder = next(write_ranks(range(1, 60), tmp_path))
    assert len(reader.read(folder).files) > 1
    monkeypatch.setattr(rank_reading, "LARGE", 0)
    assert len(reader.read(min(folder.iterdir())).files) == 1


def test_ranks_that_were_read_before_are_those_of_the_files(tmp_path: Path) -> None:
    folder = next(write_ranks(range(1, 60), tmp_path))
    ranks = [rank_reading.try_rank(file) for file in registry.list_ranks(folder)]
    check_equal(registry.read(folder, ranks), registry.read(folder))
    check_equal(registry.read(folder, ranks), registry.read(folder))
    with pytest.raises(InputError, match="changed or was replaced"):
        registry.read(folder, ranks[::-1])
    with pytest.raises(InputError, match="came or went"):
        registry.read(folder, ranks[1:])
    assert registry.list_ranks(min(folder.iterdir())) == []
