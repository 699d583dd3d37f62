"""What an item's module gets to make its part of a sheet from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from generator.worksheets.model import Item
from generator.worksheets.run import Run

Say = Callable[[str], str]
"""An author's text, with values of the run in it, as plain words."""


@dataclass(frozen=True)
class Making:
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
