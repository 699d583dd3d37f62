"""What the steps of a roadmap save in a replay of their run, and what stops more.

In:  the tables of a run, the time of an iteration without the profiler if it is known, and the
     changes that stand for the steps.
Out: a `StepReplay`; none where calls were not recorded.

A profiler's work lies between and within calls. So all of the host's work takes a factor of its
time, the one with which the replay gives the iteration that was measured without the profiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import duckdb

from perfolio.findings.model.step_replay import (
    ReplayedResource,
    ReplayedShare,
    ReplayedStep,
    StepReplay,
)
from perfolio.prediction.replay.change_file import Change, load_changes
from perfolio.prediction.replay.changed_host import scale_host, scale_launches
from perfolio.prediction.replay.graph_extraction import QUERIES, extract_graph
from perfolio.prediction.replay.iteration_timeline import draw_iteration
from perfolio.prediction.replay.launch_graph import LaunchGraph
from perfolio.prediction.replay.savings import ReplayedRun, ReplayedSaving, measure_graph
from perfolio.store.run_tables import make_run_tables

_HALVINGS = 9
_CLOSE = 1.005
"""Of the search for what the profiler cost."""
LESS = 0.9
"""What is left of a resource to see whether it stops the run [ratio]."""
_LEAST = 0.001
"""Resources that stop less than this are not told [ratio]."""
_RESOURCES: Mapping[str, Change] = {
    title: Change(title=title, kind=kind, source="-", factor=LESS, name=title)
    for title, kind in (
        ("Kernels", "scale kernels"),
        ("Host's work between calls", "scale host"),
        ("Launches", "scale launches"),
        ("Copies", "scale copies"),
        ("Collectives", "scale collectives"),
    )
} | {
    "Loading of input": Change(
        title="Loading of input", kind="remove loading", source="-", factor=LESS, name="loading"
    )
}


def open_replay(
    connection: duckdb.DuckDBPyConnection, run: int, plain: float | None
) -> tuple[StepReplay, ReplayedRun | None] | None:
    """A run of a store, ready to be replayed: what is known of it, and its replays if it can be.

    `plain` is the time of an iteration without the profiler [s]. None where calls or operations
    were not recorded.
    """
    with make_run_tables(connection, run, QUERIES) as tables:
        found = extract_graph(tables)
    if found is None:
        return None
    graph, judged = found
    recorded = ReplayedRun(graph).recorded
    known = StepReplay(
        reason=judged.reason,
        unexplained=judged.unexplained,
        recorded=recorded.step,
        plain=None if graph.is_recording else plain,
        host=1.0,
        unchanged=recorded.step,
        iterations=recorded.steps,
        is_recording=graph.is_recording,
    )
    if judged.reason:
        return known, None
    factor = remove_profiler_cost(graph, known.plain) if known.plain else 1.0
    replayed = ReplayedRun(graph)
    return replace(known, host=factor, unchanged=replayed.unchanged.step), replayed


def replay_steps(
    known: StepReplay, replayed: ReplayedRun | None, changes: Mapping[str, str]
) -> StepReplay:
    """The same with steps, by code, in the order in which they save most together."""
    if replayed is None or not changes:
        return known
    files = load_changes()
    codes: dict[str, list[str]] = {}
    for code, name in changes.items():
        codes.setdefault(_choose_change(replayed, files, name), []).append(code)
    asked = {name: files[name] for name in codes if name in files}
    steps: list[ReplayedStep] = []
    added = 0.0
    for together in replayed.find_order(asked):
        name = together.names[-1]
        alone = replayed.compute_saving([asked[name]])
        added += (alone.low + alone.high) / 2.0
        steps.append(
            ReplayedStep(
                codes=tuple(codes[name]),
                change=name,
                title=asked[name].title,
                alone=_make_share(alone),
                error=alone.error,
                added=added,
                together=_make_share(together),
                is_nothing=alone.is_nothing,
                least=alone.is_least,
            )
        )
    taken = [asked[step.change] for step in steps]
    return replace(
        known,
        steps=tuple(steps),
        resources=find_resources(replayed, taken),
        timeline=draw_iteration(replayed.graph, taken) if taken else None,
    )


def _choose_change(replayed: ReplayedRun, files: Mapping[str, Change], name: str) -> str:
    """A change, or what stands in its place where it concerns nothing in the run."""
    other = files[name].otherwise if name in files else ""
    if other not in files or replayed.compute_saving([files[name]]).touched:
        return name
    return other


def find_resources(
    replayed: ReplayedRun, changes: Sequence[Change]
) -> tuple[ReplayedResource, ...]:
    """What an iteration gains where one resource takes 10 % less, as it is and after changes.

    Each is a share of its own iteration: what changes leave is the whole of the second.
    """
    found = []
    before = replayed.compute_saving(changes).high if changes else 0.0
    for title, less in _RESOURCES.items():
        now = replayed.compute_saving([less])
        after = replayed.compute_saving([*changes, less]) if changes else now
        gained = (after.high - before) / (1.0 - before) if before < 1.0 else 0.0
        if max(now.high, gained) >= _LEAST and now.touched:
            found.append(ReplayedResource(title, max(0.0, now.high), max(0.0, gained)))
    return tuple(sorted(found, key=lambda one: -one.now))


def _make_share(saving: ReplayedSaving) -> ReplayedShare:
    return ReplayedShare(saving.low, saving.high)


def remove_profiler_cost(graph: LaunchGraph, step: float) -> float:
    """Multiply the host's work so that an iteration takes `step` seconds; the factor.

    1 where it takes no longer as recorded, 0 where even no work of the host would be too long: then
    nothing is changed.
    """
    if measure_graph(graph).step <= _CLOSE * step:
        return 1.0
    low, high = 0.0, 1.0
    if _measure_scaled(graph, low) > _CLOSE * step:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if _measure_scaled(graph, middle) > step else (middle, high)
    _scale(graph, high)
    return high


def _measure_scaled(graph: LaunchGraph, factor: float) -> float:
    changed = graph.copy()
    _scale(changed, factor)
    return measure_graph(changed).step


def _scale(graph: LaunchGraph, factor: float) -> None:
    change = Change(title="-", kind="-", source="-", factor=factor)
    scale_host(graph, change)
    scale_launches(graph, change)
