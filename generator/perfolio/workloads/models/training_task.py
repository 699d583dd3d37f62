"""What training needs of a model: the network, the loss of a batch, and how batches are drawn.

In:  the sizes of a variant. Out: a `TrainingTask`.

Input is random, as that of benchmarks is: a sample at a time, as a program reads its own, or a
batch at once. Both give tensors alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from perfolio.workloads.variant_options import Dlrm, Transformer

Batch = tuple[Any, ...]
"""Tensors, the first dimension of each being the sample."""
BUILDERS = {Dlrm: "dlrm", Transformer: "transformer"}
"""Module of this folder by type of sizes."""


@dataclass(frozen=True)
class TrainingTask:
    """A model and its input."""

    network: Any
    loss: Callable[[Any, Batch], Any]
    """Of the network and a batch, a number to minimise."""
    draw_sample: Callable[[Any], Batch]
    """Of NumPy's generator, one sample without its first dimension."""
    draw_batch: Callable[[Any, int, str], Batch]
    """Of a generator of PyTorch, the number of samples and the device."""
    collate: Callable[[Sequence[Batch]], Batch]
    """Samples to a batch."""


def build(sizes: Dlrm | Transformer) -> TrainingTask:
    """The task of these sizes."""
    module = import_module(f"perfolio.workloads.models.{BUILDERS[type(sizes)]}")
    found: TrainingTask = module.build(sizes)
    return found
