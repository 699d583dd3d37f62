"""How far a value is from the threshold at which its severity would change.

In:  findings with a value.
Out: a `Margin`: the nearest threshold, the distance from it, and both in a sentence.
"""

from __future__ import annotations

from generator.findings.conditions import beyond
from generator.findings.model import Finding, Margin
from generator.units import quantity, threshold_text


def margin_of(finding: Finding) -> Margin | None:
    """The margin of a fired or passed finding; None where there is no value."""
    value = finding.value
    if value is None:
        return None
    bounds = [threshold.value for threshold in finding.rule.thresholds]
    nearest = min(bounds, key=lambda bound: abs(value - bound))
    distance = abs(value - nearest)
    return Margin(
        threshold=nearest,
        distance=distance,
        relative=distance / abs(nearest) if nearest else None,
        sentence=_sentence(finding, value, nearest),
    )


def relative(finding: Finding) -> float:
    """The relative distance, for sorting; the plain one from a threshold of 0, 0 without any."""
    found = finding.margin
    if found is None:
        return 0.0
    return found.distance if found.relative is None else found.relative


def _sentence(finding: Finding, value: float, nearest: float) -> str:
    rule, unit = finding.rule, finding.unit
    side = rule.direction
    where = [threshold.value for threshold in rule.thresholds].index(nearest)
    bound = threshold_text(nearest, unit)
    if not beyond(value, side, nearest):
        change = f"It would be {rule.thresholds[where].severity} {side} {bound}"
    else:
        back = {"above": "or less", "below": "or more"}[side]
        mild = f"be {rule.thresholds[where - 1].severity}" if where else "pass"
        change = f"It would {mild} at {bound} {back}"
    return f"{change}; the value is {quantity(value, unit)}."
