"""Mistakes of definitions that give shares and rates of the wrong whole: metrics and devices.

In:  metrics (what they are made of), rows of hardware. Out: `ShareFault`s.

    seconds    a share whose two sides are different kinds of seconds
    link       a link's rate with both directions together, where one is meant
    peak       a peak with sparsity, where matrices are dense
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from perfolio.findings.report.share_lint import ShareFault
from perfolio.metrics.model import Metric

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
_PCIE = {3: 15.8e9, 4: 31.5e9, 5: 63.0e9}
"""Rate of 16 lanes in one direction by generation [B/s]."""
_SIBLINGS = (("tf32_flops", "fp16_flops", 2.0), ("fp16_flops", "fp8_flops", 2.0))
"""Each narrower type doubles the dense rate; a factor of 4 mixes dense with sparse."""
_ODD = 1.5


def lint_definitions(metrics: Iterable[Metric]) -> tuple[ShareFault, ...]:
    """Metrics whose definition divides one kind of seconds by another."""
    return tuple(fault for metric in metrics for fault in _seconds(metric))


def lint_hardware(rows: Iterable[Mapping[str, object]]) -> tuple[ShareFault, ...]:
    """Devices with a rate of both directions, or with peaks of two kinds."""
    return tuple(fault for row in rows for fault in (*_link(row), *_peaks(row)))


def _seconds(metric: Metric) -> Iterator[ShareFault]:
    """A ratio whose query reads two kinds of seconds, unless its title calls it a bound."""
    if metric.unit != "ratio" or metric.name.startswith(_NAMED_WRONG):
        return
    kinds = [kind for kind, sign in _SECONDS.items() if sign.search(metric.sql)]
    of_one = bool(_ONE_THREAD.search(metric.sql))
    if len(kinds) > 1 and not of_one and not _BOUND.search(metric.title):
        yield ShareFault(metric.name, f"a ratio of {' and '.join(kinds)}")


def _link(row: Mapping[str, object]) -> Iterator[ShareFault]:
    generation, rate = row.get("pcie_generation"), row.get("link_bandwidth")
    if not isinstance(generation, (int, float)) or not isinstance(rate, (int, float)):
        return
    one_way = _PCIE.get(int(generation))
    if one_way is not None and rate > _ODD * one_way and "C2C" not in str(row.get("link", "")):
        yield ShareFault(str(row.get("name")), f"{rate:.3g} B/s is more than one direction carries")


def _peaks(row: Mapping[str, object]) -> Iterator[ShareFault]:
    for wider, narrower, ratio in _SIBLINGS:
        low, high = row.get(wider), row.get(narrower)
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low <= 0:
            continue
        if high / low > _ODD * ratio:
            yield ShareFault(str(row.get("name")), f"{narrower} is {high / low:.3g} × {wider}")
