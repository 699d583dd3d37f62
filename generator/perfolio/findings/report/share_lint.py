"""A lint of denominators: parts of one whole that sum to more than it, and shares beyond 100 %.

In:  results of a run. Out: `ShareFault`s.

Three more mistakes, each of which has made published reports wrong, are of definitions, which are
the same in every run: tests look for them (`tests/findings/definitions.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.metrics.model import Result, Results


@dataclass(frozen=True)
class ShareFault:
    """A denominator that does not match."""

    where: str
    """Name of the metric."""
    says: str


CHECKS = (
    "No share divides CPU-seconds, summed over threads, by time on the clock.",
    "Link rates are those of one direction.",
    "Peak rates are those of dense matrices.",
    "Parts of a whole sum to no more than it, and no part is beyond it.",
)

_NAMED_WRONG = "seed."
"""Formulas of other reports, kept under this name to show the difference."""
_TOLERANCE = 1e-6
_MOST = 1.1
"""Above it an efficiency is no measurement: TraceLens."""


def find_share_faults(results: Results) -> tuple[ShareFault, ...]:
    """Tables whose shares sum to more than the whole, and shares beyond it."""
    measured = [result for result in results.values() if result.status == "measured"]
    own = [each for each in measured if not each.metric.name.startswith(_NAMED_WRONG)]
    return tuple(fault for result in own for fault in (*_find_beyond(result), *_check_sums(result)))


def _find_beyond(result: Result) -> Iterator[ShareFault]:
    value = result.value
    if result.metric.unit == "ratio" and value is not None and value > _MOST and _is_share(result):
        yield ShareFault(result.metric.name, f"{value:.4g} of its whole")


def _is_share(result: Result) -> bool:
    """Whether it is a part of a whole: a relative spread or trend may exceed it."""
    return result.metric.name.rpartition(".")[2].endswith(("share", "_of_stalls", "_of_samples"))


def _check_sums(result: Result) -> Iterator[ShareFault]:
    """Tables whose column `share` divides one whole: parts, not overlapping callers."""
    if not result.rows or result.metric.name not in DIVISIONS:
        return
    shares = [row["share"] for row in result.records()]
    total = math.fsum(float(cell) for cell in shares if isinstance(cell, (int, float)))
    if total > 1.0 + _TOLERANCE:
        yield ShareFault(result.metric.name, f"its parts sum to {total:.6g} of the whole")


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
