"""Numbers and units as people read them."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.units import (
    UNITS,
    compute_half_width,
    format_interval_ends,
    format_threshold,
    quantity,
)

SCALES = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9,
          "T": 1e12, "P": 1e15, "E": 1e18}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "not measured"),
        (math.nan, "count", "not measured"),
        (7400.0, "count", "7,400"),
        (8.9049e-6, "s", "8.90 µs"),
        (0.0659, "s", "65.90 ms"),
        (1513.6, "s", "1,513.6 s"),
        (0.99999, "s", "1.00 s"),
        (0.0, "s", "0 s"),
        (441_944_740, "B", "441.9 MB"),
        (999_990, "B", "1.00 MB"),
        (512, "B", "512 B"),
        (5.98e9, "B/s", "5.98 GB/s"),
        (0.529, "ratio", "52.9 %"),
        (0.00109, "ratio", "0.11 %"),
        (0.0000001, "ratio", "<0.01 %"),
        (1.0, "ratio", "100.0 %"),
        (27.457779, "CPU-s", "27.46 CPU-s"),
        (0.0412, "CPU-s", "0.0412 CPU-s"),
        (1.0024, "x", "1.00×"),
        (0.998, "threads", "1 thread"),
        (3.974, "threads", "3.97 threads"),
        (45.35, "registers", "45.4 registers"),
        (1234567, "id", "1234567"),
        (1.12, "1", "1.12"),
        ("<b>", "text", "<b>"),
        (1.0, "threads", "1 thread"),
        (1, "samples", "1 sample"),
        (1.02, "threads", "1.02 threads"),
    ],
)
def test_quantity(value: object, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.3, "ratio", "30 %"),
        (0.0909, "ratio", "9.09 %"),
        (0.0099, "ratio", "0.99 %"),
        (0.0, "ratio", "0 %"),
        (10.0e-6, "s", "10 µs"),
        (0.5, "s", "500 ms"),
        (1.5e-6, "s", "1.5 µs"),
        (1000.0, "s", "1,000 s"),
        (1.25, "x", "1.25×"),
        (2.0, "x", "2×"),
        (100.0, "count", "100"),
        (0.0, "count", "0"),
        (2.05e9, "B/s", "2.05 GB/s"),
    ],
)
def test_a_threshold_has_no_digits_that_nobody_wrote(value: float, unit: str, text: str) -> None:
    assert format_threshold(value, unit) == text


def test_nanoseconds_of_cpu_time_are_printed_as_seconds() -> None:
    assert quantity(987_500_000.0, "CPU-ns") == "0.988 CPU-s"
    assert quantity(3_950_000_000.0, "CPU-ns") == "3.95 CPU-s"


@pytest.mark.parametrize(
    ("value", "low", "high", "unit", "text", "ends"),
    [
        (0.4137, 0.3837, 0.4437, "ratio", "41 %", ["38", "44"]),
        (0.4137, 0.4037, 0.4237, "ratio", "41.4 %", ["40.4", "42.4"]),
        (0.4137, 0.4129, 0.4145, "ratio", "41.4 %", ["41.3", "41.5"]),
        (0.41375, 0.4136, 0.4139, "ratio", "41.4 %", ["41.36", "41.39"]),
        (0.0091, 0.0041, 0.0141, "ratio", "0.9 %", ["0.4", "1.4"]),
        (0.0091, 0.0071, 0.0111, "ratio", "0.91 %", ["0.71", "1.1"]),
        (0.41, 0.01, 0.81, "ratio", "41 %", ["1", "81"]),
        (1.984, 1.684, 2.284, "x", "2.0×", ["1.7", "2.3"]),
        (0.1334, 0.1034, 0.1634, "s", "133 ms", ["103 ms", "163 ms"]),
        (12.345, 11.845, 12.845, "s", "12.3 s", ["11.8 s", "12.8 s"]),
        (0.4137, 0.4137, 0.4137, "ratio", "41.4 %", ["41.4", "41.4"]),
    ],
)
def test_no_digit_says_more_than_the_interval(
    value: float, low: float, high: float, unit: str, text: str, ends: list[str]
) -> None:
    assert quantity(value, unit, compute_half_width(low, high)) == text
    assert format_interval_ends(low, high, unit) == ends


@given(
    st.floats(1e-11, 1e18) | st.floats(-1e18, -1e-11),
    st.sampled_from(
        sorted(name for name, unit in UNITS.items() if unit.scaled and "-" not in name)
    ),
)
def test_what_is_printed_is_the_value(value: float, unit: str) -> None:
    """Rounding aside, number times prefix gives the value back, whatever its size."""
    match = re.fullmatch(rf"(-?[\d,.]+) ([pnµmkMGTPE]?){re.escape(UNITS[unit].symbol)}",
                         quantity(value, unit))  # fmt: skip
    assert match is not None
    number, prefix = float(match[1].replace(",", "")), match[2]
    step = 0.5 if unit == "B" and not prefix else 0.051 if abs(number) >= 100 else 0.0051
    assert number * SCALES[prefix] == pytest.approx(value, abs=step * SCALES[prefix], rel=1e-9)
    assert abs(number) < 1000 or prefix in ("", "E")


@given(st.floats(-1.0, 10.0))
def test_percentages_are_never_in_exponent_form(value: float) -> None:
    assert "e" not in quantity(value, "ratio")
