"""Student's t distribution, by the regularised incomplete beta function.

In:  degrees of freedom, also broken ones as Welch's test has them. Out: probabilities, quantiles.

The continued fraction is 8.17.22 of NIST's Digital Library of Mathematical Functions, computed by
Lentz's method (ibid. 3.10), and the distribution by 26.7.1 of Abramowitz and Stegun.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_CLOSE = 1e-15
_MOST_STEPS = 100_000
_HALVINGS = 200


def compute_incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b) for 0 <= x <= 1 and positive a, b."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):  # there the fraction converges slowly
        return 1.0 - compute_incomplete_beta(1.0 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    return front / (a * _compute_fraction(x, a, b))


def _compute_fraction(x: float, a: float, b: float) -> float:
    """1 + d1 / (1 + d2 / (1 + ...)), by Lentz's method."""
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        term = _compute_term(step, x, a, b)
        lower = 1.0 / _avoid_zero(1.0 + term * lower)
        upper = _avoid_zero(1.0 + term / upper)
        value *= upper * lower
        if abs(upper * lower - 1.0) < _CLOSE:
            break
    return value


def _compute_term(step: int, x: float, a: float, b: float) -> float:
    m = step // 2
    if step % 2:
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))


def _avoid_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def compute_tail(t: float, df: float) -> float:
    """The probability of a value at least as far from 0 as t, on both sides."""
    if not math.isfinite(t):
        return 0.0
    if t * t < df:  # the part left of it is exact there
        return 1.0 - compute_incomplete_beta(t * t / (df + t * t), 0.5, df / 2.0)
    return compute_incomplete_beta(df / (df + t * t), df / 2.0, 0.5)


def compute_density(t: float, df: float) -> float:
    """The density at t."""
    scale = math.lgamma((df + 1.0) / 2.0) - math.lgamma(df / 2.0) - 0.5 * math.log(df * math.pi)
    return math.exp(scale - (df + 1.0) / 2.0 * math.log1p(t * t / df))


@lru_cache(4_096)
def find_quantile(probability: float, df: float) -> float:
    """The t below which a value lies with this probability, of 0.5 to 1 without that."""
    tail, low, high = 2.0 * (1.0 - probability), 0.0, 1.0
    while compute_tail(high, df) > tail:
        low, high = high, high * 2.0
    t = (low + high) / 2.0
    for _ in range(_HALVINGS):
        off = compute_tail(t, df) - tail
        low, high = (t, high) if off > 0.0 else (low, t)
        step = off / (2.0 * compute_density(t, df))  # Newton's, where it stays within
        following = t + step if low < t + step < high else (low + high) / 2.0
        if abs(following - t) <= _CLOSE * 10.0 * high:
            break
        t = following
    return t
