"""Operations by sizes are those of PyTorch's counter, to the last one.

Of the DLRM by a case of operators.model_operations, whose total test_models.py compares with
the counter itself.
"""

from __future__ import annotations

import pytest

from perfolio.common.toml_files import read_toml
from perfolio.readers import registry
from tests.kit.samples import PROFILES, some_results_at

PROFILE = PROFILES / "transformer-h100"
NAMES = ("operators.model_operations", "operators.done_operations")


@pytest.mark.slow
def test_sizes_of_a_recorded_transformer_give_what_pytorch_counted() -> None:
    """The author's count is FlopCounterMode's, of attention by products (`workloads.figures`).

    Fused attention computes its scores again: 12 blocks, 16 x 16 heads, 1,024 tokens, width 64.
    """
    (database,) = registry.find(PROFILE)
    found = some_results_at(database, *NAMES)
    counted = read_toml(PROFILE / "profile.toml")["model_flops_per_iteration"]
    again = 12 * 2 * 16 * 16 * 1024**2 * 64
    assert counted == 20_925_080_666_112
    assert found["operators.model_operations"].value == counted
    assert found["operators.done_operations"].value == counted + again
