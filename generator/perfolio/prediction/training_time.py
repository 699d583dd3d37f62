"""How long a training run takes, and what it costs.

FLOP = 6 N D for N parameters and D tokens, forward and backward: Kaplan et al., Scaling Laws for
Neural Language Models (2020). The time is that over the devices' dense peak and model FLOP
utilisation (MFU), as in the paper on PaLM (2022).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from perfolio.prediction.device_peaks import DevicePeaks, find_device, read_rows, read_stored_rows
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction

PER_PARAMETER = 6.0
"""Operations per parameter and token: two forward, four backward."""
_TIMES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Numbers of GPUs in the table, of the one asked for."""
_HOUR = 3600.0


@dataclass(frozen=True)
class TrainingRequest:
    """What is asked."""

    parameters: float
    """Those that work on a token: of a mixture of experts the active ones."""
    tokens: float
    gpus: int
    device: DevicePeaks
    mfu: float
    precision: str = "bf16"
    power: float | None = None
    """What one GPU draws [W]."""
    price: float | None = None
    """Of a GPU-hour."""
    currency: str = ""

    @property
    def flop(self) -> float:
        """Operations of the model [FLOP]."""
        return PER_PARAMETER * self.parameters * self.tokens

    def seconds(self, mfu: float) -> float:
        """At this utilisation [s]."""
        return self.flop / (self.gpus * self.device.peak(self.precision) * mfu)


def find_published_range() -> tuple[float, float]:
    """The lowest and the highest published utilisation [ratio]."""
    shares = [float(row["mfu"]) for row in read_stored_rows("published.csv")]
    return min(shares), max(shares)


def predict(request: TrainingRequest) -> Prediction:
    """Time with an interval over published utilisation; energy and money where they are told."""
    low, high = find_published_range()
    low, high = min(low, request.mfu), max(high, request.mfu)
    figures = list(_list_figures(request, low, high))
    return Prediction(
        title="Training time",
        answer="",
        figures=figures,
        formulas=[
            "FLOP = 6 × parameters × tokens",
            "time = FLOP / (GPUs × dense peak × MFU)",
            "GPU-hours = GPUs × time"
            + ("; energy = GPU-hours × power" if request.power else "")
            + ("; money = GPU-hours × price" if request.price else ""),
        ],
        assumptions=[
            (
                f"MFU is {request.mfu:.1%}, as given; the interval is that of published runs: "
                f"{low:.1%} to {high:.1%}. Good ones reach 38 to 56 %."
            ),
            (
                f"The dense {request.precision.upper()} peak of {request.device.name} is "
                f"{request.device.peak(request.precision) / 1e12:,.1f} TFLOP/s."
            ),
            (
                "Attention's own operations, restarts and evaluation are left out; what is "
                "recomputed lowers MFU."
            ),
            "MFU stays the same for other numbers of GPUs: it falls where communication grows.",
        ],
        tables=[_make_gpu_table(request, low, high), _make_published_table()],
    )


def _list_figures(request: TrainingRequest, low: float, high: float) -> Iterator[PredictedFigure]:
    time = request.seconds(request.mfu)
    ends = request.seconds(high), request.seconds(low)
    hours, least, most = (request.gpus * each / _HOUR for each in (time, *ends))
    yield PredictedFigure("Operations", request.flop, "FLOP")
    yield PredictedFigure("Time", time, "duration", *ends)
    yield PredictedFigure("GPU-hours", hours, "count", least, most)
    rate = request.tokens / time
    yield PredictedFigure(
        "Tokens per second", rate, "tokens/s", request.tokens / ends[1], request.tokens / ends[0]
    )
    if request.power:
        watts = request.power * _HOUR
        yield PredictedFigure("Energy", hours * watts, "energy", least * watts, most * watts)
    if request.price:
        yield PredictedFigure("Money", hours * request.price, request.currency or "money",
                     least * request.price, most * request.price)  # fmt: skip


def _make_gpu_table(request: TrainingRequest, low: float, high: float) -> PredictedTable:
    counts = sorted({max(1, round(request.gpus * times)) for times in _TIMES})
    requests = [replace(request, gpus=count) for count in counts]
    return PredictedTable(
        "By number of GPUs",
        ("GPUs", "Time", "From", "To"),
        [
            (
                f"{each.gpus:,}",
                PredictedFigure("", each.seconds(each.mfu), "duration"),
                PredictedFigure("", each.seconds(high), "duration"),
                PredictedFigure("", each.seconds(low), "duration"),
            )
            for each in requests
        ],
    )


def _make_published_table() -> PredictedTable:
    return PredictedTable(
        "Published utilisation",
        ("Model", "Device", "MFU", "Source"),
        [
            (
                row["model"],
                row["device"],
                PredictedFigure("", float(row["mfu"]), "ratio"),
                row["source"],
            )
            for row in read_stored_rows("published.csv")
        ],
    )


@dataclass(frozen=True)
class PublishedRun:
    """A training run that is over, and what is predicted of it."""

    model: str
    hours: float
    """GPU-hours as published."""
    low: float
    high: float
    """Predicted GPU-hours, at the highest and the lowest published utilisation."""
    implied: float
    """Model FLOP utilisation that follows from the published hours [ratio]."""
    source: str

    @property
    def is_inside(self) -> bool:
        """Whether the interval contains what was published."""
        return self.low <= self.hours <= self.high


def compare_published_runs() -> list[PublishedRun]:
    """Predictions of published runs."""
    low, high = find_published_range()
    return [_compare_run(row, low, high) for row in read_rows("runs.csv")]


def _compare_run(row: dict[str, str], low: float, high: float) -> PublishedRun:
    request = TrainingRequest(
        float(row["parameters"]), float(row["tokens"]), 1, find_device(row["hardware"]), 1.0
    )
    least = request.seconds(1.0) / _HOUR
    hours = float(row["gpu_hours"])
    return PublishedRun(
        row["model"], hours, least / high, least / low, least / hours, row["source"]
    )
