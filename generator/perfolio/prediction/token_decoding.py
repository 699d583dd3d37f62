"""The least time of a token when a language model generates: each token reads all weights once.

Pope et al., Efficiently Scaling Transformer Inference (2022). A batch shares that read, until
arithmetic takes longer: at the ridge point.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.prediction.device_peaks import DevicePeaks
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
BITS = (4, 8, 16, 32)


@dataclass(frozen=True)
class DecodeRequest:
    """What is asked."""

    parameters: float
    device: DevicePeaks
    bits: int = 16
    """Of a weight."""
    gpus: int = 1
    batch: int = 1
    cache: float = 0.0
    """Bytes of keys and values that each sequence reads for a token."""
    precision: str = "bf16"

    @property
    def weights(self) -> float:
        """Bytes that a token reads."""
        return self.parameters * self.bits / 8.0

    def memory_time(self, batch: int) -> float:
        """Of a step for the whole batch, by memory [s]."""
        return (self.weights + batch * self.cache) / (self.gpus * self.device.bandwidth)

    def arithmetic_time(self, batch: int) -> float:
        """Of a step for the whole batch, by arithmetic [s]."""
        return 2.0 * self.parameters * batch / (self.gpus * self.device.peak(self.precision))

    def step(self, batch: int) -> float:
        """The longer of both [s]."""
        return max(self.memory_time(batch), self.arithmetic_time(batch))


def predict(request: DecodeRequest) -> Prediction:
    """Least time per token, and rates by batch."""
    step = request.step(request.batch)
    is_memory = request.memory_time(request.batch) >= request.arithmetic_time(request.batch)
    ridge = request.device.peak(request.precision) / request.device.bandwidth
    return Prediction(
        title="Time of a generated token",
        answer=f"{'Memory' if is_memory else 'Arithmetic'} bounds it.",
        figures=[
            PredictedFigure("Time of a token", step, "s"),
            PredictedFigure("Tokens per second", request.batch / step, "tokens/s"),
            PredictedFigure("Bytes of weights", request.weights, "B"),
            PredictedFigure("Ridge point", ridge, "FLOP/B"),
        ],
        formulas=[
            "memory = (parameters × bits / 8 + batch × cache) / (GPUs × bandwidth)",
            "arithmetic = 2 × parameters × batch / (GPUs × dense peak)",
            "time = the longer of both",
        ],
        assumptions=[
            (
                f"{request.device.name} reads {request.device.bandwidth / 1e12:,.2f} TB/s; "
                "no program reaches all of it."
            ),
            "Weights are divided evenly over the GPUs, and passing activations costs nothing.",
            "This is generation: reading the prompt is bound by arithmetic.",
        ],
        tables=[
            PredictedTable(
                "By batch",
                ("Sequences", "Time of a token", "Tokens per second", "Bound by"),
                [
                    (
                        f"{batch:,}",
                        PredictedFigure("", request.step(batch), "s"),
                        PredictedFigure("", batch / request.step(batch), "tokens/s"),
                        "memory"
                        if request.memory_time(batch) >= request.arithmetic_time(batch)
                        else "arithmetic",
                    )
                    for batch in _BATCHES
                ],
            )
        ],
    )
