"""Runs of several sizes, looked at: efficiencies, what is lost, fits, models.

In:  run records. Out: a `ScalingStudy`, and its content as JSON.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any

from perfolio.comparison.run_record import DividedTime, RunRecord, TimeRow
from perfolio.comparison.scaling.context_models import ContextModel, model_context
from perfolio.comparison.scaling.efficiency_factors import (
    Factor,
    TimeLevels,
    Work,
    average_levels,
    compute_factors,
    measure_levels,
    scale_time,
)
from perfolio.comparison.scaling.lost_time import LostTime, list_losses
from perfolio.comparison.scaling.run_sizes import (
    SizedRuns,
    group_sizes,
    list_gaps,
    recognise_work,
)
from perfolio.comparison.scaling.speedup_fits import SpeedupFit, fit_speedups

SCHEMA = "perfolio-scaling/1"
WHOLE = "whole"
MOST_CONTEXTS = 60
"""Calling contexts that are followed over sizes, those with most time at the largest one."""
_ContextKey = tuple[str, str, tuple[str, ...], str]
_NO_WAITS = "Sizes without matched collectives: serialisation is not told from transfer there."
_NO_RANKS = "Waiting of ranks is not recorded: only the whole efficiency is told."


@dataclass(frozen=True)
class SizeStudy:
    """One size."""

    size: int
    runs: tuple[RunRecord, ...]
    levels: TimeLevels
    factors: dict[Factor, Fraction | None]
    speedup: Fraction
    """Over the reference, whose own is its size; of weak scaling in work per time."""
    low: Fraction
    """Of its slowest run."""
    high: Fraction


@dataclass(frozen=True)
class ContextStudy:
    """Time of a calling context, or of a kind of work, at all sizes."""

    part: str
    """As in run records; or `whole`."""
    kind: str
    path: tuple[str, ...]
    name: str
    times_ns: tuple[Fraction, ...]
    """Of an iteration of the mean processor, by size."""
    scaling: tuple[Fraction | None, ...]
    """Ideal time over time, by size; None where it takes none, or took none at first [ratio]."""
    balance: tuple[float | None, ...]
    """Load balance, mean over most, by size; at least that where rows of several shapes are one.
    None where it is not told by GPU [ratio]."""
    model: ContextModel
    repeats: tuple[tuple[float, ...], ...]
    """Times of the runs of each size [s]."""


@dataclass(frozen=True)
class ScalingStudy:
    """A study."""

    work: Work
    why: str
    """How that is known."""
    unit: str
    """What processors are: `GPU` or `rank`."""
    basis: str
    """`iteration` or `wall`."""
    sizes: tuple[SizeStudy, ...]
    whole_loss: LostTime
    """From the smallest size to the largest."""
    losses: tuple[LostTime, ...]
    """From each size to the next."""
    fits: tuple[SpeedupFit, ...]
    contexts: tuple[ContextStudy, ...]
    """The whole first, then those with most time at the largest size."""
    notes: tuple[str, ...]


def study_scaling(records: Sequence[RunRecord], work: Work | None = None) -> ScalingStudy:
    """Look at runs of several sizes; `work` where it is known. Raises UsageError."""
    sized = group_sizes(records)
    known, why = (work, "as given") if work else recognise_work(sized)
    each = [[measure_levels(record) for record in one.records] for one in sized]
    levels = [average_levels(one) for one in each]
    sizes = tuple(
        _study_size(one, own, (sized[0].size, levels[0]), known)
        for one, own in zip(sized, levels, strict=True)
    )
    whole = sized[0].records[0].whole
    runs = [
        (one.size, float(level.whole) * (one.size if known == "strong" else 1))
        for one, own in zip(sized, each, strict=True)
        for level in own
    ]
    unit = fmean(time for size, time in runs if size == sized[0].size)
    return ScalingStudy(
        known,
        why,
        "GPU" if whole is not None and whole.of == "GPU" else "rank",
        whole.basis if whole is not None else "wall",
        sizes,
        list_losses([sized[0], sized[-1]], [levels[0], levels[-1]], known)[0],
        tuple(list_losses(sized, levels, known)),
        tuple(fit_speedups(runs, unit)),
        tuple(_list_contexts(sized, known)),
        tuple(_list_notes(sized, levels)),
    )


def _study_size(
    one: SizedRuns, levels: TimeLevels, reference: tuple[int, TimeLevels], work: Work
) -> SizeStudy:
    first, base = reference
    scale = scale_time(first, one.size, work)
    times = [measure_levels(record).whole for record in one.records]
    ideal = base.whole * scale * one.size
    return SizeStudy(
        one.size,
        one.records,
        levels,
        compute_factors(levels, base, scale),
        ideal / levels.whole,
        ideal / max(times),
        ideal / min(times),
    )


def _list_notes(sized: Sequence[SizedRuns], levels: Sequence[TimeLevels]) -> list[str]:
    notes = list_gaps(sized)
    if any(one.mean is None for one in levels):
        notes.append(_NO_RANKS)
    elif any(one.ideal is None for one in levels):
        notes.append(_NO_WAITS)
    doubts = {
        doubt for one in sized for record in one.records if record.whole
        for doubt in record.whole.doubts
    }  # fmt: skip
    return notes + sorted(doubts)


class _ContextTimes:
    """Times of a context by size and run, of an iteration [ns]."""

    def __init__(self, runs: Sequence[int]) -> None:
        self.mean = [[Fraction(0)] * count for count in runs]
        self.most = [[Fraction(0)] * count for count in runs]
        """Of the GPU that has most of it."""
        self.told = [True] * len(runs)
        """Whether that is known, by size."""

    def add(self, place: int, number: int, row: TimeRow, whole: DividedTime) -> None:
        """Add a row of a run."""
        self.mean[place][number] += Fraction(row.ns, whole.units)
        most = row.ns if whole.lanes == 1 else row.most_ns
        self.told[place] &= most is not None
        self.most[place][number] += Fraction(most or 0, whole.iterations)

    def list_balance(self) -> list[float | None]:
        """Mean over most, by size."""
        zero = Fraction(0)
        return [
            float(sum(mean, zero) / sum(most, zero)) if told and any(most) else None
            for mean, most, told in zip(self.mean, self.most, self.told, strict=True)
        ]


def _list_contexts(sized: Sequence[SizedRuns], work: Work) -> list[ContextStudy]:
    """The whole, and the largest contexts of the largest size."""
    runs = [len(one.records) for one in sized]
    held: defaultdict[_ContextKey, _ContextTimes] = defaultdict(lambda: _ContextTimes(runs))
    whole_times = held[WHOLE, "", (), ""]
    whole_times.told = [False] * len(sized)
    for place, one in enumerate(sized):
        for number, record in enumerate(one.records):
            if record.whole is None:
                continue
            whole_times.mean[place][number] = measure_levels(record).whole
            for row in record.rows:
                kind = "" if row.part == "collective wait" else row.kind
                key = (row.part, kind, row.path, row.short)
                held[key].add(place, number, row, record.whole)
    last = sorted(held, key=lambda key: (key[0] != WHOLE, -sum(held[key].mean[-1]), key))
    scales = [scale_time(sized[0].size, one.size, work) for one in sized]
    sizes = [one.size for one in sized]
    return [_study_context(key, held[key], sizes, scales) for key in last[: MOST_CONTEXTS + 1]]


def _study_context(
    key: _ContextKey, times: _ContextTimes, sizes: Sequence[int], scales: Sequence[Fraction]
) -> ContextStudy:
    means = [sum(one, Fraction(0)) / len(one) for one in times.mean]
    seconds = [[float(time) / 1e9 for time in one] for one in times.mean]
    model = model_context(dict(zip(sizes, seconds, strict=True)))
    return ContextStudy(
        *key,
        tuple(means),
        tuple(
            means[0] * scale / mean if mean and means[0] else None
            for scale, mean in zip(scales, means, strict=True)
        ),
        tuple(times.list_balance()),
        model,
        tuple(tuple(one) for one in seconds),
    )


def make_scaling_document(study: ScalingStudy) -> dict[str, Any]:
    """The study as JSON can hold it."""
    return {
        "schema": SCHEMA,
        "work": study.work,
        "why": study.why,
        "unit": study.unit,
        "basis": study.basis,
        "notes": list(study.notes),
        "sizes": [_describe_size(one) for one in study.sizes],
        "whole_loss": _describe_loss(study.whole_loss),
        "losses": [_describe_loss(one) for one in study.losses],
        "fits": [asdict(one) for one in study.fits],
        "contexts": [_describe_context(one) for one in study.contexts],
    }


def _describe_loss(one: LostTime) -> dict[str, Any]:
    rows = [{**asdict(row), "lost_ns": row.lost_ns} for row in one.rows]
    return {**asdict(one), "rows": rows}


def _describe_size(one: SizeStudy) -> dict[str, Any]:
    return {
        "size": one.size,
        "runs": [record.slug for record in one.runs],
        "levels_ns": {name: _to_float(value) for name, value in vars(one.levels).items()},
        "factors": {name: _to_float(value) for name, value in one.factors.items()},
        "speedup": float(one.speedup),
        "speedup_low": float(one.low),
        "speedup_high": float(one.high),
    }


def _describe_context(one: ContextStudy) -> dict[str, Any]:
    model: dict[str, Any] = {"reason": one.model.reason}
    if not one.model.reason:
        model = {**asdict(one.model), "unit": "s"}
    return {
        "part": one.part,
        "kind": one.kind,
        "path": list(one.path),
        "name": one.name,
        "times_ns": [float(value) for value in one.times_ns],
        "scaling": [_to_float(value) for value in one.scaling],
        "load_balance": list(one.balance),
        "model": model,
    }


def _to_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
