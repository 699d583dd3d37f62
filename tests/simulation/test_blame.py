"""Idle time of simulated runs by what the host did, against their truth.

Gaps for input data last from a tenth of the samples' period to a hundred of them. The truth counts
the idle time in phase data of all iterations, the report that of the steady ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.metrics.catalog import load_catalog
from generator.metrics.evaluate import evaluate
from generator.pipeline import ingest_paths
from generator.simulation.simulate import simulate_file
from generator.store.connect import open_store
from tests.shared import ROOT

METRICS = ("time.data_share", "time.longest_gaps", "time.typical_iteration", "target.workers")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ranks", "share", "function"),
    [
        ("eight-ranks", 8, 0.0395, "__next__"),
        ("transformer", 1, 0.0577, "get_batch"),
        ("amd-mi300x", 1, 0.0716, "__next__"),
        ("dlrm-h100-timed", 1, 0.9965, "generate_uniform_input_batch"),
    ],
)
def test_idle_time_for_input_data_is_true(
    name: str, ranks: int, share: float, function: str, tmp_path: Path
) -> None:
    made = simulate_file(ROOT / "profiles" / name / "scenario.toml", tmp_path / "made.d")
    ingest_paths([made.folder], tmp_path / "store.duckdb")
    catalog = load_catalog()
    with open_store(tmp_path / "store.duckdb") as connection:
        found = evaluate(connection, 1, {metric: catalog[metric] for metric in METRICS})
    iterations = made.truth["iterations"]
    idle = made.truth["idle_by_phase"]["data"] / ranks / iterations["count"]
    true = idle / iterations["gpu_median"]
    assert true == pytest.approx(share, abs=5e-5)
    result = found["time.data_share"]
    assert result.low is not None
    assert result.high is not None
    assert result.low <= true <= result.high
    assert result.high - result.low < max(0.6 * true, 0.005)
    rows = found["time.typical_iteration"].records()
    assert [row["name"] for row in rows if row["line"] == "CPU"] == [function]
    if true > 0.05:
        workers = found["target.workers"].records()[0]
        assert float(workers["prepare"] or 0) == pytest.approx(idle, rel=0.2)
