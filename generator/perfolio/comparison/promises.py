"""Promises of a report, held against later runs of the same program.

In:  records of both sides, and the codes of steps of which somebody says that they were taken.
Out: a `PairOutcome`.

A step counts as taken where its finding fired before and, after, passes or went at least half of
the way to its threshold. Where its rule is not evaluated any more, its pattern may be gone: it may
have been taken. Every step is judged by the whole of which its bound is a part, and by no other.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from statistics import fmean, median

from perfolio.common.errors import UsageError
from perfolio.common.units import quantity
from perfolio.comparison.counted_gate import list_differences
from perfolio.comparison.finding_changes import summarise_findings
from perfolio.comparison.gate import drop_repeated
from perfolio.comparison.promise_record import (
    OutcomeKind,
    PairOutcome,
    PromisedStep,
    StepOutcome,
    WholeName,
)
from perfolio.comparison.run_evidence import FLOOR, LEAST_RUNS, judge_times
from perfolio.comparison.run_record import KeptStep, RecordedFinding, RunRecord

_ITERATION = frozenset({"iteration", "steady"})
"""Kinds of wholes that are iterations."""
_HALF = 0.5
UNPROFILED = "steps.unprofiled"
"""How long an iteration took without the profiler [s]."""
_DATE = len("2026-01-31")
_SAME = "the same recording is on both sides"


@dataclass(frozen=True)
class Saving:
    """What runs saved of a whole, with the ends of what repeats, or one run, tell [ratio]."""

    value: float
    low: float
    high: float


def judge_promises(
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
    took: Collection[str] = (),
    leave_out: Collection[str] = (),
) -> PairOutcome:
    """What came of each step of the report before.

    `took` names steps, by code or short name, that were taken whatever the records say. What was
    expected of the codes in `leave_out` rests on this very pair, and is no promise. Raises
    UsageError where a named step is none of the report's.
    """
    before, after = drop_repeated(before), drop_repeated(after)
    steps = [
        replace(step, low=None, high=None)
        if step.code in leave_out and not step.is_replayed
        else step
        for step in list_promised_steps(before, after)
    ]
    named = _find_named(steps, took)
    members = _list_digests(before), _list_digests(after)
    digests = _join_digests(members[0]), _join_digests(members[1])
    pair = PairOutcome(
        before[0].slug, after[0].slug, digests, (), recorded=_find_date(after), members=members
    )
    if {one.digest for one in before} & {one.digest for one in after}:
        outcomes = tuple(StepOutcome(step, "not-taken", reason=_SAME) for step in steps)
        return replace(pair, steps=outcomes, reason=_SAME)
    if differences := list_differences(before, after):
        reason = f"not comparable, {', '.join(differences)}"
        outcomes = tuple(StepOutcome(step, "cannot-tell", reason=reason) for step in steps)
        return replace(pair, steps=outcomes, reason=reason)
    return replace(pair, steps=tuple(_judge_steps(steps, before, after, named)))


def list_promised_steps(
    before: Sequence[RunRecord], after: Sequence[RunRecord] = ()
) -> list[PromisedStep]:
    """The steps of a report with a bound, the largest first.

    Where both sides have iterations, what a bound of the whole run is of them counts.
    """
    found = summarise_findings(before)
    steps = (_make_step(one, before, after) for one in found.values() if _is_promise(one))
    return sorted(steps, key=lambda step: (-step.bound, step.code))


def _is_promise(finding: RecordedFinding) -> bool:
    small = finding.severity == "info"
    return finding.status == "fired" and bool(finding.bound) and not (finding.is_limit or small)


def _make_step(
    finding: RecordedFinding, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> PromisedStep:
    whole, bound, said = _name_whole(finding), finding.bound or 0.0, ""
    if finding.steady and _have_iterations(before) and _have_iterations(after):
        said = f"{quantity(bound, 'ratio')} of {finding.denominator.partition(';')[0]}"
        whole, bound = "iteration", finding.steady
    low, high = (None if end is None else bound * end for end in (finding.low, finding.high))
    told = finding.replayed if whole == "iteration" else None
    if told is not None:
        low, high = told.low, told.high
    return PromisedStep(
        finding.code, finding.slug, finding.title, finding.cause, whole, bound, low, high,
        finding.value, finding.threshold, said, told is not None,
        is_plain=told is not None and told.is_plain,
    )  # fmt: skip


def _name_whole(finding: RecordedFinding) -> WholeName:
    if finding.whole in _ITERATION:
        return "iteration"
    return "wall" if finding.whole == "wall" else "other"


def _have_iterations(records: Sequence[RunRecord]) -> bool:
    return bool(records) and all(
        one.whole is not None and one.whole.basis == "iteration" for one in records
    )


def _find_named(steps: Iterable[PromisedStep], took: Collection[str]) -> frozenset[str]:
    known = {name: step.code for step in steps for name in (step.code, step.slug)}
    for name in took:
        if name not in known:
            codes = ", ".join(dict.fromkeys(known.values())) or "none"
            raise UsageError(f"the report has no step {name!r}", hint=f"it has {codes}")
    return frozenset(known[name] for name in took)


def _judge_steps(
    steps: Sequence[PromisedStep],
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
    named: frozenset[str],
) -> Iterable[StepOutcome]:
    later = summarise_findings(after)
    earlier = summarise_findings(before)
    taken = {
        step.code: True if step.code in named else _is_taken(earlier[step.code], later)
        for step in steps
    }
    for step in steps:
        saving = _measure_saving(step.whole, before, after)
        if isinstance(saving, str):
            yield StepOutcome(step, "cannot-tell", reason=saving)
        elif taken[step.code] is True:
            judged = _judge_taken(step, steps, taken, saving, before[0].steps)
            plain = _measure_plain_saving(before, after) if step.is_plain else None
            yield _judge_replay(judged, plain if step.is_plain else saving)
        else:
            kind: OutcomeKind = "may-have-been-taken" if taken[step.code] is None else "not-taken"
            gone = "its rule is not evaluated any more" if taken[step.code] is None else ""
            yield StepOutcome(step, kind, saving.value, reason=gone)


def _judge_replay(judged: StepOutcome, saving: Saving | None) -> StepOutcome:
    """An outcome whose range is of a replay, by what was saved of what that is of."""
    if not judged.step.is_replayed or saving is None or judged.step.range is None:
        return judged
    if judged.kind == "cannot-tell":
        return judged
    told = replace(judged, doubt=(saving.high - saving.low) / 2.0)
    told = replace(told, plain=saving.value) if judged.step.is_plain else told
    if judged.kind == "exceeded-bound" or judged.together:
        return told
    return replace(told, kind="fell-short" if saving.high < judged.step.range[0] else "kept")


def _is_taken(before: RecordedFinding, later: Mapping[str, RecordedFinding]) -> bool | None:
    """Whether a step was taken; None where that cannot be told."""
    after = later.get(before.code)
    if after is None or after.status not in ("fired", "passed"):
        return None
    if after.status == "passed":
        return True
    if before.value is None or after.value is None or before.threshold is None:
        return None
    way = before.value - before.threshold
    went = before.value - after.value
    return went * math.copysign(1.0, way) >= _HALF * abs(way) > 0.0


def _judge_taken(
    step: PromisedStep,
    steps: Sequence[PromisedStep],
    taken: Mapping[str, bool | None],
    saving: Saving,
    roadmap: Sequence[KeptStep],
) -> StepOutcome:
    """A step by itself, or all that were taken by what they save together at most."""
    alike = [one for one in steps if one.whole == step.whole]
    group = [one for one in alike if taken[one.code] is True]
    others = tuple(one.code for one in steps if taken[one.code] is True and one != step)
    possible = [one for one in alike if taken[one.code] is None]
    judged = replace(judge_saving(step, saving, group, roadmap), together=others)
    more = bound_together([*group, *possible], roadmap)
    if judged.kind == "exceeded-bound" and saving.low <= more:
        names = ", ".join(one.code for one in possible)
        reason = f"its bound holds only if {names} was taken too"
        return replace(judged, kind="cannot-tell", reason=reason)
    return judged


def judge_saving(
    step: PromisedStep,
    saving: Saving,
    group: Sequence[PromisedStep] = (),
    roadmap: Sequence[KeptStep] = (),
) -> StepOutcome:
    """What came of a step that was taken, by what was saved of its whole.

    `group` has all steps of that whole that were taken, this one among them; it alone if empty.
    What one case reached is no least that they save, and a replay is judged apart.
    """
    group = group or (step,)
    ranges = [one.range for one in group if one.range is not None and not one.is_replayed]
    low = max((least for least, _ in ranges), default=None)
    if saving.low > bound_together(group, roadmap):
        return StepOutcome(step, "exceeded-bound", saving.value)
    is_short = saving.high < low if low is not None else saving.value <= 0.0
    return StepOutcome(step, "fell-short" if is_short else "kept", saving.value)


def bound_together(steps: Sequence[PromisedStep], roadmap: Sequence[KeptStep]) -> float:
    """What steps of one whole save together at most [ratio].

    No more than their bounds add up to, nor than the roadmap says of all steps up to the last one
    of them; what stands on no roadmap comes on top. Never less than one of them saves alone.
    """
    places = {
        code: place for place, one in enumerate(roadmap) for code in (*one.also, one.code)
    } | {one.code: place for place, one in enumerate(roadmap)}
    found = [places[one.code] for one in steps if one.code in places]
    together = min(math.fsum(one.bound for one in steps), 1.0)
    if not found:
        return together
    last = roadmap[max(found)]
    joint = last.joint_steady if steps[0].whole == "iteration" else last.joint
    if joint is None:
        return together
    joint += math.fsum(one.bound for one in steps if one.code not in places)
    return min(together, max(joint, *(one.bound for one in steps)))


def _measure_saving(
    whole: WholeName, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> Saving | str:
    """What was saved of a whole, or why that is not measured."""
    if whole == "other":
        return "its bound is a part of something that records do not have"
    if whole == "iteration" and not (_have_iterations(before) and _have_iterations(after)):
        return "a run has no iterations"
    if whole == "wall" and _list_lengths(before) != _list_lengths(after):
        return "wall time is of different numbers of iterations"
    sides = [_list_times(whole, records) for records in (before, after)]
    if not all(sides):
        return "a run has no times"
    return measure_saving(*sides)


def _measure_plain_saving(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> Saving | None:
    """What was saved of an iteration without the profiler; None where a run does not tell."""
    sides = [
        [one.value for record in records for one in record.figures if one.name == UNPROFILED]
        for records in (before, after)
    ]
    if [len(sides[0]), len(sides[1])] != [len(before), len(after)]:
        return None
    return measure_saving(*sides) if min(*sides[0], *sides[1]) > 0.0 else None


def measure_saving(first: Sequence[float], second: Sequence[float]) -> Saving:
    """What positive times of runs before and after say that was saved [any unit]."""
    if min(len(first), len(second)) < LEAST_RUNS:
        shift = fmean(map(math.log, second)) - fmean(map(math.log, first))
        value = -math.expm1(shift)
        return Saving(value, value - FLOOR, value + FLOOR)
    found = judge_times(first, second)
    low, high = found.low, found.high
    if low is None or high is None:
        return Saving(-found.value, -found.value - FLOOR, -found.value + FLOOR)
    return Saving(-found.value, -high, -low)


def _list_times(whole: WholeName, records: Sequence[RunRecord]) -> list[float]:
    """Times of runs [ns]: none where one has no such time."""
    wholes = [one.whole for one in records if one.whole is not None]
    times = [
        float(median(one.durations_ns)) if whole == "iteration" else float(one.wall_ns)
        for one in wholes
    ]
    return times if len(times) == len(records) and min(times, default=0.0) > 0.0 else []


def _list_lengths(records: Iterable[RunRecord]) -> set[object]:
    return {record.conditions.get("iterations") for record in records}


def _find_date(records: Iterable[RunRecord]) -> str:
    """The day on which the last of runs was recorded; empty where that is not known."""
    return max((record.recorded or "" for record in records), default="")[:_DATE]


def _list_digests(records: Iterable[RunRecord]) -> tuple[str, ...]:
    return tuple(sorted({record.digest for record in records}))


def _join_digests(digests: Sequence[str]) -> str:
    return digests[0] if len(digests) == 1 else sha256("\n".join(digests).encode()).hexdigest()
