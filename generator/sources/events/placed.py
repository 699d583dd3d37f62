"""A recording in the tree of its calling contexts: what its tables are made from."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from generator.sources.events.lines import Lines
from generator.sources.events.nesting import Nested, Tree
from generator.sources.events.operations import Launched
from generator.sources.events.recording import NONE, Ints, Recording

ENTRIES = {-2: "main thread", -3: "application thread", -4: "unknown entry"}
"""Entry points, by what stands for their code."""


@dataclass(frozen=True)
class Placed:
    """A recording in the tree of its calling contexts."""

    recording: Recording
    lines: Lines
    tree: Tree
    nested: Nested
    launched: Launched


def known(numbers: Ints) -> pa.Array:
    """Numbers as an Arrow array in which NONE is null."""
    return pa.array(numbers, mask=numbers == NONE)
