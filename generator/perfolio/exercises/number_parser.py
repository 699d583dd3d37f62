"""Numbers as people type them: `1,29`, `1 234.5`, `3·10^8`, `61 ms`.

In:  raw text. Out: every number that it can be read as, and the unit behind it.

The grader of the browser has the same grammar: keep expressions to what both languages know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from perfolio.common.units import UNITS

LONGEST = 80
_CHARACTERS = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " ", "\u2212": "-", "\u2013": "-",
     "\u00b5": "u", "\u03bc": "u", "\u2019": "'"}
)  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_POWER = re.compile("10([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_TYPED = re.compile(
    r"^[~≈<>x×]? *([+-]?) *([0-9.,][0-9.,' ]*?)"
    r"(?: *[x×·⋅*] *10 *\^? *([+-]?[0-9]{1,3})|[eE]([+-]?[0-9]{1,3}))? *([^0-9.,' ][^0-9]*)?$"
)
_SPACED = re.compile(r"^[0-9]{1,3}(?:[ '][0-9]{3})+(?:[.,][0-9]+)?$")
_GROUPED = {
    ",": re.compile(r"^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$"),
    ".": re.compile(r"^[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?$"),
}
_EITHER = re.compile(r"^[1-9][0-9]{0,2},[0-9]{3}$")
_PLAIN = re.compile(r"^(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)$")

_LARGE = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_SMALL = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12}
_BINARY = {"Ki": 1024.0, "Mi": 1024.0**2, "Gi": 1024.0**3, "Ti": 1024.0**4}
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "s": ("s", "sec"),
    "CPU-s": ("CPU-s", "CPUs"),
    "thread-s": ("thread-s",),
    "B": ("B", "bytes"),
    "B/s": ("B/s", "bytes/s"),
    "FLOP": ("FLOP", "FLOPs"),
    "FLOP/s": ("FLOP/s", "FLOPs/s", "FLOPS"),
    "Hz": (
        "Hz",
        "/s",
        "1/s",
        "",
        "samples/s",
        "samples/sec",
        "samples/second",
        "sample/s",
        "images/s",
        "samplespersecond",
        "samplespersec",
        "iterations/s",
        "it/s",
        "launches/s",
        "/sec",
    ),
    "%": ("%", "percent"),
    "×": ("×", "x", "times"),
}
_TIMES = ("s", "CPU-s", "thread-s")


@dataclass(frozen=True)
class TypedNumber:
    """What a text was read as: one number, or two where a comma may stand for either."""

    values: tuple[float, ...]
    unit: str
    """As typed, without spaces, `µ` as `u`; empty where there is none."""


def parse_number(text: str) -> TypedNumber | None:
    """The number in `text`; None where it is none."""
    if len(text) > LONGEST:
        return None
    line = _POWER.sub(lambda match: "10^" + match[1].translate(_RAISED), text)
    match = _TYPED.match(line.translate(_CHARACTERS).strip())
    if match is None:
        return None
    read = _list_readings(match[2].strip())
    power = int(match[3] or match[4] or 0)
    values = tuple(float(f"{match[1]}{digits}e{power}") for digits in read)
    unit = (match[5] or "").replace(" ", "").rstrip(".")
    return TypedNumber(values, unit) if values else None


def _list_readings(body: str) -> tuple[str, ...]:
    """What digits with separators may mean: digits with at most one point."""
    if _SPACED.match(body):
        return (re.sub("[ ']", "", body).replace(",", "."),)
    if _EITHER.match(body):
        return body.replace(",", ""), body.replace(",", ".")
    if _PLAIN.match(body):
        return (body.replace(",", "."),)
    for group, pattern in _GROUPED.items():
        if pattern.match(body):
            return (body.replace(group, "").replace(",", "."),)
    return ()


def list_spellings(unit: str, near: float = 1.0) -> dict[str, float]:
    """How a value of `unit` (a name of `UNITS`) may be spelled: unit to factor to the base.

    Small prefixes are for times, and for values `near` which they are printed: of bytes, `mB` is
    a slip for `MB` otherwise.
    """
    known = UNITS[unit]
    symbol = known.symbol
    names = _ALIASES.get(symbol, (symbol, symbol.removesuffix("s")))
    if unit == "ratio":
        return dict.fromkeys(names, 0.01)
    if not known.scaled:
        return dict.fromkeys(names, 1.0) | (_LARGE if not symbol else {})
    is_tiny = 0.0 < abs(near) * known.factor < 1.0
    prefixes = _SMALL if symbol in _TIMES else _LARGE | _SMALL if is_tiny else _LARGE
    factors = {f"{p}{name}": f for name in names for p, f in prefixes.items()}
    if symbol == "s":
        factors |= {"min": 60.0, "h": 3600.0}
    if symbol in ("B", "B/s"):
        factors |= {f"{p}{symbol}": f for p, f in _BINARY.items()}
        bits = symbol.replace("B", "bit")
        factors |= {f"{p}{bits}": f / 8.0 for p, f in _LARGE.items()}
    return {name: factor / known.factor for name, factor in factors.items()}


def list_other_units() -> list[str]:
    """Units that a number without a unit cannot have, whatever is counted."""
    kinds = ("s", "CPU-s", "thread-s", "B", "B/s", "FLOP", "FLOP/s", "ratio")
    return sorted({name for kind in kinds for name in list_spellings(kind)})


def find_base_unit(spelled: str) -> tuple[str, float] | None:
    """The unit of `UNITS` and the factor of a unit as an author writes it: `ms`, `%`, `GB/s`."""
    if spelled in UNITS:
        return spelled, list_spellings(spelled).get(UNITS[spelled].symbol, 1.0)
    spelling = spelled.translate(_CHARACTERS)
    for name in UNITS:
        factor = list_spellings(name).get(spelling) if UNITS[name].symbol else None
        if factor is not None:
            return name, factor
    return None


def find_factor(unit: str, units: Mapping[str, float]) -> float | None:
    """The factor of a unit as typed; in the wrong case, the largest that it may stand for."""
    if unit in units:
        return units[unit]
    alike = (factor for name, factor in units.items() if name.lower() == unit.lower())
    return max(alike, default=None)
