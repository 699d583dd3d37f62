"""Where a figure lies in other runs: `answer`, `unit`, and `runs`.

Where a class got variants, it is told of these; else of `runs`, or of all runs of the same
workload. The range is measured, never typed, and told after the attempt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from perfolio.common.units import quantity
from perfolio.exercises import html_form
from perfolio.exercises.answer_values import compute_answer, find_known_answer
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Answer, Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.number_items import read_unit
from perfolio.exercises.number_parser import find_base_unit
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import NoteTask
from perfolio.exercises.run_view import Run
from perfolio.exercises.strict_fields import StrictFields, read_answer_chain

POINTS = 0.0
NEEDS = ()
FEWEST = 3
"""Fewer runs make no range."""
VARIANTS = 20
"""Variants of which a range is told without its ends: from 5 to 95 %."""
_SAME = "workload.model"


@dataclass(frozen=True)
class RunRange:
    """A figure, and the runs that it is taken of."""

    answer: Answer
    unit: str
    runs: tuple[str, ...]


def load(fields: StrictFields) -> RunRange:
    """The keys of a number without tolerance, and perhaps runs by slug."""
    return RunRange(read_answer_chain(fields), read_unit(fields), fields.texts("runs"))


def key(context: ItemContext) -> KeyedItem:
    """The smallest and the largest value, and of how many runs."""
    own: RunRange = context.item.own
    explanation = _describe_variants(own, context) or _describe_runs(own, context)
    return KeyedItem(
        {}, {"explain": f"{explanation} {context.fill_known(context.item.explain)}".strip()}
    )


def _describe_variants(own: RunRange, context: ItemContext) -> str:
    """Between which values nine of ten variants lie; nothing where there are too few."""
    values, unit = _collect_values(own, context.run.variants)
    if len(values) < VARIANTS:
        return ""
    ends = quantiles([value for _, value in values], n=20, method="inclusive")
    between = f"{quantity(ends[0], unit)} and {quantity(ends[-1], unit)}"
    return f"In nine of ten of {len(values)} variants of this run it lies between {between}."


def _describe_runs(own: RunRange, context: ItemContext) -> str:
    values, unit = _collect_values(own, _select_runs(own, context))
    by_run = dict(values)
    if len(by_run) < FEWEST:
        raise NotAskedError(
            f"{len(by_run)} runs beside this one tell it, and a range needs {FEWEST}",
            collect="perfolio build RUN...  # several runs of the same program",
        )
    low, high = min(by_run.values()), max(by_run.values())
    ends = f"{quantity(low, unit)} and {quantity(high, unit)}"
    return f"In {len(by_run)} runs ({', '.join(by_run)}) it lies between {ends}."


def _collect_values(own: RunRange, runs: Sequence[Run]) -> tuple[list[tuple[str, float]], str]:
    """What the runs that can tell it tell, by their slugs, and the unit."""
    unit = (find_base_unit(own.unit) or ("",))[0] if own.unit else ""
    values = []
    for run in runs:
        try:
            right = compute_answer(find_known_answer(own.answer, run, unit), run, unit)
        except NotAskedError:
            continue
        unit = right.unit
        values.append((run.slug, right.value))
    return values, unit


def html(shown: Json) -> str:
    """The question alone: the answer comes with the explanation."""
    return html_form.render_item(shown, [])


def paper(shown: Json, pen: Pen) -> str:
    """The question alone: the key says the range."""
    del pen
    return render_block(shown, [])


def solve(key: Mapping[str, Any]) -> Given:
    """Nothing is asked."""
    del key
    return ""


def quiz(shown: Json, key: Mapping[str, Any]) -> NoteTask:
    """What the range is, to read."""
    del shown
    return NoteTask((key["explain"],))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Nothing to grade."""
    del key, given
    return GradedAnswer(0.0, "blank")


def _select_runs(own: RunRange, context: ItemContext) -> list[Run]:
    if own.runs:
        runs = {slug: context.runs[slug] for slug in own.runs if slug in context.runs}
        own_run = {context.run.slug: context.run} if context.run.slug in own.runs else {}
        return list({**runs, **own_run}.values())
    runs = {**context.runs, context.run.slug: context.run}
    same = context.run.setting(_SAME)
    return [run for run in runs.values() if same and run.setting(_SAME) == same]
