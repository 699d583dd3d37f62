"""Budgets of figures, and what is wrong with a figure."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("budgets.toml")


class Budget(NamedTuple):
    """What a figure may be."""

    limit: float
    target: float
    slack: float
    more: bool
    """Whether more is better."""

    def complaint(self, value: float) -> str:
        """What is wrong with a value; nothing where it keeps a tight budget."""
        worse = self.limit - value if self.more else value - self.limit
        if worse > 0:
            return f"{value:,.1f} is worse than its budget of {self.limit:,.0f}"
        is_done = value >= self.target if self.more else value <= self.target
        if -worse > self.slack and not (is_done and self.limit == self.target):
            return f"{value:,.1f} is far better than {self.limit:,.0f}: tighten {FILE.name}"
        return ""


def load_budgets() -> dict[str, Budget]:
    """The budget of each figure."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {
        name: Budget(one["limit"], one["target"], one.get("slack", 0), one.get("more", False))
        for name, one in found.items()
    }
