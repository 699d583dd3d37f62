"""How much memory training takes on each GPU.

Model states: Rajbhandari et al., ZeRO (2020). Activations of a decoder block: Korthikanti et al.,
Reducing Activation Recomputation in Large Transformer Models (2022), without attention's scores
where attention is fused.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.prediction.device_peaks import load_devices
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction

OPTIMIZERS = {"adamw": 8.0, "sgd": 0.0, "momentum": 4.0}
"""Bytes of state per parameter, in FP32."""
_WIDTHS = {"fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0}
PRECISIONS = tuple(_WIDTHS)
_PER_TOKEN_AND_WIDTH = 34.0
"""Bytes of activations per token and unit of width in a block, in 16 bits."""
_SCORES = 5.0
"""Bytes per head, token and token of attention's scores in a block, in 16 bits."""
_RECOMPUTED = 2.0
"""Bytes per token and unit of width that are kept where a block is recomputed: its input."""


@dataclass(frozen=True)
class MemoryRequest:
    """What is asked."""

    parameters: float
    precision: str = "bf16"
    optimizer: str = "adamw"
    gpus: int = 1
    zero: int = 0
    """What is divided over the GPUs: 1 optimizer, 2 gradients too, 3 parameters too."""
    layers: int = 0
    width: int = 0
    heads: int = 0
    length: int = 0
    batch: int = 0
    """Samples on each GPU."""
    fused: bool = True
    recompute: bool = False


def predict(request: MemoryRequest) -> Prediction:
    """Bytes on each GPU by kind, and the devices that hold them."""
    parts = {**compute_states(request), "Activations": compute_activations(request)}
    total = sum(parts.values())
    return Prediction(
        title="Memory of training",
        answer=describe_fitting(total),
        figures=[
            PredictedFigure("On each GPU", total, "B"),
            *(PredictedFigure(n, v, "B") for n, v in parts.items()),
        ],
        formulas=[
            "parameters and gradients = bytes of the precision × parameters",
            (
                "optimizer = its states in FP32, and a copy of the parameters where they have "
                "16 bits"
            ),
            "activations = layers × batch × length × (34 × width"
            + ("" if request.fused else " + 5 × heads × length")
            + "), in 16 bits",
        ],
        assumptions=[
            "ZeRO or FSDP divides what its stage says evenly over the GPUs.",
            "Buffers of communication, fragmentation and the context (about 1 GB) come on top.",
            *(
                []
                if request.layers
                else ["Activations are left out: give --layers, --width, --length and --batch."]
            ),
        ],
        tables=[
            PredictedTable(
                "Devices",
                ("Device", "Memory", "Left"),
                [
                    (
                        one.name,
                        PredictedFigure("", one.memory, "B"),
                        PredictedFigure("", one.memory - total, "B")
                        if one.memory >= total
                        else "does not fit",
                    )
                    for one in sorted(load_devices().values(), key=lambda one: one.memory)
                    if one.memory
                ],
            )
        ],
    )


def compute_states(request: MemoryRequest) -> dict[str, float]:
    """Parameters, gradients and the optimizer's state on each GPU [B]."""
    width, gpus = _WIDTHS[request.precision], max(request.gpus, 1)
    copy = 4.0 if width < 4.0 and request.optimizer != "sgd" else 0.0
    own = {
        "Parameters": (width, 3),
        "Gradients": (width, 2),
        "Optimizer": (OPTIMIZERS[request.optimizer] + copy, 1),
    }
    return {
        name: request.parameters * each / (gpus if request.zero >= stage else 1)
        for name, (each, stage) in own.items()
    }


def compute_activations(request: MemoryRequest) -> float:
    """What the backward pass needs of the forward pass, on each GPU [B]."""
    tokens = request.batch * request.length
    scale = _WIDTHS[request.precision] / 2.0
    if request.recompute:
        return scale * request.layers * tokens * _RECOMPUTED * request.width
    scores = 0.0 if request.fused else _SCORES * request.heads * request.length
    return scale * request.layers * tokens * (_PER_TOKEN_AND_WIDTH * request.width + scores)


def describe_fitting(total: float) -> str:
    """Which of the devices is the smallest that holds it."""
    known = sorted(
        (one for one in load_devices().values() if one.memory), key=lambda one: one.memory
    )
    smallest = next((one for one in known if one.memory >= total), None)
    if smallest is None:
        return "No known device holds it: divide it over more GPUs, or keep less."
    return f"{smallest.name} is the smallest known device that holds it."
