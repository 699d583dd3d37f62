"""Functions and who calls whom to calls, of what Hatchet reads from tools that record no paths."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from perfolio.readers.hatchet.call_graph import ROUNDED, make_function_tree
from perfolio.readers.hatchet.call_places import CostedCallTree, PlaceAmounts
from perfolio.readers.hatchet.worker import HatchetTables


def spread_calls(calls: CostedCallTree, framed: HatchetTables) -> CostedCallTree:
    """A tree of paths in place of functions and who calls whom."""
    edges: dict[tuple[int, int], float] = {}
    for row in framed.edges:
        pair = (row["caller"], row["called"])
        edges[pair] = edges.get(pair, 0.0) + max(row["amount"], 0.0)
    own = calls.measures[0].amounts[0]
    whole = framed.amounts.select(["place", "metric time (inc)"]).to_pylist()
    inclusive = [0.0] * len(calls.places)
    for row in whole:
        if row["place"] >= 0:
            inclusive[row["place"]] = float(row["metric time (inc)"] or 0.0)
    paths = make_function_tree(own.tolist(), inclusive, edges)
    places = [
        calls.places[function]._replace(parent=parent)
        for function, parent in zip(paths.functions, paths.parents, strict=True)
    ]
    calls.notes.append(
        "the tool records who calls whom, and no calling paths: what a function costs is divided "
        "among its callers by what their calls cost"
    )
    calls.notes += list(_describe_losses(paths.circles, paths.lost, float(own.sum())))
    measure = PlaceAmounts(calls.measures[0].measure, np.array([paths.amounts]), is_inclusive=False)
    return CostedCallTree(places, calls.threads, [measure], calls.notes, calls.title, calls.version)


def _describe_losses(circles: int, lost: float, total: float) -> Iterator[str]:
    if circles:
        yield (
            f"{circles} functions call each other in circles: they stand below the one by which a "
            "circle is entered"
        )
    if lost > ROUNDED * 1e-3 * total:
        yield f"paths beyond the largest ones, with {lost / total:.2%} of the total, are left out"
