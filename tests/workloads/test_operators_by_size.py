"""Operations by sizes are those of PyTorch's counter, of operators and of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.toml_files import read_toml
from perfolio.readers import registry
from tests.kit.samples import PROFILES, some_results_at

NAME = "operators.model_operations"


def _products(torch: Any) -> None:
    left, right, batch = torch.ones(3, 4), torch.ones(4, 5), torch.ones(2, 3, 4)
    torch.mm(left, right, out=torch.empty(3, 5))
    torch.addmm(torch.ones(5), left, right)
    torch.baddbmm(torch.ones(2, 3, 5), batch, torch.ones(2, 4, 5))
    torch.nn.functional.linear(batch, torch.ones(5, 4), torch.ones(5))
    torch.matmul(batch, torch.ones(2, 4, 5))
    torch.einsum("bij,bjk->bik", batch, torch.ones(2, 4, 5))
    narrow = torch.ones(32, 32).to(torch.float8_e4m3fn)
    scale = torch.tensor(1.0)
    torch._scaled_mm(narrow, narrow.t(), scale, scale, out_dtype=torch.bfloat16)


def _convolutions(torch: Any) -> None:
    apply = torch.nn.functional
    image = torch.ones(2, 4, 9, 9, requires_grad=True)
    weight = torch.ones(6, 4, 3, 3, requires_grad=True)
    bias = torch.ones(6, requires_grad=True)
    apply.conv2d(image, weight, bias, stride=2, padding=1).sum().backward()
    apply.conv2d(image.detach(), weight, dilation=2).sum().backward()
    apply.conv2d(image.detach(), torch.ones(6, 2, 3, 3), groups=2, padding=1)
    apply.conv2d(torch.ones(4, 9, 9), torch.ones(6, 4, 3, 3))
    apply.conv1d(torch.ones(2, 3, 20), torch.ones(5, 3, 4), padding=2, stride=3)
    apply.conv3d(torch.ones(2, 3, 5, 6, 7), torch.ones(5, 3, 2, 2, 2), dilation=2)
    spread = torch.ones(4, 3, 3, 3, requires_grad=True)
    apply.conv_transpose2d(image, spread, stride=2, padding=1, output_padding=1).sum().backward()


@pytest.mark.torch
@pytest.mark.parametrize("work", [_products, _convolutions])
def test_sizes_say_what_the_counter_says(work: Callable[[Any], None], tmp_path: Path) -> None:
    import torch
    from torch.profiler import ProfilerActivity, profile, record_function
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        work(torch)
    with (
        profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded,
        record_function("ProfilerStep#1"),
    ):
        work(torch)
    recorded.export_chrome_trace(str(tmp_path / "trace.json"))
    assert some_results_at(tmp_path / "trace.json", NAME)[NAME].value == counter.get_total_flops()


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
