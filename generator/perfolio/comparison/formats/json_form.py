"""For programs: the whole document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def render(document: Mapping[str, Any]) -> str:
    """The document, as the schema of comparison.json says."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
