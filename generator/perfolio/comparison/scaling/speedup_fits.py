"""Amdahl's law and the Universal Scalability Law, fitted to speed-ups, with prediction intervals.

In:  sizes and processor times of runs. Out: a `SpeedupFit` of each law, or why there is none.

Both are lines in the time of all processors, y = c (1 + a (n - 1) + b n (n - 1)), of which
Amdahl's law (AFIPS 1967) has b = 0, and Gunther's (Guerrilla Capacity Planning, 2007, chapter 4)
all of it: a is contention, b coherency. Coefficients are least squares of relative errors, none
below 0. An interval is for one more run, by Student's t; where a coefficient is held at 0, its
uncertainty counts all the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from perfolio.comparison.student_t import find_quantile

Law = Literal["amdahl", "usl"]
LAWS: dict[Law, str] = {"amdahl": "Amdahl's law", "usl": "Universal Scalability Law"}
MOST_BEYOND = 4
"""So many times the largest size is predicted, at most."""
_LEAST_SIZES: dict[Law, int] = {"amdahl": 3, "usl": 4}
_LIKELY = 0.975
_POINTS = 24

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FitPoint:
    """A speed-up that a law predicts, and its 95 % prediction interval."""

    size: float
    speedup: float
    low: float | None
    """None: no bound, as the time may be any."""
    high: float | None


@dataclass(frozen=True)
class SpeedupFit:
    """A law, fitted."""

    law: Law
    contention: float | None = None
    """Part of the work that is serial, or waits for what is shared [ratio]."""
    coherency: float | None = None
    """What each pair of processors costs [ratio]; None of Amdahl's law."""
    peak: float | None = None
    """Size of the largest speed-up; None without one."""
    points: tuple[FitPoint, ...] = ()
    reason: str = ""
    """Why it is not fitted; empty where it is."""


def fit_speedups(runs: Sequence[tuple[int, float]], unit: float) -> list[SpeedupFit]:
    """Both laws. `runs` are size and time of all processors, `unit` is that of the reference."""
    return [_fit_law(law, runs, unit) for law in LAWS]


def _fit_law(law: Law, runs: Sequence[tuple[int, float]], unit: float) -> SpeedupFit:
    sizes = sorted({size for size, _ in runs})
    if len(sizes) < _LEAST_SIZES[law]:
        return SpeedupFit(law, reason=f"{len(sizes)} sizes, and it needs {_LEAST_SIZES[law]}")
    size = np.array([size for size, _ in runs], np.float64)
    time = np.array([time for _, time in runs], np.float64)
    terms = _list_terms(law, size) / time[:, None]
    found = fit_positive(terms)
    residuals = 1.0 - terms @ found
    freedom = len(runs) - len(found)
    spread = math.sqrt(float(residuals @ residuals) / freedom)
    inverse = np.linalg.pinv(terms.T @ terms)
    room = find_quantile(_LIKELY, freedom) * spread
    points = []
    for at in np.geomspace(sizes[0], sizes[-1] * MOST_BEYOND, _POINTS):
        row = _list_terms(law, np.array([at]))[0]
        middle = float(row @ found)
        half = room * math.sqrt(middle**2 + float(row @ inverse @ row))
        points.append(_make_point(float(at), unit, (middle, middle - half, middle + half)))
    shares = found[1:] / found[0]
    coherency = float(shares[1]) if law == "usl" else None
    peak = math.sqrt(max(1.0 - shares[0], 0.0) / coherency) if coherency else None
    return SpeedupFit(law, float(shares[0]), coherency, peak, tuple(points))


def _list_terms(law: Law, size: _Numbers) -> _Numbers:
    terms = [np.ones_like(size), size - 1.0, size * (size - 1.0)]
    return np.stack(terms[: 3 if law == "usl" else 2], axis=1)


def _make_point(at: float, unit: float, times: tuple[float, float, float]) -> FitPoint:
    middle, low, high = (at * unit / time if time > 0.0 else None for time in times)
    return FitPoint(at, middle or math.inf, high, low)


def fit_positive(terms: _Numbers) -> _Numbers:
    """Coefficients of which none but the first is held at 0 where it would be below: the best."""
    count = terms.shape[1]
    ones = np.ones(len(terms))
    best, least = np.zeros(count), math.inf
    for more in range(count):
        for chosen in combinations(range(1, count), more):
            kept = [0, *chosen]
            found, *_ = np.linalg.lstsq(terms[:, kept], ones, rcond=None)
            error = float(((ones - terms[:, kept] @ found) ** 2).sum())
            if (found >= 0.0).all() and error < least:
                best, least = np.zeros(count), error
                best[kept] = found
    return best
