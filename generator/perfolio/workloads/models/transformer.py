"""A small decoder: blocks of causal attention and a gated perceptron, each after a norm.

In:  sizes, and which of its products are joined or fused. Out: a `TrainingTask`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch import nn

from perfolio.workloads.models.training_task import Batch, TrainingTask
from perfolio.workloads.variant_options import Transformer


class Projections(nn.Module):
    """Several linear maps of one input: a product each, or one that is cut afterwards."""

    def __init__(self, inside: int, outside: int, number: int, *, joined: bool) -> None:
        super().__init__()
        widths = [outside * number] if joined else [outside] * number
        self.maps = nn.ModuleList(nn.Linear(inside, width, bias=False) for width in widths)
        self.number = number

    def forward(self, values: Any) -> tuple[Any, ...]:
        """The outputs, in their order."""
        if len(self.maps) < self.number:
            return tuple(self.maps[0](values).chunk(self.number, dim=-1))
        return tuple(each(values) for each in self.maps)


class Attention(nn.Module):
    """Causal attention of several heads."""

    def __init__(self, sizes: Transformer) -> None:
        super().__init__()
        joined = sizes.projections == "joined"
        self.heads, self.fused = sizes.heads, sizes.attention == "fused"
        self.inside = Projections(sizes.width, sizes.width, 3, joined=joined)
        self.outside = nn.Linear(sizes.width, sizes.width, bias=False)
        ahead = torch.ones(sizes.length, sizes.length, dtype=torch.bool).triu(1)
        self.register_buffer("ahead", ahead)

    def forward(self, values: Any) -> Any:
        """Of values (samples × tokens × width)."""
        samples, tokens, width = values.shape
        query, key, value = (
            each.view(samples, tokens, self.heads, -1).transpose(1, 2)
            for each in self.inside(values)
        )
        if self.fused:
            found = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            scores = (query @ key.transpose(-2, -1)) * query.shape[-1] ** -0.5
            scores = scores.masked_fill(self.ahead[:tokens, :tokens], float("-inf"))
            found = scores.softmax(dim=-1) @ value
        return self.outside(found.transpose(1, 2).reshape(samples, tokens, width))


class DecoderBlock(nn.Module):
    """Attention and a gated perceptron, with what went in added to what comes out."""

    def __init__(self, sizes: Transformer) -> None:
        super().__init__()
        joined = sizes.projections == "joined"
        self.before = nn.RMSNorm(sizes.width)
        self.attention = Attention(sizes)
        self.between = nn.RMSNorm(sizes.width)
        self.gate_and_up = Projections(sizes.width, sizes.hidden, 2, joined=joined)
        self.down = nn.Linear(sizes.hidden, sizes.width, bias=False)

    def forward(self, values: Any) -> Any:
        """Of values (samples × tokens × width)."""
        values = values + self.attention(self.before(values))
        gate, up = self.gate_and_up(self.between(values))
        return values + self.down(nn.functional.silu(gate) * up)


class Decoder(nn.Module):
    """Scores of the next token, after each token of a sample."""

    def __init__(self, sizes: Transformer) -> None:
        super().__init__()
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.places = nn.Embedding(sizes.length, sizes.width)
        self.blocks = nn.ModuleList(DecoderBlock(sizes) for _ in range(sizes.layers))
        self.norm = nn.RMSNorm(sizes.width)
        self.scores = nn.Linear(sizes.width, sizes.vocabulary, bias=False)
        self.register_buffer("numbers", torch.arange(sizes.length))

    def forward(self, tokens: Any) -> Any:
        """Of tokens (samples × length)."""
        values = self.tokens(tokens) + self.places(self.numbers[: tokens.shape[1]])
        for block in self.blocks:
            values = block(values)
        return self.scores(self.norm(values))


def build(sizes: Transformer) -> TrainingTask:
    """A decoder, the cross entropy of the next token, and random tokens."""
    return TrainingTask(
        Decoder(sizes),
        _compute_loss,
        partial(_draw_sample, sizes),
        partial(_draw_batch, sizes),
        _stack_samples,
    )


def _compute_loss(network: Any, batch: Batch) -> Any:
    tokens, following = batch
    scores = network(tokens).float()
    return nn.functional.cross_entropy(scores.flatten(0, 1), following.flatten())


def _draw_sample(sizes: Transformer, random: Any) -> Batch:
    """As a program does that reads a text: a token at a time."""
    drawn = [int(random.integers(0, sizes.vocabulary)) for _ in range(sizes.length + 1)]
    return (drawn,)


def _stack_samples(samples: Sequence[Batch]) -> Batch:
    return _shift_tokens(torch.tensor([tokens for (tokens,) in samples]))


def _draw_batch(sizes: Transformer, random: Any, samples: int, device: str) -> Batch:
    shape = (samples, sizes.length + 1)
    return _shift_tokens(torch.randint(sizes.vocabulary, shape, generator=random, device=device))


def _shift_tokens(tokens: Any) -> Batch:
    return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
