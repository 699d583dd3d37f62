"""What to do, in which order, and what it brings at most: steps in three phases.

In:  findings and the tree of causes of a run.
Out: a `Roadmap`: steps with their gain alone and the joint bound of all up to each, steps that
     are not worth taking now, and what should be measured first.

A step is a fired finding with a cause. Findings that say the same of one cause, and those that
have no gain of their own but a step below them, stand beside that step instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import SEVERITIES, Phase
from perfolio.findings.tree.affected_share import compute_concerned, compute_concerned_share
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, Cause, CauseTree
from perfolio.findings.tree.step_grouping import WORTHWHILE, FiredFindings
from perfolio.metrics.model import Results

StepPhase = Phase | Literal["later"]
PHASES: tuple[StepPhase, ...] = ("immediate", "architecture", "advanced", "later")
"""In order: days to two weeks, one to two months, three to six months; and, however soon they are
done, limits and what is no problem."""
_LIMITED, _NO_PROBLEM = 2, 3
MATTERS = 0.1
"""Below this share of the time on the clock the GPU hardly matters [ratio]."""
RankSteps = Callable[[Sequence[str]], Sequence[str]]
"""Those of some codes that a replay of the run knows, in the order in which they save most."""
Kind = Literal["gpu_hardly_matters", "gpu_matters", "gpu_work_only", "cpu_only", "nothing"]


@dataclass(frozen=True)
class RoadmapStep:
    """One thing to do."""

    code: str
    """The finding that says what."""
    also: tuple[str, ...]
    """Findings that the same step answers, all of it or in part: see `answers`."""
    cause: str
    phase: StepPhase
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
    effects: tuple[ChangeEffect, ...] = ()
    """What it takes of the cells of the run: what the largest of its findings does, as they see the
    same time in several ways, and what those do that it explains, which are about other time."""
    gains: int = 0
    """How many of its findings have a gain."""
    apart: bool = False
    """Whether its finding is bounded in another whole than the tree's: wall time say, where the
    tree is of CPU time. Such bounds neither add up with others nor compare with them."""


@dataclass(frozen=True, order=True)
class StepPlace:
    """Where a step stands among others: by the first of these that differs, the least first."""

    phase: int
    """How long it takes to do: a place in `PHASES`."""
    unknown: int
    """0 where its gain is bounded, 1 where nothing bounds it, 2 where it is only limited: what
    such a step brings nobody knows, so that it leads none with a gain. 3 more where that is no
    problem."""
    summed: bool
    """Whether its gain is one of sums over threads, and not of time on the clock."""
    less: float
    """Less its gain, or what it concerns where no gain is bounded. Where that is in iterations it
    counts as in a run of these alone: a longer run is one."""
    severity: int


@dataclass(frozen=True)
class Roadmap:
    """Steps in order, and what else decides about them."""

    kind: Kind
    """What the steps can be about in this run."""
    steps: tuple[RoadmapStep, ...]
    not_now: tuple[RoadmapStep, ...]
    """Fired findings that are worth too little of the whole."""
    measure: tuple[tuple[str, str], ...]
    """What is unknown, and the command that would tell."""


def find_gains(tree: CauseTree, findings: Sequence[Finding]) -> dict[str, Estimate]:
    """What each fired finding with a gain saves of the tree's whole, by code."""
    return {
        finding.rule.code: finding.estimate
        for finding in findings
        if finding.status == "fired"
        and finding.estimate is not None
        and finding.estimate.kind == "gain"
        and finding.estimate.of.on_clock == (tree.whole in ON_THE_CLOCK)
        and tree.find(finding.rule.cause) is not None
        and tree.saved(finding.estimate.effects) > 0.0
    }


