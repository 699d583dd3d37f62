"""How good a run's data are, each property with its effect on what can be concluded.

In:  results, facts of the run, faults of the lint, and `scorecard.yaml`.
Out: `Score`s: serious ones first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from perfolio.common.content_files import until_edited
from perfolio.findings.model.conditions import all_hold
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import Conditions, Entry, Wordings
from perfolio.findings.model.wording import told
from perfolio.findings.report.share_lint import CHECKS, Fault
from perfolio.metrics.model import Metric, Result, Results

FILE = Path(__file__).parent / "scorecard.yaml"
Level = Literal["good", "limited", "serious", "unknown"]
LEVELS: tuple[Level, ...] = ("serious", "limited", "unknown", "good")
"""What matters most first."""


@dataclass(frozen=True)
class Score:
    """One property of the data."""

    key: str
    title: str
    level: Level
    metric: str
    """The metric behind it, or empty."""
    says: str
    effect: str


class Case(Entry, frozen=True, kw_only=True):
    """When a level holds, and what it says."""

    level: Level
    when: Conditions
    says: Wordings
    effect: str
    without: tuple[str, ...] = ()
    """Metrics that must not be measured."""


class Property(Entry, frozen=True, kw_only=True):
    """A property as the file describes it."""

    key: str
    title: str
    metric: str = ""
    cases: tuple[Case, ...]


def scorecard(
    results: Results, run: Mapping[str, Any], faults: Sequence[Fault]
) -> tuple[Score, ...]:
    """The properties that can be told of this run, and what the lint of denominators says."""
    known = {**results, **_facts(run)}
    found = [score for entry in load_scorecard() if (score := _score(entry, known)) is not None]
    return tuple(sorted([*found, _lint(faults)], key=lambda score: LEVELS.index(score.level)))


@until_edited(FILE)
def load_scorecard(path: Path) -> tuple[Property, ...]:
    """The entries of the file. ContentError where one is faulty."""
    return read_file(path, tuple[Property, ...])


def _score(entry: Property, results: Results) -> Score | None:
    case = next((case for case in entry.cases if _applies(case, results)), None)
    says = told(case.says, results) if case else None
    if case is None or says is None:
        return None
    return Score(entry.key, entry.title, case.level, entry.metric, says, case.effect)


def _applies(case: Case, results: Results) -> bool:
    absent = all(results[name].status != "measured" for name in case.without)
    return absent and all_hold(case.when, results)


def _lint(faults: Sequence[Fault]) -> Score:
    if not faults:
        return Score(
            "denominators", "Denominators", "good", "", " ".join(CHECKS),
            "Shares and rates of this report are of the wholes that they name.",
        )  # fmt: skip
    listed = "; ".join(f"{fault.where}: {fault.says}" for fault in faults)
    return Score(
        "denominators", "Denominators", "serious", "", f"Shares that do not match: {listed}.",
        "These numbers must not be compared with a threshold or with each other.",
    )  # fmt: skip


def _facts(run: Mapping[str, Any]) -> dict[str, Result]:
    """What conditions may ask besides metrics: the device and whether the run is made up."""
    hardware, settings = run.get("hardware") or {}, run.get("settings") or {}
    simulated = str(settings.get("simulated", "false")).lower() == "true"
    return {
        "hardware.compute_capability": _fact(
            "hardware.compute_capability", hardware.get("compute_capability")
        ),
        "run.simulated": _fact("run.simulated", 1.0 if simulated else 0.0),
    }


def _fact(name: str, value: object) -> Result:
    metric = Metric(
        name=name,
        title=name,
        unit="1",
        shape="scalar",
        better="neither",
        definition=name,
        population="the run",
        needs=(),
        source="profile.toml",
        sql="",
    )
    if isinstance(value, (int, float)):
        return Result(metric, "measured", value=float(value))
    return Result(metric, "not_measured", reason="profile.toml does not say")
