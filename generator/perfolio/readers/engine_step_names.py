"""Names that engines which serve a language model give their steps.

In:  `engine_step_names.csv`: an engine, and a pattern of its names whose groups are, in this order,
     requests and tokens of prompts, requests and tokens of answers; one that a name lacks is empty.
     Rows of a kind alone, without an engine, name what surrounds a step or lies in it.
Out: whether a name is one of these.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("engine_step_names.csv")
_LONGEST = 500
"""Characters of a name that are looked at."""


@cache
def _load_patterns() -> tuple[re.Pattern[str], ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(re.compile(row["pattern"]) for row in csv.DictReader(file) if row["engine"])


def names_engine_step(name: str) -> bool:
    """Whether an engine gives its steps such a name."""
    shown = name[:_LONGEST]
    return any(pattern.search(shown) for pattern in _load_patterns())
