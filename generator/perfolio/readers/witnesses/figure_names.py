"""The words in which tools and programs tell figures of a run, each with its unit."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from perfolio.readers.witnesses.model import Witness

FILE = Path(__file__).with_name("figure_names.csv")


@cache
def load_units() -> dict[str, str]:
    """The unit of each figure, by its name."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["unit"] for row in csv.DictReader(file)}


def tell_figure(found: Witness, name: str, value: float | None) -> None:
    """Add a figure of figure_names.csv; nothing where the file does not tell it."""
    if value is not None:
        found.add("told_figure", (name, value, load_units()[name]))


def add_doubt(found: Witness, figure: str, said: str, held: str, why: str) -> None:
    """Add a figure that the file's own content contradicts."""
    found.add("told_doubt", (figure, said, held, why))
