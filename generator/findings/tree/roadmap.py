"""What to do, in which order, and what it brings at most: steps in three phases.

In:  findings and the tree of causes of a run.
Out: a `Roadmap`: steps with their gain alone and the joint bound of all up to each, steps that
     are not worth taking now, and what should be measured first.

A step is a fired finding with a cause. Findings that say the same of one cause, and those that
have no gain of their own but a step below them, stand beside that step instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.findings.terms.finding import Finding
from generator.findings.terms.model import SEVERITIES, Phase
from generator.findings.tree.causes import ON_THE_CLOCK, Cause, Tree
from generator.findings.tree.joint import Claim, joint_most
from generator.findings.tree.leads import WORTHWHILE, is_enough, leads_of
from generator.findings.tree.population import judged_share, of_steady

PHASES: tuple[Phase, ...] = ("immediate", "architecture", "advanced")
"""In order: days to two weeks, one to two months, three to six months."""
MATTERS = 0.1
"""Below this share of the time on the clock the GPU hardly matters [ratio]."""
Kind = Literal["gpu_hardly_matters", "gpu_matters", "gpu_work_only", "cpu_only", "nothing"]


@dataclass(frozen=True)
class Step:
    """One thing to do."""

    code: str
    """The finding that says what."""
    also: tuple[str, ...]
    """Findings that the same step answers, all of it or in part: see `answers`."""
    cause: str
    phase: Phase
    after: tuple[str, ...]
    """Codes of earlier steps that it waits for."""
    most: float | None
    """What it saves alone, at most, with all findings that it answers, as a share of the whole;
    None where no bound is known in that whole."""
    joint: float
    """What all steps with a bound up to this one save together at most [ratio]."""
    part: tuple[str, ...] = ()
    """Findings that it answers in part, once `answers` has told them apart from `also`."""
    steady: float | None = None
    """What it saves alone at most, as a share of the steady iterations."""
    apart: bool = False
    """Whether its finding is bounded in another whole than the tree's: wall time say, where the
    tree is of CPU time. Such bounds neither add up with others nor compare with them."""


@dataclass(frozen=True)
class Roadmap:
    """Steps in order, and what else decides about them."""

    kind: Kind
    """What the steps can be about in this run."""
    steps: tuple[Step, ...]
    not_now: tuple[Step, ...]
    """Fired findings that are worth too little of the whole."""
    measure: tuple[tuple[str, str], ...]
    """What is unknown, and the command that would tell."""


def claims_of(tree: Tree, findings: Sequence[Finding]) -> dict[str, Claim]:
    """What each fired finding with a gain claims of the tree's whole, by code."""
    return {
        finding.rule.code: claim
        for finding in findings
        if finding.status == "fired" and (claim := _claim(tree, finding)) is not None
    }


def roadmap_of(tree: Tree, findings: Sequence[Finding]) -> Roadmap:
    """The steps of a run; none where nothing with a cause fired."""
    claims = claims_of(tree, findings)
    fired = {f.rule.code: f for f in findings if f.status == "fired" and f.rule.parent}
    sizes = {**_concerned(tree, fired), **claims}
    leads = leads_of(tree, fired, sizes)
    phases = _phases(leads, fired)
    worthwhile = [code for code in leads if _is_worthwhile(tree, fired[code], sizes)]
    now = _ordered(tree, worthwhile, fired, sizes, phases)
    later = [code for code in leads if code not in now]

    def answered(code: str) -> list[Claim]:
        """The claims of all findings that a step answers."""
        return [claims[each] for each in (code, *leads[code]) if each in claims]

    def step(code: str, before: Sequence[str]) -> Step:
        finding, own = fired[code], answered(code)
        also = [fired[each] for each in (code, *leads[code])]
        together = [claim for other in before for claim in answered(other)] + own
        most = joint_most(tree, own)
        return Step(
            code=code,
            also=tuple(leads[code]),
            cause=finding.rule.parent,
            phase=phases[code],
            after=tuple(other for other in finding.rule.after if other in now and other != code),
            most=_share(tree, most) if own else None,
            joint=_share(tree, joint_most(tree, together)),
            steady=of_steady(tree, most, [f for f in also if f.rule.code in claims]),
            apart=code not in claims and is_gain(finding),
        )

    return Roadmap(
        kind=_kind(tree),
        steps=tuple(step(code, now[:place]) for place, code in enumerate(now)),
        not_now=tuple(step(code, ()) for code in later),
        measure=tuple(
            (cause.unknown, cause.collect)
            for cause in tree.causes
            if cause.unknown and _concerns(tree, cause)
        ),
    )


