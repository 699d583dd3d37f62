"""A recording in the tree of its calling contexts: what its tables are made from."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from perfolio.readers.events.gpu_operations import Launched
from perfolio.readers.events.range_nesting import Nested, Tree
from perfolio.readers.events.recording import NONE, Ints, Recording
from perfolio.readers.events.thread_lines import Lines

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
