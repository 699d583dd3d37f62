"""Differences that are open, as data: each with a reason, and the recordings that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("known.yaml")


@dataclass(frozen=True)
class Known:
    """A figure that differs, in these seeds of each format, and why that is left so."""

    figure: str
    reason: str
    seeds: dict[str, list[int]]


def load_known(path: Path = FILE) -> Sequence[Known]:
    """All that are known."""
    return [Known(**entry) for entry in yaml.safe_load(path.read_text("utf-8")) or []]


def expected(form: str, seed: int, known: Sequence[Known]) -> set[str]:
    """The figures that differ in a recording, by what is known."""
    return {one.figure for one in known if seed in one.seeds.get(form, [])}
