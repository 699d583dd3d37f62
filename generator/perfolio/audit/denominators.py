"""What a claim is divided by: CPU-seconds for wall time, two directions of a link for one.

In:  a claim with the report's formula, and the other claims. Out: a sentence per mistake.
These are found in the report's own figures: no measurement is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from perfolio.audit.expression import evaluate, list_divisions, list_names
from perfolio.audit.facts import AuditFacts
from perfolio.audit.model import Claim, PcieLink
from perfolio.common.units import UNITS, quantity

LINK = "link"
_SUMMED = ("CPU-s", "thread-s")
"""Units of time that is summed over threads."""
_LANE: MappingProxyType[int, float] = MappingProxyType(
    {
        1: 2.5e9 * 8 / 10 / 8,
        2: 5e9 * 8 / 10 / 8,
        3: 8e9 * 128 / 130 / 8,
        4: 16e9 * 128 / 130 / 8,
        5: 32e9 * 128 / 130 / 8,
        6: 64e9 * 242 / 256 / 8,
    }
)
"""Bytes per second of one lane of PCI Express in one direction, by generation.

Transfers per second times the bits that its encoding leaves, as the base specifications give both:
8b/10b to 2.0, 128b/130b from 3.0 on, 6.0 in flits.
"""


def find_wrong_denominators(claim: Claim, tolerance: float, facts: AuditFacts) -> tuple[str, ...]:
    """Sentences about what the claim divides by, none where nothing is wrong with it."""
    return (
        *_find_summed_seconds(claim, tolerance, facts),
        *_find_other_link(claim, tolerance, facts),
    )


def _find_summed_seconds(claim: Claim, tolerance: float, facts: AuditFacts) -> Iterator[str]:
    """Seconds of one kind over seconds that are summed over threads."""
    own = evaluate(claim.formula, facts.claimed)
    if own is None or abs(claim.value - own) > tolerance * abs(own) + claim.rounding:
        return
    for above, below in list_divisions(claim.formula):
        units = {facts.unit(name): name for name in below}
        summed = next((unit for unit in _SUMMED if unit in units), "")
        if summed and "s" in {facts.unit(name) for name in above}:
            name = units[summed]
            shown = quantity(facts.claimed(name), summed)
            yield (
                f"{claim.formula} is {quantity(own, claim.unit)} with the report's own "
                "figures, "
                f"and divides by {shown} ({UNITS[summed].meaning}). That grows with each thread "
                "that works and says nothing about how long the run took."
            )


def _find_other_link(claim: Claim, tolerance: float, facts: AuditFacts) -> Iterator[str]:
    """A share of a link's rate that implies another rate than that link has in one direction."""
    if claim.link is None or claim.value <= 0.0 or LINK not in list_names(claim.formula):
        return
    moved = evaluate(claim.formula, lambda name: 1.0 if name == LINK else facts.claimed(name))
    if moved is None:
        return
    one_way, implied = _compute_rate(claim.link), moved / claim.value
    if abs(implied - one_way) <= tolerance * one_way:
        return
    known = " or ".join(_explain_rate(implied, claim.link, tolerance))
    is_what = f", which is {known}" if known else ""
    yield (
        f"{quantity(claim.value, claim.unit)} of {quantity(moved, 'B/s')} divides by "
        f"{quantity(implied, 'B/s')}{is_what}. {claim.link.name} moves "
        f"{quantity(one_way, 'B/s')} "
        f"in one direction, and a copy uses one: against that it is "
        f"{quantity(moved / one_way, claim.unit)}."
    )


def _compute_rate(link: PcieLink) -> float:
    """Bytes per second in one direction."""
    return _LANE[link.generation] * link.lanes


def _explain_rate(implied: float, link: PcieLink, tolerance: float) -> Iterator[str]:
    """What moves `implied` bytes per second, other than this link in one direction."""
    for generation in _LANE:
        for directions in (1, 2):
            same = (generation, directions) == (link.generation, 1)
            found = _LANE[generation] * link.lanes * directions
            if not same and abs(implied - found) <= tolerance * found:
                way = "both directions added up" if directions == 2 else "one direction"
                yield f"PCIe {generation}.0 x{link.lanes} in {way}"
