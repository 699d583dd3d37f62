"""Real databases for tests: they lie beside the checkout and are never part of it."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PERFOLIO_SHARED", ROOT.parent / "shared"))


def database(name: str) -> Path:
    """Folder of a real database such as `dlrm-h100-gpu.d`; skips the test where it is absent."""
    for group in ("recorded", "public"):
        path = SHARED / "databases" / group / name
        if path.is_dir():
            return path
    pytest.skip(f"needs the real database {name} in {SHARED / 'databases'} (set PERFOLIO_SHARED)")


@cache
def golden() -> dict[str, dict[str, Any]]:
    """Counts and totals by HPCToolkit's own reader, per database; empty where absent."""
    path = SHARED / "databases" / "golden.json"
    return json.loads(path.read_text()) if path.is_file() else {}


def recorded(name: str) -> Path:
    """A file or folder such as `inputs/nsys/x.sqlite`; skips the test where it is absent."""
    path = SHARED / name
    if path.exists():
        return path
    pytest.skip(f"needs the recorded input {name} in {SHARED} (set PERFOLIO_SHARED)")


@cache
def golden_inputs() -> dict[str, dict[str, Any]]:
    """What another program counts in `inputs`, by kind and file; empty where absent."""
    path = SHARED / "inputs" / "golden.json"
    return json.loads(path.read_text()) if path.is_file() else {}
