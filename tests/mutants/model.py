"""What the parts of this package share: places where a text can be changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """Replace what stands from `start` to `stop` of a text."""

    kind: str
    """What is changed, in a word or two."""
    start: int
    stop: int
    new: str

    def applied(self, text: str) -> str:
        """The text after the change."""
        return text[: self.start] + self.new + text[self.stop :]


Mutator = Callable[[str], Iterator[Change]]
"""All changes that can be made to a text."""
