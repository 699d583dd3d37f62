"""Where batches come from: drawn in the loop or by workers, before the run, on the device.

In:  a task and options. Out: an endless iterator of batches on the device.

What the host draws comes through PyTorch's DataLoader, which its profiler marks as input.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from perfolio.workloads.models.training_task import Batch, TrainingTask
from perfolio.workloads.variant_options import TrainingOptions

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
