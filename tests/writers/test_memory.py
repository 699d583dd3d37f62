"""Memory of the writer follows the tree and the largest profile, not the number of profiles."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from perfolio.writers.hpctoolkit import cct_writer, write
from tests.bench.make import STREAMS, costs, database


def peak(folder: Path, threads: int) -> int:
    """Bytes that Python and NumPy held at most while a database was written."""
    rng = np.random.default_rng(1)
    made = database(threads + STREAMS, 3000, rng)
    tracemalloc.start()
    write(made, folder, costs(made, rng))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.slow
def test_ten_times_the_values_need_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cct_writer, "RANGE_VALUES", 1 << 14)
    few = peak(tmp_path / "few", 8)
    many = peak(tmp_path / "many", 80)
    sizes = [(tmp_path / name / "cct.db").stat().st_size for name in ("few", "many")]
    assert sizes[1] > 8 * sizes[0]
    assert many < 1.2 * few
