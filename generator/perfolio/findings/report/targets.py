"""What the key metrics should reach: today, target, why, and whether it is reached.

In:  findings.
Out: a `MetricTarget` per finding with a value whose rule sets one, but for values that are harmless
     in this run; a later run is held against the same ones. A rule without a target sets none
     here: no threshold becomes a goal by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perfolio.findings.evaluation.threshold_margin import is_spared
from perfolio.findings.model.conditions import is_beyond
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import Direction


@dataclass(frozen=True)
class MetricTarget:
    """A metric, and what it should reach."""

    code: str
    metric: str
    unit: str
    today: float
    target: float
    direction: Direction
    """`above`: larger is worse, the metric should fall to the target; `below`: it should rise."""
    why: str
    reached: bool
    undecided: bool
    """Whether today's value has reached it, and not its whole interval."""
    fired: bool


def list_targets(findings: Sequence[Finding]) -> tuple[MetricTarget, ...]:
    """Targets of what fired and of what passed; those of the data's quality are left out."""
    found = (_make_target(finding) for finding in findings if finding.rule.cause)
    return tuple(target for target in found if target is not None)


def _compare_with_target(finding: Finding, target: float) -> tuple[bool, bool]:
    """Whether its value misses the target, and whether the worse end of its interval does."""
    direction = finding.rule.direction
    end = finding.high if direction == "above" else finding.low
    today = finding.value is not None and is_beyond(finding.value, direction, target)
    return today, today or (end is not None and is_beyond(end, direction, target))


def _make_target(finding: Finding) -> MetricTarget | None:
    rule, today = finding.rule, finding.value
    if today is None or rule.target.value is None or finding.status not in ("fired", "passed"):
        return None
    if is_spared(finding):
        return None
    short, perhaps = _compare_with_target(finding, rule.target.value)
    return MetricTarget(
        code=rule.code,
        metric=rule.metric,
        unit=finding.unit,
        today=today,
        target=rule.target.value,
        direction=rule.direction,
        why=rule.target.source,
        reached=not perhaps,
        undecided=perhaps and not short,
        fired=finding.status == "fired",
    )
