"""Runs by their size, what is refused, and whether the work of a rank stays the same.

In:  run records. Out: `SizedRuns`, the smallest size first; repeats of a size are one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from perfolio.common.errors import UsageError, one_line
from perfolio.comparison.comparability import check_conditions, list_differences_that_matter
from perfolio.comparison.gate import drop_repeated
from perfolio.comparison.recording_conditions import describe_setting
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.scaling.efficiency_factors import Work

_GROWS = frozenset({"gpus", "ranks", "batch_size"})
"""Conditions that may differ between sizes."""
_FLAT, _STEEP = -0.25, -0.75
"""Exponents of the work of a rank over sizes: above the first weak, below the second strong."""
_HINT = "give runs of one program at 1, 2, 4, ... ranks"


@dataclass(frozen=True)
class SizedRuns:
    """The runs of one size."""

    size: int
    """Processors: GPUs, or main threads of a program without GPU work."""
    records: tuple[RunRecord, ...]


def group_sizes(records: Sequence[RunRecord]) -> list[SizedRuns]:
    """Runs by size. Raises UsageError where they do not make a study."""
    if not records:
        raise UsageError("there is no run", hint=_HINT)
    kept = drop_repeated(list(records))
    grouped: defaultdict[int, list[RunRecord]] = defaultdict(list)
    for record in kept:
        grouped[find_size(record)].append(record)
    if len(kept) < 2:
        same = f", given {len(records)} times," if len(records) > 1 else ""
        raise UsageError(f"one run{same} shows no scaling", hint=_HINT)
    if len(grouped) < 2:
        unit = "GPUs" if _is_of_gpus(kept[0]) else "ranks"
        raise UsageError(
            f"all {len(kept)} runs have {next(iter(grouped))} {unit}: they are repeats of one size",
            hint=_HINT,
        )
    _refuse_mixed(kept)
    return [SizedRuns(size, tuple(grouped[size])) for size in sorted(grouped)]


def _is_of_gpus(record: RunRecord) -> bool:
    return record.whole is not None and record.whole.of == "GPU"


def find_size(record: RunRecord) -> int:
    """Processors of a run. Raises UsageError where it holds no times, or a part of its ranks."""
    name = one_line(record.slug, 60)
    if record.whole is None:
        raise UsageError(
            f"{name}: holds no times of a run", hint="give its profile, or a run record"
        )
    counts = (record.conditions.get(key) for key in ("gpus", "ranks"))
    told = max((count for count in counts if isinstance(count, int)), default=0)
    if told > record.whole.lanes:
        raise UsageError(
            f"{name}: {told} ranks ran, and {record.whole.lanes} of them are recorded here",
            hint="give a folder with the files of all ranks",
        )
    return record.whole.lanes


def _refuse_mixed(records: Sequence[RunRecord]) -> None:
    checks = list_differences_that_matter(check_conditions(records, records))
    for check in checks:
        if check.name not in _GROWS:
            said = describe_setting(check.name, check.before)
            kind = "mixed hardware" if check.name == "gpu" else "runs that do not belong together"
            raise UsageError(
                f"{kind}: {check.title} differs: {said}",
                hint="compare sizes of one machine, program and profiler",
            )


def recognise_work(sizes: Sequence[SizedRuns]) -> tuple[Work, str]:
    """Whether the work of a rank stays as sizes grow, and why. Raises UsageError where unclear."""
    shapes = {record.conditions.get("shapes") for one in sizes for record in one.records}
    if len(shapes) == 1 and None not in shapes:
        return "weak", "operators have arguments of the same shapes at all sizes"
    first, last = sizes[0], sizes[-1]
    less = _measure_work(last) / _measure_work(first)
    exponent = math.log(less) / math.log(last.size / first.size)
    said = f"{'kernels' if _is_of_gpus(first.records[0]) else 'the time'} of a rank at {last.size}"
    said = f"{said} of {first.size}: {less:.2f} times"
    if exponent > _FLAT:
        return "weak", said
    if exponent < _STEEP:
        return "strong", said
    raise UsageError(
        f"neither the whole work nor that of a rank stays the same ({said})",
        hint="say it: --work strong, or --work weak",
    )


def _measure_work(one: SizedRuns) -> float:
    """Time of kernels, or of the iteration without GPUs, of a processor [ns]."""
    total = 0.0
    for record in one.records:
        if record.whole is not None:
            part = "kernel" if record.whole.of == "GPU" else "main thread"
            spent = sum(row.ns for row in record.rows if row.part == part)
            total += spent / record.whole.units / len(one.records)
    return max(total, 1.0)


def list_gaps(sizes: Sequence[SizedRuns]) -> list[str]:
    """What sizes that are missing make impossible to tell."""
    notes = []
    if sizes[0].size > 1:
        notes.append(
            f"No run of one rank: efficiencies are relative to {sizes[0].size}, "
            "and what is lost there already is not seen."
        )
    for before, after in pairwise(sizes):
        if after.size > 2 * before.size:
            notes.append(f"Nothing between {before.size} and {after.size}: a bend there is hidden.")
    return notes
