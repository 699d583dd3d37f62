"""A recording in the tree of its calling contexts: what its tables are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from perfolio.readers.events.gpu_operations import LaunchedOperations
from perfolio.readers.events.range_nesting import CallingContextTree, NestedRanges, Numbers
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


def mask_unknown(numbers: Ints | Numbers) -> pa.Array:
    """Numbers as an Arrow array in which NONE is null."""
    return pa.array(numbers, mask=numbers == NONE)


def repeat_words(words: Sequence[str | None], numbers: Ints) -> pa.Array:
    """The word of each number, held once: nothing of what is None, and the last word of NONE."""
    known = [word for word in words if word is not None]
    places = np.cumsum([word is not None for word in words], dtype=np.int32) - 1
    nothing = np.array([word is None for word in words], np.bool_)
    return pa.DictionaryArray.from_arrays(
        pa.array(places[numbers], mask=nothing[numbers]), pa.array(known, pa.string())
    )
