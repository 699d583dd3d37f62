"""What Hatchet leaves out of Caliper's records: time in no region, and kinds of operations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from perfolio.readers.events.gpu_operations import PLACEHOLDERS
from perfolio.readers.events.recording import OperationKind
from perfolio.readers.hatchet.call_places import (
    OUTSIDE,
    ROOT,
    CallPlace,
    CostedCallTree,
    Floats,
    PlaceAmounts,
    compute_own_amounts,
)
from perfolio.readers.hatchet.columns import ColumnMeaning
from perfolio.readers.hatchet.worker import HatchetTables

SUMS = {"time": "sum#time.duration", "time (inc)": "inclusive#sum#time.duration"}
"""Caliper's names of columns, by Hatchet's."""
_OPERATIONS = {"kernel": OperationKind.KERNEL, "memcpy": OperationKind.COPY_OTHER}
_MEASURES = {"kernel": "kernel_time", "memcpy": "copy_time"}


def add_outside(
    calls: CostedCallTree, framed: HatchetTables, kept: Mapping[str, ColumnMeaning]
) -> CostedCallTree:
    """With what Caliper recorded in no region: Hatchet leaves it out, and totals would lack it."""
    extra = np.zeros((len(kept), len(calls.threads)))
    for rank, sums in framed.told["outside"].items():
        for number, (column, meaning) in enumerate(kept.items()):
            line = next((n for n, t in enumerate(calls.threads) if str(t.rank) == rank), 0)
            extra[number, line] += sums.get(SUMS.get(column, column), 0.0) * meaning.factor
    if not extra.any():
        return calls
    calls.places.append(CallPlace(ROOT, OUTSIDE))
    calls.ranks = calls.ranks.moved(list(range(len(calls.places))), len(calls.places))
    calls.measures = [
        PlaceAmounts(
            each.measure, np.column_stack([each.amounts, extra[number]]), each.is_inclusive
        )
        for number, each in enumerate(calls.measures)
    ]
    return calls


def add_operations(calls: CostedCallTree, framed: HatchetTables) -> CostedCallTree:
    """With kernels and copies below placeholders, as all readers have them, and their times."""
    kinds = [row["kind"] for row in framed.places] + [""] * (len(calls.places) - len(framed.places))
    gpu = next((each for each in calls.measures if each.measure == "gpu_operation_time"), None)
    if gpu is None:
        return calls
    own, _ = compute_own_amounts(calls.places, gpu)
    measures = [*calls.measures]
    for kind, measure in _MEASURES.items():
        part = np.where([each == kind for each in kinds], own, 0.0)
        if part.any():
            measures.append(PlaceAmounts(measure, part, is_inclusive=False))
    places, numbers = _insert_placeholders(calls.places, kinds)
    calls.measures = [_move_amounts(each, numbers, len(places)) for each in measures]
    calls.ranks = calls.ranks.moved(numbers, len(places))
    calls.places = places
    return calls


def _insert_placeholders(
    places: list[CallPlace], kinds: list[str]
) -> tuple[list[CallPlace], list[int]]:
    """Places with a placeholder above each operation, and the new number of each."""
    found: list[CallPlace] = []
    numbers: list[int] = []
    for place, kind in zip(places, kinds, strict=True):
        parent = ROOT if place.parent == ROOT else numbers[place.parent]
        if kind in _OPERATIONS:
            found.append(CallPlace(parent, PLACEHOLDERS[_OPERATIONS[kind]]))
            parent = len(found) - 1
        numbers.append(len(found))
        found.append(place._replace(parent=parent))
    return found, numbers


def _move_amounts(each: PlaceAmounts, numbers: list[int], count: int) -> PlaceAmounts:
    """Amounts at the new numbers of their places; a placeholder has what is below it."""
    amounts: Floats = np.zeros((len(each.amounts), count))
    amounts[:, numbers] = each.amounts
    if each.is_inclusive:
        held = set(numbers)
        for number in range(count):
            if number not in held:
                amounts[:, number] = amounts[:, number + 1]
    return PlaceAmounts(each.measure, amounts, each.is_inclusive)
