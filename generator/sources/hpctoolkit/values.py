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
from generator.sources.model import Columns, Part, Stream, gathered

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
    types = {field.name: field.type.to_pandas_dtype() for field in schema}

    def batches() -> Iterator[pa.RecordBatch]:
        parts = (
            part for index in chosen for part in _profile_parts(profiles, int(index), metric_base)
        )
        for columns in gathered(parts, types):
            yield pa.record_batch([pa.array(columns[name]) for name in schema.names], schema=schema)

    return Stream(int(profiles.infos["nValues"][chosen].sum()), schema, batches)


def _profile_parts(profiles: Profiles, index: int, metric_base: int) -> Iterator[Part]:
    """The values of a profile by CONTEXT_ROWS; each part is to be written before the next."""
    block = _block(profiles, index)
    for first in range(0, len(block.indices), CONTEXT_ROWS):
        last = min(first + CONTEXT_ROWS, len(block.indices))
        bounds = block.bounds(first, last)
        contexts = np.ascontiguousarray(block.indices["ctxId"][first:last])

        def write(
            row: int,
            columns: Columns,
            bounds: npt.NDArray[np.int64] = bounds,
            contexts: npt.NDArray[np.uint32] = contexts,
        ) -> None:
            begin = int(bounds[0]) + row
            values = block.values[begin : begin + len(columns["value"])]
            columns["context"][:] = _repeated(contexts, bounds, begin, begin + len(values))
            columns["metric"][:] = values["metricId"]
            columns["value"][:] = values["value"]
            if metric_base:
                np.add(columns["metric"], metric_base, out=columns["metric"])
            if "profile" in columns:
                columns["profile"].fill(index)

        yield Part(int(bounds[-1] - bounds[0]), write)
        block.release(first, last, bounds)


def _repeated(
    contexts: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64], begin: int, end: int
) -> npt.NDArray[np.uint32]:
    """The context of each value from `begin` to `end`; those of context i begin at bounds[i]."""
    first = int(np.searchsorted(bounds, begin, "right")) - 1
    last = int(np.searchsorted(bounds, end, "left"))
    edges = np.clip(bounds[first : last + 1], begin, end)
    return np.repeat(contexts[first:last], edges[1:] - edges[:-1])


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
