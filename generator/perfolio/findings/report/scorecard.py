"""How good a run's data are, each property with its effect on what can be concluded.

In:  results, facts of the run, faults of the lint, and `scorecard.yaml`.
Out: `QualityScore`s: serious ones first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from perfolio.common.content_files import reload_when_edited
from perfolio.findings.model.conditions import is_all_met
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import Conditions, ContentEntry, Wordings
from perfolio.findings.model.wording import choose_wording
from perfolio.findings.report.share_lint import CHECKS, ShareFault
from perfolio.metrics.model import Metric, Result, Results

FILE = Path(__file__).parent / "scorecard.yaml"
Level = Literal["good", "limited", "serious", "unknown"]
LEVELS: tuple[Level, ...] = ("serious", "limited", "unknown", "good")
"""What matters most first."""


@dataclass(frozen=True)
class QualityScore:
    """One property of the data."""

    key: str
    title: str
    level: Level
    metric: str
    """The metric behind it, or empty."""
    says: str
    effect: str


class ScoreCase(ContentEntry, frozen=True, kw_only=True):
    """When a level holds, and what it says."""

    level: Level
    when: Conditions
    says: Wordings
    effect: str
    without: tuple[str, ...] = ()
    """Metrics that must not be measured."""


class QualityProperty(ContentEntry, frozen=True, kw_only=True):
    """A property as the file describes it."""

    key: str
    title: str
    metric: str = ""
    cases: tuple[ScoreCase, ...]


def make_scorecard(
    results: Results, run: Mapping[str, Any], faults: Sequence[ShareFault]
) -> tuple[QualityScore, ...]:
    """The properties that can be told of this run, and what the lint of denominators says."""
    known = {**results, **_make_facts(run)}
    found = [
        score for entry in load_scorecard() if (score := _judge_property(entry, known)) is not None
    ]
    return tuple(
        sorted([*found, _score_denominators(faults)], key=lambda score: LEVELS.index(score.level))
    )


@reload_when_edited(FILE)
def load_scorecard(path: Path) -> tuple[QualityProperty, ...]:
    """The entries of the file. ContentError where one is faulty."""
    return read_file(path, tuple[QualityProperty, ...])


def _judge_property(entry: QualityProperty, results: Results) -> QualityScore | None:
    case = next((case for case in entry.cases if _is_applicable(case, results)), None)
    says = choose_wording(case.says, results) if case else None
    if case is None or says is None:
        return None
    return QualityScore(entry.key, entry.title, case.level, entry.metric, says, case.effect)


def _is_applicable(case: ScoreCase, results: Results) -> bool:
    absent = all(results[name].status != "measured" for name in case.without)
    return absent and is_all_met(case.when, results)


def _score_denominators(faults: Sequence[ShareFault]) -> QualityScore:
    if not faults:
        return QualityScore(
            "denominators", "Denominators", "good", "", " ".join(CHECKS),
            "Shares and rates of this report are of the wholes that they name.",
        )  # fmt: skip
    listed = "; ".join(f"{fault.where}: {fault.says}" for fault in faults)
    return QualityScore(
        "denominators", "Denominators", "serious", "", f"Shares that do not match: {listed}.",
        "These numbers must not be compared with a threshold or with each other.",
    )  # fmt: skip


def _make_facts(run: Mapping[str, Any]) -> dict[str, Result]:
    """What conditions may ask besides metrics: the device and whether the run is made up."""
    hardware, settings = run.get("hardware") or {}, run.get("settings") or {}
    simulated = str(settings.get("simulated", "false")).lower() == "true"
    return {
        "hardware.compute_capability": _make_fact(
            "hardware.compute_capability", hardware.get("compute_capability")
        ),
        "run.simulated": _make_fact("run.simulated", 1.0 if simulated else 0.0),
    }


def _make_fact(name: str, value: object) -> Result:
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
