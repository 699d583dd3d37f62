"""What steps of a kind reached of their bounds, where a run before and one after are known.

In:  `outcomes.toml`: by rule the shares of the bound that steps reached, simulated or measured.
Out: an `Expected` of a gain, or None where no pair of runs is known for its rule.

A bound says what is at most saved; this says what was saved where somebody looked. It is no
forecast: the cases are few, and the page on outcomes names each one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.findings.terms.finding import Finding
from generator.toml import TomlError, read_toml

FILE = Path(__file__).with_name("outcomes.toml")
SOURCES = ("measured", "simulated")
"""What was measured comes first: where there is any, it alone is told."""


@dataclass(frozen=True)
class Expected:
    """The range of what steps of a kind reached, as shares of their bounds [ratio]."""

    low: float
    high: float
    cases: int
    source: str


@until_edited(FILE)
def load_outcomes(path: Path) -> Mapping[str, Expected]:
    """The ranges by code of a rule. ContentError where the file is faulty."""
    try:
        entries = read_toml(path)
        return {code: _range(entry) for code, entry in entries.items()}
    except (TomlError, ValueError, TypeError, AttributeError, StopIteration) as error:
        raise ContentError(f"{path}: {error}") from error


def _range(entry: Mapping[str, list[float]]) -> Expected:
    source = next(each for each in SOURCES if entry.get(each))
    shares = [float(share) for share in entry[source]]
    if not all(0.0 <= share <= 1.0 for share in shares):
        raise ValueError("shares of a bound are between 0 and 1")
    return Expected(min(shares), max(shares), len(shares), source)


def expected_of(finding: Finding) -> Expected | None:
    """What steps like a fired finding's reached; None of limits, and where nothing bounds it."""
    worth = finding.estimate
    if finding.status != "fired" or worth is None or worth.kind != "gain":
        return None
    return load_outcomes().get(finding.rule.code)
