"""Whether the costs of profile.db agree with each other, told while they stream past.

In:  batches of values, in order. Out: nothing, or an error at the first profile that
disagrees. Takes a few passes over each batch, and no memory that grows with the stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.common.errors import FormatError, InvariantError
from perfolio.readers.hpctoolkit.binary_file import DataFile
from perfolio.readers.hpctoolkit.cost_weights import SCOPES, CostWeights, Floats, Ints, make_weights
from perfolio.readers.hpctoolkit.meta_db import STATISTIC_BASE
from perfolio.readers.hpctoolkit.profile_db import DatabaseProfiles
from perfolio.readers.model import Columns

TOLERANCE = 1e-11
"""Relative difference that rounding alone can cause, with room to spare."""
HINT = "profile.db is damaged or of another database: copy the whole folder again, or run hpcprof"
METRICS = 1 << 16
LARGEST = np.finfo(np.float64).max
SUM = ("sum", "$$")


@dataclass(frozen=True)
class StreamMetrics:
    """What the metrics of a stream are, by their number."""

    listed: npt.NDArray[np.bool_]
    kind: Ints
    """Their scope, counted from 1; 0 for what is not compared."""
    pair: Ints
    """Their name and scope."""
    name: Ints
    """Their name, among those that have all scopes; the number of these for others."""


@dataclass(frozen=True)
class CostLedger:
    """What the values of all profiles, and those of the summary, add up to."""

    weights: CostWeights
    names: tuple[str, ...]
    """Those that have all scopes, in the streams."""
    pairs: tuple[tuple[str, str], ...]
    streams: Mapping[str, StreamMetrics]
    """value and summary."""
    totals: dict[str, Floats] = field(default_factory=dict)

    def settle(self, stream: str, totals: Floats, file: DataFile) -> None:
        """Note the totals of a stream; the second one must agree with the first."""
        self.totals[stream] = totals
        if len(self.totals) < len(self.streams):
            return
        values, summary = self.totals["value"], self.totals["summary"]
        both = np.ones(len(self.pairs), bool)
        for metrics in self.streams.values():
            both &= np.isin(np.arange(len(self.pairs)), metrics.pair[metrics.kind > 0])
        wrong = both & ~(np.abs(values - summary) <= TOLERANCE * (values + summary))
        if wrong.any():
            name, scope = self.pairs[int(np.flatnonzero(wrong)[0])]
            raise InvariantError(
                f"{file.path}: the summary of {name!r} at scope {scope} is not the sum of the "
                "profiles",
                hint=HINT,
            )


def make_ledger(contexts: pa.Table, metrics: pa.Table) -> CostLedger:
    """The ledger for a tree and its metrics."""
    rows = metrics.to_pylist()
    pairs = sorted({(row["name"], row["scope"]) for row in rows})
    number = {pair: i for i, pair in enumerate(pairs)}
    value = [row for row in rows if row["statistic"] is None]
    summary = [row for row in rows if row["statistic"] is not None]
    sums = [row for row in summary if (row["statistic"], row["formula"]) == SUM]
    names = sorted(_find_complete_names(value))
    place = {name: i for i, name in enumerate(names)}
    summed = {name: place[name] for name in _find_complete_names(sums) & place.keys()}
    streams = {
        "value": _number_metrics(value, value, 0, number, place, len(names)),
        "summary": _number_metrics(summary, sums, STATISTIC_BASE, number, summed, len(names)),
    }
    return CostLedger(make_weights(contexts), tuple(names), tuple(pairs), streams)


def _find_complete_names(rows: list[dict[str, Any]]) -> set[str]:
    """Names that have all scopes."""
    found = {(row["name"], row["scope"]) for row in rows}
    return {name for name, _ in found if all((name, scope) in found for scope in SCOPES)}


def _number_metrics(
    listed: list[dict[str, Any]],
    compared: list[dict[str, Any]],
    base: int,
    pairs: Mapping[tuple[str, str], int],
    names: Mapping[str, int],
    elsewhere: int,
) -> StreamMetrics:
    known = np.zeros(METRICS, bool)
    known[[row["id"] - base for row in listed]] = True
    kind, pair, name = (np.zeros(METRICS, np.int64) for _ in range(3))
    name[:] = elsewhere
    for row in compared:
        at = row["id"] - base
        kind[at] = SCOPES.index(row["scope"]) + 1 if row["scope"] in SCOPES else 0
        pair[at] = pairs[row["name"], row["scope"]]
        name[at] = names.get(row["name"], elsewhere)
    return StreamMetrics(known, kind, pair, name)


class StreamBalance:
    """One pass over a stream of values."""

    def __init__(self, ledger: CostLedger, stream: str, profiles: DatabaseProfiles) -> None:
        self.ledger, self.stream = ledger, stream
        self.file, self.infos = profiles.file, profiles.infos
        self.metrics = ledger.streams[stream]
        self.base = STATISTIC_BASE if stream == "summary" else 0
        self.totals = np.zeros(max(1, len(ledger.pairs)))
        self.last: tuple[int, int, int] = (-1, -1, -1)
        """Profile, context and metric of the last value."""
        self.open = (np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
        """Sums of the last profile, which may go on: key, sum, sum of what has no sign."""

    def watched(self, batches: Iterator[Columns]) -> Iterator[Columns]:
        """The batches, each checked before it is passed on, and in the end all of them."""
        for columns in batches:
            with np.errstate(over="ignore", invalid="ignore"):
                self._add(columns)
            yield columns
        self._judge(*self.open)
        self.ledger.settle(self.stream, self.totals, self.file)

    def _add(self, columns: Columns) -> None:
        context, value = columns["context"], columns["value"]
        metric = columns["metric"] - self.base if self.base else columns["metric"]
        profile = columns.get("profile", np.zeros(1, np.int64))
        self._check(
            profile, self.metrics.listed.take(metric), "of a metric that meta.db does not list"
        )
        # What is no number is not at least 0 either.
        self._check(profile, (value >= 0) & (value <= LARGEST), "negative, or no number")
        self._check_order(profile, context, metric)
        weights, metrics = self.ledger.weights, self.metrics
        place = weights.positions.of(context)
        place += (metrics.kind * weights.stride).take(metric)
        shared = weights.shared.take(place)
        shared *= value
        self.totals += np.bincount(metrics.pair.take(metric), shared, len(self.totals))
        own = weights.own.take(place)
        own *= value
        key = metrics.name.take(metric)
        key += profile * np.int64(len(self.ledger.names) + 1)
        self._sum_up(key, own, int(profile[-1]))

    def _check(self, profile: Any, right: npt.NDArray[np.bool_], problem: str) -> None:
        if not right.all():
            raise self._error(profile, int(np.flatnonzero(~right)[0]), f"a cost is {problem}")

    def _check_order(self, profile: Any, context: Any, metric: Any) -> None:
        """Metrics ascend within a context: none is there twice."""
        same = context[1:] == context[:-1]
        if len(profile) > 1:
            same &= profile[1:] == profile[:-1]
        first = int(profile[0]), int(context[0])
        wrong = np.flatnonzero(same & (metric[1:] <= metric[:-1])) + 1
        if self.last[:2] == first and int(metric[0]) <= self.last[2]:
            wrong = np.append(0, wrong)
        if len(wrong):
            problem = "a context's metrics are listed twice or not in order"
            raise self._error(profile, int(wrong[0]), problem)
        self.last = int(profile[-1]), int(context[-1]), int(metric[-1])

    def _sum_up(self, key: Ints, terms: Floats, last: int) -> None:
        """Add to the sums of each profile and name; judge those of profiles that are done."""
        first, cells = int(key.min()), int(key.max() - key.min()) + 1
        if cells <= 4 * len(key) + 1024:
            groups, at = np.arange(first, first + cells), key - first
        else:
            groups, at = np.unique(key, return_inverse=True)
        sums, sizes = (
            _sum_by_group(at, terms, len(groups)),
            _sum_by_group(at, np.abs(terms), len(groups)),
        )
        used = sizes != 0
        keys, at = np.unique(np.append(self.open[0], groups[used]), return_inverse=True)
        sums = _sum_by_group(at, np.append(self.open[1], sums[used]), len(keys))
        sizes = _sum_by_group(at, np.append(self.open[2], sizes[used]), len(keys))
        goes_on = keys >= last * (len(self.ledger.names) + 1)
        self._judge(keys[~goes_on], sums[~goes_on], sizes[~goes_on])
        self.open = keys[goes_on], sums[goes_on], sizes[goes_on]

    def _judge(self, keys: Ints, sums: Floats, sizes: Floats) -> None:
        """Raise InvariantError unless all sums are 0, up to rounding."""
        names = self.ledger.names
        complete = keys % (len(names) + 1) < len(names)
        wrong = np.flatnonzero(complete & ~(np.abs(sums) <= TOLERANCE * sizes))
        huge = np.flatnonzero(~np.isfinite(sizes))
        if len(huge):
            place = keys[huge[:1]] // (len(names) + 1)
            raise self._error(place, 0, "costs are too large to be added up")
        if len(wrong):
            profile, name = divmod(int(keys[wrong[0]]), len(names) + 1)
            whose = f"profile {profile}" if self.stream == "value" else "the summary"
            raise InvariantError(
                f"{self.file.path}: costs of {names[name]!r} disagree in {whose}: what contexts "
                "cost with all below them is not the sum of it",
                hint=HINT,
            )

    def _error(self, profile: Any, row: int, problem: str) -> FormatError:
        """The error at the values of the profile that a row of a batch belongs to."""
        number = int(profile[min(row, len(profile) - 1)])
        return self.file.error(int(self.infos["pValues"][number]), problem)


def _sum_by_group(group: Ints, terms: Floats, groups: int) -> Floats:
    """Sums of the terms by group."""
    return np.bincount(group, terms, groups).astype(np.float64, copy=False)
