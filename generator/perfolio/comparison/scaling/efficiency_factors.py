"""POP's efficiencies: ratios of successive times of a run, so that their product is exact.

In:  a run record. Out: `TimeLevels`, each below the one before; and factors of two sizes.

    time of an iteration >= with an instant network >= most computation of a rank >= mean
             transfer            serialisation              load balance

Computation is all that no exposed collective takes. The time with an instant network is replayed
while a run is extracted (`instant_network`); of a record that lacks it, the time is shorter by the
transfer of the rank that has least of it, which is too short where ranks take turns.

Of GPUs there are two more: mean computation >= mean time of kernels and copies >= that of kernels.
Where processors count, it is instructions x cycles of each x time of a cycle x time off processors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Literal

from perfolio.comparison.run_record import DividedTime, RunRecord

Work = Literal["strong", "weak"]
Factor = Literal[
    "efficiency", "global", "parallel", "load_balance", "communication", "serialisation",
    "transfer", "computation", "kernels", "copies", "host", "instructions", "ipc", "frequency",
    "off_processor", "gpu_parallel", "gpu_load_balance", "gpu_communication", "gpu_orchestration",
]  # fmt: skip
_COMMUNICATION = ("collective", "collective wait")


@dataclass(frozen=True)
class TimeLevels:
    """Times of an iteration, the mean over runs [ns]. None: not measured."""

    whole: Fraction
    """Of the iteration, or of the run where no iterations were found."""
    ideal: Fraction | None = None
    """With a network that takes no time; None where waiting is not told from transfer."""
    most: Fraction | None = None
    """Computation of the rank that has most of it."""
    mean: Fraction | None = None
    """Computation of the mean processor."""
    busy_most: Fraction | None = None
    """Kernels and copies of the GPU that has most of both."""
    kernel_most: Fraction | None = None
    busy: Fraction | None = None
    """Kernels and copies of the mean GPU."""
    kernel: Fraction | None = None
    instructions: Fraction | None = None
    """Of work, of the mean processor in an iteration; so are the next two."""
    cycles: Fraction | None = None
    cpu: Fraction | None = None
    """On processors."""


def measure_levels(record: RunRecord) -> TimeLevels:
    """The levels of a run that has times."""
    whole, counts = record.whole, record.processor
    if whole is None:
        raise ValueError("a record without times has no levels")
    levels = _measure_times(record, whole)
    if counts is None or whole.of == "GPU":
        return levels
    each = (
        Fraction(count) / whole.units
        for count in (counts.instructions, counts.cycles, counts.cpu_ns)
    )
    return replace(levels, **dict(zip(("instructions", "cycles", "cpu"), each, strict=True)))


def _measure_times(record: RunRecord, whole: DividedTime) -> TimeLevels:
    time = Fraction(whole.window_ns, whole.iterations)
    parts = _list_parts(record, whole)
    if whole.of == "main thread" and not parts:
        return TimeLevels(time, *([time] * 3 if whole.lanes == 1 else []))
    if not parts and whole.lanes > 1:
        sums = _sum_rows(record)
        return TimeLevels(time, mean=time - _take(sums, *_COMMUNICATION) / whole.units)
    each = parts or [_sum_rows(record)]
    ranks = [_Rank(one, whole.window_ns, whole.iterations) for one in each]
    levels = _measure_ranks(time, ranks)
    if whole.instant_ns is not None:
        levels = replace(levels, ideal=Fraction(whole.instant_ns, whole.iterations))
    if whole.of == "GPU":
        return levels
    return TimeLevels(time, levels.ideal, levels.most, levels.mean)


def _list_parts(record: RunRecord, whole: DividedTime) -> list[Mapping[str, int]]:
    """Parts of each rank; nothing where they are not those of whole processors, of all of them."""
    sums = [sum(rank.parts.values()) for rank in record.ranks]
    if sum(sums) != whole.total_ns or any(not one or one % whole.window_ns for one in sums):
        return []
    return [rank.parts for rank in record.ranks]


def _sum_rows(record: RunRecord) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in record.rows:
        sums[row.part] = sums.get(row.part, 0) + row.ns
    return sums


def _take(parts: Mapping[str, int], *names: str) -> Fraction:
    return Fraction(sum(parts.get(name, 0) for name in names))


class _Rank:
    """Times of a rank, of each of its processors and iterations [ns]."""

    def __init__(self, parts: Mapping[str, int], window: int, iterations: int) -> None:
        self.lanes = max(1, round(sum(parts.values()) / window))
        units = self.lanes * iterations
        self.transfer = _take(parts, "collective") / units
        self.wait = _take(parts, "collective wait") / units
        self.computation = Fraction(sum(parts.values()), units) - self.transfer - self.wait
        self.kernel = _take(parts, "kernel") / units
        self.busy = self.kernel + _take(parts, "copy") / units


def _measure_ranks(time: Fraction, ranks: Sequence[_Rank]) -> TimeLevels:
    lanes = sum(rank.lanes for rank in ranks)

    def average(name: str) -> Fraction:
        return sum((getattr(rank, name) * rank.lanes for rank in ranks), Fraction(0)) / lanes

    is_told = len(ranks) == 1 or not average("transfer") or average("wait") > 0
    computation = [rank.computation for rank in ranks]
    return TimeLevels(
        time,
        time - min(rank.transfer for rank in ranks) if is_told else None,
        max(computation),
        average("computation"),
        max(rank.busy for rank in ranks),
        max(rank.kernel for rank in ranks),
        average("busy"),
        average("kernel"),
    )


def average_levels(levels: Sequence[TimeLevels]) -> TimeLevels:
    """The mean of repeats; None of a level that one of them does not have."""
    means: dict[str, Fraction | None] = {}
    for field in fields(TimeLevels):
        values = [getattr(one, field.name) for one in levels]
        means[field.name] = None if None in values else sum(values, Fraction(0)) / len(values)
    return TimeLevels(**means)  # type: ignore[arg-type]


def scale_time(reference: int, size: int, work: Work) -> Fraction:
    """What an ideal program's time is multiplied by from one size to another."""
    return Fraction(reference, size) if work == "strong" else Fraction(1)


