"""What lies beside a profile: it is read with it, or named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.readers.model import BATCH_ROWS, Columns, StreamPart, fill_batches
from perfolio.readers.run_files import read_run
from tests.readers.test_kineto import EVENTS, document, written


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    (tmp_path / "links.json").write_text(json.dumps({"rows": []}))
    (tmp_path / "notes.txt").write_text("Monday")
    source, _ = read_run(trace)
    assert [note for note in source.warnings if "not read" in note] == [
        "files beside the profile that are not read: links.json"
    ]


def test_many_are_counted(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    for number in range(9):
        (tmp_path / f"{number}.csv").write_text("a,b\n")
    source, _ = read_run(trace)
    assert any(note.endswith("4.csv, 5.csv, 3 more") for note in source.warnings)


def test_files_of_other_profiles_are_theirs(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    written(tmp_path, document(EVENTS), "another.json")
    (tmp_path / "links.csv").write_text("a,b\n")
    source, _ = read_run(trace)
    assert not any("not read" in note for note in source.warnings)


# Streams of batches.


def numbers(start: int, size: int) -> StreamPart:
    """A part with the numbers from `start` on."""

    def write(row: int, columns: Columns) -> None:
        first = start + row
        columns["n"][:] = np.arange(first, first + len(columns["n"]))

    return StreamPart(size, write)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 3 * BATCH_ROWS), max_size=6))
def test_batches_have_one_size_and_lose_nothing(sizes: list[int]) -> None:
    parts = [numbers(sum(sizes[:i]), size) for i, size in enumerate(sizes)]
    batches = [columns["n"] for columns in fill_batches(parts, {"n": np.int64})]
    assert all(len(batch) == BATCH_ROWS for batch in batches[:-1])
    assert all(0 < len(batch) <= BATCH_ROWS for batch in batches[-1:])
    rows = np.concatenate([np.empty(0, np.int64), *batches])
    assert np.array_equal(rows, np.arange(sum(sizes)))
