"""`perfolio predict`: time, memory and money of a run before there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import OUTPUT_OPTION, format_option, print_or_write, report_errors

if TYPE_CHECKING:
    from perfolio.prediction.model import Prediction

_FORMS = ("text", "markdown", "json")
_NUMBER = re.compile(
    r"(?P<number>\d+(?:[_,]\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?P<suffix>[kKMGBT]?)"
)
_SUFFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12}
_MOST = 1e30


class QuantityParameter(click.ParamType):  # type: ignore[type-arg]  # not generic in all versions
    """A number above 0: 70e9, 70B or 70_000_000_000."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Ends the command where it is none."""
        if isinstance(value, float):
            return value
        found = _NUMBER.fullmatch(str(value).strip())
        if found is None or len(str(value)) > 60:
            self.fail(f"{str(value)[:60]!r} is no number, as 70e9 or 70B", param, ctx)
        number = (
            float(found["number"].replace("_", "").replace(",", "")) * _SUFFIXES[found["suffix"]]
        )
        if not 0.0 < number <= _MOST:
            self.fail(f"{str(value)[:60]!r} is not above 0, or too large", param, ctx)
        return number


QUANTITY = QuantityParameter()
_PARAMETERS = click.option(
    "--parameters", type=QUANTITY, required=True, help="Parameters of the model, as 70e9 or 70B."
)
_HARDWARE = click.option(
    "--hardware", required=True, metavar="NAME", help="A device of the hardware table: h100-sxm5."
)


@click.group()
def predict() -> None:
    """Predict a run by formula: time, energy, money, memory, communication.

    Each answer prints its formula and what it assumes. A figure with an interval has it over what
    was published.

    \b
    Examples:
      perfolio predict training --parameters 70e9 --tokens 2e12 --gpus 2048 --hardware h100-sxm5
      perfolio predict decode --parameters 70B --hardware h100-sxm5 --bits 4
    """


def _print_answers(function: Callable[..., Prediction]) -> Callable[..., None]:
    """Print or write what a prediction says, in the form that is asked for."""

    def run(*, form: str, output: Path | None, **options: Any) -> None:
        from perfolio.prediction.formatting import format_prediction

        print_or_write(format_prediction(function(**options), form), output)

    run.__doc__, run.__name__ = function.__doc__, function.__name__
    run.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
    return format_option(_FORMS)(OUTPUT_OPTION(report_errors(run)))


@predict.command()
@_print_answers
@_PARAMETERS
@click.option("--tokens", type=QUANTITY, required=True, help="Tokens to train on.")
@click.option("--gpus", type=click.IntRange(1, 10_000_000), required=True, help="GPUs.")
@_HARDWARE
@click.option(
    "--mfu", type=click.FloatRange(0.001, 1.0), default=0.4, show_default=True,
    help="Model FLOP utilisation.",
)  # fmt: skip
@click.option(
    "--precision", type=click.Choice(["fp64", "fp32", "tf32", "fp16", "bf16", "fp8"]),
    default="bf16", show_default=True, help="Of the matrix products.",
)  # fmt: skip
@click.option("--power", type=QUANTITY, help="What one GPU draws [W]: tells energy.")
@click.option("--price", type=QUANTITY, help="Of a GPU-hour: tells money.")
@click.option("--currency", default="USD", show_default=True, help="Of the price.")
def training(*, hardware: str, **options: Any) -> Prediction:
    """Predict how long training takes: time, GPU-hours, energy and money.

    \b
    Example:
      perfolio predict training --parameters 70e9 --tokens 2e12 --gpus 2048 \\
        --hardware h100-sxm5 --mfu 0.4 --power 700 --price 2.5
    """
    from perfolio.prediction.device_peaks import find_device
    from perfolio.prediction.training_time import TrainingRequest
    from perfolio.prediction.training_time import predict as predicted

    options["currency"] = options["currency"][:12]
    return predicted(TrainingRequest(device=find_device(hardware), **options))


