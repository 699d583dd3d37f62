"""Operations of GPUs: to the calling contexts below what launched them, and to what they cost.

In:  operations and the ranges among which their launches are, already in the tree.
Out: the context of each operation and, by line and context, sums of each measure.

A placeholder such as `<gpu kernel>` stands between the call of the host and the kernel, as it does
in databases of HPCToolkit: there the host's part of a calling path ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.range_nesting import CallingContextTree, NestedRanges
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    Ints,
    OperationKind,
    RangeKind,
    Recording,
)

PLACEHOLDERS = {
    OperationKind.KERNEL: "<gpu kernel>",
    OperationKind.COPY_IN: "<gpu copyin>",
    OperationKind.COPY_OUT: "<gpu copyout>",
    OperationKind.COPY_WITHIN: "<gpu copy>",
    OperationKind.COPY_OTHER: "<gpu copy>",
    OperationKind.MEMSET: "<gpu memset>",
    OperationKind.OTHER: "<gpu op>",
    OperationKind.COPY_PEER: "<gpu peer copy>",
    OperationKind.MIGRATION: "<gpu migration>",
}
_RARE = (OperationKind.COPY_PEER, OperationKind.MIGRATION)
"""Of which a run without any has no placeholder."""
WORDS = {
    OperationKind.KERNEL: "kernel",
    OperationKind.COPY_IN: "copy H2D",
    OperationKind.COPY_OUT: "copy D2H",
    OperationKind.COPY_WITHIN: "copy D2D",
    OperationKind.COPY_OTHER: "copy",
    OperationKind.MEMSET: "memset",
    OperationKind.OTHER: "other",
    OperationKind.COPY_PEER: "copy P2P",
    OperationKind.MIGRATION: "migration",
}
"""Kinds as in table gpu_operation."""
COPIES = (
    OperationKind.COPY_IN,
    OperationKind.COPY_OUT,
    OperationKind.COPY_WITHIN,
    OperationKind.COPY_OTHER,
    OperationKind.COPY_PEER,
)
_BYTES = {
    OperationKind.COPY_IN: "copy_bytes:H2D",
    OperationKind.COPY_OUT: "copy_bytes:D2H",
    OperationKind.COPY_WITHIN: "copy_bytes:D2D",
    OperationKind.COPY_OTHER: "copy_bytes:other",
    OperationKind.COPY_PEER: "copy_bytes:P2P",
}
_OF_LAUNCHES = {
    "kernel_block_threads": "threads",
    "kernel_thread_registers": "registers",
    "kernel_static_shared": "static_shared",
    "kernel_dynamic_shared": "dynamic_shared",
    "kernel_shared": "shared",
}


@dataclass(frozen=True)
class LaunchedOperations:
    """What is known of operations beyond their columns, by position."""

    context: Ints
    call: Ints
    """Position of the range that launched each; NONE where no recorded call did."""


@dataclass(frozen=True)
class MeasuredCost:
    """One measure: amounts by line and context, each pair once or more."""

    measure: str
    line: Ints
    context: Ints
    amount: npt.NDArray[np.float64]


def place_operations(
    recording: Recording, nested: NestedRanges, tree: CallingContextTree, unknown: int, call: Ints
) -> LaunchedOperations:
    """Context of each operation, by the call that launched it; below `unknown` without one."""
    operations = recording.operations
    host = np.full(len(operations), unknown, np.int64)
    host[call != NONE] = nested.context[call[call != NONE]]
    kind, code = operations["kind"], operations["code"]
    told = {each for each in OperationKind if each not in _RARE or each in kind}
    placeholder = np.array(
        [
            recording.codes.of(CodePlace(PLACEHOLDERS[each])) if each in told else NONE
            for each in OperationKind
        ],
        np.int64,
    )
    # Places repeat: each is looked up once, in the order in which they came.
    place = (host * len(OperationKind) + kind) * (len(recording.codes) + 1) + code - NONE
    _, first, inverse = np.unique(place, return_index=True, return_inverse=True)
    found = np.zeros(len(first), np.int64)
    for position in np.argsort(first).tolist():
        row = first[position]
        above = tree.below(int(host[row]), int(placeholder[kind[row]]))
        found[position] = above if code[row] == NONE else tree.below(above, int(code[row]))
    return LaunchedOperations(found[inverse], call)


def find_launching_calls(recording: Recording) -> Ints:
    """The call that launched each operation: of the same correlation and process, the innermost.

    NONE where none was recorded.
    """
    ranges, operations = recording.ranges, recording.operations
    processes = np.array([line.process for line in recording.lines.all()], np.int64)
    wanted, process = operations["correlation"], processes[operations["line"]]
    rows = np.flatnonzero((ranges["kind"] == RangeKind.CALL) & (ranges["correlation"] != NONE))
    if not len(rows):
        return np.full(len(operations), NONE, np.int64)
    count = int(processes.max()) + 1
    numbers, each = np.unique(ranges["correlation"][rows], return_inverse=True)
    keys = each * count + processes[ranges["line"][rows]]
    order = np.argsort(keys, kind="stable")
    place = np.searchsorted(numbers, wanted)
    is_known = np.append(numbers, NONE)[place] == wanted
    asked = place * count + process
    last = np.searchsorted(keys[order], asked, side="right") - 1
    found = order[np.maximum(last, 0)]
    is_launched = is_known & (last >= 0) & (keys[found] == asked)
    return np.where(is_launched, rows[found], NONE)


def compute_costs(recording: Recording, launched: LaunchedOperations) -> Iterator[MeasuredCost]:
    """Times [s], counts, bytes and sizes of launches, summed over operations."""
    operations = recording.operations
    kind, line, context = operations["kind"], operations["line"], launched.context
    seconds = operations["duration"] / 1e9
    is_kernel, is_copy = kind == OperationKind.KERNEL, np.isin(kind, COPIES)
    is_memset = kind == OperationKind.MEMSET

    def cost(
        measure: str, amount: npt.NDArray[np.float64], chosen: npt.NDArray[np.bool_]
    ) -> MeasuredCost:
        return MeasuredCost(measure, line[chosen], context[chosen], amount[chosen])

    one, every = np.ones(len(operations)), np.ones(len(operations), bool)
    yield cost("gpu_operation_time", seconds, every)
    yield cost("kernel_time", seconds, is_kernel)
    yield cost("kernel_launches", one, is_kernel)
    yield cost("copy_time", seconds, is_copy)
    yield cost("copy_count", one, is_copy)
    yield cost("memset_time", seconds, is_memset)
    yield cost("memset_count", one, is_memset)
    if (is_migration := kind == OperationKind.MIGRATION).any():
        yield cost("implicit_copy_time", seconds, is_migration)
    for measure, name in _OF_LAUNCHES.items():
        size = operations[name]
        if (known := is_kernel & (size != NONE)).any() and (known == is_kernel).all():
            yield cost(measure, size.astype(np.float64), known)
    size = operations["bytes"]
    has_bytes = (is_copy & (size != NONE)).any()
    for each, measure in _BYTES.items():
        # What lacks its bytes in part would be a wrong rate: then none of the kind has any.
        # Where bytes are recorded, a kind without a copy has 0.
        if has_bytes and (size[of_kind := kind == each] != NONE).all():
            yield cost(measure, size.astype(np.float64), of_kind)
