"""Where time is lost from size to size, as rows that sum to the loss to the last nanosecond.

In:  the runs of sizes. Out: `LostTime` of each pair of neighbours.

Before is what the smaller size would take at the larger one if it scaled ideally. Rows are the
computation of the mean processor by kind, and what it waits: for the rank with most computation,
for the order in which ranks come (serialisation), and for the network (transfer).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.scaling.efficiency_factors import TimeLevels, Work, scale_time
from perfolio.comparison.scaling.run_sizes import SizedRuns
from perfolio.comparison.waterfall import round_to_sum

PartKey = tuple[str, str]
"""Part and kind of a row, as in run records; or one of these."""
IMBALANCE = ("imbalance", "")
SERIALISATION = ("serialisation", "")
TRANSFER = ("transfer", "")
COMMUNICATION = ("communication", "")
_IN_COLLECTIVES = ("collective", "collective wait")


@dataclass(frozen=True)
class LostRow:
    """Time of the mean processor in an iteration [ns]."""

    part: str
    kind: str
    before_ns: int
    after_ns: int

    @property
    def lost_ns(self) -> int:
        """What the larger size takes more."""
        return self.after_ns - self.before_ns


@dataclass(frozen=True)
class LostTime:
    """From one size to the next."""

    first: int
    last: int
    ideal_ns: int
    """Time of an iteration at the larger size, if nothing were lost."""
    time_ns: int
    rows: tuple[LostRow, ...]
    """The largest loss first: they sum to `time_ns - ideal_ns`."""


def divide_time(records: Sequence[RunRecord], levels: TimeLevels) -> dict[PartKey, Fraction]:
    """The time of an iteration by part and kind: the values sum to `levels.whole`."""
    found: dict[PartKey, Fraction] = {}
    waits = levels.mean is not None
    for record in records:
        if record.whole is None:
            continue
        units = record.whole.units * len(records)
        for row in record.rows:
            if not (waits and row.part in _IN_COLLECTIVES):
                key = (row.part, row.kind)
                found[key] = found.get(key, Fraction(0)) + Fraction(row.ns, units)
    return found | _divide_waits(levels, sum(found.values(), Fraction(0)))


def _divide_waits(levels: TimeLevels, computed: Fraction) -> dict[PartKey, Fraction]:
    """What follows computation; of records whose rows hold all of it, nothing."""
    if levels.mean is None or computed == levels.whole:
        return {}
    if levels.most is None:
        return {COMMUNICATION: levels.whole - computed}
    found = {IMBALANCE: levels.most - computed}
    if levels.ideal is None:
        return found | {COMMUNICATION: levels.whole - levels.most}
    return found | {
        SERIALISATION: levels.ideal - levels.most,
        TRANSFER: levels.whole - levels.ideal,
    }


def list_losses(
    sizes: Sequence[SizedRuns], levels: Sequence[TimeLevels], work: Work
) -> list[LostTime]:
    """Of each pair of neighbours."""
    divided = [divide_time(one.records, own) for one, own in zip(sizes, levels, strict=True)]
    found = []
    for place in range(1, len(sizes)):
        scale = scale_time(sizes[place - 1].size, sizes[place].size, work)
        before = {key: value * scale for key, value in divided[place - 1].items()}
        pair = sizes[place - 1].size, sizes[place].size
        found.append(_compare_sizes(pair, before, divided[place]))
    return found


def _compare_sizes(
    pair: tuple[int, int], before: Mapping[PartKey, Fraction], after: Mapping[PartKey, Fraction]
) -> LostTime:
    keys = sorted(before.keys() | after.keys())
    sides = [[side.get(key, Fraction(0)) for key in keys] for side in (before, after)]
    ideal, time = (round(sum(side, Fraction(0))) for side in sides)
    first, last = round_to_sum(sides[0], ideal), round_to_sum(sides[1], time)
    rows = [LostRow(*key, low, high) for key, low, high in zip(keys, first, last, strict=True)]
    rows.sort(key=lambda row: (-abs(row.lost_ns), row.part, row.kind))
    return LostTime(*pair, ideal, time, tuple(rows))
