"""A run replayed with changes that somebody names.

In:  a profile, a scenario or a store, and changes. Out: a `ReplayedAnswer`, also as a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import to_builtins

from perfolio.charts.gallery_rendering import render_some
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache
from perfolio.common.errors import UsageError
from perfolio.findings.chart_tables import make_iteration_results
from perfolio.findings.model.step_replay import StepReplay
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.run_measurement import evaluate
from perfolio.pages.report_rendering import render_whatif
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.inputs import simulate_subject
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.pipeline.step_replays import UNPROFILED
from perfolio.prediction.formatting import format_prediction
from perfolio.prediction.graph_work import find_run_stragglers
from perfolio.prediction.model import Prediction
from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.iteration_timeline import draw_iteration
from perfolio.prediction.replay.saving_report import describe_savings
from perfolio.prediction.replay.step_savings import open_replay
from perfolio.readers.own_files import is_duckdb, is_export
from perfolio.store.connections import report_damage
from perfolio.store.database import open_store
from perfolio.store.run_lookup import find_run

ITERATION_CHART = "replayed_iteration"
_HINT = "bounds of steps stand in the report: perfolio build"


@dataclass(frozen=True)
class ReplayedAnswer:
    """What changes save, and the replay that says so, with an iteration if changes are named."""

    prediction: Prediction
    replay: StepReplay


def format_answer(answer: ReplayedAnswer, form: str) -> str:
    """The answer in one of the forms of predictions, or as a page (`html`)."""
    if form != "html":
        return format_prediction(answer.prediction, form)
    results = make_iteration_results(to_builtins(answer.replay))
    charts = render_some(results, [ITERATION_CHART], cache=Cache("charts"))
    return render_whatif(answer.prediction, charts.get(ITERATION_CHART))


def replay_subject(
    subject: Path, slug: str | None, changes: Sequence[Change], context: Context
) -> ReplayedAnswer:
    """What changes save of an iteration of a run; of none, what each known one saves alone.

    Raises UsageError where the run cannot be replayed.
    """
    if is_duckdb(subject) or is_export(subject):
        return _replay_store(subject, slug, changes, context)
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths([simulate_subject(subject, folder, context)], store, context)
        return _replay_store(store, slug, changes, context)


def _replay_store(
    store: Path, slug: str | None, changes: Sequence[Change], context: Context
) -> ReplayedAnswer:
    with report_damage(store), open_store(store, reproducible=True) as connection:
        run = find_run(connection, slug)
        with context.timings.stage("replay"):
            measured = evaluate(connection, run, {UNPROFILED: load_catalog()[UNPROFILED]})
            found = open_replay(connection, run, get_value(measured, UNPROFILED))
        if found is None:
            raise UsageError(
                "the run cannot be replayed: calls of the GPU's runtime were not recorded",
                hint="record events, with PyTorch's profiler, Nsight Systems or rocprofv3",
            )
        known, replayed = found
        if replayed is None:
            raise UsageError(f"the run cannot be replayed: {known.reason}", hint=_HINT)
        context.progress.start("replays", None)
        several = len(replayed.graph.ranks) > 1 and not changes
        stragglers = find_run_stragglers(known, replayed) if several else None
        prediction = describe_savings(known, replayed, changes, stragglers)
        drawn = draw_iteration(replayed.graph, changes) if changes else None
        return ReplayedAnswer(prediction, replace(known, timeline=drawn))
