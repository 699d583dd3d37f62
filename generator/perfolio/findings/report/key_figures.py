"""The numbers of the summary: which ones suit the run, and how each is rated.

In:  results and findings, and the figures in `key_figures.yaml`.
Out: up to eight `KeyFigure`s. Ratings come from the findings, so that a card and a finding never
     disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec import structs

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.units import format_threshold
from perfolio.findings.evaluation.threshold_margin import is_spared
from perfolio.findings.model.conditions import fill_template, is_all_met, list_gate_conditions
from perfolio.findings.model.confidence import is_undecided
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import Conditions, ContentEntry, Severity
from perfolio.findings.model.wording import choose_event_words
from perfolio.metrics.metric_values import is_measured
from perfolio.metrics.model import Result, Results

FILE = Path(__file__).with_name("key_figures.yaml")
MOST = 8
_COUNTS = 0.75
"""A step that saves a smaller part of what its figure says is not described by it [ratio]."""
SCREEN = 4
"""So many stand in view; the others are folded."""
_VAGUE = 0.5
"""A share whose interval is wider than this is left out [ratio]."""

Rating = Literal["critical", "high", "medium", "good", "neutral", "unknown"]
_RATINGS: dict[Severity, Rating] = {
    "critical": "critical",
    "high": "high",
    "medium": "medium",
    "low": "neutral",
    "info": "neutral",
}


@dataclass(frozen=True)
class KeyFigure:
    """A number of the summary with its rating."""

    metric: str
    rating: Rating
    comment: str = ""


class FigureCandidate(ContentEntry, frozen=True, kw_only=True):
    """A figure that a summary may show, or the name of a group of such figures."""

    metric: str = ""
    group: str = ""
    rule: str = ""
    """Code of the rule that rates it; empty for figures that are neither good nor bad."""
    comment: str = ""
    """Short text below the number; dropped where a metric in it is not measured."""
    sampled: str = ""
    """In its place where PC sampling may have made gaps that the number counts."""
    essential: bool = False
    """Shown as unknown even where it is not measured."""
    when: Conditions = Conditions()
    """Conditions for showing it."""
    unless: str = ""
    """Metric that says it better: then this one is left out."""


class FigureFamily(ContentEntry, frozen=True, kw_only=True):
    """The figures for one kind of run; the first family whose conditions hold is taken."""

    when: Conditions = Conditions()
    figures: tuple[FigureCandidate, ...]


class _FiguresFile(ContentEntry, frozen=True, kw_only=True):
    groups: Mapping[str, tuple[FigureCandidate, ...]]
    families: tuple[FigureFamily, ...]


@reload_when_edited(FILE)
def load_families(path: Path) -> tuple[FigureFamily, ...]:
    """The families of the file in order, groups as their figures; ContentError if one is faulty.

    The last one is for every run.
    """
    found = read_file(path, _FiguresFile)
    named = {each.group for family in found.families for each in family.figures if each.group}
    if unknown := sorted(named - found.groups.keys()):
        raise ContentError(f"{path}: there is no group {unknown[0]!r}")
    if not found.families or found.families[-1].when:
        raise ContentError(f"{path}: the last family must have no condition")
    return tuple(
        structs.replace(family, figures=tuple(_expand_groups(family, found.groups)))
        for family in found.families
    )


def _expand_groups(
    family: FigureFamily, groups: Mapping[str, tuple[FigureCandidate, ...]]
) -> Iterator[FigureCandidate]:
    for each in family.figures:
        yield from groups[each.group] if each.group else (each,)


def choose_key_figures(
    results: Results, findings: Sequence[Finding], first: str = ""
) -> tuple[KeyFigure, ...]:
    """Up to `MOST` figures in the family's order; those without value only if essential.

    What the first step is about, by the code of its finding, stands on the first screen.
    """
    by_code = {finding.rule.code: finding for finding in findings}
    family = next(family for family in load_families() if is_all_met(family.when, results))
    shown = [
        each
        for each in family.figures
        if _is_shown(each, results)
        and (each.essential or not _is_meaningless(by_code.get(each.rule), results))
    ]
    shown = _put_first(shown, by_code.get(first), results)
    return tuple(_make_figure(each, results, by_code.get(each.rule)) for each in shown[:MOST])


def _put_first(
    shown: Sequence[FigureCandidate], first: Finding | None, results: Results
) -> list[FigureCandidate]:
    """The figures with what a finding judges among those of the first screen."""
    if first is None or not is_measured(results, first.rule.metric):
        return list(shown)
    if not _is_what_counts(first):
        return list(shown)
    told = [each for each in shown if each.metric == first.rule.metric]
    if any(each in shown[:SCREEN] for each in told):
        return list(shown)
    own = told or [FigureCandidate(metric=first.rule.metric, rule=first.rule.code)]
    others = [each for each in shown if each not in told]
    return [*others[: SCREEN - 1], own[0], *others[SCREEN - 1 :]]


def _is_what_counts(finding: Finding) -> bool:
    """Whether the figure that a finding judges is about as large as what its step can save.

    A wait of half the run beside a gain of a few percent would mislead.
    """
    worth, value = finding.estimate, finding.value
    if worth is None or value is None or finding.unit != "ratio":
        return True
    return (worth.reduction if worth.steady is None else worth.steady) >= _COUNTS * value


def _is_shown(candidate: FigureCandidate, results: Results) -> bool:
    if candidate.unless and is_measured(results, candidate.unless):
        return False
    known = is_measured(results, candidate.metric) and not _is_vague(results[candidate.metric])
    return (known or candidate.essential) and is_all_met(candidate.when, results)


def _is_meaningless(finding: Finding | None, results: Results) -> bool:
    """Whether its rule says that nothing follows from the figure in this run."""
    gates = finding.rule.gates if finding else ()
    return any(met is False for _, met in list_gate_conditions(gates, "not_evaluated", results))


def _is_vague(result: Result) -> bool:
    """Whether a share may be nearly anything: then it is no number to show alone."""
    low, high = result.low, result.high
    return low is not None and high is not None and high - low > _VAGUE


def _make_figure(
    candidate: FigureCandidate, results: Results, finding: Finding | None
) -> KeyFigure:
    result = results[candidate.metric]
    if result.status != "measured":
        return KeyFigure(candidate.metric, "unknown", result.reason)
    sampled = candidate.sampled if is_measured(results, "time.sampling_gaps") else ""
    wordings = (sampled, candidate.comment)
    texts = (fill_template(text, results, choose_event_words(results)) for text in wordings)
    comment = next((text for text in texts if text), "")
    said = [each for each in (comment, _describe_good_range(candidate, finding)) if each]
    return KeyFigure(candidate.metric, _choose_rating(finding), "; ".join(said))


def _describe_good_range(candidate: FigureCandidate, finding: Finding | None) -> str:
    """What is good of a figure that is rated by its own value: `good below 20 %`."""
    if finding is None or finding.rule.metric != candidate.metric:
        return ""
    is_problem = finding.severity not in (None, "info")
    told = is_problem or _choose_rating(finding) not in ("neutral", "unknown")
    if not told or not finding.rule.thresholds:
        return ""
    least = finding.rule.thresholds[0].value
    if not least:
        return ""  # nothing is below none
    side = "below" if finding.rule.direction == "above" else "above"
    return f"good {side} {format_threshold(least, finding.unit)}"


def _choose_rating(finding: Finding | None) -> Rating:
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
