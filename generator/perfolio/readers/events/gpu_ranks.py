"""Ranks of processes that no tool names: each has GPUs of its own.

In:  a recording of several processes without ranks. Out: the same with ranks, and a note.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from perfolio.readers.events.recording import OperationKind, Recording


def rank_by_gpus(recording: Recording) -> Iterator[str]:
    """Number processes by their GPUs, where all that run kernels have none in common."""
    if any(process.rank is not None for process in recording.processes):
        return
    gpus = _collect_process_gpus(recording)
    every = [gpu for own in gpus.values() for gpu in own]
    if len(gpus) < 2 or len(set(every)) < len(every):
        return
    for rank, number in enumerate(sorted(gpus, key=lambda number: (min(gpus[number]), number))):
        recording.processes[number] = replace(recording.processes[number], rank=rank)
    yield (
        f"{len(gpus)} processes run kernels, each on GPUs of its own, and none has a rank: they "
        "count as ranks, in the order of their GPUs"
    )


def _collect_process_gpus(recording: Recording) -> dict[int, set[tuple[int, int]]]:
    """Of each process that runs kernels, the host and number of the GPUs on which it does."""
    lines = recording.lines.all()
    kernels = recording.operations["kind"] == OperationKind.KERNEL
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for number in np.unique(recording.operations["line"][kernels]).tolist():
        line = lines[number]
        node = recording.processes[line.process].node
        found[line.process].add((-1 if node is None else node, line.device))
    return found
