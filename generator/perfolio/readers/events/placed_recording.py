"""A recording in the tree of its calling contexts: what its tables are made from."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from perfolio.readers.events.gpu_operations import LaunchedOperations
from perfolio.readers.events.range_nesting import CallingContextTree, NestedRanges
from perfolio.readers.events.recording import NONE, Ints, Recording
from perfolio.readers.events.thread_lines import ProfileLines

ENTRIES = {-2: "main thread", -3: "application thread", -4: "unknown entry"}
"""Entry points, by what stands for their code."""


@dataclass(frozen=True)
class PlacedRecording:
    """A recording in the tree of its calling contexts."""

    recording: Recording
    lines: ProfileLines
    tree: CallingContextTree
    nested: NestedRanges
    launched: LaunchedOperations


def mask_unknown(numbers: Ints) -> pa.Array:
    """Numbers as an Arrow array in which NONE is null."""
    return pa.array(numbers, mask=numbers == NONE)
