"""Which findings make a step of the roadmap, and which stand beside one that answers them.

In:  fired findings with a cause, the tree of causes, and what they claim or concern of it.
Out: the codes of steps with those beside each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from generator.findings.terms.finding import Finding
from generator.findings.tree.causes import Cause, Tree
from generator.findings.tree.joint import Claim, joint_most
from generator.findings.tree.population import judged_share

WORTHWHILE = 0.01
"""A step that is worth less than this of the steady iterations, or of the whole where there are
none or it lies outside, is not worth taking now [ratio]."""


def leads_of(
    tree: Tree, fired: Mapping[str, Finding], claims: Mapping[str, Claim]
) -> dict[str, list[str]]:
    """The findings that make a step, with those that stand beside it."""
    leads: dict[str, list[str]] = {}
    for code in fired:
        lead = _lead(tree, code, fired, claims)
        leads.setdefault(lead, [])
        if lead != code:
            leads[lead].append(code)
    return leads


def _lead(tree: Tree, code: str, fired: Mapping[str, Finding], claims: Mapping[str, Claim]) -> str:
    """The finding whose step answers this one: itself, or the best one below that has a gain."""
    seen: list[str] = []
    while code not in seen:
        seen.append(code)
        cause = tree.find(fired[code].rule.parent)
        best = _best(tree, cause, claims) if cause is not None else None
        if best is None and cause is not None and code not in claims:
            code = _part(tree, cause, fired) or code
        if best is not None and (code not in claims or (cause is not None and cause.same)):
            code = best if is_enough(tree, claims[best]) else code
    return code


def _best(tree: Tree, cause: Cause, claims: Mapping[str, Claim]) -> str | None:
    """The largest claim below a cause that says the same or has none of its own, else on it.

    What is below as a view is no closer to a reason: there the largest of all is taken, so that a
    step brings what its own finding says.
    """
    cause = _seen(tree, cause)
    here = _claiming({cause.key}, claims)
    inside = _claiming({each.key for each in _below(tree, cause)}, claims)
    if not cause.same:
        return _largest(here or inside, claims)
    parts = {each.key for each in _below(tree, cause) if not each.view}
    return _largest(_claiming(parts, claims) or [*inside, *here], claims)


def _seen(tree: Tree, cause: Cause) -> Cause:
    """The cause that one is a view of, where one step answers both; else itself."""
    above = tree.find(cause.parent)
    return above if cause.view and cause.same and above is not None and above.same else cause


def _claiming(keys: Collection[str], claims: Mapping[str, Claim]) -> list[str]:
    return [code for code, claim in claims.items() if claim.key in keys]


def _largest(codes: Sequence[str], claims: Mapping[str, Claim]) -> str | None:
    return max(codes, key=lambda code: claims[code].most, default=None)


def _part(tree: Tree, cause: Cause, fired: Mapping[str, Finding]) -> str | None:
    """Without gains: a finding on a cause below that is most of this one, if there is one."""
    share = cause.share or 0.0
    most = [each for each in _below(tree, cause) if share and (each.share or 0.0) >= share / 2.0]
    found = (code for each in most for code in each.findings if code in fired)
    return next(found, None)


def _below(tree: Tree, cause: Cause) -> Iterator[Cause]:
    for child in tree.children(cause.key):
        yield child
        yield from _below(tree, child)


def is_enough(tree: Tree, claim: Claim) -> bool:
    """Whether a claim alone is worth a step."""
    return judged_share(tree, joint_most(tree, [claim]), claim.key) >= WORTHWHILE
