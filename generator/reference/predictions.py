"""The page docs/reference/predictions.md: formulas, published runs, worked numbers.

In:  the predictions and their tables. Out: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.prediction.collective_time import CollectiveRequest, estimate_ring
from perfolio.prediction.device_peaks import find_device
from perfolio.prediction.formatting import format_duration, format_table
from perfolio.prediction.model import PredictedFigure, PredictedTable
from perfolio.prediction.token_decoding import DecodeRequest
from perfolio.prediction.training_time import (
    PublishedRun,
    TrainingRequest,
    compare_published_runs,
    find_published_range,
    predict,
)
from reference.markdown import page

_H100 = "h100-sxm5"
_HEAD = (
    "`perfolio predict` computes what a run would take before there is one. Each answer prints its "
    "formula and what it assumes; `--format markdown` makes a page of it, `--format json` data."
)
_COMMANDS = (
    "```console\n"
    "$ perfolio predict training --parameters 70e9 --tokens 2e12 --gpus 2048 --hardware h100-sxm5\n"
    "$ perfolio predict collective --bytes 140e9 --ranks 64 --bandwidth 50e9\n"
    "$ perfolio predict memory --parameters 7B --gpus 8 --zero 3\n"
    "$ perfolio predict decode --parameters 70B --hardware h100-sxm5 --bits 4\n"
    "```"
)
_EXAMPLE = TrainingRequest(70e9, 2e12, 2048, find_device(_H100), 0.4)
_RUNS = (
    "Predicted from parameters, tokens and the device alone, at the lowest and the highest "
    "published utilisation. The last column is the utilisation that the published GPU-hours "
    "imply; restarts are in them."
)
_WORKED = (
    "Numbers that courses and guides work out, computed here. Where a common text says otherwise, "
    "the last column says what is wrong with it."
)

_WHAT = (
    ("4 samples of 4,096 tokens on each of 64 GPUs, in 2.5 s", ""),
    ("Ridge point of an H100 in BF16", "Each precision has its own."),
    (
        "A token of 70 billion parameters in 16 bits on an H100",
        "Memory bounds the decode phase alone, and not the prompt.",
    ),
    ("The same in 4 bits", ""),
    (
        "70 billion parameters, 2 trillion tokens, 2,048 H100 at 50 %",
        "Published for H100 are 38 to 43 %.",
    ),
    ("All-reduce of 140 GB by 64 ranks at 50 GB/s", ""),
    ("The same at 200 GB/s", "Per direction: 900 GB/s of NVLink are 450 each way."),
    (
        "A step of 70 billion parameters and 16,384 tokens on one H100 at 40 %",
        "2.5 s would be above the peak: operations or GPUs were counted wrong.",
    ),
    ("783 GFLOP/s of 989 TFLOP/s", "Not 79 %: giga is not tera."),
    ("Checkpoint of 70 billion parameters with AdamW", "140 GB are the weights alone."),
    (
        "1.4 × 1.3 × 1.1 for three steps",
        "Shares of one whole do not multiply: each step works on what the last one left.",
    ),
)
"""Worked numbers, and what common texts get wrong about them."""


def predictions_page() -> str:
    """The whole page."""
    runs = compare_published_runs()
    inside = sum(each.is_inside for each in runs)
    low, high = find_published_range()
    return page(
        [
            "# Predictions",
            _HEAD,
            _COMMANDS,
            "## Training 70 billion parameters on 2 trillion tokens",
            _markdown(predict(_EXAMPLE).tables[0]),
            ("H100 SXM5, BF16, at 40 % model FLOP utilisation; from and to are at "
            f"{high:.1%} and {low:.1%}."),
            "## Held against published runs",
            f"{_RUNS} The interval contains {inside} of {len(runs)}.",
            _markdown(PredictedTable("", ("Run", "Predicted GPU-hours", "Published", "Inside",
                                          "Implied MFU", "Source"), [_run(each) for each in runs])),
            "## Published utilisation",
            _markdown(predict(_EXAMPLE).tables[1]),
            "## Worked numbers",
            _WORKED,
            _markdown(PredictedTable("", ("What", "Is", "Beware"), list(_worked()))),
        ]
    )  # fmt: skip


def _markdown(table: PredictedTable) -> str:
    return "\n".join(format_table(table))


def _run(each: PublishedRun) -> tuple[PredictedFigure | str, ...]:
    return (
        each.model,
        f"{each.low:,.0f} to {each.high:,.0f}",
        f"{each.hours:,.0f}",
        "yes" if each.is_inside else "no",
        PredictedFigure("", each.implied, "ratio"),
        each.source,
    )


def _worked() -> Iterator[tuple[str, str, str]]:
    h100 = find_device(_H100)
    decode = DecodeRequest(70e9, h100)
    links = CollectiveRequest("all_reduce", 140e9, 64, 50e9, latency=0.0)
    peak = h100.peak("bf16")
    values = (
        f"{4 * 4096 * 64 / 2.5:,.0f} tokens/s",
        f"{peak / h100.bandwidth:.0f} FLOP/B",
        quantity(decode.step(1), "s"),
        quantity(replace(decode, bits=4).step(1), "s"),
        format_duration(_EXAMPLE.seconds(0.5)),
        quantity(estimate_ring(links, 64, 50e9, 140e9), "s"),
        quantity(estimate_ring(links, 64, 200e9, 140e9), "s"),
        quantity(6.0 * 70e9 * 4 * 4096 / (peak * 0.4), "s"),
        quantity(783e9 / 989e12, "ratio"),
        quantity(70e9 * (2 + 12), "B"),
        f"at most {1.4 * 1.3 * 1.1:.2f}×",
    )
    for (what, beware), value in zip(_WHAT, values, strict=True):
        yield what, value, beware
