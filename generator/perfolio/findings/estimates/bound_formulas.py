"""Formulas of what can be saved at most, and how one becomes an `Estimate`.

In:  shares and times. Out: shares of a whole that can be saved, within 0 and 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from perfolio.findings.model.change_effect import CellFilter, ChangeEffect
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, EstimateKind
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

_AS_MUCH = 0.995
"""From this part of a bound on, a weaker assumption says nothing of its own [ratio]."""
_DEVIATIONS = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution."""


def apply_amdahl(affected: float, local_reduction: float = 1.0) -> float:
    """Share of the whole that is saved when `affected` of it shrinks by `local_reduction`.

    Both are ratios and are held within 0 and 1.
    """
    return clamp_share(affected) * clamp_share(local_reduction)


def compute_rate_saving(seconds: float, moved: float, rate: float) -> float:
    """Share of transfer time saved when `moved` bytes take no longer than at `rate` [B/s]."""
    possible = rate * seconds
    return clamp_share(1.0 - moved / possible) if possible > 0.0 else 0.0


def compute_balance_saving(imbalance: float) -> float:
    """Share of the busiest one's cost saved by perfect balance; `imbalance` is max / mean."""
    return 1.0 - 1.0 / max(imbalance, 1.0)


def compute_time_share(saved: float, whole: float | None) -> float:
    """Share of `whole` that `saved` is, both in s; at most 1, and 0 of an empty or unknown one."""
    return clamp_share(saved / whole) if whole and whole > 0.0 else 0.0


def hide_time(exposed: float, cover: float) -> float:
    """Time saved when `exposed` time moves behind `cover`: no more than either lasts [s]."""
    return max(min(exposed, cover), 0.0)


def divide_by_gpus(seconds: float, results: Results) -> float:
    """Time that was summed over GPUs as the mean of them, as all times from traces are [s]."""
    return seconds / max(get_value(results, "run.gpus") or 1.0, 1.0)


def is_more(wider: float, reduction: float) -> bool:
    """Whether a change that goes further saves more, but not everything."""
    return reduction < wider < 1.0


@dataclass(frozen=True)
class WeakerBound:
    """What a weaker assumption allows at most: the share saved, the assumption, and its formula."""

    reduction: float
    condition: str
    formula: str
    steady: float | None = None
    """The same of steady iterations, where the share is one of the run."""


def make_estimate(  # noqa: PLR0913 - an estimate has these parts, and most have a default
    reduction: float,
    of: BoundWhole,
    formula: str,
    assumptions: tuple[str, ...],
    *,
    kind: EstimateKind = "gain",
    weaker: WeakerBound | None = None,
    wider: float | None = None,
    is_told: bool = True,
    where: CellFilter | None = None,
    effects: Sequence[ChangeEffect] = (),
    saved: float | None = None,
    steady: float | None = None,
) -> Estimate | None:
    """None where nothing or everything would be saved: neither is a statement.

    `effects` save `saved` of the run, where that is not the reduction of `of`; that goes `where` it
    may be, without them. `wider` is what a change saves that goes further. It is left out where it
    saves no more, and a weaker assumption where it allows as much. Not `is_told`: without the
    factor on pages.
    """
    if not 0.0 < reduction < 1.0:
        return None
    told = weaker if weaker and weaker.reduction < _AS_MUCH * reduction else None
    amount = None if of.amount is None else reduction * of.amount
    if where is not None and amount is not None:
        effects = (ChangeEffect(where, amount),)
    return Estimate(
        reduction,
        of,
        formula,
        assumptions,
        kind=kind,
        weaker=clamp_share(told.reduction) if told else None,
        weaker_if=told.condition if told else "",
        weaker_formula=told.formula if told else "",
        weaker_steady=told.steady if told and steady is not None else None,
        wider=wider if wider is not None and is_more(wider, reduction) else None,
        is_told=is_told,
        effects=tuple(effects),
        saved=amount if saved is None else saved,
        steady=steady if kind == "gain" else None,
    )


@dataclass(frozen=True)
class ShareInterval:
    """A share and the ends of its 95 % confidence interval; all the same where it is exact."""

    low: float
    value: float
    high: float

    @property
    def upper(self) -> str:
        """How a formula names its upper end, before the name of the share."""
        return "upper end of the interval of " if self.high > self.value else ""


def make_exact(value: float) -> ShareInterval:
    """A share without a sampling error."""
    return ShareInterval(value, value, value)


def compute_wilson(part: float, samples: float) -> ShareInterval:
    """The 95 % Wilson interval of the share `part` of `samples` samples; everything of none.

    As `binomial_low` and `binomial_high` of the store (Wilson, JASA 22, 1927).
    """
    if samples <= 0.0:
        return ShareInterval(0.0, part, 1.0)
    square = _DEVIATIONS**2
    centre = part + square / (2.0 * samples)
    spread = part * (1.0 - part) / samples + square / (4.0 * samples**2)
    half = _DEVIATIONS * math.sqrt(max(spread, 0.0))
    ends = ((centre + each) / (1.0 + square / samples) for each in (-half, half))
    low, high = (clamp_share(end) for end in ends)
    return ShareInterval(min(low, part), part, max(high, part))


def find_interval(results: Results, metric: str, value: float) -> ShareInterval:
    """The interval of a scalar metric around `value`, which it holds; `value` where it has none."""
    result = results.get(metric)
    low, high = (None, None) if result is None else (result.low, result.high)
    return ShareInterval(
        min(value if low is None else low, value),
        value,
        max(value if high is None else high, value),
    )


def clamp_share(value: float) -> float:
    """`value` held within 0 and 1."""
    return min(max(value, 0.0), 1.0)
