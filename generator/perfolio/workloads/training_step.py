"""One step of training, as the options ask for it.

In:  a workload and a device. Out: a `Trainer`, whose `step` takes the next batch, computes the loss
     and its gradients, and updates the parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from perfolio.common.errors import UsageError
from perfolio.workloads.batch_sources import SEED, draw_batches
from perfolio.workloads.models.training_task import Batch, build
from perfolio.workloads.variant_options import TrainingOptions, Workload

_RATE = 1e-3
_WARM = 3
"""Steps on a stream of their own before a graph is recorded, as PyTorch's manual asks for."""


def choose_device(asked: str) -> str:
    """`cuda` or `cpu`. Raises UsageError where the asked one is not there."""
    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise UsageError("PyTorch sees no GPU here", hint="--device cpu")
    return "cuda" if asked != "cpu" and there else "cpu"


class Trainer:
    """A workload on a device, ready to take steps; seeds are fixed."""

    def __init__(self, workload: Workload, device: str) -> None:
        options = workload.options
        if device == "cpu" and (options.graph or options.precision == "tf32"):
            raise UsageError(
                "a CUDA graph or TF32 needs a GPU", hint="choose another variant, or --device cuda"
            )
        if options.threads:
            torch.set_num_threads(options.threads)
        torch.manual_seed(SEED)
        torch.set_float32_matmul_precision("high" if options.precision == "tf32" else "highest")
        self.options, self.device = options, device
        self.task = build(workload.model)
        self.network = self.task.network.to(device)
        self.called: Any = torch.compile(self.network) if options.compiled else self.network
        self.optimizer = _make_optimizer(options, self.network)
        self.batches = draw_batches(self.task, options, device)
        self._gradients = self._recorded() if options.graph else self._computed

    def step(self) -> None:
        """Take the next batch and train on it."""
        loss = self._gradients(next(self.batches))
        self.optimizer.step()
        if self.options.loss == "read":
            loss.item()
        elif self.options.loss == "synchronised" and self.device == "cuda":
            torch.cuda.synchronize()

    def finish(self) -> None:
        """Wait until the device has done what was asked of it."""
        if self.device == "cuda":
            torch.cuda.synchronize()

    def gradients(self, batch: Batch) -> Any:
        """The loss of a batch, after its backward pass."""
        with self._cast():
            loss = self.task.loss(self.called, batch)
        loss.backward()
        return loss

    def _computed(self, batch: Batch) -> Any:
        self.optimizer.zero_grad(set_to_none=True)
        return self.gradients(batch)

    def _cast(self) -> AbstractContextManager[Any]:
        if self.options.precision == "bf16":
            cast: AbstractContextManager[Any] = torch.autocast(self.device, dtype=torch.bfloat16)
            return cast
        return nullcontext()

    def _recorded(self) -> Callable[[Batch], Any]:
        """Forward and backward of a batch that is copied to where the graph reads it."""
        place = tuple(part.clone() for part in next(self.batches))
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM):
                self._computed(place)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            loss = self.gradients(place)

        def replayed(batch: Batch) -> Any:
            for here, part in zip(place, batch, strict=True):
                here.copy_(part, non_blocking=True)
            graph.replay()
            return loss

        return replayed


def _make_optimizer(options: TrainingOptions, network: Any) -> Any:
    how = {"foreach": options.updates == "foreach", "fused": options.updates == "fused"}
    kind = torch.optim.AdamW if options.optimizer == "adamw" else torch.optim.SGD
    return kind(network.parameters(), lr=_RATE, **how)
