"""The page of promises: what came of the steps of a project's reports, over time.

In:  the steps of all pairs of runs, and their chart.
Out: files by their path relative to the folder of the reports: promises.md, charts/<name>.*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perfolio.charts.model import RenderedChart
from perfolio.comparison.promise_record import OUTCOMES, StepOutcome
from perfolio.comparison.range_coverage import count_in_range
from perfolio.comparison.shown_steps import ShownStep
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render

MOST_ROWS = 100
"""Rows of a table, the latest ones."""


def render_promises(
    steps: Sequence[ShownStep], charts: Mapping[str, RenderedChart]
) -> dict[str, str]:
    """The page and the files of its chart."""
    judged = [one for one in steps if one.is_taken]
    page = render(
        "promises.md.j2",
        chart=next(iter(charts.values()), None),
        coverage=count_in_range(one.outcome for one in steps),
        exceeded=[one for one in judged if one.outcome.kind == "exceeded-bound"],
        judged=judged,
        others=[one for one in steps if not one.is_taken],
        most=MOST_ROWS,
        name_outcome=_name_outcome,
    )
    files = {name: str(content) for name, content in list_chart_files(charts).items()}
    return {"promises.md": add_tooltips("promises", page), **files}


def _name_outcome(outcome: StepOutcome) -> str:
    return OUTCOMES[outcome.kind].partition(":")[0]
