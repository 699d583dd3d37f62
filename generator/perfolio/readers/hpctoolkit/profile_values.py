"""Values of profile.db as a stream of batches, profile by profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.common.errors import FormatError
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.binary_file import DataFile
from perfolio.readers.hpctoolkit.meta_db import STATISTIC_BASE
from perfolio.readers.hpctoolkit.profile_db import DatabaseProfiles
from perfolio.readers.model import Columns, Stream, StreamPart, fill_batches

CONTEXT_ROWS = 1 << 16
"""Contexts whose values are looked at together."""
VALUE_SCHEMA = pa.schema(
    [
        ("profile", pa.int32()),
        ("context", pa.uint32()),
        ("metric", pa.int32()),
        ("value", pa.float64()),
    ]
)
SUMMARY_SCHEMA = pa.schema(
    [("context", pa.uint32()), ("metric", pa.int32()), ("value", pa.float64())]
)


@dataclass(frozen=True)
class ValueBlock:
    """Where a profile's values {Val} lie, and the index {Idx} of where each context's begin."""

    file: DataFile
    values_at: int
    values: int
    indices_at: int
    contexts: int

    def index(self, first: int, last: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Contexts `first` to `last`; and where their values begin, and where the last ones end.

        Raises FormatError unless contexts ascend and their values lie in the block, in order.
        """
        size = lay.CTX_INDEX.size
        count = min(last + 1, self.contexts) - first
        rows = self.file.records(lay.CTX_INDEX, self.indices_at + first * size, count)
        ids, starts = rows["ctxId"], rows["startIndex"]
        if last == self.contexts:
            starts = np.append(starts, np.uint64(self.values))
        if starts.max() > self.values:
            raise self._error(first, "a context's values begin beyond its profile's values")
        if (first == 0 and starts[0] != 0) or (starts[1:] < starts[:-1]).any():
            raise self._error(first, "the values of contexts are not in order")
        if (ids[1:] <= ids[:-1]).any():
            raise self._error(first, "contexts are listed twice or not in order")
        return np.ascontiguousarray(ids[: last - first]), starts.astype(np.int64)

    def _error(self, first: int, problem: str) -> FormatError:
        return self.file.error(self.indices_at + first * lay.CTX_INDEX.size, problem)


Check = Callable[[Iterator[Columns]], Iterator[Columns]]
"""Passes batches on, and raises where they are not as they must be."""


def make_value_stream(profiles: DatabaseProfiles, check: Check) -> Stream:
    """Rows (profile, context, metric, value) of all profiles that are no summary."""
    return _make_stream(profiles, np.flatnonzero(~profiles.summary), VALUE_SCHEMA, 0, check)


def make_summary_stream(profiles: DatabaseProfiles, check: Check) -> Stream:
    """Rows (context, metric, value) of the summary profile, the first."""
    chosen = np.flatnonzero(profiles.summary)[:1]
    return _make_stream(profiles, chosen, SUMMARY_SCHEMA, STATISTIC_BASE, check)


def _make_stream(
    profiles: DatabaseProfiles,
    chosen: npt.NDArray[Any],
    schema: pa.Schema,
    metric_base: int,
    check: Check,
) -> Stream:
    types = {field.name: field.type.to_pandas_dtype() for field in schema}

    def batches() -> Iterator[pa.RecordBatch]:
        parts = (
            part
            for index in chosen
            for part in _list_profile_parts(profiles, int(index), metric_base)
        )
        for columns in check(fill_batches(parts, types)):
            yield pa.record_batch([pa.array(columns[name]) for name in schema.names], schema=schema)

    return Stream(int(profiles.infos["nValues"][chosen].sum()), schema, batches)


def _list_profile_parts(
    profiles: DatabaseProfiles, index: int, metric_base: int
) -> Iterator[StreamPart]:
    """The values of a profile by CONTEXT_ROWS; each part is to be written before the next."""
    block = _find_block(profiles, index)
    for first in range(0, block.contexts, CONTEXT_ROWS):
        contexts, bounds = block.index(first, min(first + CONTEXT_ROWS, block.contexts))

        def write(
            row: int,
            columns: Columns,
            bounds: npt.NDArray[np.int64] = bounds,
            contexts: npt.NDArray[np.uint32] = contexts,
        ) -> None:
            begin, count = int(bounds[0]) + row, len(columns["value"])
            values = block.file.records(lay.VALUE, block.values_at + begin * lay.VALUE.size, count)
            columns["context"][:] = _expand_contexts(contexts, bounds, begin, begin + count)
            columns["metric"][:] = values["metricId"]
            columns["value"][:] = values["value"]
            if metric_base:
                np.add(columns["metric"], metric_base, out=columns["metric"])
            if "profile" in columns:
                columns["profile"].fill(index)

        yield StreamPart(int(bounds[-1] - bounds[0]), write)


def _expand_contexts(
    contexts: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64], begin: int, end: int
) -> npt.NDArray[np.uint32]:
    """The context of each value from `begin` to `end`; those of context i begin at bounds[i]."""
    first = int(np.searchsorted(bounds, begin, "right")) - 1
    last = int(np.searchsorted(bounds, end, "left"))
    edges = np.clip(bounds[first : last + 1], begin, end)
    return np.repeat(contexts[first:last], edges[1:] - edges[:-1])


def _find_block(profiles: DatabaseProfiles, index: int) -> ValueBlock:
    info = profiles.infos[index]
    places = [int(info[name]) for name in ("pValues", "nValues", "pCtxIndices", "nCtxs")]
    return ValueBlock(profiles.file, *places)
