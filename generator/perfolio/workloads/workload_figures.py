"""Figures of a workload that no trace has: its operations, the machine's rate, memory.

In:  a workload, or a device. Out: operations per step, FLOP/s, bytes.
"""

from __future__ import annotations

import resource
import time
from typing import Any

import msgspec
import torch
from torch.utils.flop_counter import FlopCounterMode

from perfolio.workloads.models.training_task import build
from perfolio.workloads.variant_options import Transformer, Workload

_SIDE = {"cpu": 1024, "cuda": 8192}
"""Rows and columns of the product by which a device's rate is measured."""
_PRODUCTS = 5
_TYPES = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16}


def count_model_flops(workload: Workload) -> int:
    """Operations of products in a step, forward and backward, by PyTorch's counter [FLOP].

    Of the model as it is written, with attention by products: how a variant computes it changes
    nothing. The counter knows no fused attention of CPUs.
    """
    sizes = workload.model
    if isinstance(sizes, Transformer):
        sizes = msgspec.structs.replace(sizes, attention="composed")
    with torch.device("meta"):
        task = build(sizes)
    drawn = task.draw_batch(torch.Generator().manual_seed(0), workload.options.batch_size, "cpu")
    with FlopCounterMode(display=False) as counter:
        task.loss(task.network, tuple(part.to("meta") for part in drawn)).backward()
    return int(counter.get_total_flops())


def measure_matrix_rate(device: str, precision: str) -> float:
    """The best of a few large matrix products on this device, in the run's precision [FLOP/s]."""
    side = _SIDE[device]
    one = torch.rand(side, side, device=device).to(_TYPES[precision])
    torch.mm(one, one)
    best = min(_measure_product(one, device) for _ in range(_PRODUCTS))
    return 2.0 * side**3 / best


def _measure_product(one: Any, device: str) -> float:
    _wait_for_device(device)
    begin = time.perf_counter()
    torch.mm(one, one)
    _wait_for_device(device)
    return time.perf_counter() - begin


def _wait_for_device(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def measure_most_memory(device: str) -> int:
    """The most memory in use so far: of the GPU's allocator, else of this process [B]."""
    if device == "cuda":
        return int(torch.cuda.max_memory_allocated())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def name_device(device: str) -> str:
    """What the driver calls the GPU; empty of none."""
    return str(torch.cuda.get_device_name()) if device == "cuda" else ""


def count_parameters(network: Any) -> int:
    """Numbers that training changes."""
    return sum(each.numel() for each in network.parameters())
