"""What an item's module gets to make its part of a sheet from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from perfolio.exercises.model import Item, NotAskedError
from perfolio.exercises.run_view import Run

Say = Callable[[str], str]
"""An author's text, with values of the run in it, as plain words. NotAskedError: one is missing."""
_SENTENCES = re.compile(r"((?<=[.!?])\s+)")


@dataclass(frozen=True)
class ItemContext:
    """One item on one run."""

    item: Item
    run: Run
    before: Run | None
    """The run before the change, where the exercise names one."""
    runs: Mapping[str, Run]
    """All runs beside it, by slug."""
    seed: tuple[str, ...]
    """What the order of options depends on: exercise, run, variant, item."""
    say: Say
    earlier: Mapping[str, float]
    """Values of the items that this one follows, by their names in expressions."""
    ids: Mapping[str, str]
    """Their ids by the same names."""

    def fill_known(self, text: str) -> str:
        """A text that goes without what this run lacks."""
        return fill_known_sentences(text, self.say)


def fill_known_sentences(text: str, say: Say) -> str:
    """A text without those of its sentences that need a value which the run lacks."""
    if (complete := fill_if_known(text, say)) is not None:
        return complete
    known = ""
    parts = ["", *_SENTENCES.split(text)]
    for space, sentence in zip(parts[::2], parts[1::2], strict=True):
        if (words := fill_if_known(sentence, say)) is not None:
            known += f"{space if known else ''}{words}"
    return known


def fill_if_known(text: str, say: Say) -> str | None:
    """A text with its values; None where the run lacks one of them."""
    try:
        return say(text)
    except NotAskedError:
        return None
