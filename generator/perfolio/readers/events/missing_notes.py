"""What a recording lacks, in words for the reader of a report."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from perfolio.readers.events.clock_report import describe_clocks
from perfolio.readers.events.gpu_operations import COPIES
from perfolio.readers.events.recording import NONE, Recording


def describe_missing(recording: Recording) -> Iterator[str]:
    """What is not known of its operations, and of its clocks."""
    yield from describe_clocks(recording.clocks)
    yield from (doubt.says for doubt in recording.doubts)
    operations = recording.operations
    is_copy = np.isin(operations["kind"], COPIES)
    if unknown := int((is_copy & (operations["bytes"] == NONE)).sum()):
        yield f"{unknown:,} copies have no bytes: rates of copies of their kind are not known"
    if unlaunched := int((operations["correlation"] == NONE).sum()):
        yield f"{unlaunched:,} GPU operations name no call that launched them"
