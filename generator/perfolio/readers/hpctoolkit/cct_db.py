"""cct.db: the values of profile.db by context, for comparison only.

Both files hold the same quadruples of profile, context, metric and value in different
orders. Each quadruple becomes a number, and the numbers of each file are added up, modulo
2^64: equal sums mean equal values, but for chance. So each file is read once, in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import InvariantError
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.binary_file import DataFile, Records, check_arrays
from perfolio.readers.hpctoolkit.file_header import DatabaseFile
from perfolio.readers.model import Columns

Ints = npt.NDArray[np.int64]
MULTIPLIERS = tuple(
    np.uint64(n)
    for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
)
"""Of profile, context, metric and value: odd, and far from each other's multiples."""
SHIFT = np.uint64(32)
SPAN = 1 << 21
"""Bytes of the file in which contexts are read together."""


def compute_checksum(
    profile: Any, context: Any, metric: Any, value: npt.NDArray[np.float64]
) -> int:
    """The sum of the numbers of quadruples, modulo 2^64."""
    mixed = value.view(np.uint64) * MULTIPLIERS[3]
    for column, factor in zip((profile, context, metric), MULTIPLIERS[:3], strict=True):
        mixed += column.astype(np.uint64) * factor
    mixed ^= mixed >> SHIFT
    mixed *= MULTIPLIERS[0]
    mixed ^= mixed >> SHIFT
    mixed *= MULTIPLIERS[1]
    return int(mixed.sum(dtype=np.uint64))


@dataclass(frozen=True)
class TransposedValues:
    """An opened cct.db."""

    file: DataFile
    infos: Records
    """Structures {CI}; their position is the context."""

    def compared(self, batches: Iterator[Columns]) -> Iterator[Columns]:
        """Batches of profile.db; raises InvariantError in the end if this file holds others."""
        count, found = 0, 0
        for columns in batches:
            count += len(columns["value"])
            found += compute_checksum(
                *(columns[c] for c in ("profile", "context", "metric", "value"))
            )
            yield columns
        if (count, found % (1 << 64)) != self._count_and_number():
            raise InvariantError(
                f"{self.file.path}: holds other values than profile.db",
                hint="one of them is damaged or of another database: copy the whole folder again, "
                "or run hpcprof",
            )

    def _count_and_number(self) -> tuple[int, int]:
        count, found = 0, 0
        for contexts in self._groups():
            info = self.infos[contexts]
            values = self.file.gathered(lay.PROFILE_VALUE, info["pValues"], info["nValues"])
            metrics = self._metrics(info)
            numbers = np.repeat(contexts, info["nValues"].astype(np.int64))
            value = np.ascontiguousarray(values["value"])
            count += len(value)
            found += compute_checksum(values["profIndex"], numbers, metrics, value)
        return count, found % (1 << 64)

    def _groups(self) -> Iterator[Ints]:
        """Contexts that have values, in groups whose values lie near each other."""
        used = np.flatnonzero(self.infos["nValues"])
        start = self.infos["pValues"][used].astype(np.int64)
        order = np.argsort(start, kind="stable")
        used, place = used[order], start[order] // SPAN
        edges = np.flatnonzero(np.diff(place, prepend=-1, append=-1))
        for first, last in pairwise(edges):
            yield used[first:last]

    def _metrics(self, info: Records) -> npt.NDArray[np.uint16]:
        """The metric of each value of the contexts, one after another."""
        index = self.file.gathered(lay.METRIC_INDEX, info["pMetricIndices"], info["nMetrics"])
        groups, values = info["nMetrics"].astype(np.int64), info["nValues"].astype(np.int64)
        before = np.repeat(np.cumsum(values) - values, groups)
        inner = index["startIndex"]
        if (inner > np.repeat(info["nValues"], groups)).any():
            raise self._error(info, "a metric's values begin beyond those of its context")
        starts = np.append(before + inner.astype(np.int64), values.sum())
        first = np.cumsum(groups) - groups
        if (inner[first] != 0).any() or (np.diff(starts) < 0).any():
            raise self._error(info, "the values of metrics are not in order")
        return np.repeat(index["metricId"], np.diff(starts))

    def _error(self, info: Records, problem: str) -> Exception:
        return self.file.error(int(info["pMetricIndices"][0]), problem)


def read_transposed(cct: DatabaseFile) -> TransposedValues:
    """The array of {CI}, all that it points to checked to lie in the file and not to overlap."""
    head = cct.head("CtxInfos", lay.CTX_INFOS)
    infos = cct.array("CtxInfos", lay.CTX_INFO, head["pCtxs"], head["nCtxs"], head["szCtx"])
    check_arrays(cct.file, infos["pValues"], infos["nValues"], lay.PROFILE_VALUE)
    check_arrays(cct.file, infos["pMetricIndices"], infos["nMetrics"], lay.METRIC_INDEX)
    lost = np.flatnonzero((infos["nValues"] > 0) != (infos["nMetrics"] > 0))
    if len(lost):
        raise cct.file.error(
            int(infos["pValues"][lost[0]]), "values without metrics, or these alone"
        )
    return TransposedValues(cct.file, infos)