def make_roadmap(
    tree: CauseTree,
    findings: Sequence[Finding],
    results: Results,
    rank: RankSteps | None = None,
) -> Roadmap:
    """The steps of a run; none where nothing with a cause fired."""
    gains = find_gains(tree, findings)
    found = {f.rule.code: f for f in findings if f.status == "fired" and f.rule.cause}
    sizes = {code: tree.saved(worth.effects) for code, worth in gains.items()}
    fired = FiredFindings(tree, found, {**_find_concerned(tree, found), **sizes})
    leads = fired.leads()
    small = _find_small(tree, found, results)
    worthwhile = [code for code in leads if code not in small and _is_worthwhile(fired, code)]
    own = {
        code: [gains[each] for each in (code, *also) if each in gains]
        for code, also in leads.items()
    }
    late = _find_late(worthwhile, found, own)
    phases = _choose_phases(leads, found, late)
    places = {n: _make_place(n, phases[n], own[n], fired, results) for n in worthwhile}
    now = _rank_steps(_order_steps(worthwhile, places, found), places, found, rank)
    alone = {code: _find_largest(tree, own[code]) for code in leads}
    taken = {code: (*alone[code], *fired.explained(code, gains)) for code in leads}

    def step(code: str, before: Sequence[str]) -> RoadmapStep:
        together = [effect for each in (*before, code) for effect in taken[each]]
        shares = [tree.steady_share(worth) for worth in own[code]]
        return RoadmapStep(
            code=code,
            also=tuple(leads[code]),
            cause=found[code].rule.cause,
            phase=phases[code],
            after=tuple(each for each in found[code].rule.after if each in now and each != code),
            most=tree.share(tree.saved(alone[code])) if own[code] else None,
            joint=tree.share(tree.saved(together)),
            steady=max((share for share in shares if share is not None), default=None),
            effects=taken[code],
            gains=len(own[code]),
            apart=code not in gains and found[code].is_gain,
        )

    return Roadmap(
        kind=_choose_kind(tree),
        steps=tuple(step(code, now[:place]) for place, code in enumerate(now)),
        not_now=tuple(step(code, ()) for code in leads if code not in now),
        measure=_list_unknown(tree),
    )


def _list_unknown(tree: CauseTree) -> tuple[tuple[str, str], ...]:
    """What of causes is unknown, and the command that would tell."""
    return tuple(
        (cause.unknown, cause.collect)
        for cause in tree.causes
        if cause.unknown and _is_worth_step(tree, cause)
    )


def _find_largest(tree: CauseTree, gains: Sequence[Estimate]) -> Sequence[ChangeEffect]:
    return max((worth.effects for worth in gains), key=tree.saved, default=())


def _find_concerned(tree: CauseTree, fired: Mapping[str, Finding]) -> dict[str, float]:
    """What findings take that nothing bounds, by code: it tells their place, and no gain."""
    causes = {code: tree.find(finding.rule.cause) for code, finding in fired.items()}
    return {
        code: min(finding.refusal.concerned, cause.amount)
        for code, finding in fired.items()
        if finding.refusal.concerned is not None
        and (cause := causes[code]) is not None
        and cause.amount is not None
    }


def _find_small(tree: CauseTree, fired: Mapping[str, Finding], results: Results) -> frozenset[str]:
    """Findings that nothing bounds, and whose rule says that they concern too little for a step."""
    shares = {
        code: compute_concerned_share(finding, tree, results)
        for code, finding in fired.items()
        if finding.rule.worth.concerns and finding.estimate is None
    }
    return frozenset(code for code, share in shares.items() if share and share < WORTHWHILE)


def _is_worthwhile(fired: FiredFindings, code: str) -> bool:
    """By its gain; without one by the share of its cause, and always where that is unknown."""
    finding = fired.findings[code]
    if finding.refusal.unrecorded:
        return True
    if code in fired.sizes:
        return fired.is_enough(code)
    if finding.estimate is not None and finding.is_gain:
        return finding.estimate.reduction >= WORTHWHILE
    cause = fired.cause_of(code)
    return cause is None or _is_worth_step(fired.tree, cause)


def _is_worth_step(tree: CauseTree, cause: Cause) -> bool:
    """Whether a cause, or the nearest one above with an amount, is worth a step."""
    known: Cause | None = cause
    while known is not None and known.amount is None:
        known = tree.find(known.parent)
    if known is None or known.amount is None:
        return True
    return tree.judged_share(known.amount, known.key) >= WORTHWHILE


def _find_late(
    codes: Sequence[str], fired: Mapping[str, Finding], gains: Mapping[str, Sequence[Estimate]]
) -> frozenset[str]:
    """Steps that come last, however soon they are done: limits, and what is no problem.

    But where nothing else is to be done, and those that another step waits for.
    """
    late = {code for code in codes if _rank_knowledge(fired[code], gains[code]) >= _LIMITED}
    if len(late) == len(codes):
        return frozenset()
    while True:
        needed = {each for code in codes if code not in late for each in fired[code].rule.after}
        if not late & needed:
            return frozenset(late)
        late -= needed


