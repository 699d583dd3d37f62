"""Axes: the unit that suits the largest value, and the words that name it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from perfolio.common.units import UNITS

_TIME = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))

_POWERS = {0: "", 6: "10⁶", 9: "10⁹", 12: "10¹²"}

SI_TIME_LABELS = (
    "datum.value >= 1 ? format(datum.value, ',~g') + ' s'"
    " : datum.value >= 0.00099 ? format(datum.value * 1e3, '~g') + ' ms'"
    " : datum.value >= 0.00000099 ? format(datum.value * 1e6, '~g') + ' µs'"
    " : format(datum.value * 1e9, '~g') + ' ns'"
)
"""Vega expression for the labels of a logarithmic axis in seconds."""


@dataclass(frozen=True)
class ScaledAxis:
    """An axis: values are divided by `divisor` and read in `symbol`."""

    what: str
    divisor: float
    symbol: str

    @property
    def title(self) -> str:
        """`Time (ms)`."""
        return f"{self.what} ({self.symbol})" if self.symbol else self.what

    def at(self, value: float) -> float:
        """`value` (base unit) on this axis."""
        return value / self.divisor


def scale_axis(what: str, maximum: float, unit: str) -> ScaledAxis:
    """The axis for values of `unit` up to `maximum`, both in the base unit."""
    if unit == "ratio":
        return ScaledAxis(what, 0.01, "%")
    symbol = UNITS[unit].symbol
    if unit == "s":
        divisor, symbol = next((s for s in _TIME if maximum >= s[0]), _TIME[-1])
        return ScaledAxis(what, divisor, symbol)
    if UNITS[unit].scaled and "-" not in symbol:
        divisor, prefix = next((s for s in _LARGE if maximum >= s[0]), _LARGE[-1])
        return ScaledAxis(what, divisor, prefix + symbol)
    if unit in ("events", "cycles", "samples", "1"):
        power = next((p for p in (12, 9, 6) if maximum >= 10.0**p), 0)
        words = symbol or ("events" if unit == "events" else "")
        return ScaledAxis(what, 10.0**power, f"{_POWERS[power]} {words}".strip())
    return ScaledAxis(what, 1.0 / UNITS[unit].factor, symbol)


def make_value_axis(title: str) -> alt.Axis:
    """A linear axis with a title and few grid lines."""
    return alt.Axis(title=title, tickCount=5, format=",~r")


def list_log_ticks(low: float, high: float) -> list[float]:
    """Ticks of a logarithmic axis that holds `low` to `high`, both above 0.

    Powers of ten from the one at or below `low` to the one at or above `high`: with 2 and 5
    between them where there are at most two decades, every second one beyond seven.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(last, first + 1)
    if last - first > 7:
        return [10.0**power for power in range(first, last + 2, 2)]
    steps = (1, 2, 5) if last - first <= 2 else (1,)
    ticks = [step * 10.0**power for power in range(first, last) for step in steps]
    return [*ticks, 10.0**last]
