"""Replays of a run for its findings, which know no store.

In:  a run of a store, its metrics document, and where to note how long it took.
Out: what findings ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import duckdb

from perfolio.findings.model.step_replay import AskReplay, StepReplay
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_value
from perfolio.prediction.replay.change_file import name_changes
from perfolio.prediction.replay.step_savings import open_replay, replay_steps

UNPROFILED = "steps.unprofiled"
"""How long an iteration took without the profiler [s]."""


def make_replay_query(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    metrics: Mapping[str, Any],
    stage: Callable[[str], AbstractContextManager[None]],
) -> AskReplay:
    """What replays a run with steps, when findings ask for it."""
    plain = get_value(read_results(metrics), UNPROFILED)

    def ask(codes: Sequence[str]) -> StepReplay | None:
        changes = name_changes(codes)
        if not changes:
            return None
        with stage("replay"):
            found = open_replay(connection, run, plain)
            return None if found is None else replay_steps(*found, changes)

    return ask
