"""Values of profile.db as a stream of batches, profile by profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.errors import FormatError
from generator.sources.hpctoolkit import layouts as lay
from generator.sources.hpctoolkit.mapped import MappedFile, Records
from generator.sources.hpctoolkit.meta import STATISTIC_BASE
from generator.sources.hpctoolkit.profiles import Profiles
from generator.sources.model import BATCH_ROWS, Stream, merged

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
class Block:
    """A profile's values {Val} and where those of each context begin {Idx}."""

    file: MappedFile
    values: Records
    indices: Records
    values_at: int
    indices_at: int

    def bounds(self, first: int, last: int) -> npt.NDArray[np.int64]:
        """Where the values of contexts `first` to `last` begin, and where the last ones end.

        Raises FormatError unless they lie in the block, in order.
        """
        starts = self.indices["startIndex"]
        after = starts[last] if last < len(starts) else np.uint64(len(self.values))
        if max(starts[first:last].max(), after) > len(self.values):
            raise self._error(first, "a context's values begin beyond its profile's values")
        bounds = np.empty(last - first + 1, np.int64)
        bounds[:-1], bounds[-1] = starts[first:last], after
        if (first == 0 and bounds[0] != 0) or (bounds[1:] < bounds[:-1]).any():
            raise self._error(first, "the values of contexts are not in order")
        return bounds

    def release(self, first: int, last: int, bounds: npt.NDArray[np.int64]) -> None:
        """Give back the memory of contexts `first` to `last` and of their values."""
        begin, end = int(bounds[0]), int(bounds[-1])
        size = lay.VALUE.size
        self.file.release(self.values_at + begin * size, (end - begin) * size)
        size = lay.CTX_INDEX.size
        self.file.release(self.indices_at + first * size, (last - first) * size)

    def _error(self, first: int, problem: str) -> FormatError:
        return self.file.error(self.indices_at + first * lay.CTX_INDEX.size, problem)


def value_stream(profiles: Profiles) -> Stream:
    """Rows (profile, context, metric, value) of all profiles that are no summary."""
    return _stream(profiles, np.flatnonzero(~profiles.summary), VALUE_SCHEMA, 0)


def summary_stream(profiles: Profiles) -> Stream:
    """Rows (context, metric, value) of the canonical summary profile, the first."""
    return _stream(profiles, np.flatnonzero(profiles.summary)[:1], SUMMARY_SCHEMA, STATISTIC_BASE)


def _stream(
    profiles: Profiles, chosen: npt.NDArray[Any], schema: pa.Schema, metric_base: int
) -> Stream:
    def batches() -> Iterator[pa.RecordBatch]:
        parts = (
            part
            for index in chosen
            for part in _profile_batches(profiles, int(index), schema, metric_base)
        )
        return merged(parts)

    return Stream(int(profiles.infos["nValues"][chosen].sum()), schema, batches)


def _profile_batches(
    profiles: Profiles, index: int, schema: pa.Schema, metric_base: int
) -> Iterator[pa.RecordBatch]:
    block = _block(profiles, index)
    for first in range(0, len(block.indices), CONTEXT_ROWS):
        last = min(first + CONTEXT_ROWS, len(block.indices))
        bounds = block.bounds(first, last)
        contexts = block.indices["ctxId"][first:last]
        for begin in range(int(bounds[0]), int(bounds[-1]), BATCH_ROWS):
            end = min(begin + BATCH_ROWS, int(bounds[-1]))
            values = block.values[begin:end]
            edges = np.clip(bounds, begin, end)
            columns = {
                "profile": np.full(end - begin, index, np.int32),
                "context": np.repeat(contexts, edges[1:] - edges[:-1]),
                "metric": np.add(values["metricId"], metric_base, dtype=np.int32),
                "value": np.ascontiguousarray(values["value"]),
            }
            yield pa.record_batch([pa.array(columns[name]) for name in schema.names], schema=schema)
        block.release(first, last, bounds)


def _block(profiles: Profiles, index: int) -> Block:
    file, info = profiles.file, profiles.infos[index]
    values_at, indices_at = int(info["pValues"]), int(info["pCtxIndices"])
    return Block(
        file,
        file.records(lay.VALUE, values_at, int(info["nValues"])),
        file.records(lay.CTX_INDEX, indices_at, int(info["nCtxs"])),
        values_at,
        indices_at,
    )
