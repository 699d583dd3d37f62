"""The pages of studies: a series of runs over commits, and runs of several sizes.

In:  a study and its charts; of a series also the folder of the comparison at each event. Out: files
     by their path relative to the page: index.md, history.json or scaling.json, charts/<name>.*,
     exercises/; of sizes also times.jsonl and talp/runs/.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.charts.model import RenderedChart
from perfolio.common.units import quantity
from perfolio.comparison.history.series_gate import describe_move
from perfolio.comparison.history.series_study import (
    LEAST_COMMITS,
    LEAST_REPEATS,
    SeriesEvent,
    SeriesStudy,
    make_study_document,
)
from perfolio.comparison.scaling import scaling_tables
from perfolio.comparison.scaling.scaling_exports import TALP_FOLDER, format_extrap, format_talp
from perfolio.comparison.scaling.scaling_study import ScalingStudy, make_scaling_document
from perfolio.pages.exercise_pages import render_study_exercises
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render

HISTORY = "history.json"
SCALING = "scaling.json"
TIMES = "times.jsonl"
SHORT = 10
"""Characters of a commit that are shown."""
MOST_EVENTS = 60
"""Latest ones that the page lists; all are in the document."""


def render_history(
    study: SeriesStudy, charts: Mapping[str, RenderedChart], compared: Mapping[SeriesEvent, str]
) -> dict[str, str | bytes]:
    """The files of the page of a series; `compared` has the folder of an event's comparison."""
    events = list(reversed(study.events))
    document = make_study_document(study)
    exercises = render_study_exercises(document)
    page = render(
        "comparison/history.md.j2",
        study=study,
        charts=charts,
        headline=write_headline(study),
        advice=write_advice(study, events, compared),
        notes=list_notes(study),
        events=events[:MOST_EVENTS],
        left=max(0, len(events) - MOST_EVENTS),
        compared=compared,
        file=HISTORY,
        has_exercises=bool(exercises),
        words={"move": describe_move, "commit": lambda place: study.commits[place].commit[:SHORT]},
    )
    return {
        **exercises,
        "index.md": add_tooltips("comparison", page),
        HISTORY: _format_document(document),
        **list_chart_files(charts),
    }


def write_headline(study: SeriesStudy) -> str:
    """What the newest change is, as `Slower by 5.3 % since 3fa91c`."""
    event = study.told
    if event is None:
        own = study.list_commits(study.commits[-1].segment)
        return f"No figure changed in {len(own)} commits."
    told = event.time or event.moved[0]
    commit = study.commits[told.change.place].commit[:SHORT]
    if event.time is not None:
        change = event.time.change.change
        by = f" by {quantity(abs(change), 'ratio')}" if change else ""
        return f"{'Slower' if event.time.is_worse else 'Faster'}{by} since {commit}."
    kind = "worse" if event.moved[0].is_worse else "better"
    return f"{event.moved[0].figure.title}: {kind} since {commit}."


def write_advice(
    study: SeriesStudy, events: Sequence[SeriesEvent], compared: Mapping[SeriesEvent, str]
) -> str:
    """What to do now."""
    worse = [event for event in events if any(one.is_worse for one in event.moved)]
    if worse:
        commit = study.commits[worse[0].place].commit[:SHORT]
        place = "its comparison below" if worse[0] in compared else "that commit"
        return f"Look at {commit} first: {place} says what takes more."
    if events:
        return "Nothing: each change was for the better."
    return "Nothing to act on: no figure changed."


def list_notes(study: SeriesStudy) -> list[str]:
    """What limits what the page can tell."""
    newest = study.commits[-1].segment
    own = [one for one in study.commits if one.segment == newest]
    notes = []
    if len(own) < LEAST_COMMITS:
        notes.append(f"{len(own)} commits: changes of times need {LEAST_COMMITS} of one machine.")
    if own and min(len(one.runs) for one in own) < LEAST_REPEATS:
        notes.append(
            f"Some commits have fewer than {LEAST_REPEATS} runs, so that one slow run counts."
        )
    if len(study.machines) > 1:
        notes.append(
            f"{len(study.machines)} groups of machine and work: none is compared with another."
        )
    return notes


def render_scaling(
    study: ScalingStudy, charts: Mapping[str, RenderedChart]
) -> dict[str, str | bytes]:
    """The files of the page of a study of sizes."""
    document = make_scaling_document(study)
    talp = {f"{TALP_FOLDER}/{path}": text for path, text in format_talp(study).items()}
    exercises = render_study_exercises(document)
    page = render(
        "comparison/scaling.md.j2",
        study=study,
        charts=charts,
        headline=scaling_tables.write_headline(study),
        advice=scaling_tables.write_advice(study),
        notes=scaling_tables.list_notes(study),
        factors=scaling_tables.tabulate_factors(study),
        tables=scaling_tables.list_scaling_tables(study)[1:],
        files=(SCALING, TIMES),
        talp=list(talp)[-1],
        has_exercises=bool(exercises),
    )
    return {
        **exercises,
        "index.md": add_tooltips("comparison", page),
        SCALING: _format_document(document),
        TIMES: format_extrap(study),
        **talp,
        **list_chart_files(charts),
    }


def _format_document(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{text}\n"
