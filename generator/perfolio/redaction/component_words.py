"""Words by which parts of models and programs are called, which no name of a person or host is.

`/encoder/layer.0/attn/MatMul` has the shape of a path, `net.block2.at` that of a host.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PARTS = (
    "act attention attn aten backbone backward batch bias block blocks bn cell conv cross cuda"
    " decoder down dropout embed embedding embeddings emb encoder expert experts fc features ffn fn"
    " forward fused gate gpu graph gru head heads hlo hidden in input jit key kernel layer layers"
    " layernorm linear lm lstm ln main mean mha mid mlp model module modules moe net nn norm op"
    " ops out output pool pos position post pre proj q qkv k o v s query rank relu residual resnet"
    " rnn rope self softmax stage stages stem step sub torch transformer unet up value weight word"
    " xla"
)
_WORDS = frozenset(_PARTS.split())
_OPERATOR = re.compile(r"(?:[A-Z][a-z]+)+[A-Z]?[a-z]*(?:_\d+)?")
"""`MatMul`, `LayerNormalization_3`."""


def is_module_path(labels: Iterable[str]) -> bool:
    """Whether all of them are parts of a model, with a number or none: `layers.0`, `conv-2`."""
    return all(_is_module(label) for label in labels)


def is_node(path: str) -> bool:
    """Whether a path is that of a node in a graph: `/model/layers.0/attn/q_proj/MatMul`."""
    *folders, end = path.strip("/").split("/")
    return is_module_path(folders) and (_is_module(end) or bool(_OPERATOR.fullmatch(end)))


def _is_module(label: str) -> bool:
    words = [word for word in re.split(r"[_.-]", re.sub(r"\d+", "", label)) if word]
    return bool(words) and all(word.lower() in _WORDS for word in words)
