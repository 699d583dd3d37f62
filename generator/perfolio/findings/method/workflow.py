"""The steps of an analysis on one run: what was done, what it shows, and the next command.

In:  results, `workflow/<n>-<key>.yaml`.
Out: the entry `workflow` of findings.json.

A task is done where one of its metrics has a value: whatever tool measured it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.findings.model.conditions import fill_template, get_field_metric, is_met, look_up
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import ByVendor, Conditions, ContentEntry, Line
from perfolio.findings.model.run_traits import find_gpu_vendor, find_setting
from perfolio.metrics.caveats import filter_commands
from perfolio.metrics.model import Results
from perfolio.metrics.run_commands import prepare_command

FOLDER = Path(__file__).parent / "workflow"


class WorkflowTask(ContentEntry, frozen=True, kw_only=True):
    """One thing that a step asks for."""

    what: Line
    done: tuple[str, ...]
    """Metrics, or cells of tables, of which one has a value once it is done."""
    shows: tuple[Line, ...]
    """What this run shows: the first one whose fields are all measured."""
    collect: ByVendor
    """The command that does it."""
    applies: Conditions = Conditions()
    """Where one of these does not hold, nobody needs it."""


class WorkflowStep(ContentEntry, frozen=True, kw_only=True):
    """One step, as its file describes it."""

    title: Line
    about: Line
    tasks: tuple[WorkflowTask, ...]


@reload_when_edited(FOLDER)
def load_workflow(folder: Path) -> tuple[WorkflowStep, ...]:
    """The steps in order. ContentError where a file is faulty."""
    return tuple(read_file(path, WorkflowStep) for path in sorted(folder.glob("*.yaml")))


def describe_workflow(results: Results, tool: str = "") -> list[dict[str, Any]]:
    """The steps on this run of a tool."""
    return [
        {
            "title": step.title,
            "about": step.about,
            "tasks": [_describe_task(task, results, tool) for task in step.tasks],
        }
        for step in load_workflow()
    ]


def _describe_task(task: WorkflowTask, results: Results, tool: str) -> dict[str, Any]:
    by = next((each for each in task.done if _has_value(each, results)), "")
    shows = (
        next((text for each in task.shows if (text := fill_template(each, results))), "")
        if by
        else ""
    )
    hidden = look_up("run.hidden_work", results)
    # What is hidden is not known, and so still to be found out.
    enough = (True, None) if hidden is not None and hidden.value else (True,)
    needed = all(is_met(each, results) in enough for each in task.applies)
    state = "done" if by else "open" if needed else "not needed"
    command = filter_commands(task.collect.of(find_gpu_vendor(results)), tool)
    return {
        "what": task.what,
        "state": state,
        "metric": get_field_metric(by or task.done[0]),
        "shows": shows,
        "collect": prepare_command(command, find_setting(results)) if state == "open" else "",
    }


def _has_value(field: str, results: Results) -> bool:
    """Whether a scalar, a cell, or any row of a table is measured."""
    result = results.get(get_field_metric(field))
    if result is None:
        raise ContentError(f"unknown metric {field!r}")
    if result.status == "measured" and result.metric.shape == "table" and "[" not in field:
        return bool(result.rows)
    return look_up(field, results) is not None
