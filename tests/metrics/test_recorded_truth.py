"""Figures of recordings on an H200, beside what its own counters and PyTorch's objects say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from perfolio.metrics.run_measurement import evaluate
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Results

HERE = Path(__file__).parent
COUNTED = (
    ("a transformer at its limit of power", 1795989187.1630964, 1795989191.417688, 2948.728),
    ("a decoder that serves", 1795989198.1406298, 1795989202.1645138, 665.511),
    ("DLRM, replayed by a graph", 1795989203.128688, 1795989207.1433434, 1416.65),
)
"""Begin and end of steady steps [s], and what NVML's counter of energy rose between [J]."""
