"""The numbers of the summary: which ones suit the run, and how each is rated.

In:  results and findings.
Out: up to eight `KeyFigure`s. Which figures there are is data (`figures`); ratings come
     from the findings, so that a card and a finding never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.findings.conditions import all_hold, fill, parse_condition
from generator.findings.events import event_words
from generator.findings.figures import FAMILIES, Candidate
from generator.findings.margin import is_spared
from generator.findings.model import Finding, KeyFigure, Rating, Severity
from generator.findings.undecided import is_undecided
from generator.metrics.model import Results

MOST = 8

_RATINGS: dict[Severity, Rating] = {
    "critical": "critical",
    "high": "high",
    "medium": "medium",
    "low": "neutral",
    "info": "neutral",
}


def key_figures(results: Results, findings: Sequence[Finding]) -> tuple[KeyFigure, ...]:
    """Up to `MOST` figures in the family's order; those without value only if essential."""
    by_code = {finding.rule.code: finding for finding in findings}
    family = next(family for family in FAMILIES if _holds(family.when, results))
    shown = [each for each in family.candidates if _shown(each, results)]
    return tuple(_figure(each, results, by_code.get(each.rule)) for each in shown[:MOST])


def _shown(candidate: Candidate, results: Results) -> bool:
    if candidate.unless and _measured(candidate.unless, results):
        return False
    known = _measured(candidate.metric, results) or candidate.essential
    return known and _holds(candidate.when, results)


def _measured(metric: str, results: Results) -> bool:
    return results[metric].status == "measured"


def _figure(candidate: Candidate, results: Results, finding: Finding | None) -> KeyFigure:
    result = results[candidate.metric]
    if result.status != "measured":
        return KeyFigure(candidate.metric, "unknown", result.reason)
    sampled = candidate.sampled if _measured("time.sampling_gaps", results) else ""
    wordings = (sampled, candidate.comment)
    texts = (fill(text, results, event_words(results)) for text in wordings)
    comment = next((text for text in texts if text), "")
    return KeyFigure(candidate.metric, _rating(finding), comment)


def _rating(finding: Finding | None) -> Rating:
    """A fired finding warns, a passed one is good, one not evaluated leaves it open.

    A value beyond a threshold that is harmless in this run is neither good nor bad, and so is a
    passed one whose interval spans the threshold.
    """
    if finding is None or finding.status == "not_applicable" or is_spared(finding):
        return "neutral"
    if finding.status == "passed" and is_undecided(finding):
        return "neutral"
    if finding.status == "not_evaluated":
        return "unknown"
    return _RATINGS[finding.severity] if finding.severity else "good"


def _holds(condition: str, results: Results) -> bool:
    return not condition or all_hold((parse_condition(condition),), results)
