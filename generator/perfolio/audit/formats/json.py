"""For programs: the entry `claims` of findings.json, with the run's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SCHEMA = "perfolio-audit/1"


def render(claims: Mapping[str, Any], run: str) -> str:
    """`{schema, run, title, source, tolerance, counts, claims}`."""
    return json.dumps({"schema": SCHEMA, "run": run, **claims}, indent=1) + "\n"
