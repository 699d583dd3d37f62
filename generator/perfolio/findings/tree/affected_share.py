"""What a finding concerns: its own part of the run's whole, which may be less than its cause's.

In:  a finding, the tree of causes, results.
Out: the amount, in the unit of the tree's whole; None where it is unknown.

A gain or a limit is all that a finding is worth. Where nothing bounds that, its estimator may know
what it takes. Without one a rule may say by a formula what it concerns (`concerns`, as in amounts).
Else it is all of its cause.
"""

from __future__ import annotations

from typing import Any

from perfolio.findings.estimates.time_formulas import compute_amount
from perfolio.findings.model.change_effect import LedgerCell, compute_saved
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, Cause, CauseTree, find_cause
from perfolio.metrics.model import Results

_SHOWS = 0.001
"""From this share of the whole on, a part in another cause is named [ratio]."""
_SHOWS_OF_GAIN = 0.01
"""The same of what a finding saves: with less, two digits of it are those of its cause [ratio]."""
_DIGITS = 9
"""Parts that differ by less than a nanosecond are of one size."""


def find_affected(finding: Finding, tree: CauseTree, results: Results) -> dict[str, Any] | None:
    """The part of the run that a fired finding concerns, and its cause; None if unknown.

    With `at_most` where that is the bound of its gain, and `with`, the other causes in which a
    part of that lies.
    """
    cause = tree.find(finding.rule.cause) if finding.status == "fired" else None
    if cause is None:
        return None
    own = _compute_own(finding, cause, tree, results)
    size = cause.amount if own is None else own
    if size is None:
        return None
    most = own is not None and finding.is_gain
    if not most and cause.amount is not None:
        size = min(size, cause.amount)
    found = {"cause": cause.key, "amount": size, "share": size / tree.amount, "at_most": most}
    others = (
        _find_other_causes(finding.estimate, cause, tree, size) if most and finding.estimate else []
    )
    return {**found, "with": others} if others else found


def _find_other_causes(worth: Estimate, cause: Cause, tree: CauseTree, gain: float) -> list[str]:
    """The other causes in which a part of a gain lies, as far as that shows in it: most first.

    It is what a cause adds to its own: what an effect with an amount can take there it takes there.
    """
    own, cells = _find_cause_of_view(cause, tree), dict[str, list[LedgerCell]]()
    for cell in tree.cells:
        key = find_cause(cell, tree)
        cells.setdefault(own if f"{key}.".startswith(f"{own}.") else key, []).append(cell)
    within = cells.pop(own, [])
    least = compute_saved(worth.effects, within)
    parts = {
        key: compute_saved(worth.effects, [*within, *more]) - least for key, more in cells.items()
    }
    shows = min(_SHOWS * tree.amount, _SHOWS_OF_GAIN * gain)
    named = [key for key, part in parts.items() if key and part >= shows]
    return sorted(named, key=lambda key: -round(parts[key], _DIGITS))


def _find_cause_of_view(cause: Cause, tree: CauseTree) -> str:
    """The key of a cause, or of the one that it is a view or a sampled part of."""
    above = tree.find(cause.parent)
    if above is None or not (cause.view or (cause.same and above.same)):
        return cause.key
    return _find_cause_of_view(above, tree)


def compute_concerned(finding: Finding, tree: CauseTree, results: Results) -> float:
    """Its own part of the whole, or that of its cause; 0 where neither is known."""
    cause = tree.find(finding.rule.cause)
    own = None if cause is None else _compute_own(finding, cause, tree, results)
    return own or (0.0 if cause is None else cause.amount or 0.0)


def compute_concerned_share(finding: Finding, tree: CauseTree, results: Results) -> float | None:
    """At most this share of the whole: its own, or that of the nearest cause above with one.

    None where it concerns kernels that were not recorded, which are in no amount.
    """
    if finding.refusal.unrecorded:
        return None
    cause = tree.find(finding.rule.cause) if finding.rule.cause else None
    own = None if cause is None else _compute_own(finding, cause, tree, results)
    if own is not None:
        return own / tree.amount
    while cause is not None and cause.share is None:
        cause = tree.find(cause.parent)
    return cause.share if cause is not None else None


def _compute_own(finding: Finding, cause: Cause, tree: CauseTree, results: Results) -> float | None:
    """By its estimator or its rule's formula; None where neither tells it in this whole."""
    worth = finding.estimate
    on_clock = tree.whole in ON_THE_CLOCK
    if worth is not None and worth.effects and worth.of.on_clock == on_clock:
        return tree.saved(worth.effects) or None
    if finding.refusal.concerned is not None and cause.amount is not None:
        return min(finding.refusal.concerned, cause.amount)
    if not finding.rule.worth.concerns or not on_clock:
        return None
    size = compute_amount(finding.rule.worth.concerns, results)
    room = tree.amount if cause.amount is None else cause.amount
    return None if size is None else min(max(size, 0.0), room)
