"""What a tool measures, in words that all tools share.

In:  a tool's `measures.csv`: its names of metrics, with `*` for what a measure keeps of one.
Out: the measure of a name, and the name of a measure.

Queries ask for measures, so that they are the same whatever tool recorded a run. A name that the
table does not list is a measure of its own: an event of a processor, or what nothing here reads.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = "measures.csv"


@dataclass(frozen=True)
class Measure:
    """A row of the table."""

    name: str
    """As the tool writes it."""
    measure: str
    unit: str
    about: str


@cache
def load_measures(tool: Path) -> tuple[Measure, ...]:
    """The table in the folder of a tool's reader."""
    with (tool / FILE).open(encoding="utf-8", newline="") as file:
        return tuple(Measure(**row) for row in csv.DictReader(file))


def find_measure(name: str, known: tuple[Measure, ...]) -> str:
    """What a tool's metric measures: the first row that fits, else its own name."""
    found = (_replace_wildcard(name, each.name, each.measure) for each in known)
    return next(filter(None, found), name)


def find_tool_name(measure: str, known: tuple[Measure, ...]) -> str:
    """What a tool calls a measure; the measure where it has no name for it."""
    found = (_replace_wildcard(measure, each.measure, each.name) for each in known)
    return next(filter(None, found), measure)


def _replace_wildcard(text: str, pattern: str, new: str) -> str:
    """`new` with what `*` stands for in `text`; empty where the pattern does not fit."""
    found = _make_pattern(pattern).fullmatch(text)
    if found is None:
        return ""
    return new.replace("*", found[1]) if "*" in new else new


@cache
def _make_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a table, of which each run asks some thousand times."""
    return re.compile("(.+)".join(re.escape(part) for part in pattern.split("*")))
