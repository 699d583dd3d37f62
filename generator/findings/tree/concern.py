"""What a finding concerns: its own part of the run's whole, which may be less than its cause's.

In:  a finding, the tree of causes, results.
Out: the amount, in the unit of the tree's whole; None where it is unknown.

A gain or a limit is all that a finding is worth. Where nothing bounds that, its estimator may know
what it takes. Without one a rule may say by a formula what it concerns (`concerns`, as in amounts).
Else it is all of its cause.
"""

from __future__ import annotations

import math
from typing import Any

from generator.findings.estimates.amounts import amount
from generator.findings.terms.finding import Finding
from generator.findings.tree.causes import ON_THE_CLOCK, Cause, Tree
from generator.findings.tree.joint import Claim, joint_most, place_of
from generator.findings.tree.roadmap import is_gain
from generator.metrics.model import Results

_SHOWS = 0.001
"""From this share of the whole on, a part in another cause is named [ratio]."""
_SHOWS_OF_GAIN = 0.01
"""The same of what a finding saves: with less, two digits of it are those of its cause [ratio]."""


def affected(finding: Finding, tree: Tree, results: Results) -> dict[str, Any] | None:
    """The part of the run that a fired finding concerns, and its cause; None if unknown.

    With `at_most` where that is the bound of its gain, and `with`, the other causes in which a
    part of that lies.
    """
    cause = tree.find(finding.rule.parent) if finding.status == "fired" else None
    if cause is None:
        return None
    own = _own(finding, cause, tree, results)
    size = cause.amount if own is None else own
    if size is None:
        return None
    most = own is not None and is_gain(finding)
    if not most and cause.amount is not None:
        size = min(size, cause.amount)
    found = {"cause": cause.key, "amount": size, "share": size / tree.amount, "at_most": most}
    others = _beyond(finding, cause, tree, size) if most else []
    return {**found, "with": others} if others else found


def _beyond(finding: Finding, cause: Cause, tree: Tree, gain: float) -> list[str]:
    """The other causes in which a part of a gain lies, as far as that shows in it.

    What samples tell may be more than its own cause holds: the rest lies in the cause `within`.
    """
    parts = finding.estimate.beyond if finding.estimate else {}
    sums: dict[str, float] = {}
    for key, part in parts.items():
        other = place_of(tree, key)
        if other is not None and other.key != cause.key:
            sums[other.key] = sums.get(other.key, 0.0) + part
    above = tree.find(cause.within)
    if above is not None and cause.most is not None and above.amount is not None:
        room = max(above.most or 0.0, above.amount)
        left = min(gain - math.fsum(parts.values()), room) - cause.most
        sums[above.key] = sums.get(above.key, 0.0) + max(left, 0.0)
    shows = min(_SHOWS * tree.amount, _SHOWS_OF_GAIN * gain)
    return [key for key, part in sums.items() if part >= shows]


def concerned_share(finding: Finding, tree: Tree, results: Results) -> float | None:
    """At most this share of the whole: its own, or that of the nearest cause above with one.

    None where it concerns kernels that were not recorded, which are in no amount.
    """
    if finding.unrecorded:
        return None
    cause = tree.find(finding.rule.parent) if finding.rule.parent else None
    own = None if cause is None else _own(finding, cause, tree, results)
    if own is not None:
        return own / tree.amount
    while cause is not None and cause.share is None:
        cause = tree.find(cause.parent)
    return cause.share if cause is not None else None


def _own(finding: Finding, cause: Cause, tree: Tree, results: Results) -> float | None:
    """By its estimator or its rule's formula; None where neither tells it in this whole."""
    worth = finding.estimate
    on_clock = tree.whole in ON_THE_CLOCK
    if worth is not None and worth.saved is not None and worth.of.on_clock == on_clock:
        claim = Claim(cause.key, worth.saved, worth.beyond)
        return joint_most(tree, [claim]) or None
    if finding.concerned is not None and cause.amount is not None:
        return min(finding.concerned, cause.amount)
    if not finding.rule.concerns or not on_clock:
        return None
    size = amount(finding.rule.concerns, results)
    room = tree.amount if cause.amount is None else cause.amount
    return None if size is None else min(max(size, 0.0), room)
