"""Times, sizes and rates as people write them: "4.5 us ± 10 %", "4 MiB", "5.9 GB/s"."""

from __future__ import annotations

import re
from dataclasses import dataclass

TIMES = {"ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9}
SIZES = {
    "B": 1.0,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "KiB": 2.0**10,
    "MiB": 2.0**20,
    "GiB": 2.0**30,
}
FREQUENCIES = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}
LEAST, MOST = 1e-9, 1e18
"""In ns, B, B/s and Hz: beyond, no sum of some of them is a time of 64 bits."""
WIDEST = 10.0
NUMBER = r"\s*(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*"
AMOUNT = re.compile(NUMBER + r"([A-Za-zµ]+(?:/s)?)\s*")
SPREAD = re.compile(r"(.*?)(?:±|\+-)" + NUMBER + r"%\s*")


@dataclass(frozen=True)
class Duration:
    """A time that varies: log-normal with this mean and coefficient of variation."""

    mean: float = 0.0
    """[ns]"""
    spread: float = 0.0
    """Standard deviation over mean [ratio]."""


def parse_duration(text: str) -> Duration:
    """`4.5 us` or `4.5 us ± 10 %`. Raises ValueError for anything else."""
    varied = SPREAD.fullmatch(text)
    if varied is None:
        return Duration(_parse_amount(text, TIMES, "a time such as 4.5 us"))
    spread = float(varied[2]) / 100.0
    if spread > WIDEST:
        raise ValueError(f"must vary by {WIDEST:.0%} at most, not {text!r}")
    return Duration(_parse_amount(varied[1], TIMES, "a time such as 4.5 us ± 10 %"), spread)


def parse_size(text: str) -> int:
    """`4 MiB` in bytes. Raises ValueError for anything else."""
    return round(_parse_amount(text, SIZES, "a size such as 4 MiB"))


def parse_rate(text: str) -> float:
    """`5.9 GB/s` in bytes per second. Raises ValueError for anything else."""
    per_second = {f"{unit}/s": factor for unit, factor in SIZES.items()}
    return _parse_amount(text, per_second, "a rate such as 5.9 GB/s")


def parse_frequency(text: str) -> float:
    """`1.98 GHz` in Hz. Raises ValueError for anything else."""
    return _parse_amount(text, FREQUENCIES, "a frequency such as 1.98 GHz")


def _parse_amount(text: str, units: dict[str, float], wanted: str) -> float:
    found = AMOUNT.fullmatch(text)
    if found is None or found[2] not in units:
        raise ValueError(f"must be {wanted}, not {text!r}")
    value = float(found[1]) * units[found[2]]
    if value and not LEAST <= value <= MOST:
        raise ValueError(f"must be 0, or a usual amount, not {text!r}")
    return value
