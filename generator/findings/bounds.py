"""Formulas of upper bounds, and how one becomes an `Estimate`.

In:  shares and times. Out: shares of a whole that can be saved, within 0 and 1.
"""

from __future__ import annotations

from generator.findings.model import Estimate
from generator.metrics.model import Results


def amdahl(affected: float, local_reduction: float = 1.0) -> float:
    """Share of the whole that is saved when `affected` of it shrinks by `local_reduction`.

    Both are ratios and are held within 0 and 1.
    """
    return share(affected) * share(local_reduction)


def factor(reduction: float) -> float:
    """Speed-up factor that belongs to a reduction of time: 20 % less is a factor 1.25."""
    return 1.0 / (1.0 - reduction)


def at_full_rate(seconds: float, moved: float, rate: float) -> float:
    """Share of transfer time saved when `moved` bytes take no longer than at `rate` [B/s]."""
    possible = rate * seconds
    return share(1.0 - moved / possible) if possible > 0.0 else 0.0


def balanced(imbalance: float) -> float:
    """Share of the busiest one's cost saved by perfect balance; `imbalance` is max / mean."""
    return 1.0 - 1.0 / max(imbalance, 1.0)


def of_time(saved: float, whole: float) -> float:
    """Share of `whole` that `saved` is, both in s; at most 1, and 0 of an empty whole."""
    return share(saved / whole) if whole > 0.0 else 0.0


def hidden(exposed: float, cover: float) -> float:
    """Time saved when `exposed` time moves behind `cover`: no more than either lasts [s]."""
    return max(min(exposed, cover), 0.0)


def estimate(
    reduction: float, of: str, formula: str, assumptions: tuple[str, ...]
) -> Estimate | None:
    """None where nothing or everything would be saved: neither is a statement."""
    if not 0.0 < reduction < 1.0:
        return None
    return Estimate(reduction, factor(reduction), of, formula, assumptions)


def measured(results: Results, metric: str) -> float | None:
    """The value of a scalar metric; None where it is not measured."""
    result = results.get(metric)
    return result.value if result is not None and result.status == "measured" else None


def share(value: float) -> float:
    """`value` held within 0 and 1."""
    return min(max(value, 0.0), 1.0)
