"""The one place where a number and its unit become text.

In:  a value in the base unit that a metric declares (`UNITS` lists them).
Out: text such as `8.90 µs`, `441.94 MB`, `52.9 %`, `7,400`; for thresholds `10 µs`.

Decimal prefixes throughout (1 MB = 1,000,000 B), as link and memory rates are quoted.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

NOT_MEASURED = "not measured"
_MOST_DECIMALS = 6
_WHOLE = 1e9
"""From here on digits are exact, or none is told behind the point."""


@dataclass(frozen=True)
class Unit:
    """How values of one unit are printed: `scaled` ones take a decimal prefix."""

    name: str
    meaning: str
    symbol: str = ""
    scaled: bool = False
    factor: float = 1.0
    """What a value is multiplied with to be in the unit of `symbol`."""


UNITS: dict[str, Unit] = {
    unit.name: unit
    for unit in (
        Unit("s", "seconds of the kind that the metric's definition names", "s", scaled=True),
        Unit("CPU-s", "CPU-seconds, summed over threads: never wall time", "CPU-s", scaled=True),
        Unit(
            "CPU-ns",
            "nanoseconds of CPU time, summed over threads and printed as CPU-seconds",
            "CPU-s",
            scaled=True,
            factor=1e-9,
        ),
        Unit(
            "thread-s",
            "elapsed seconds, summed over threads: never wall time",
            "thread-s",
            scaled=True,
        ),
        Unit("GPU-h", "GPU-hours: hours of one GPU, summed over GPUs", "GPU-h"),
        Unit("B", "bytes", "B", scaled=True),
        Unit("B/s", "bytes per second", "B/s", scaled=True),
        Unit("FLOP", "floating-point operations", "FLOP", scaled=True),
        Unit("FLOP/s", "floating-point operations per second", "FLOP/s", scaled=True),
        Unit("Hz", "per second", "Hz", scaled=True),
        Unit("tokens/s", "tokens per second", "tokens/s"),
        Unit("samples/s", "samples per second", "samples/s"),
        Unit("W", "watts: joules per second", "W", scaled=True),
        Unit("J", "joules", "J", scaled=True),
        Unit("°C", "degrees Celsius", "°C"),
        Unit("FLOP/B", "operations per byte of memory", "FLOP/B"),
        Unit("ratio", "a share of a whole, printed as a percentage", "%"),
        Unit("x", "a factor", "×"),
        Unit("count", "a number of things"),
        Unit("samples", "a number of samples", "samples"),
        Unit("cycles", "processor cycles", "cycles"),
        Unit("events", "counted hardware or software events"),
        Unit("threads", "threads", "threads"),
        Unit("cores", "cores that threads use, on average", "cores"),
        Unit("blocks", "thread blocks", "blocks"),
        Unit("registers", "registers per thread", "registers"),
        Unit("warps", "warps", "warps"),
        Unit("1", "a number without unit"),
        Unit("id", "an identifier"),
        Unit("text", "words"),
    )
}

_LARGE = ("", "k", "M", "G", "T", "P", "E", "Z", "Y")
_SMALL = ("", "m", "µ", "n", "p")
_ZEROS = re.compile(r"\.(?P<digits>\d*?)0+(?!\d)")
_INTEGRAL = {"count", "samples", "cycles", "events", "blocks", "registers", "warps"}
_WORDS = {"samples", "cycles", "threads", "cores", "blocks", "registers", "warps"}
"""Units whose symbol is a plural, which one of them has not."""


def quantity(value: object, unit: str, half: float | None = None) -> str:
    """`value` (a number in the base unit, text, or None) as people read it.

    None and NaN read `not measured`. Seconds from one second on keep three
    decimals at most; smaller ones and bytes take a decimal prefix with three
    significant digits or more. Ratios are percentages with one decimal, two below 1 %;
    means of threads have two decimals below 100. `half` is half the width of the interval of a
    sampled value (`compute_half_width`), in the same unit: no digit stands behind the last that it
    tells.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOT_MEASURED
    if unit == "text" or not isinstance(value, (int, float)):
        return str(value)
    if unit == "id":
        return str(int(value))
    number = format_number(float(value), unit, half)
    symbol = UNITS[unit].symbol
    if UNITS[unit].scaled:
        return number
    if number == "1" and unit in _WORDS:
        symbol = symbol.removesuffix("s")
    return f"{number} {symbol}".rstrip() if symbol != "×" else f"{number}×"


def format_threshold(value: float, unit: str) -> str:
    """A bound that somebody chose, in full and without digits that nobody wrote: 30 %, 10 µs."""
    if unit == "ratio":
        return f"{value * 100.0:.6g} %"
    return _ZEROS.sub(_strip_zeros, quantity(value, unit))


