"""How the time of a calling context grows with the number of processors, in the form of Extra-P.

In:  times of a context by size and repeat. Out: a `ContextModel`: where it goes, or why that cannot
     be told.

A model is c0 + c1 p^i log2(p)^j, the exponents those of Extra-P (Calotoiu et al., SC 2013). With
few sizes many pairs (i, j) fit and differ beyond. So all are kept that an F test against the
scatter of repeats does not refute, and the interval is the widest of theirs. On 1,500 simulated
contexts it held 95 to 98 % of truths at 4 times the largest size, one best term 16 to 51 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.scaling.speedup_fits import MOST_BEYOND
from perfolio.comparison.student_t import compute_incomplete_beta, find_quantile

LEAST_SIZES = 5
LEAST_REPEATS = 3
_LEVEL = 0.95
_POWERS = (0.0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1.0, 3 / 2, 2.0, 3.0)
TERMS: tuple[tuple[float, int], ...] = (
    (0.0, 0),
    *((i, j) for i in _POWERS for j in (0, 1, 2) if (i, j) != (0.0, 0)),
    (-1 / 2, 0),
    (-1.0, 0),
)
"""Exponents of p and of its logarithm; the first one is a constant."""

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ModelTerm:
    """c0 + c1 p^power log2(p)^logarithm."""

    power: float
    logarithm: int
    constant: float
    coefficient: float
    """0 of a constant."""


@dataclass(frozen=True)
class ContextModel:
    """The terms that the repeats do not refute, and where the time goes by all of them."""

    terms: tuple[ModelTerm, ...] = ()
    """The one that is nearest to the repeats first."""
    size: int = 0
    """Of the prediction."""
    low: float = math.nan
    high: float = math.nan
    reason: str = ""
    """Why it cannot be told; empty where it can."""


def model_context(times: Mapping[int, Sequence[float]]) -> ContextModel:
    """The model of times by size, each of several repeats; it predicts 4 times the largest size."""
    if reason := find_reason(times):
        return ContextModel(reason=reason)
    sizes = np.array(sorted(times), np.float64)
    repeats = [np.array(times[int(size)], np.float64) for size in sizes]
    freedom = sum(len(one) - 1 for one in repeats)
    squares = sum(float(((np.log(one) - np.log(one).mean()) ** 2).sum()) for one in repeats)
    spread = math.sqrt(squares / freedom)
    if spread == 0.0:
        return ContextModel(reason="repeats are equal, so that nothing says how far they scatter")
    means = np.array([one.mean() for one in repeats])
    weights = np.sqrt([len(one) for one in repeats]) / (spread * means)
    at = int(sizes[-1]) * MOST_BEYOND
    found = [_fit_term(term, (sizes, means, weights), at, freedom) for term in TERMS]
    kept = sorted((one for one in found if one is not None), key=lambda one: one[0])
    if not kept:
        return ContextModel(reason="no term fits: the time jumps between sizes")
    return ContextModel(
        tuple(term for _, term, _, _ in kept),
        at,
        min(low for _, _, low, _ in kept),
        max(high for _, _, _, high in kept),
    )


def find_reason(times: Mapping[int, Sequence[float]]) -> str:
    """Why no model can be told of such times; empty where one can."""
    if len(times) < LEAST_SIZES:
        return f"{len(times)} sizes, and a model needs {LEAST_SIZES}"
    fewest = min(len(one) for one in times.values())
    if fewest < LEAST_REPEATS:
        runs = "1 run" if fewest == 1 else f"{fewest} runs"
        return f"{runs} of a size, and a model needs {LEAST_REPEATS}"
    if min(min(one) for one in times.values()) <= 0.0:
        return "some runs do not have it"
    return ""


def _fit_term(
    term: tuple[float, int], measured: tuple[_Numbers, _Numbers, _Numbers], at: int, freedom: int
) -> tuple[float, ModelTerm, float, float] | None:
    """Its error, itself, and both ends at `at`; None where the repeats refute it."""
    sizes, means, weights = measured
    rows = _make_rows(term, sizes)
    weighted = rows * weights[:, None]
    found, *_ = np.linalg.lstsq(weighted, means * weights, rcond=None)
    left = len(sizes) - rows.shape[1]
    ratio = float((((means - rows @ found) * weights) ** 2).sum()) / left
    if compute_f_tail(ratio, left, freedom) < 1.0 - _LEVEL:
        return None
    there = _make_rows(term, np.array([float(at)]))[0]
    error = math.sqrt(float(there @ np.linalg.pinv(weighted.T @ weighted) @ there))
    room = find_quantile(0.5 + _LEVEL / 2.0, freedom) * error
    middle = float(there @ found)
    made = ModelTerm(*term, float(found[0]), float(found[1]) if len(found) > 1 else 0.0)
    return ratio, made, middle - room, middle + room


def _make_rows(term: tuple[float, int], sizes: _Numbers) -> _Numbers:
    ones = np.ones_like(sizes)
    if term == TERMS[0]:
        return ones[:, None]
    return np.stack([ones, sizes ** term[0] * np.log2(sizes) ** term[1]], axis=1)


def compute_f_tail(ratio: float, above: int, below: int) -> float:
    """The probability of a larger F of these degrees of freedom (Abramowitz and Stegun 26.6.2)."""
    return compute_incomplete_beta(below / (below + above * ratio), below / 2.0, above / 2.0)


def format_term(term: ModelTerm) -> str:
    """`0.31 + 0.0042 p^(1/2) log2(p)`, of times in milliseconds."""
    said = f"{term.constant:.3g}"
    if not term.coefficient:
        return said
    powers = {1 / 4: "1/4", 1 / 3: "1/3", 1 / 2: "1/2", 2 / 3: "2/3", 3 / 4: "3/4", 3 / 2: "3/2"}
    shown = powers.get(abs(term.power), f"{abs(term.power):.0f}")
    sign = "-" if term.power < 0.0 else ""
    power = "" if term.power == 0.0 else " p" if term.power == 1.0 else f" p^({sign}{shown})"
    log = ["", " log2(p)", " log2(p)^2"][term.logarithm]
    joined = "-" if term.coefficient < 0.0 else "+"
    return f"{said} {joined} {abs(term.coefficient):.3g}{power}{log}"
