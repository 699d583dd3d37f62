"""A decoder that keeps keys and values of what it has read, to answer a token at a time.

In:  a `Decoder`, the most requests at once.
Out: scores of the next token, of a prompt or of a step.

A request has a row of the cache. Rows in use are the first ones: the last one replaces who leaves.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from perfolio.workloads.models.transformer import Decoder


class CachedDecoder:
    """A decoder with its cache: blocks × rows × heads × tokens × width of a head, of each kind."""

    def __init__(self, network: Decoder, rows: int, heads: int) -> None:
        self.network, self.heads = network, heads
        weights = network.tokens.weight
        length, width = network.numbers.shape[0], weights.shape[1]
        shape = (len(network.blocks), rows, heads, length, width // heads)
        self.keys, self.values = (weights.new_zeros(shape) for _ in range(2))
        self.numbers = torch.arange(rows, device=weights.device)

    def read_prompt(self, tokens: Any, row: int) -> Any:
        """Scores after a prompt of one request (1 × tokens), which the row keeps."""
        length = tokens.shape[1]
        values = self._embed(tokens, self.network.numbers[:length])
        for number, block in enumerate(self.network.blocks):
            query, key, value = self._project(block, values)
            self.keys[number, row, :, :length] = key[0]
            self.values[number, row, :, :length] = value[0]
            found = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            values = _finish_block(block, values, found)
        return self.network.scores(self.network.norm(values[:, -1]))

    def read_tokens(self, tokens: Any, places: Any) -> Any:
        """Scores after one more token of the first rows (rows), each at its place (rows)."""
        rows = tokens.shape[0]
        seen = (self.network.numbers <= places[:, None])[:, None, None]
        values = self._embed(tokens[:, None], places[:, None])
        for number, block in enumerate(self.network.blocks):
            query, key, value = self._project(block, values)
            self.keys[number][self.numbers[:rows], :, places] = key[:, :, 0]
            self.values[number][self.numbers[:rows], :, places] = value[:, :, 0]
            found = nn.functional.scaled_dot_product_attention(
                query, self.keys[number, :rows], self.values[number, :rows], attn_mask=seen
            )
            values = _finish_block(block, values, found)
        return self.network.scores(self.network.norm(values[:, 0]))

    def move_row(self, source: int, target: int) -> None:
        """What one row keeps, into another one."""
        for kept in (self.keys, self.values):
            kept[:, target] = kept[:, source]

    def _embed(self, tokens: Any, places: Any) -> Any:
        return self.network.tokens(tokens) + self.network.places(places)

    def _project(self, block: Any, values: Any) -> tuple[Any, ...]:
        samples, tokens, _ = values.shape
        return tuple(
            each.view(samples, tokens, self.heads, -1).transpose(1, 2)
            for each in block.attention.inside(block.before(values))
        )


def _finish_block(block: Any, values: Any, found: Any) -> Any:
    """Attention's output to that of the block, as in training."""
    values = values + block.attention.outside(found.transpose(1, 2).flatten(2))
    gate, up = block.gate_and_up(block.between(values))
    return values + block.down(nn.functional.silu(gate) * up)
