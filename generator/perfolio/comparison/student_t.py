"""Student's t distribution, by the regularised incomplete beta function.

In:  degrees of freedom, also broken ones as Welch's test has them. Out: probabilities, quantiles.

The continued fraction is 8.17.22 of NIST's Digital Library of Mathematical Functions, computed by
Lentz's method (ibid. 3.10), and the distribution by 26.7.1 of Abramowitz and Stegun.
"""

from __future__ import annotations

import math

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
    return compute_incomplete_beta(df / (df + t * t), df / 2.0, 0.5)


def find_quantile(probability: float, df: float) -> float:
    """The t below which a value lies with this probability, of 0.5 to 1 without that."""
    tail, low, high = 2.0 * (1.0 - probability), 0.0, 1.0
    while compute_tail(high, df) > tail:
        high *= 2.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if compute_tail(middle, df) > tail:
            low = middle
        else:
            high = middle
        if high - low <= 1e-13 * high:
            break
    return (low + high) / 2.0