@predict.command()
@_print_answers
@click.option(
    "--operation", type=click.Choice(["all_reduce", "all_gather", "reduce_scatter"]),
    default="all_reduce", show_default=True, help="What the ranks do together.",
)  # fmt: skip
@click.option("--bytes", "size", type=QUANTITY, required=True, help="Bytes of the message.")
@click.option("--ranks", type=click.IntRange(2, 10_000_000), required=True, help="Ranks.")
@click.option(
    "--bandwidth", type=QUANTITY, required=True,
    help="Of a rank's link in one direction [B/s]; between nodes where there are several.",
)  # fmt: skip
@click.option("--latency", type=QUANTITY, default=5e-6, show_default=True, help="Of a step [s].")
@click.option(
    "--ranks-per-node", "node", type=click.IntRange(0, 100_000), default=0,
    help="Ranks of a node: predicts a hierarchy too.",
)  # fmt: skip
@click.option(
    "--node-bandwidth", type=QUANTITY, default=0.0,
    help="Of a rank's link within a node, in one direction [B/s].",
)  # fmt: skip
def collective(*, size: float, **options: Any) -> Prediction:
    """Predict how long a collective takes: by ring, tree and hierarchy.

    \b
    Example:
      perfolio predict collective --bytes 140e9 --ranks 64 --bandwidth 50e9
    """
    from perfolio.prediction.collective_time import CollectiveRequest
    from perfolio.prediction.collective_time import predict as predicted

    return predicted(CollectiveRequest(bytes=size, **options))


@predict.command()
@_print_answers
@_PARAMETERS
@click.option(
    "--precision", type=click.Choice(["fp32", "tf32", "bf16", "fp16"]), default="bf16",
    show_default=True, help="Of parameters and gradients.",
)  # fmt: skip
@click.option(
    "--optimizer", type=click.Choice(["adamw", "momentum", "sgd"]), default="adamw",
    show_default=True, help="What it keeps for each parameter.",
)  # fmt: skip
@click.option(
    "--gpus", type=click.IntRange(1, 10_000_000), default=1, show_default=True, help="GPUs."
)
@click.option(
    "--zero", type=click.IntRange(0, 3), default=0, show_default=True,
    help="What is divided over them: 1 optimizer, 2 gradients too, 3 parameters too.",
)  # fmt: skip
@click.option("--layers", type=click.IntRange(0, 100_000), default=0, help="Blocks of a decoder.")
@click.option("--width", type=click.IntRange(0, 10_000_000), default=0, help="Width of the model.")
@click.option("--heads", type=click.IntRange(0, 100_000), default=0, help="Heads of attention.")
@click.option(
    "--length", type=click.IntRange(0, 100_000_000), default=0, help="Tokens of a sample."
)
@click.option("--batch", type=click.IntRange(0, 10_000_000), default=0, help="Samples on each GPU.")
@click.option(
    "--fused/--composed", default=True, show_default=True, help="Attention in one kernel."
)
@click.option(
    "--recompute", is_flag=True, help="Each block is computed again in the backward pass."
)
def memory(**options: Any) -> Prediction:
    """Predict the memory of training on each GPU, and which devices hold it.

    \b
    Example:
      perfolio predict memory --parameters 7B --gpus 8 --zero 3 \\
        --layers 32 --width 4096 --length 4096 --batch 1
    """
    from perfolio.prediction.training_memory import MemoryRequest
    from perfolio.prediction.training_memory import predict as predicted

    return predicted(MemoryRequest(**options))


@predict.command()
@_print_answers
@_PARAMETERS
@_HARDWARE
@click.option(
    "--bits", type=click.IntRange(1, 64), default=16, show_default=True, help="Of a weight."
)
@click.option(
    "--gpus", type=click.IntRange(1, 10_000_000), default=1, show_default=True, help="GPUs."
)
@click.option("--batch", type=click.IntRange(1, 1_000_000), default=1, show_default=True,
              help="Sequences that are generated at once.")  # fmt: skip
@click.option("--cache", type=QUANTITY, default=0.0, help="Bytes of keys and values of a sequence.")
def decode(*, hardware: str, **options: Any) -> Prediction:
    """Predict the least time of a token when a language model generates.

    \b
    Example:
      perfolio predict decode --parameters 70B --hardware h100-sxm5
    """
    from perfolio.prediction.device_peaks import find_device
    from perfolio.prediction.token_decoding import DecodeRequest
    from perfolio.prediction.token_decoding import predict as predicted

    return predicted(DecodeRequest(device=find_device(hardware), **options))
