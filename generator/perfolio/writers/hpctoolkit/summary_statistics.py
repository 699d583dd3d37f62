"""Statistics over profiles: the values of the summary profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.writers.hpctoolkit.context_order import Ints, expand_ranges, find_group_starts
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering
from perfolio.writers.hpctoolkit.model import COUNT, MAX, MIN, SQUARES, SUM, Statistic

Metrics = npt.NDArray[np.uint16]
Numbers = npt.NDArray[np.float64]
METRIC_BITS = np.int64(16)
METRIC_MASK = np.int64(0xFFFF)


@dataclass(frozen=True)
class RangeEntries:
    """Values of a range of contexts, in the order of context, metric, profile."""

    first: int
    last: int
    """The contexts are those from `first` to before `last`."""
    context: Ints
    metric: Metrics
    profile: npt.NDArray[np.uint32]
    value: Numbers
    runs: Ints
    """Where each pair of context and metric begins."""

    @staticmethod
    def none(first: int, last: int) -> RangeEntries:
        """A range of contexts without values."""
        return RangeEntries.of(first, last, [])

    @staticmethod
    def of(first: int, last: int, parts: list[tuple[int, Ints, Metrics, Numbers]]) -> RangeEntries:
        """The values of (profile, context, metric, value) of each profile, sorted."""
        if not parts:
            none = np.zeros(0, np.int64)
            empty = np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0)
            return RangeEntries(first, last, none, *empty, none)
        context = np.concatenate([part[1] for part in parts])
        metric = np.concatenate([part[2] for part in parts])
        key = (context << METRIC_BITS) | metric
        order = np.argsort(key, kind="stable")
        counts = [len(part[1]) for part in parts]
        profile = np.repeat(np.array([part[0] for part in parts], np.uint32), counts)[order]
        value = np.concatenate([part[3] for part in parts])[order]
        runs = find_group_starts(key[order])
        return RangeEntries(first, last, context[order], metric[order], profile, value, runs)


class SummaryStatistics:
    """Statistics of all metrics at all scopes, for values of any range of contexts."""

    def __init__(self, numbers: MetricNumbering) -> None:
        self._numbers = {
            statistic: _number_statistic(numbers, statistic)
            for statistic in (SUM, SQUARES, MIN, MAX)
        }
        self._count = _CountStatistic.of(numbers)

    def of(self, entries: RangeEntries) -> tuple[Ints, Metrics, Numbers]:
        """Context, statMetricId and value, in this order, without values of 0."""
        if not len(entries.runs):
            return np.zeros(0, np.int64), np.zeros(0, np.uint16), np.zeros(0)
        context, metric = entries.context[entries.runs], entries.metric[entries.runs]
        parts = [self._count.of_entries(entries)]
        for statistic, table in self._numbers.items():
            number = table[metric]
            wanted = number >= 0
            if wanted.any():
                value = _reduce_runs(statistic, entries)
                parts.append((context[wanted], number[wanted], value[wanted]))
        keys = np.concatenate([(part[0] << METRIC_BITS) | part[1] for part in parts])
        values = np.concatenate([part[2] for part in parts])
        order = np.argsort(keys, kind="stable")
        order = order[values[order] != 0]
        keys = keys[order]
        return keys >> METRIC_BITS, (keys & METRIC_MASK).astype(np.uint16), values[order]


@dataclass(frozen=True)
class _CountStatistic:
    """Of statistic COUNT: by metric, its first statMetricId (-1: none) and number of scopes."""

    metric: Ints
    """Position of the metric by propMetricId."""
    number: Ints
    scopes: Ints

    @staticmethod
    def of(numbers: MetricNumbering) -> _CountStatistic:
        metric = np.zeros(numbers.size, np.int64)
        for position, of in enumerate(numbers.metrics):
            base = int(numbers.base[position])
            metric[base : base + len(of.scopes)] = position
        first = [
            numbers.statistic(m, of.statistics.index(COUNT), 0) if COUNT in of.statistics else -1
            for m, of in enumerate(numbers.metrics)
        ]
        scopes = [len(of.scopes) for of in numbers.metrics]
        return _CountStatistic(metric, np.array(first, np.int64), np.array(scopes, np.int64))

    def of_entries(self, entries: RangeEntries) -> tuple[Ints, Ints, Numbers]:
        """How many profiles have a value of the metric at any scope: the same at all scopes."""
        context = entries.context[entries.runs]
        metric = self.metric[entries.metric[entries.runs]]
        lengths = np.diff(entries.runs, append=len(entries.value))
        starts = find_group_starts((context << METRIC_BITS) | metric)
        most = np.maximum.reduceat(lengths, starts)
        context, metric = context[starts], metric[starts]
        wanted = self.number[metric] >= 0
        context, metric, most = context[wanted], metric[wanted], most[wanted]
        times = self.scopes[metric]
        number = expand_ranges(self.number[metric], times)
        return np.repeat(context, times), number, np.repeat(most, times).astype(np.float64)


def _number_statistic(numbers: MetricNumbering, statistic: Statistic) -> Ints:
    """The statMetricId by propMetricId, -1 for none."""
    table = np.full(numbers.size, -1, np.int64)
    for position, metric in enumerate(numbers.metrics):
        if statistic in metric.statistics:
            which = metric.statistics.index(statistic)
            for scope in range(len(metric.scopes)):
                number = numbers.statistic(position, which, scope)
                table[numbers.propagated(position, scope)] = number
    return table


def _reduce_runs(statistic: Statistic, entries: RangeEntries) -> Numbers:
    """The statistic of each run of values."""
    if statistic == SQUARES:
        return np.add.reduceat(np.square(entries.value), entries.runs)
    if statistic == MIN:
        return np.minimum.reduceat(entries.value, entries.runs)
    if statistic == MAX:
        return np.maximum.reduceat(entries.value, entries.runs)
    return np.add.reduceat(entries.value, entries.runs)
