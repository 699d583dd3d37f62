"""Streams of batches."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.readers.model import BATCH_ROWS, Columns, StreamPart, fill_batches


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
