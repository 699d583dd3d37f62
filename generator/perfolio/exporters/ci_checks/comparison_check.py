"""A comparison as a check, so that CI shows it: as a gate is, but time alone fails.

In:  the document of a comparison, and the records that it is of. Out: `Check`.

A program that becomes faster may well have more launches: what is counted is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from perfolio.comparison.counted_gate import judge_counts, list_differences
from perfolio.comparison.gate_verdict import FigureOutcome, GateFigure, GateVerdict
from perfolio.comparison.run_record import RunRecord
from perfolio.exporters.ci_checks.gate_check import check_gate
from perfolio.exporters.ci_checks.model import Check

LEVEL = "slower"
"""What makes it fail, in the place of a severity."""
_OUTCOMES: Mapping[str, FigureOutcome] = {
    "slower": "worse",
    "faster": "better",
    "no-difference": "same",
}
"""Verdicts by which time is judged; by any other it is unknown."""
_TITLES = {"iteration": "Time of an iteration", "wall": "Wall time"}
_NANO = 1e-9


def check_comparison(
    document: Mapping[str, Any],
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
    subject: str = "",
) -> Check:
    """The comparison of these runs; `subject` is where those after lie."""
    kind, sentence = document["verdict"]["kind"], document["verdict"]["sentence"]
    runs = (len(before), len(after))
    figures: tuple[GateFigure, ...] = ()
    if kind != "not-comparable":
        counted = [] if list_differences(before, after) else judge_counts(before, after)
        figures = (_judge_time(document), *map(_tell_figure, counted))
    doubts = () if kind in _OUTCOMES else (sentence.rstrip("."),)
    verdict = GateVerdict(before[0].slug, runs, figures, doubts)
    found = check_gate(verdict, after, subject)
    return replace(found, verdict=sentence, level=LEVEL, marker=f"perfolio compare {found.slug}")


def _judge_time(document: Mapping[str, Any]) -> GateFigure:
    whole, verdict = document["whole"], document["verdict"]
    outcome = _OUTCOMES.get(verdict["kind"], "unknown")
    title, reason = _TITLES.get(whole["basis"], "Time"), verdict["sentence"].rstrip(".")
    if outcome == "unknown":
        return GateFigure("time", title, outcome, reason=reason)
    before, after = (whole[f"median_{side}"] * _NANO for side in ("before", "after"))
    return GateFigure("time", title, outcome, "s", before, after, reason)


def _tell_figure(figure: GateFigure) -> GateFigure:
    """A counted figure that is worse is told, and fails nobody."""
    return replace(figure, outcome="told") if figure.outcome == "worse" else figure
