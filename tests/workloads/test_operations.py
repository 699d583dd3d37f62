"""Operations by sizes are those of PyTorch's counter, to the last one.

Of the DLRM by a case of operators.model_operations, whose total test_models.py compares with
the counter itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main as cli
from generator.metrics.catalog import load_catalog
from generator.metrics.evaluate import evaluate
from generator.store.connect import open_store
from generator.toml import read_toml
from tests.shared import ROOT

PROFILE = ROOT / "profiles" / "transformer-h100"
NAMES = ("operators.model_operations", "operators.done_operations")


@pytest.mark.slow
def test_sizes_of_a_recorded_transformer_give_what_pytorch_counted(tmp_path: Path) -> None:
    """The author's count is FlopCounterMode's, of attention by products (`workloads.figures`).

    Fused attention computes its scores again: 12 blocks, 16 x 16 heads, 1,024 tokens, width 64.
    """
    store = tmp_path / "run.duckdb"
    made = CliRunner().invoke(cli, ["ingest", str(PROFILE), "--store", str(store)])
    assert made.exit_code == 0, made.output
    with open_store(store) as connection:
        known = load_catalog()
        found = evaluate(connection, 1, {name: known[name] for name in NAMES})
    counted = read_toml(PROFILE / "profile.toml")["model_flops_per_iteration"]
    again = 12 * 2 * 16 * 16 * 1024**2 * 64
    assert counted == 20_925_080_666_112
    assert found["operators.model_operations"].value == counted
    assert found["operators.done_operations"].value == counted + again
