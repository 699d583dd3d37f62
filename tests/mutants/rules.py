"""Mutations of a rule: its thresholds, and the comparisons in its conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.mutants.model import Change

_CHANGED_LINE = re.compile(
    r"^(?:thresholds|applies|target|direction):.*$|^::: where .*$", re.MULTILINE
)
_NUMBER = re.compile(r"(?<![\w.\[])\d+(?:\.\d+)?(?![\w.\]])")
_WORD = re.compile(r" (<=|>=|<|>|and|or) |(?<=direction: )(above|below)")
_OPPOSITES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "and": "or", "or": "and",
              "above": "below", "below": "above"}  # fmt: skip


def mutations(text: str) -> Iterator[Change]:
    """All changes of a rule that leave its words as they are."""
    for line in _CHANGED_LINE.finditer(text):
        for number in _NUMBER.finditer(line[0]):
            start, stop = line.start() + number.start(), line.start() + number.end()
            yield Change("number", start, stop, str(2 * float(number[0]) or 1.0))
        for word in _WORD.finditer(line[0]):
            group = word.lastindex or 0
            start, stop = line.start() + word.start(group), line.start() + word.end(group)
            yield Change("condition", start, stop, _OPPOSITES[word[group]])
