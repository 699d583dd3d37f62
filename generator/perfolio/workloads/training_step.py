"""One step of training, as the options ask for it.

In:  a workload and a device. Out: a `Trainer`, whose `step` takes the next batch, computes the loss
     and its gradients, and updates the parameters.

Batches are drawn in the loop or by workers, before the run, or on the device. What the host draws
comes through PyTorch's DataLoader, which its profiler marks as input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import cycle
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from perfolio.common.errors import UsageError
from perfolio.workloads.models.training_task import Batch, TrainingTask, build
from perfolio.workloads.variant_options import TrainingOptions, Workload

_RATE = 1e-3
_WARM = 3
"""Steps on a stream of their own before a graph is recorded, as PyTorch's manual asks for."""
SEED = 20_240
READY = 4
"""Batches that are drawn before the run, and taken by turns."""


class RandomSamples(IterableDataset):
    """Samples or batches without end, of each worker other ones."""

    def __init__(self, task: TrainingTask, options: TrainingOptions) -> None:
        # The network stays out: workers get a copy of what is here.
        self.draw_sample, self.draw_batch = task.draw_sample, task.draw_batch
        self.options = options

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        seed = SEED + (0 if worker is None else worker.id)
        if self.options.input == "samples":
            random = np.random.default_rng(seed)
            while True:
                yield self.draw_sample(random)
        generator = torch.Generator().manual_seed(seed)
        while True:
            yield self.draw_batch(generator, self.options.batch_size, "cpu")


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


def draw_batches(task: TrainingTask, options: TrainingOptions, device: str) -> Iterator[Batch]:
    """Batches on the device, as the options ask for them."""
    if options.input == "device":
        yield from _draw_on_device(task, options, device)
    pinned = options.copies == "pinned" and device != "cpu"
    for batch in _draw_on_host(task, options, pinned=pinned):
        yield (
            batch
            if device == "cpu"
            else tuple(part.to(device, non_blocking=pinned) for part in batch)
        )


def _draw_on_device(task: TrainingTask, options: TrainingOptions, device: str) -> Iterator[Batch]:
    generator = torch.Generator(device).manual_seed(SEED)
    while True:
        with torch.profiler.record_function("generate_batch"):
            batch = task.draw_batch(generator, options.batch_size, device)
        yield batch


def _draw_on_host(task: TrainingTask, options: TrainingOptions, *, pinned: bool) -> Iterator[Batch]:
    if options.input != "ready":
        yield from _make_loader(task, options, pinned=pinned)
        return
    generator = torch.Generator().manual_seed(SEED)
    drawn = [task.draw_batch(generator, options.batch_size, "cpu") for _ in range(READY)]
    yield from cycle(
        [tuple(part.pin_memory() for part in one) for one in drawn] if pinned else drawn
    )


def _make_loader(task: TrainingTask, options: TrainingOptions, *, pinned: bool) -> Any:
    samples = options.input == "samples"
    return DataLoader(
        RandomSamples(task, options),
        batch_size=options.batch_size if samples else None,
        collate_fn=task.collate if samples else None,
        num_workers=options.workers,
        pin_memory=pinned,
        prefetch_factor=2 if options.workers else None,
        multiprocessing_context="spawn" if options.workers else None,
    )