def _strip_zeros(fraction: re.Match[str]) -> str:
    return "." + fraction["digits"] if fraction["digits"] else ""


def format_number(value: float, unit: str, half: float | None = None) -> str:
    """The number of `quantity`; for scaled units, with prefix and symbol."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if unit == "ratio":
        return format_percent(value, half)
    if UNITS[unit].scaled:
        factor = UNITS[unit].factor
        wide = None if half is None else half * factor
        return _format_scaled(value * factor, UNITS[unit].symbol, wide)
    if unit in _INTEGRAL or float(value).is_integer():
        return format_rounded(value, 0 if abs(value - round(value)) < 0.05 else 1)
    if unit in ("threads", "cores"):
        return f"{value:,.0f}" if abs(value - round(value)) < 0.005 else _format_fixed(value, half)
    return format_significant(value, half=half)


def format_percent(value: float, half: float | None = None) -> str:
    """A share as a percentage's number: one decimal, more where it is small."""
    percent, wide = value * 100.0, None if half is None else half * 100.0
    if percent == 0.0:
        return "0"
    if abs(percent) >= 1.0:
        return format_rounded(percent, _choose_decimals(1, wide))
    decimals = _choose_decimals(2, wide)
    if decimals < 2 or abs(percent) >= 0.005:
        return format_rounded(percent, decimals)
    return "<0.01" if percent > 0 else ">-0.01"


def format_rounded(value: float, decimals: int) -> str:
    """`value` with so many decimals, halves away from zero, as people round: 6.25 is 6.3.

    Twelve significant digits of a small one count: what follows is the machine's arithmetic.
    """
    if abs(value) >= _WHOLE:
        return f"{value:,.{decimals}f}"
    exact = Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{exact:,f}"


def compute_half_width(low: object, high: object) -> float | None:
    """Half the distance of the ends of an interval; None where they are no numbers, or the same."""
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return None
    return (high - low) / 2.0 if high > low else None


def format_interval_ends(low: float, high: float, unit: str) -> list[str]:
    """Both ends of an interval as `format_number` gives them, rounded as the value that it is of.

    Shares get as many decimals as tell the ends apart.
    """
    half = compute_half_width(low, high)
    ends = [format_number(end, unit, half) for end in (low, high)]
    decimals = 2
    while unit == "ratio" and ends[0] == ends[1] and low < high and decimals <= _MOST_DECIMALS:
        ends = [f"{100.0 * end:.{decimals}f}" for end in (low, high)]
        decimals += 1
    return ends


def _choose_decimals(most: int, half: float | None) -> int:
    """Decimals of a value: `most`, or fewer where its interval's half width needs fewer.

    That is told by one significant digit, by two where the first is 1 or 2 (Particle Data Group,
    Review of Particle Physics, 5.3, rounds alike); whole numbers are never rounded.
    """
    if not half:
        return most
    place = math.floor(math.log10(half))
    return min(most, max(0, (1 if half < 2.95 * 10.0**place else 0) - place))


def format_significant(value: float, digits: int = 3, half: float | None = None) -> str:
    """`value` with `digits` significant digits, never in exponent form from 1e-4 on."""
    if value == 0.0:
        return "0"
    if abs(value) < 1e-4:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return format_rounded(value, _choose_decimals(decimals, half))


def _format_scaled(value: float, symbol: str, half: float | None) -> str:
    if value == 0.0:
        return f"0 {symbol}"
    large = symbol not in ("s", "CPU-s", "thread-s")
    step = math.floor(math.log10(abs(value)) / 3 + 1e-12)
    step = min(step, len(_LARGE) - 1) if large else min(step, 0)
    step = max(step, 0 if symbol == "B" else -(len(_SMALL) - 1))
    if abs(value) / 1000.0**step >= 999.95:  # prints as 1,000.0: the next prefix is due
        step = min(step + 1, len(_LARGE) - 1 if large else 0)
    scaled, wide = value / 1000.0**step, None if half is None else half / 1000.0**step
    prefix = _LARGE[step] if step >= 0 else _SMALL[-step]
    if step == 0 and symbol == "B":
        return f"{scaled:,.0f} {symbol}"
    compound = "-" in symbol and prefix
    return (
        f"{_format_fixed(scaled, wide)} {prefix}{symbol}"
        if not compound
        else _format_compound(value, symbol)
    )


def _format_fixed(scaled: float, half: float | None) -> str:
    """Two decimals below 100, one from there on: 8.90, 441.9, 1,513.6."""
    return format_rounded(scaled, _choose_decimals(2 if abs(scaled) < 100.0 else 1, half))


def _format_compound(value: float, symbol: str) -> str:
    """CPU-seconds take no prefix: 0.0412 CPU-s reads better than 41.2 mCPU-s."""
    return f"{format_significant(value)} {symbol}"
