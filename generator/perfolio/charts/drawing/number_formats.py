"""Numbers as d3 writes them: formats of d3-format, ticks of d3-array, and plain JavaScript.

https://d3js.org/d3-format, https://d3js.org/d3-array/ticks
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from perfolio.common.errors import PerfolioError

_SPECIFIER = re.compile(r"(?P<comma>,)?(?:\.(?P<precision>\d+))?(?P<trim>~)?(?P<kind>[a-z%])?")
_MINUS = "\N{MINUS SIGN}"
_MOST_DIGITS = 21
_EXACT = 2**53
"""Up to here whole numbers have all their digits."""
_LARGE = 1e21
"""From here on JavaScript writes whole numbers with an exponent."""


class UnknownFormatError(PerfolioError):
    """A format of d3 that is not written here."""


@dataclass(frozen=True)
class NumberFormat:
    """A specifier of d3-format: https://d3js.org/d3-format#locale_format."""

    comma: bool
    precision: int | None
    trim: bool
    kind: str


@lru_cache(maxsize=200)
def parse_format(specifier: str) -> NumberFormat:
    """The parts of a specifier. Raises UnknownFormatError where it has others."""
    match = _SPECIFIER.fullmatch(specifier)
    if match is None or (match["kind"] or "") not in ("", "f", "g", "r", "e", "d", "%"):
        raise UnknownFormatError(f"{specifier!r} is no known format")
    precision = None if match["precision"] is None else int(match["precision"])
    return NumberFormat(bool(match["comma"]), precision, bool(match["trim"]), match["kind"] or "")


def write_number(value: float) -> str:
    """A number as JavaScript writes it."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    text = repr(float(value))
    if value == int(value) and abs(value) < _LARGE:
        return (
            str(int(value))
            if abs(value) < _EXACT
            else format(Decimal(text), "f").removesuffix(".0")
        )
    if "e" not in text:
        return text
    digits, _, exponent = text.partition("e")
    power = int(exponent)
    if -7 < power < 0:
        return format(Decimal(text), "f")
    return f"{digits}e{power:+d}"


def format_number(value: float, specifier: str) -> str:
    """`value` by a specifier of d3-format."""
    return _write(value, parse_format(specifier))


def format_precise(value: float, specifier: str) -> str:
    """`value` with 12 digits, less trailing zeros, where a specifier names no precision."""
    form = parse_format(specifier or ",")
    if form.precision is not None:
        return _write(value, form)
    digits = 12 - {"%": 2, "e": 1}.get(form.kind, 0)
    return _trim_zeros(_write(value, replace(form, precision=digits)))


def format_tick(value: float, domain: tuple[float, float], count: float, specifier: str) -> str:
    """`value` with the digits that ticks need which part a domain into about `count`."""
    form = parse_format(specifier or ",f")
    if form.precision is None:
        step = compute_tick_step(*domain, count)
        largest = max(abs(domain[0]), abs(domain[1]))
        form = replace(form, precision=_find_precision(form.kind, step, largest))
    return _write(value, form)


def list_ticks(start: float, stop: float, count: float) -> list[float]:
    """About `count` round numbers from `start` to `stop`."""
    if not count > 0:
        return []
    if start == stop:
        return [start]
    low, high = min(start, stop), max(start, stop)
    first, last, step = _find_ticks(low, high, count)
    numbers = range(first, last + 1)
    ticks = [number / -step if step < 0 else number * step for number in numbers]
    return ticks if start < stop else ticks[::-1]


def compute_tick_increment(start: float, stop: float, count: float) -> float:
    """The distance between ticks from `start` up to `stop`; below 0 its inverse, 0 where none."""
    return _find_ticks(start, stop, count)[2] if start < stop else 0.0


def compute_tick_step(start: float, stop: float, count: float) -> float:
    """The distance between ticks, below 0 where `stop` is below `start`."""
    step = _find_ticks(min(start, stop), max(start, stop), count)[2]
    size = 1 / -step if step < 0 else step
    return size if start < stop else -size


def _find_ticks(start: float, stop: float, count: float) -> tuple[int, int, float]:
    """First and last tick in steps, and the step; below 0 its inverse."""
    step = (stop - start) / max(0.0, count)
    power = math.floor(math.log10(step))
    error = step / 10.0**power
    factor = next((f for f, least in ((10, 50), (5, 10), (2, 2)) if error >= math.sqrt(least)), 1)
    if power < 0:
        size = 10.0**-power / factor
        first, last = _round(start * size), _round(stop * size)
        first += first / size < start
        last -= last / size > stop
        size = -size
    else:
        size = 10.0**power * factor
        first, last = _round(start / size), _round(stop / size)
        first += first * size < start
        last -= last * size > stop
    if last < first and 0.5 <= count < 2:
        return _find_ticks(start, stop, count * 2)
    return first, last, size


def _round(value: float) -> int:
    return math.floor(value + 0.5)


def _find_precision(kind: str, step: float, largest: float) -> int | None:
    size = abs(step)
    if kind in ("", "e", "g", "r"):
        spare = abs(largest) - size
        if spare <= 0 or size <= 0:
            return None
        digits = max(0, _get_exponent(spare) - _get_exponent(size)) + 1
        return digits - (kind == "e")
    if kind in ("f", "%"):
        return max(0, -_get_exponent(size)) - 2 * (kind == "%")
    return None


def _get_exponent(value: float) -> int:
    return Decimal(value).adjusted() if value else 0


def _write(value: float, form: NumberFormat) -> str:
    if math.isnan(value):
        return "NaN"
    if abs(value) >= _LARGE / 100:
        raise UnknownFormatError("a number without an end")
    kind, trim, precision = form.kind, form.trim, form.precision
    if not kind:
        kind, trim, precision = "g", True, 12 if precision is None else precision
    precision = 6 if precision is None else precision
    least = 1 if kind in "gr" else 0
    digits = max(least, min(_MOST_DIGITS - (not least), precision))
    text = _write_size(abs(value), kind, digits)
    text = _trim_zeros(text) if trim else text
    whole, rest = _split_whole(text)
    if form.comma:
        whole = f"{int(whole):,}" if whole else whole
    shown = whole + rest + ("%" if kind == "%" else "")
    return _MINUS + shown if value < 0 and float(text) != 0 else shown


def _write_size(value: float, kind: str, digits: int) -> str:
    """A number that is not below 0."""
    if kind == "d":
        return write_number(float(_round(value)))
    if kind in ("f", "%"):
        return format(_round_places(100 * value if kind == "%" else value, digits), "f")
    rounded = Context(prec=max(digits + (kind == "e"), 1), rounding=ROUND_HALF_UP).create_decimal(
        Decimal(value)
    )
    exponent = rounded.adjusted() if value else 0
    shown = "".join(map(str, rounded.as_tuple().digits)).ljust(digits + (kind == "e"), "0")
    if kind == "e" or (kind == "g" and not -7 < exponent < digits):
        return f"{shown[0]}{'.' + shown[1:] if shown[1:] else ''}e{exponent:+d}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + shown
    if len(shown) > exponent + 1:
        return f"{shown[: exponent + 1]}.{shown[exponent + 1 :]}"
    return shown.ljust(exponent + 1, "0")


def _round_places(value: float, places: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(prec=400))


def _trim_zeros(text: str) -> str:
    number, mark, exponent = text.partition("e")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return number + mark + exponent


def _split_whole(text: str) -> tuple[str, str]:
    match = re.match(r"\d*", text)
    end = match.end() if match else 0
    return text[:end], text[end:]