def _choose_phases(
    leads: Mapping[str, object], fired: Mapping[str, Finding], late: Collection[str]
) -> dict[str, StepPhase]:
    """The phase of each step: its own, or that of a later one that it waits for."""
    found: dict[str, StepPhase] = {}

    def phase(code: str, seen: tuple[str, ...] = ()) -> StepPhase:
        waits_for = [each for each in fired[code].rule.after if each in leads and each not in seen]
        phases = [fired[code].rule.phase, *(phase(each, (*seen, code)) for each in waits_for)]
        return max(phases, key=PHASES.index)

    for code in leads:
        found[code] = PHASES[-1] if code in late else phase(code)
    return found


def _order_steps(
    codes: Sequence[str], places: Mapping[str, StepPlace], fired: Mapping[str, Finding]
) -> list[str]:
    """By their places, but none before what it waits for: that stands where it is needed."""
    waits_for = {code: set(fired[code].rule.after) - {code} for code in codes}

    def place(code: str, seen: tuple[str, ...] = ()) -> StepPlace:
        waiting = [each for each in codes if code in waits_for[each] and each not in seen]
        return min([places[code], *(place(each, (*seen, code)) for each in waiting)])

    left, done = sorted(codes, key=lambda code: (place(code), code)), list[str]()
    while left:
        ready = (code for code in left if not waits_for[code] & set(left))
        code = next(ready, left[0])
        left.remove(code)
        done.append(code)
    return sorted(done, key=lambda code: places[code].phase)


def _rank_steps(
    now: list[str],
    places: Mapping[str, StepPlace],
    fired: Mapping[str, Finding],
    rank: RankSteps | None,
) -> list[str]:
    """Steps with a bound, in the order of a replay where the run can be replayed."""
    if rank is None or not now:
        return now
    bounded = [code for code in rank(now) if places[code].unknown == 0]
    return _apply_order(now, bounded, places, fired)


def _apply_order(
    now: Sequence[str],
    ranked: Sequence[str],
    places: Mapping[str, StepPlace],
    fired: Mapping[str, Finding],
) -> list[str]:
    """Steps of a phase that were replayed change places among each other, none with another one.

    A phase stays as it is where a step would come before one that it waits for.
    """
    order = list(now)
    for phase in range(len(PHASES)):
        own = [n for n, code in enumerate(now) if places[code].phase == phase and code in ranked]
        changed = list(order)
        wanted = [code for code in ranked if code in {now[n] for n in own}]
        for place, code in zip(own, wanted, strict=True):
            changed[place] = code
        if _is_in_order(changed, fired) or not _is_in_order(order, fired):
            order = changed
    return order


def _is_in_order(codes: Sequence[str], fired: Mapping[str, Finding]) -> bool:
    """Whether no step comes before one that it waits for."""
    return not any(
        later in fired[code].rule.after
        for place, code in enumerate(codes)
        for later in codes[place + 1 :]
    )


def _make_place(
    code: str, phase: StepPhase, gains: Sequence[Estimate], fired: FiredFindings, results: Results
) -> StepPlace:
    """Where a step stands, by its finding and the gains of all that it answers."""
    tree, finding = fired.tree, fired.findings[code]
    worth, severity = finding.estimate, finding.severity
    size = fired.sizes.get(code, compute_concerned(finding, tree, results))
    steady = ((tree.steady_share(each) or 0.0) * tree.amount for each in gains)
    return StepPlace(
        phase=PHASES.index(phase),
        unknown=_rank_knowledge(finding, gains),
        summed=worth is not None and not worth.of.on_clock,
        less=-max(size, *(tree.saved(each.effects) for each in gains), *steady, 0.0),
        severity=SEVERITIES.index(severity) if severity else len(SEVERITIES),
    )


def _rank_knowledge(finding: Finding, gains: Sequence[Estimate]) -> int:
    """How little is known of what a step brings: see `StepPlace.unknown`."""
    known = 0 if gains or finding.is_gain else _LIMITED if finding.is_limited else 1
    return known + (_NO_PROBLEM if finding.severity == SEVERITIES[-1] else 0)


def _choose_kind(tree: CauseTree) -> Kind:
    if tree.whole in ON_THE_CLOCK:
        causes = (tree.find(key) for key in ("gpu", "transfers"))
        on_gpu = math.fsum(cause.amount or 0.0 for cause in causes if cause is not None)
        return "gpu_hardly_matters" if tree.judged_share(on_gpu, "gpu") < MATTERS else "gpu_matters"
    if tree.whole == "gpu_work":
        return "gpu_work_only"
    return "cpu_only" if tree.whole else "nothing"
