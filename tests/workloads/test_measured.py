"""What was measured of pairs of runs, against the bounds that reports gave.

Also: Sizes of operators say what PyTorch's counter says, of each operator that both know.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.findings.rules.catalog import load_rules
from perfolio.workloads.catalog import load_workloads
from tests.kit.samples import some_results_at
from tests.workloads.measured import Measured, measured
from tests.workloads.turns import RECORDINGS, REPETITIONS, device_of, pairs, variant

WHERE, FOUND = measured()


ON_TOP = ("X5",)
"""Rules that say of more time than they bound that it goes, too: gaps that close elsewhere."""


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.change)
def test_no_outcome_exceeds_its_bound(one: Measured) -> None:
    """Of that recording which allows most: how long input takes differs from run to run."""
    if one.rule in ON_TOP:
        assert load_rules()[one.rule].worth.besides
        return
    assert not one.exceeds


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_at_least_eight_pairs_have_a_bound(device: str) -> None:
    here = [one for one in FOUND if one.device == device]
    assert sum(one.bound is not None for one in here) >= 8
    assert {len(one.bounds) for one in here} == {RECORDINGS[device]}
    assert {len(times) for one in here for times in (one.before, one.after)} == {
        REPETITIONS[device]
    }


def test_pairs_differ_by_what_their_rule_advises() -> None:
    known, rules = load_workloads(), load_rules()
    for pair in pairs():
        before, after = (variant(pair, side) for side in ("before", "after"))
        assert before.options.batch_size == after.options.batch_size
        assert before != after
        assert device_of(pair) in WHERE
        assert {pair["before"], pair["after"]} <= set(known)
        assert pair["rule"] in rules


def test_the_machines_are_named() -> None:
    assert "cores" in WHERE["cpu"]
    assert "H100" in WHERE["cuda"]
    assert all("PyTorch 2." in words for words in WHERE.values())


pytestmark = pytest.mark.torch

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
