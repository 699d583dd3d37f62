"""Numbers and units of other tools' texts to numbers in base units."""

from __future__ import annotations

import math
import re

_TIMES = {
    "s": 1.0, "sec": 1.0, "second": 1.0, "ms": 1e-3, "msecond": 1e-3, "us": 1e-6, "usecond": 1e-6,
    "ns": 1e-9, "nsecond": 1e-9,
}  # fmt: skip
_PREFIXES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_SCALED = re.compile(
    r"(?P<prefix>[KMGTP])(?:byte|hz|inst|cycle|sector|request|warp|thread|block)s?"
)
_BINARY = {"KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
_OTHERS = {"%": 0.01, "MHz": 1e6, "GHz": 1e9, "mW": 1e-3, **_BINARY, **_TIMES}
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_COMMA = re.compile(r"[-+]?\d+(?:\.\d{3})*,\d+")
_MOST = 60
"""Characters of a number."""


def find_factor(unit: str) -> float:
    """What a value in `unit` is multiplied with: B, s, Hz, a ratio for %; 1 for other units."""
    above, _, below = unit.strip().partition("/")
    return _find_single_factor(above) / _TIMES.get(below, 1.0)


def _find_single_factor(unit: str) -> float:
    if unit in _OTHERS:
        return _OTHERS[unit]
    found = _SCALED.fullmatch(unit)
    return _PREFIXES[found["prefix"]] if found else 1.0


def parse_number(text: str, *, decimal_comma: bool = False) -> float | None:
    """A finite number as tools print it: 53,261,312 or 9.00, or 9,00; None for anything else."""
    cell = text.strip()
    if not cell or len(cell) > _MOST:
        return None
    if decimal_comma and _COMMA.fullmatch(cell):
        cell = cell.replace(".", "").replace(",", ".")
    elif _GROUPED.fullmatch(cell):
        cell = cell.replace(",", "")
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in cell else None


def has_decimal_comma(text: str) -> bool:
    """Whether a number can only be one with a comma for the decimal point."""
    return bool(_COMMA.fullmatch(text.strip())) and not _GROUPED.fullmatch(text.strip())
