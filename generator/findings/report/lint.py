"""A lint of denominators: shares of the wrong whole, found in definitions and in documents.

In:  metrics (what they are made of), rows of hardware, results of a run.
Out: `Fault`s. Four mistakes are looked for, each of which has made published reports wrong:

    seconds    a share whose two sides are different kinds of seconds
    link       a link's rate with both directions together, where one is meant
    peak       a peak with sparsity, where matrices are dense
    parts      parts of one whole that sum to more than it, or shares beyond 100 %
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.metrics.model import Metric, Result, Results

Kind = Literal["seconds", "link", "peak", "parts"]


@dataclass(frozen=True)
class Fault:
    """A denominator that does not match."""

    kind: Kind
    where: str
    """Name of the metric, or of the hardware."""
    says: str


CHECKS: Mapping[Kind, str] = {
    "seconds": "No share divides CPU-seconds, summed over threads, by time on the clock.",
    "link": "Link rates are those of one direction.",
    "peak": "Peak rates are those of dense matrices.",
    "parts": "Parts of a whole sum to no more than it, and no share is beyond 100 %.",
}

_SECONDS = {
    "CPU-seconds, summed over threads": re.compile(
        r"cpu_event_of|cpu_time\b|frame_cost|'elapsed_time'"
    ),
    "GPU-seconds, summed over operations": re.compile(
        r"'(?:gpu_operation|kernel|(?:implicit_)?copy|memset|allocation|synchronisation)_time'"
    ),
    "time on the clock": re.compile(
        r"cpu_trace_span|traced_span|gpu_span|gpu_use|gpu_idle|gpu_gap"
    ),
}
"""Kinds of seconds, by what a query reads them from."""
_ONE_THREAD = re.compile(r"max\(profile_total\.value\)")
"""What the thread with the most of it has is time of one thread, and no sum over threads."""
_BOUND = re.compile(r"\b(?:at most|at least|bounds?)\b", re.IGNORECASE)
_NAMED_WRONG = "seed."
"""Formulas of other reports, kept under this name to show the difference."""
_TOLERANCE = 1e-6
_MOST = 1.1
"""Above it an efficiency is no measurement: TraceLens."""

_PCIE = {3: 15.8e9, 4: 31.5e9, 5: 63.0e9}
"""Rate of 16 lanes in one direction by generation [B/s]."""
_SIBLINGS = (("tf32_flops", "fp16_flops", 2.0), ("fp16_flops", "fp8_flops", 2.0))
"""Each narrower type doubles the dense rate; a factor of 4 mixes dense with sparse."""
_ODD = 1.5


def lint_definitions(metrics: Iterable[Metric]) -> tuple[Fault, ...]:
    """Metrics whose definition divides one kind of seconds by another."""
    return tuple(fault for metric in metrics for fault in _seconds(metric))


def lint_hardware(rows: Iterable[Mapping[str, object]]) -> tuple[Fault, ...]:
    """Devices with a rate of both directions, or with peaks of two kinds."""
    return tuple(fault for row in rows for fault in (*_link(row), *_peaks(row)))


def lint_results(results: Results) -> tuple[Fault, ...]:
    """Tables whose shares sum to more than the whole, and shares beyond it."""
    measured = [result for result in results.values() if result.status == "measured"]
    own = [each for each in measured if not each.metric.name.startswith(_NAMED_WRONG)]
    return tuple(fault for result in own for fault in (*_beyond(result), *_sums(result)))


def _seconds(metric: Metric) -> Iterator[Fault]:
    """A ratio whose query reads two kinds of seconds, unless its title calls it a bound."""
    if metric.unit != "ratio" or metric.name.startswith(_NAMED_WRONG):
        return
    kinds = [kind for kind, sign in _SECONDS.items() if sign.search(metric.sql)]
    of_one = bool(_ONE_THREAD.search(metric.sql))
    if len(kinds) > 1 and not of_one and not _BOUND.search(metric.title):
        yield Fault("seconds", metric.name, f"a ratio of {' and '.join(kinds)}")


def _link(row: Mapping[str, object]) -> Iterator[Fault]:
    generation, rate = row.get("pcie_generation"), row.get("link_bandwidth")
    if not isinstance(generation, (int, float)) or not isinstance(rate, (int, float)):
        return
    one_way = _PCIE.get(int(generation))
    if one_way is not None and rate > _ODD * one_way and "C2C" not in str(row.get("link", "")):
        yield Fault(
            "link", str(row.get("name")), f"{rate:.3g} B/s is more than one direction carries"
        )


def _peaks(row: Mapping[str, object]) -> Iterator[Fault]:
    for wider, narrower, ratio in _SIBLINGS:
        low, high = row.get(wider), row.get(narrower)
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low <= 0:
            continue
        if high / low > _ODD * ratio:
            yield Fault("peak", str(row.get("name")), f"{narrower} is {high / low:.3g} × {wider}")


def _beyond(result: Result) -> Iterator[Fault]:
    value = result.value
    if result.metric.unit == "ratio" and value is not None and value > _MOST and _is_share(result):
        yield Fault("parts", result.metric.name, f"{value:.4g} of its whole")


def _is_share(result: Result) -> bool:
    """Whether it is a part of a whole: a relative spread or trend may exceed it."""
    return result.metric.name.rpartition(".")[2].endswith(("share", "_of_stalls", "_of_samples"))


def _sums(result: Result) -> Iterator[Fault]:
    """Tables whose column `share` divides one whole: parts, not overlapping callers."""
    if not result.rows or result.metric.name not in DIVISIONS:
        return
    shares = [row["share"] for row in result.records()]
    total = math.fsum(float(cell) for cell in shares if isinstance(cell, (int, float)))
    if total > 1.0 + _TOLERANCE:
        yield Fault("parts", result.metric.name, f"its parts sum to {total:.6g} of the whole")


DIVISIONS: Sequence[str] = (
    "balance.by_rank",
    "cpu.engaged_modules",
    "cpu.modules",
    "cpu.overview",
    "cpu.threads",
    "gpu.composition",
    "gpu.kernels",
    "time.concurrency",
    "time.entry_points",
    "time.modules",
    "time.operations",
    "time.phases",
    "time.span_parts",
    "time.wall_parts",
)
"""Tables whose column `share` divides one whole into parts."""
