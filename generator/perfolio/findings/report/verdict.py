"""The run in one short sentence, in one with its numbers, and what is needed to judge it.

In:  results of metrics, and the cases in `verdicts.yaml`.
Out: a `Verdict`: the first case whose conditions hold gives kind, sentence and details. Of cases
     about a part of the time, it is that of the largest part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.findings.estimates.time_formulas import compute_amount
from perfolio.findings.model.conditions import is_all_met
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import Conditions, ContentEntry, Wordings
from perfolio.findings.model.run_traits import find_setting
from perfolio.findings.model.wording import choose_wording
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from perfolio.metrics.mpi_commands import launch_as_ranks

CASES = Path(__file__).parent / "verdicts.yaml"


@dataclass(frozen=True)
class Verdict:
    """The run in one short sentence, and what else a reader needs to judge it."""

    kind: str
    headline: str
    """What a reader has to know first, with two numbers at most."""
    sentence: str
    """The same with its numbers."""
    why: str = ""
    """What makes it so; empty where nothing tells."""
    why_title: str = "Why"
    details: tuple[str, ...] = ()


class VerdictLine(ContentEntry, frozen=True, kw_only=True):
    """A line of text in alternative wordings, the most informative one first."""

    say: Wordings
    when: Conditions = Conditions()


class VerdictCase(ContentEntry, frozen=True, kw_only=True):
    """A kind of run: when it applies and what it says."""

    kind: str
    part: str = ""
    """The part of the time that it is about, one of `parts`, or empty."""
    when: Conditions = Conditions()
    headline: Wordings
    say: Wordings
    why: Wordings = Wordings()
    why_title: str = "Why"
    """What the reason is called: of a good run, what is left."""
    details: tuple[str, ...] = ()
    """Names of lines."""
    again: str = ""
    """A metric that is not measured: what records it is the first step."""


class VerdictFile(ContentEntry, frozen=True, kw_only=True):
    """What the file holds."""

    parts: Mapping[str, tuple[str, ...]]
    """Formulas of each part of the time, a share: the first one that is measured counts."""
    always: tuple[str, ...] = ()
    """Names of lines that close each case."""
    lines: Mapping[str, VerdictLine]
    cases: tuple[VerdictCase, ...]


def choose_verdict(results: Results) -> Verdict:
    """What the run is about. Plain text: names in it come from the profile."""
    known = load_verdicts()
    case = _choose_case(known, results)
    lines = (known.lines[name] for name in (*case.details, *known.always))
    details = (_fill_wording(line.say, results) for line in lines if is_all_met(line.when, results))
    sentence = _fill_wording(case.say, results) or case.kind
    again = results[case.again].collect if case.again else ""
    return Verdict(
        kind=case.kind,
        headline=_fill_wording(case.headline, results) or sentence,
        sentence=sentence,
        why=_fill_wording(case.why, results) or "",
        why_title=case.why_title,
        details=(
            *([f"Record again: {again}"] if again else []),
            *_list_doubts(results),
            *filter(None, details),
        ),
    )


def _choose_case(known: VerdictFile, results: Results) -> VerdictCase:
    """The first case that applies; of those about a part of the time that of the largest part."""
    applying = [case for case in known.cases if is_all_met(case.when, results)]
    if not applying[0].part:
        return applying[0]
    rivals = (case for case in applying if case.part)
    return max(rivals, key=lambda case: _compute_size(known.parts[case.part], results))


def _compute_size(formulas: tuple[str, ...], results: Results) -> float:
    """How large a part of the time is [ratio]; 0 where none of its formulas is measured."""
    values = (compute_amount(formula, results) for formula in formulas)
    return next((value for value in values if value is not None), 0.0)


def _list_doubts(results: Results) -> Iterator[str]:
    """What of the recording cannot be as it says, but for what the verdict itself is about."""
    for row in get_rows(results, "run.plausibility"):
        if not row["voids"]:
            yield str(row["says"])


@reload_when_edited(CASES)
def load_verdicts(path: Path) -> VerdictFile:
    """The cases of the file in order, and their lines; ContentError where one is faulty.

    The last case applies to every run, so that there always is a verdict.
    """
    found = read_file(path, VerdictFile)
    named = {*found.always, *(name for case in found.cases for name in case.details)}
    unknown = sorted(named - found.lines.keys())
    if unknown:
        raise ContentError(f"{path}: there is no line {unknown[0]!r}")
    parts = sorted({case.part for case in found.cases if case.part} - found.parts.keys())
    if parts:
        raise ContentError(f"{path}: there is no part {parts[0]!r}")
    if not found.cases or found.cases[-1].when:
        raise ContentError(f"{path}: the last case must have no condition")
    return found


def _fill_wording(wordings: Wordings, results: Results) -> str | None:
    """A wording, whose commands start as many ranks as the run had."""
    found = choose_wording(wordings, results)
    return None if found is None else launch_as_ranks(found, find_setting(results).ranks)
