"""Distractors: what known mistakes give on the same run, refused where they are too close.

In:  the answer of an item, its value and tolerance, and the mistakes that its author names.
Out: mistakes with their values, and the reasons why others were dropped.

Most come from the audit of reports: a learner who makes a mistake gets what a report would that
made it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from perfolio.audit.facts import AuditFacts
from perfolio.audit.known_mistakes import find_alternatives
from perfolio.common.units import quantity
from perfolio.exercises.answer_values import compute_answer
from perfolio.exercises.model import Answer, Json, NotAskedError, SolvedValue, WrongAnswer
from perfolio.exercises.run_view import Run

APART = 2.0
"""A distractor lies at least so many tolerances away from the answer."""
_OTHER_SPAN = {
    "time.steady_utilisation": "time.gpu_utilisation",
    "time.gpu_utilisation": "time.steady_utilisation",
    "time.iteration_gap_share": "time.gpu_idle_share",
}
"""Steady state and whole run."""
_TWICE = {
    "compute.mfu": ("sparse-peak", "That divides by the peak of sparse products, twice the dense."),
    "transfer.link_efficiency": (
        "both-directions",
        "That divides by the rate of both directions of the link; a copy uses one.",
    ),
}


@dataclass(frozen=True)
class DistractorValue:
    """A value and the mistake that gives it."""

    code: str
    value: float
    says: str


def list_mistakes(
    answer: Answer, right: SolvedValue, wrong: Sequence[WrongAnswer], run: Run
) -> tuple[list[DistractorValue], list[str]]:
    """Declared mistakes, then those that are known of the answer's metrics, each code once.

    Also the reasons why declared ones have no value here.
    """
    mistakes: dict[str, DistractorValue] = {}
    dropped = []
    for each in wrong:
        try:
            value = compute_answer(each.answer, run, right.unit).value
        except NotAskedError as gap:
            dropped.append(f"{each.code}: {gap.reason}")
        else:
            mistakes[each.code] = DistractorValue(each.code, value, each.says)
    for known in _list_known_mistakes(answer, right, run):
        mistakes.setdefault(known.code, known)
    return list(mistakes.values()), dropped


def select_distinct_mistakes(
    mistakes: Sequence[DistractorValue], right: tuple[float, float], share: float, unit: str
) -> tuple[list[Json], list[str]]:
    """The mistakes whose values cannot be taken for right, as keys have them; and the others."""
    keys: list[Json] = []
    dropped = []
    low, high = right
    margin = (APART - 1.0) * (high - low) / 2.0
    for each in mistakes:
        half = abs(each.value) * share
        if low - margin <= each.value + half and each.value - half <= high + margin:
            dropped.append(f"{each.code}: {quantity(each.value, unit)} is too close to the answer")
        elif any(key["low"] <= each.value <= key["high"] for key in keys):
            dropped.append(f"{each.code}: gives the same value as another mistake")
        else:
            ends = {"low": each.value - half, "high": each.value + half}
            keys.append({"value": each.value, **ends, "code": each.code, "says": each.says})
    return keys, dropped


def _list_known_mistakes(answer: Answer, right: SolvedValue, run: Run) -> Iterator[DistractorValue]:
    yield from _compute_swapped_answers(answer, run)
    if answer.source != "metric" or answer.column:
        return
    for each in find_alternatives(
        answer.name, AuditFacts(run.results, run.findings["findings"], {})
    ):
        says = f"That is what this profile gives for {each.words.rstrip('.')}."
        yield DistractorValue(each.code, each.value, says)
    if answer.name in _TWICE:
        code, says = _TWICE[answer.name]
        yield DistractorValue(code, right.value / 2.0, says)


def _compute_swapped_answers(answer: Answer, run: Run) -> Iterator[DistractorValue]:
    """Inclusive for exclusive, stalls for samples, the whole run for its steady state."""
    for code, other, says in _list_swaps(answer):
        try:
            yield DistractorValue(code, compute_answer(other, run, "").value, says)
        except NotAskedError:
            continue


def _list_swaps(answer: Answer) -> Iterator[tuple[str, Answer, str]]:
    if answer.source != "metric":
        return
    where: Mapping[str, str | float] = answer.where
    for one, other in (("exclusive", "inclusive"), ("inclusive", "exclusive")):
        if answer.column in (one, f"{one}_share"):
            column = answer.column.replace(one, other)
            swapped = Answer("metric", answer.name, column, answer.row, where)
            says = f"That is the {other} value: asked is the {one} one."
            yield f"{other}-for-{one}", swapped, says
    for one, other in (("samples", "stalls"), ("stalls", "samples")):
        if answer.name.endswith(f"_of_{one}"):
            swapped = Answer("metric", answer.name.removesuffix(one) + other)
            yield f"of-{other}", swapped, f"That is the share of {other}: asked is that of {one}."
    if answer.name in _OTHER_SPAN and not answer.column:
        says = "That is of another span of time: mind whether the whole run or its steady state."
        yield "other-span", Answer("metric", _OTHER_SPAN[answer.name]), says
