"""What a variant of a workload can say, and what each entry means.

In:  the tables of a variant. Out: a `Workload`, with every entry checked and bounded.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Size = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
Sizes = Annotated[tuple[Size, ...], msgspec.Meta(min_length=1, max_length=16)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
Precision = Literal["fp32", "tf32", "bf16"]


class VariantEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a variant, or the variant itself."""


class Dlrm(VariantEntry, frozen=True, tag="dlrm", tag_field="name"):
    """A recommendation model: two multi-layer perceptrons and tables of embeddings."""

    bottom: Sizes
    """Widths of the perceptron of dense features, its input first."""
    top: Sizes
    """Widths of the last perceptron, without its input."""
    tables: Sizes
    """Rows of each table."""
    lookups: Size = 10
    """Rows of each table that a sample sums, at most."""


class Transformer(VariantEntry, frozen=True, tag="transformer", tag_field="name"):
    """A decoder of blocks with causal attention and a gated perceptron."""

    vocabulary: Size
    length: Size
    """Tokens of a sample."""
    width: Size
    heads: Size
    layers: Size
    hidden: Size
    attention: Literal["composed", "fused"] = "composed"
    """By products and a softmax, or by scaled_dot_product_attention."""
    projections: Literal["apart", "joined"] = "apart"
    """Queries, keys and values, gate and up: a product each, or one for all."""


class TrainingOptions(VariantEntry, frozen=True):
    """How the model is trained: what a roadmap may advise, and mistakes that a course is about."""

    batch_size: Size = 2048
    input: Literal["samples", "batches", "ready", "device"] = "batches"
    """Drawn sample by sample or a batch at once, on the host; before the run; on the device."""
    workers: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    """Processes that draw input beside the training; 0 draws it in the loop."""
    copies: Literal["pageable", "pinned"] = "pageable"
    """Memory of batches on the host. From pinned memory, the host does not wait for copies."""
    precision: Precision = "fp32"
    optimizer: Literal["sgd", "adamw"] = "sgd"
    updates: Literal["loop", "foreach", "fused"] = "foreach"
    """The optimizer works tensor by tensor, by lists of tensors, or in one kernel."""
    compiled: bool = False
    """Whether torch.compile makes the model's code."""
    graph: bool = False
    """Whether a CUDA graph replays forward and backward."""
    loss: Literal["kept", "read", "synchronised"] = "kept"
    """Each step leaves the loss where it is, reads it by item(), or waits for the device too."""
    threads: Annotated[int, msgspec.Meta(ge=0, le=1024)] = 0
    """Threads within an operator; 0 leaves PyTorch's choice."""


class ServingOptions(VariantEntry, frozen=True):
    """Requests that a decoder answers, token by token; batch_size is the most at once."""

    prompt: Size
    """Tokens of a request."""
    answer: Size
    """Tokens of an answer, on average; from half of it to one and a half."""
    load: Annotated[float, msgspec.Meta(gt=0.0, le=2.0)] = 0.75
    """Requests that arrive, as a share of those that full batches answer [ratio]."""
    sizes: Sizes = (1, 2, 4, 8, 16, 32)
    """Requests for which CUDA graphs are recorded; a step fills up to the next one."""


class Workload(VariantEntry, frozen=True):
    """One variant, complete."""

    title: Text
    about: Text
    model: Dlrm | Transformer
    options: TrainingOptions = TrainingOptions()
    serving: ServingOptions | None = None
    """What is served; without it, the model is trained."""
    mistake: bool = False
    """Whether it does what no program should: for courses."""
    base: str = ""
    """The variant that it was made from: what differs is the step between both."""
