"""The run in one short sentence, in one with its numbers, and what is needed to judge it.

In:  results of metrics, and the cases in `verdicts.yaml`.
Out: a `Verdict`: the first case whose conditions hold gives kind, sentence and details.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from generator.content import load_yaml, until_edited
from generator.errors import ContentError
from generator.findings.terms.conditions import all_hold, conditions_of, fill
from generator.findings.terms.events import event_words
from generator.findings.terms.gpu import setting
from generator.findings.terms.model import Condition
from generator.findings.terms.summary import Verdict
from generator.metrics.launching import launched
from generator.metrics.model import Results

CASES = Path(__file__).parent / "verdicts.yaml"


@dataclass(frozen=True)
class Wording:
    """A text with metrics in braces, and when it is meant."""

    text: str
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Line:
    """A line of text in alternative wordings, the most informative one first."""

    wordings: tuple[Wording, ...]
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Case:
    """A kind of run: when it applies and what it says."""

    kind: str
    when: tuple[Condition, ...]
    headline: Line
    sentence: Line
    details: tuple[Line, ...]


def verdict(results: Results) -> Verdict:
    """What the run is about. Plain text: names in it come from the profile."""
    case = next(case for case in load_cases() if all_hold(case.when, results))
    sentence = _line(case.sentence, results) or case.kind
    details = (_line(line, results) for line in case.details)
    return Verdict(
        kind=case.kind,
        headline=_line(case.headline, results) or sentence,
        sentence=sentence,
        details=tuple(detail for detail in details if detail),
    )


@until_edited(CASES)
def load_cases(path: Path) -> tuple[Case, ...]:
    """The cases of the file in order; ContentError where one is faulty.

    The last one applies to every run, so that there always is a verdict.
    """
    try:
        page: Any = load_yaml(path.read_text(encoding="utf-8"))
        lines = {name: _parse_line(line) for name, line in page["lines"].items()}
        cases = tuple(_parse_case(case, lines) for case in page["cases"])
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ContentError) as error:
        raise ContentError(f"{path}: {error}") from error
    if not cases or cases[-1].when:
        raise ContentError(f"{path}: the last case must have no condition")
    return cases


def _parse_case(case: Mapping[str, Any], lines: Mapping[str, Line]) -> Case:
    return Case(
        kind=case["kind"],
        when=conditions_of(case),
        headline=Line(_wordings(case, "headline")),
        sentence=Line(_wordings(case)),
        details=tuple(lines[name] for name in case.get("details", ())),
    )


def _parse_line(line: Mapping[str, Any]) -> Line:
    return Line(_wordings(line), conditions_of(line))


def _wordings(entry: Mapping[str, Any], key: str = "say") -> tuple[Wording, ...]:
    """Texts, or texts with conditions of their own."""
    return tuple(
        Wording(said) if isinstance(said, str) else Wording(said["say"], conditions_of(said))
        for said in entry[key]
    )


def _line(line: Line, results: Results) -> str | None:
    """The first wording that is meant and has its metrics measured; None without any."""
    if not all_hold(line.when, results):
        return None
    own = event_words(results)
    meant = (wording.text for wording in line.wordings if all_hold(wording.when, results))
    filled = (fill(text, results, own) for text in meant)
    found = next((text for text in filled if text), None)
    return None if found is None else launched(found, setting(results).ranks)
