"""A deep learning recommendation model: dense features, embeddings, their products, a probability.

In:  widths of both perceptrons, rows of the tables. Out: a `TrainingTask`.

The bottom perceptron gives a vector of the embeddings' width. The products of all pairs of vectors
go into the top one, with the bottom's own output beside them (Naumov et al., 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from perfolio.workloads.models.training_task import Batch, TrainingTask
from perfolio.workloads.variant_options import Dlrm


def _build_perceptron(widths: Sequence[int], last: nn.Module) -> nn.Sequential:
    """Linear layers with a rectifier after each but the last."""
    layers: list[nn.Module] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


class Recommender(nn.Module):
    """Probabilities of samples of dense features and of lookups in each table."""

    def __init__(self, sizes: Dlrm) -> None:
        super().__init__()
        width, vectors = sizes.bottom[-1], len(sizes.tables) + 1
        self.bottom = _build_perceptron(sizes.bottom, nn.ReLU())
        self.tables = nn.ModuleList(
            nn.EmbeddingBag(rows, width, mode="sum") for rows in sizes.tables
        )
        pairs = torch.tril_indices(vectors, vectors, -1)
        self.register_buffer("rows", pairs[0])
        self.register_buffer("columns", pairs[1])
        inside = width + vectors * (vectors - 1) // 2
        self.top = _build_perceptron((inside, *sizes.top), nn.Sigmoid())

    def forward(self, dense: Any, lookups: Any) -> Any:
        """Of dense features (samples × width) and lookups (samples × tables × rows)."""
        own = self.bottom(dense)
        looked = (table(lookups[:, at]) for at, table in enumerate(self.tables))
        vectors = torch.stack((own, *looked), dim=1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        return self.top(torch.cat((own, products[:, self.rows, self.columns]), dim=1))


def build(sizes: Dlrm) -> TrainingTask:
    """A recommender, mean squared error against random clicks, and random input."""
    return TrainingTask(
        Recommender(sizes),
        _compute_loss,
        partial(_draw_sample, sizes),
        partial(_draw_batch, sizes),
        _stack_samples,
    )


def _compute_loss(network: Any, batch: Batch) -> Any:
    dense, lookups, clicks = batch
    return nn.functional.mse_loss(network(dense, lookups).float(), clicks)


def _draw_sample(sizes: Dlrm, random: Any) -> Batch:
    """As a program does that reads a line of a log: a call for each table."""
    dense = random.random(sizes.bottom[0], dtype="float32")
    lookups = [random.integers(0, rows, sizes.lookups) for rows in sizes.tables]
    return dense, lookups, random.random(1, dtype="float32")


def _stack_samples(samples: Sequence[Batch]) -> Batch:
    dense, lookups, clicks = zip(*samples, strict=True)
    import numpy as np

    parts = (np.stack(dense), np.stack([np.stack(one) for one in lookups]), np.stack(clicks))
    return tuple(torch.from_numpy(part) for part in parts)


def _draw_batch(sizes: Dlrm, random: Any, samples: int, device: str) -> Batch:
    here = {"generator": random, "device": device}
    rows = torch.tensor(sizes.tables, device=device)[None, :, None]
    drawn = torch.rand(samples, len(sizes.tables), sizes.lookups, **here)
    lookups = (drawn * rows).long().minimum(rows - 1)
    dense = torch.rand(samples, sizes.bottom[0], **here)
    return dense, lookups, torch.rand(samples, 1, **here)
