"""Replays of a run for its findings, which know no store.

In:  a run of a store, its metrics document, and where to note how long it took.
Out: what findings ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb

from perfolio.findings.model.step_replay import AskReplay, StepReplay, StraggledRun
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_value
from perfolio.prediction.graph_work import find_run_stragglers
from perfolio.prediction.replay.change_file import name_changes
from perfolio.prediction.replay.savings import ReplayedRun
from perfolio.prediction.replay.step_savings import open_replay, replay_steps

UNPROFILED = "steps.unprofiled"
"""How long an iteration took without the profiler [s]."""
_NO_CALLS = (
    "calls of the GPU's runtime were not recorded, as PyTorch's profiler, Nsight Systems and "
    "rocprofv3 record them"
)


@dataclass(frozen=True)
class RunReplays:
    """A run whose graph is read when it is first asked for, once."""

    connection: duckdb.DuckDBPyConnection
    run: int
    plain: float | None
    """An iteration without the profiler, where that is known [s]."""
    stage: Callable[[str], AbstractContextManager[None]]

    @cached_property
    def opened(self) -> tuple[StepReplay, ReplayedRun | None] | None:
        """What is known of the run, and its replays if it can be replayed."""
        return open_replay(self.connection, self.run, self.plain)

    def __call__(self, codes: Sequence[str]) -> StepReplay | None:
        """See `AskReplay`."""
        changes = name_changes(codes)
        if not changes:
            return None
        with self.stage("replay"):
            return None if self.opened is None else replay_steps(*self.opened, changes)

    def find_stragglers(self, ranks: float) -> StraggledRun | None:
        """See `AskReplay`."""
        if ranks < 2:
            return None
        with self.stage("stragglers"):
            if self.opened is None:
                return StraggledRun(reason=_NO_CALLS)
            return find_run_stragglers(*self.opened)


def make_replay_query(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    metrics: Mapping[str, Any],
    stage: Callable[[str], AbstractContextManager[None]],
) -> AskReplay:
    """What replays a run, when findings ask for it."""
    return RunReplays(connection, run, get_value(read_results(metrics), UNPROFILED), stage)
