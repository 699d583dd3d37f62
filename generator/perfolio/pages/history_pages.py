"""The page of a series: when did which figure change, and the comparison of both sides of that.

In:  a study, its chart, and the folder of the comparison at each event. Out: files by their path
     relative to the page: index.md, history.json, charts/<name>.*.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

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
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render

DOCUMENT = "history.json"
SHORT = 10
"""Characters of a commit that are shown."""
MOST_EVENTS = 60
"""Latest ones that the page lists; all are in the document."""


def render_history(
    study: SeriesStudy, charts: Mapping[str, RenderedChart], compared: Mapping[SeriesEvent, str]
) -> dict[str, str | bytes]:
    """The files of a page; `compared` has the folder of an event's comparison."""
    events = list(reversed(study.events))
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
        file=DOCUMENT,
        words={"move": describe_move, "commit": lambda place: study.commits[place].commit[:SHORT]},
    )
    text = json.dumps(
        make_study_document(study), ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return {
        "index.md": add_tooltips("comparison", page),
        DOCUMENT: f"{text}\n",
        **list_chart_files(charts),
    }


def write_headline(study: SeriesStudy) -> str:
    """What the newest change is, as `Slower by 5.3 % since 3fa91c`."""
    newest = study.commits[-1].segment
    own = [event for event in study.events if event.segment == newest]
    timed = [event for event in own if event.time is not None]
    event = timed[-1] if timed else own[-1] if own else None
    if event is None:
        return f"No figure changed in {len(study.list_commits(newest))} commits."
    commit = study.commits[event.place].commit[:SHORT]
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
