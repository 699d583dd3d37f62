"""Streams of batches."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.sources.model import BATCH_ROWS, merged


@settings(max_examples=50)
@given(st.lists(st.integers(0, 3 * BATCH_ROWS), max_size=6))
def test_batches_have_one_size_and_lose_nothing(sizes: list[int]) -> None:
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    parts = [
        pa.record_batch({"n": np.arange(start, start + size)})
        for start, size in zip(starts, sizes, strict=True)
    ]
    batches = list(merged(iter(parts)))
    assert all(batch.num_rows == BATCH_ROWS for batch in batches[:-1])
    assert all(0 < batch.num_rows <= BATCH_ROWS for batch in batches[-1:])
    rows = [n for batch in batches for n in (batch["n"][0].as_py(), batch["n"][-1].as_py())]
    assert sum(batch.num_rows for batch in batches) == sum(sizes)
    assert rows == sorted(rows)
