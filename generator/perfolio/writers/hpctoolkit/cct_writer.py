"""cct.db: the values of profile.db by context, and on the way the summary profile.

profile.db is read back in ranges of contexts, each small enough for memory: from every
profile comes one piece of values that lie together, and a stable sort by context and
metric leaves the profiles of each pair in their order. In that order the summary's
statistics are sums over runs. Each value is read once, from a mapped file.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.progress import Progress
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.format_layouts import Layout
from perfolio.writers.hpctoolkit.context_order import Ints, find_group_starts
from perfolio.writers.hpctoolkit.format_output import (
    BLOCK_ALIGNMENT,
    GrowingFile,
    OutputSection,
    Records,
    align_offset,
    as_bytes,
    compute_header_size,
    make_records,
    open_output,
    pack_record,
)
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering
from perfolio.writers.hpctoolkit.profile_writer import SUMMARY, ProfileFile, make_value_rows
from perfolio.writers.hpctoolkit.summary_statistics import RangeEntries, SummaryStatistics

KIND = b"ctxt"
RANGE_VALUES = 1 << 20
"""Values that are sorted together; more where a single context has more."""


@dataclass(frozen=True)
class MappedFile:
    """A file, mapped read-only."""

    map: mmap.mmap

    def records(self, layout: Layout, offset: int, count: int) -> Records:
        """`count` structures at `offset`, without copying."""
        if count == 0:
            return np.empty(0, layout.dtype())
        return np.ndarray((count,), layout.dtype(), buffer=self.map, offset=offset)

    def release(self, offset: int, length: int) -> None:
        """Give the whole pages within a consumed range back to the system."""
        start = -(-offset // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = (offset + length - start) // mmap.PAGESIZE
        if pages > 0 and hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED, start, pages * mmap.PAGESIZE)


@dataclass
class _ProfileCursor:
    """A profile of profile.db, and how much of it was read."""

    profile: int
    file: MappedFile
    values_at: int
    values: Records
    index_at: int
    index: Records
    done: int = 0
    """Contexts that were read."""

    def take(self, limit: int) -> tuple[Ints, npt.NDArray[np.uint16], npt.NDArray[np.float64]]:
        """Context, metric and value of all that belongs to contexts below `limit`."""
        first, last = self.done, self._search(limit)
        starts = self.index["startIndex"]
        begin = int(starts[first]) if first < len(starts) else len(self.values)
        end = int(starts[last]) if last < len(starts) else len(self.values)
        edges = np.append(starts[first:last].astype(np.int64), end)
        counts = edges[1:] - edges[:-1]
        context = np.repeat(self.index["ctxId"][first:last].astype(np.int64), counts)
        rows = self.values[begin:end]
        metric, value = rows["metricId"].copy(), rows["value"].copy()
        # From the block's start: the kernel maps pages around those read, also behind them.
        self.file.release(self.values_at, end * lay.VALUE.size)
        self.file.release(self.index_at, last * lay.CTX_INDEX.size)
        self.done = last
        return context, metric, value

    def _search(self, limit: int) -> int:
        """Position of the first context not below `limit`.

        In growing steps from where reading stands: what lies far ahead is not touched, so
        that it does not come into memory.
        """
        contexts, low, step = self.index["ctxId"], self.done, 1
        while low + step < len(contexts) and contexts[low + step] < limit:
            low, step = low + step, 2 * step
        high = min(low + step, len(contexts))
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if contexts[middle] < limit else (low, middle)
        return low


def write_contexts(
    path: Path, profiles: ProfileFile, source: Path, numbers: MetricNumbering, progress: Progress
) -> None:
    """Write cct.db from profile.db at `source`, and the summary into the latter."""
    profiles.out.file.flush()
    count = len(profiles.per_context)
    start = compute_header_size(KIND)
    array = align_offset(start + lay.CTX_INFOS.size)
    section = OutputSection(start, array - start + count * lay.CTX_INFO.size)
    infos = make_records(lay.CTX_INFO, count)
    statistics = SummaryStatistics(numbers)
    summary_index: list[Records] = []
    with open_output(path, KIND) as out:
        out.skip(section.offset + section.size)
        out.align(BLOCK_ALIGNMENT)
        for entries in _read_ranges(profiles, source, progress):
            _append_blocks(out, infos, entries)
            _append_summary(profiles, summary_index, statistics, entries)
        fields = {"pCtxs": array, "nCtxs": count, "szCtx": lay.CTX_INFO.size}
        out.fill(start, pack_record(lay.CTX_INFOS, fields))
        out.fill(array, infos.tobytes())
        out.finish([section])
    joined = np.concatenate(summary_index) if summary_index else make_records(lay.CTX_INDEX, 0)
    profiles.append_index(SUMMARY, joined)


def _read_ranges(profiles: ProfileFile, source: Path, progress: Progress) -> Iterator[RangeEntries]:
    """All values by context, metric and profile, in ranges of contexts."""
    total = int(profiles.per_context.sum())
    progress.start("cct.db", total)
    after = np.cumsum(profiles.per_context)
    if not total:
        yield RangeEntries.none(0, len(after))
        return
    file = map_file(source)
    cursors = [_open_cursor(file, profiles.infos, p) for p in range(1, len(profiles.infos))]
    first, done = 0, 0
    while first < len(after):
        last = max(first + 1, int(np.searchsorted(after, done + RANGE_VALUES, "right")))
        if last >= len(after) or done == total:
            last = len(after)
        parts = [(c.profile, *c.take(last)) for c in cursors if c.done < len(c.index)]
        parts = [part for part in parts if len(part[1])]
        yield RangeEntries.of(first, last, parts)
        progress.advance(int(after[last - 1]) - done)
        first, done = last, int(after[last - 1])


def _open_cursor(file: MappedFile, infos: Records, profile: int) -> _ProfileCursor:
    info: Any = infos[profile]
    values_at, index_at = int(info["pValues"]), int(info["pCtxIndices"])
    return _ProfileCursor(
        profile,
        file,
        values_at,
        file.records(lay.VALUE, values_at, int(info["nValues"])),
        index_at,
        file.records(lay.CTX_INDEX, index_at, int(info["nCtxs"])),
    )


def _append_blocks(out: GrowingFile, infos: Records, entries: RangeEntries) -> None:
    """Write the blocks of a range of contexts, and fill their {CI}.

    A block is its values {Val}, then its metrics {Idx}, then padding; those without
    values point to where they would stand.
    """
    contexts = np.arange(entries.first, entries.last)
    values = np.bincount(entries.context - entries.first, minlength=len(contexts))
    groups = np.bincount(entries.context[entries.runs] - entries.first, minlength=len(contexts))
    used = values * lay.PROFILE_VALUE.size + groups * lay.METRIC_INDEX.size
    sizes = -(-used // BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT
    at = np.cumsum(sizes) - sizes
    info = infos[entries.first : entries.last]
    info["nValues"], info["nMetrics"] = values, groups
    info["pValues"] = out.end + at
    info["pMetricIndices"] = info["pValues"] + values * lay.PROFILE_VALUE.size
    out.append(as_bytes(_build_blocks(entries, values, groups, at, int(sizes.sum()))))


def _build_blocks(entries: RangeEntries, values: Ints, groups: Ints, at: Ints, size: int) -> Any:
    """The bytes of the blocks: each structure is copied to its place in steps of its alignment."""
    rows = make_records(lay.PROFILE_VALUE, len(entries.value))
    rows["profIndex"], rows["value"] = entries.profile, entries.value
    index = make_records(lay.METRIC_INDEX, len(entries.runs))
    index["metricId"] = entries.metric[entries.runs]
    index["startIndex"] = entries.runs - np.repeat(np.cumsum(values) - values, groups)
    data = np.zeros(size // 2, np.uint16)
    metric_at = at + values * lay.PROFILE_VALUE.size
    _spread_rows(data.view(np.uint32), rows, np.repeat(at, values), values)
    _spread_rows(data, index, np.repeat(metric_at, groups), groups)
    return data


def _spread_rows(data: npt.NDArray[Any], rows: Records, at: Ints, counts: Ints) -> None:
    """Copy structures to where their context's array starts, one after another."""
    if not len(rows):
        return
    step, size = data.itemsize, rows.dtype.itemsize
    before = np.repeat(np.cumsum(counts) - counts, counts)
    place = (at + (np.arange(len(rows)) - before) * size) // step
    units = rows.view(data.dtype).reshape(len(rows), size // step)
    for unit in range(size // step):
        data[place + unit] = units[:, unit]


def _append_summary(
    profiles: ProfileFile,
    index: list[Records],
    statistics: SummaryStatistics,
    entries: RangeEntries,
) -> None:
    """Write the statistics of a range of contexts as values of the summary profile."""
    context, metric, value = statistics.of(entries)
    starts = find_group_starts(context)
    rows = make_records(lay.CTX_INDEX, len(starts))
    rows["ctxId"] = context[starts]
    rows["startIndex"] = int(profiles.infos["nValues"][SUMMARY]) + starts
    if len(value):
        profiles.append_values(SUMMARY, make_value_rows(metric, value))
        index.append(rows)


def map_file(path: Path) -> MappedFile:
    """Map `path` read-only."""
    with path.open("rb") as handle:
        return MappedFile(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))
