"""What a change does to a launch graph: a function for each kind.

In:  a graph that may be changed, and a `Change`. Out: how many calls or operations it touched.

Columns are changed in place: a time, the kind of a call, what a call holds. An operation that goes
keeps its place with no time and no call, so that numbers stay what they are. To add a kind: a
function here or in a module that this one imports, and a line of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from perfolio.common.errors import ContentError
from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.changed_host import (
    add_workers,
    capture_graphs,
    explain_workers,
    remove_loading,
    remove_waits,
    scale_host,
    scale_launches,
)
from perfolio.prediction.replay.changed_kernels import (
    explain_device,
    fuse_chains,
    fuse_updates,
    move_device,
    scale_kernels,
)
from perfolio.prediction.replay.changed_transfers import (
    equalise_ranks,
    make_asynchronous,
    merge_copies,
    overlap_collectives,
    scale_collectives,
    scale_copies,
)
from perfolio.prediction.replay.launch_graph import LaunchGraph

Apply = Callable[[LaunchGraph, Change], int]

KINDS: Mapping[str, Apply] = {
    "scale kernels": scale_kernels,
    "fuse chains": fuse_chains,
    "fuse updates": fuse_updates,
    "scale host": scale_host,
    "scale launches": scale_launches,
    "remove waits": remove_waits,
    "remove loading": remove_loading,
    "add workers": add_workers,
    "merge copies": merge_copies,
    "make copies asynchronous": make_asynchronous,
    "scale copies": scale_copies,
    "scale collectives": scale_collectives,
    "overlap collectives": overlap_collectives,
    "equalise ranks": equalise_ranks,
    "another device": move_device,
    "capture graphs": capture_graphs,
}
"""By name, in the order in which they are made: what goes, before what holds or moves the rest."""


REASONS: Mapping[str, Callable[[LaunchGraph, Change], str]] = {
    "add workers": explain_workers,
    "another device": explain_device,
}
"""Of kinds that may tell nothing of a run for reasons of their own: why."""


def explain_nothing(graph: LaunchGraph, change: Change) -> str:
    """Why a change that touched nothing did not."""
    told = REASONS.get(change.kind)
    return (told(graph, change) if told else "") or "nothing in this run is what it changes"


def apply_changes(graph: LaunchGraph, changes: Sequence[Change]) -> int:
    """Make changes in the order of `KINDS`, so that they do the same in whatever order they come.

    A graph would hide launches from what fuses kernels, say. Raises ContentError.
    """
    order = list(KINDS)
    ordered = sorted(changes, key=lambda one: order.index(one.kind) if one.kind in KINDS else -1)
    return sum(apply_change(graph, change) for change in ordered)


def apply_change(graph: LaunchGraph, change: Change) -> int:
    """Make a change. Raises ContentError where nothing is of its kind."""
    if change.kind not in KINDS:
        raise ContentError(
            f"{change.name}: no change is of kind {change.kind[:60]!r}", hint=", ".join(KINDS)
        )
    return KINDS[change.kind](graph, change)