def _claim(tree: Tree, finding: Finding) -> Claim | None:
    worth, cause = finding.estimate, tree.find(finding.rule.parent)
    if worth is None or worth.saved is None or cause is None or not is_gain(finding):
        return None
    if worth.of.on_clock != (tree.whole in ON_THE_CLOCK):
        return None
    claim = Claim(finding.rule.parent, worth.saved, worth.beyond)
    return claim if joint_most(tree, [claim]) > 0.0 else None


def _concerned(tree: Tree, fired: Mapping[str, Finding]) -> dict[str, Claim]:
    """What findings take that nothing bounds, by code: it tells their place, and no gain."""
    return {
        code: Claim(finding.rule.parent, finding.concerned)
        for code, finding in fired.items()
        if finding.concerned is not None
        and (cause := tree.find(finding.rule.parent)) is not None
        and cause.amount is not None
    }


def is_gain(finding: Finding) -> bool:
    """Whether a finding bounds what a step can bring, and not only what all can."""
    return finding.estimate is not None and finding.estimate.kind == "gain"


def _share(tree: Tree, amount: float) -> float:
    return amount / tree.amount if tree.amount > 0.0 else 0.0


def _is_worthwhile(tree: Tree, finding: Finding, claims: Mapping[str, Claim]) -> bool:
    """By its gain; without one by the share of its cause, and always where that is unknown."""
    if finding.unrecorded:
        return True
    claim, worth = claims.get(finding.rule.code), finding.estimate
    if claim is not None:
        return is_enough(tree, claim)
    if worth is not None and is_gain(finding):
        return worth.reduction >= WORTHWHILE
    cause = tree.find(finding.rule.parent)
    return cause is None or _concerns(tree, cause)


def _concerns(tree: Tree, cause: Cause) -> bool:
    """Whether a cause, or the nearest one above with an amount, is worth a step."""
    known: Cause | None = cause
    while known is not None and known.amount is None:
        known = tree.find(known.parent)
    if known is None or known.amount is None:
        return True
    return judged_share(tree, known.amount, known.key) >= WORTHWHILE


def _phases(leads: Mapping[str, object], fired: Mapping[str, Finding]) -> dict[str, Phase]:
    """The phase of each step: its own, or that of a later one that it waits for."""
    found: dict[str, Phase] = {}

    def phase(code: str, seen: tuple[str, ...] = ()) -> Phase:
        waits_for = [each for each in fired[code].rule.after if each in leads and each not in seen]
        phases = [fired[code].rule.phase, *(phase(each, (*seen, code)) for each in waits_for)]
        return max(phases, key=PHASES.index)

    for code in leads:
        found[code] = phase(code)
    return found


def _ordered(
    tree: Tree,
    codes: Sequence[str],
    fired: Mapping[str, Finding],
    claims: Mapping[str, Claim],
    phases: Mapping[str, Phase],
) -> list[str]:
    """By phase, then by gain, or the size of the cause where nothing bounds the gain.

    Gains of time on the clock go before those of sums over threads, and steps that are only
    limited come last: what such a step brings nobody knows. None comes before what it waits for.
    """

    def rank(code: str) -> tuple[int, bool, bool, float, int, str]:
        worth, severity = fired[code].estimate, fired[code].severity
        limited = fired[code].limited
        summed = worth is not None and not worth.of.on_clock
        cause = tree.find(fired[code].rule.parent)
        own = cause.amount if cause is not None and cause.amount is not None else 0.0
        reach = claims[code].most if code in claims else own
        place = SEVERITIES.index(severity) if severity else len(SEVERITIES)
        return (PHASES.index(phases[code]), limited, summed, -reach, place, code)

    left, done = sorted(codes, key=rank), list[str]()
    while left:
        ready = (code for code in left if not set(fired[code].rule.after) & (set(left) - {code}))
        code = next(ready, left[0])
        left.remove(code)
        done.append(code)
    return sorted(done, key=lambda code: PHASES.index(phases[code]))


def _kind(tree: Tree) -> Kind:
    if tree.whole in ON_THE_CLOCK:
        causes = (tree.find(key) for key in ("gpu", "transfers"))
        on_gpu = math.fsum(cause.amount or 0.0 for cause in causes if cause is not None)
        return (
            "gpu_hardly_matters" if judged_share(tree, on_gpu, "gpu") < MATTERS else "gpu_matters"
        )
    if tree.whole == "gpu_work":
        return "gpu_work_only"
    return "cpu_only" if tree.whole else "nothing"