def compute_factors(
    levels: TimeLevels, reference: TimeLevels, scale: Fraction
) -> dict[Factor, Fraction | None]:
    """The efficiencies of a size; `scale` is of `scale_time`.

    global = parallel x computation; parallel = load balance x communication; communication =
    serialisation x transfer; computation = kernels x copies x host, or where processors count =
    instructions x IPC x frequency x what is off processors; efficiency = global / that of the
    reference; GPU parallel = its load balance x communication x orchestration.
    """
    mean = None if reference.mean is None else reference.mean * scale
    shares = [_divide(one.busy, one.mean) for one in (levels, reference)]
    copies = [_divide(one.kernel, one.busy) for one in (levels, reference)]
    kernel = None if reference.kernel is None else reference.kernel * scale
    return {
        "efficiency": _divide(reference.whole * scale, levels.whole),
        "global": _divide(mean, levels.whole),
        "parallel": _divide(levels.mean, levels.whole),
        "load_balance": _divide(levels.mean, levels.most),
        "communication": _divide(levels.most, levels.whole),
        "serialisation": _divide(levels.most, levels.ideal),
        "transfer": _divide(levels.ideal, levels.whole),
        "computation": _divide(mean, levels.mean),
        "kernels": _divide(kernel, levels.kernel),
        "copies": _divide(*copies),
        "host": _divide(*shares),
        **_compare_counts(levels, reference, scale),
        "gpu_parallel": _divide(levels.kernel, levels.whole),
        "gpu_load_balance": _divide(levels.kernel, levels.kernel_most),
        "gpu_communication": _divide(levels.kernel_most, levels.busy_most),
        "gpu_orchestration": _divide(levels.busy_most, levels.whole),
    }


def _compare_counts(
    levels: TimeLevels, reference: TimeLevels, scale: Fraction
) -> dict[Factor, Fraction | None]:
    """Factors of what processors count, each better above 1."""
    both = (levels, reference)
    rates = [_divide(one.instructions, one.cycles) for one in both]
    clocks = [_divide(one.cycles, one.cpu) for one in both]
    told = reference.instructions
    shares = [_divide(one.cpu, one.mean) for one in both]
    return {
        "instructions": _divide(None if told is None else told * scale, levels.instructions),
        "ipc": _divide(*rates),
        "frequency": _divide(*clocks),
        "off_processor": _divide(*shares),
    }


def _divide(above: Fraction | None, below: Fraction | None) -> Fraction | None:
    return above / below if above is not None and below else None
