"""What ran on the GPUs of a run in a window, as arrays.

In:  a run of a store and a window. Out: begin, end and kind of each operation, and by calling
     context what that is.

Which GPUs take part, what a kernel is and what a copy is the store's models say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.comparison.frame_paths import UNKNOWN, FramePath, clean_name, clip_name, read_paths
from perfolio.store.run_tables import RunTables

Integers = npt.NDArray[np.int64]
_OPERATIONS = """
SELECT stream.device, ran.start, ran.start + ran.duration AS stop, ran.context,
    coalesce(ran.call, -1) AS call, coalesce(ran.bytes, -1) AS bytes
FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile
WHERE ran.start <= $high AND ran.start + ran.duration >= $low
ORDER BY stream.device, ran.start, ran.profile, stop, ran.context
"""
_CONTEXTS = """
SELECT DISTINCT ran.context, ran.operation, placed.launcher,
    coalesce(placed.words, ran.operation) AS words,
    coalesce(named.function_name, named.name) AS name, kind.class
FROM gpu_operation AS ran
LEFT JOIN gpu_context AS placed ON placed.context = ran.context
LEFT JOIN context_name AS named ON named.context = ran.context
LEFT JOIN kernel_class AS kind ON kind.context = ran.context
"""
_SHAPES = """
WITH RECURSIVE sized AS MATERIALIZED (
    SELECT DISTINCT context FROM host_range WHERE kind = 'operator' AND shapes IS NOT NULL
),
called AS MATERIALIZED (
    SELECT call.id, call.profile, call.context, call.start
    FROM host_call AS call
    WHERE EXISTS (FROM sized) AND call.id IN (
        SELECT call FROM gpu_operation WHERE start <= $high AND start + duration >= $low
    )
),
above AS (
    SELECT context AS target, context AS place FROM (SELECT DISTINCT context FROM called)
    UNION ALL
    SELECT above.target, context.parent
    FROM above JOIN context ON context.id = above.place
    WHERE above.place NOT IN (FROM sized) AND context.parent <> 0
)
SELECT called.id, range.shapes
FROM called
JOIN above ON above.target = called.context AND above.place IN (FROM sized)
ASOF JOIN (SELECT * FROM host_range WHERE kind = 'operator' AND shapes IS NOT NULL) AS range
    ON range.profile = called.profile AND range.context = above.place
    AND range.start <= called.start
ORDER BY called.id
"""
_RANKS = "SELECT device, CAST(coalesce(rank, 0) AS BIGINT) FROM gpu_device ORDER BY device"
QUERIES = (_OPERATIONS, _CONTEXTS, _SHAPES, _RANKS)


@dataclass(frozen=True)
class WorkContext:
    """What operations of one calling context are."""

    part: int
    """Place among kernels, collectives and copies."""
    kind: str
    name: str
    short: str
    path: FramePath
    operation: str


@dataclass
class GpuOperations:
    """Operations that run in a window, in the order of GPUs and begins."""

    device: Integers
    start: Integers
    stop: Integers
    context: Integers
    call: Integers
    """That launched it; -1 where that is not recorded."""
    bytes: Integers
    """-1 where they are not recorded."""
    shapes: Integers
    """Number of a text of `texts`; 0 is empty."""
    texts: list[str]
    contexts: Mapping[int, WorkContext]
    ranks: Mapping[int, int]
    """By GPU that takes part, in order; 0 where the rank is not known."""

    def flag(self, holds: Callable[[WorkContext], bool]) -> npt.NDArray[np.bool_]:
        """For each operation whether its context is such a one."""
        chosen = np.array([n for n, one in self.contexts.items() if holds(one)], np.int64)
        return np.isin(self.context, chosen)


def read_operations(tables: RunTables, window: tuple[int, int]) -> GpuOperations:
    """What runs in a window, and what begins at its end."""
    given = {"low": window[0], "high": window[1]}
    for sql in QUERIES:
        tables.provide(sql)
    found = tables.connection.sql(_OPERATIONS, params=given).to_arrow_table()
    columns = {name: read_column(found, name) for name in found.column_names}
    ranks = dict(tables.rows(_RANKS))
    shapes, texts = _read_shapes(tables, columns["call"], columns["bytes"], given)
    contexts = _read_contexts(tables, columns["context"])
    return GpuOperations(**columns, shapes=shapes, texts=texts, contexts=contexts, ranks=ranks)


def read_column(table: pa.Table, name: str) -> Integers:
    """A column of integers without NULL."""
    return np.asarray(table.column(name).to_numpy(zero_copy_only=False)).astype(np.int64)


def _read_shapes(
    tables: RunTables, call: Integers, size: Integers, given: Mapping[str, int]
) -> tuple[Integers, list[str]]:
    """Sizes of what launched each operation, or its bytes; numbers of texts."""
    texts: dict[str, int] = {"": 0}
    shapes = np.zeros(len(call), np.int64)
    found = tables.rows(_SHAPES, given)
    if found:
        ids = np.array([one for one, _ in found], np.int64)
        codes = np.array(
            [texts.setdefault(clip_name(str(text)), len(texts)) for _, text in found], np.int64
        )
        place = np.minimum(np.searchsorted(ids, call), len(ids) - 1)
        shapes = np.where(ids[place] == call, codes[place], 0)
    sizes, inverse = np.unique(size, return_inverse=True)
    numbers = [0 if one < 0 else texts.setdefault(f"{one} B", len(texts)) for one in sizes.tolist()]
    return np.where(size >= 0, np.array(numbers, np.int64)[inverse], shapes), list(texts)


def _read_contexts(tables: RunTables, wanted: Integers) -> dict[int, WorkContext]:
    used = set(np.unique(wanted).tolist())
    rows = [row for row in tables.rows(_CONTEXTS) if row[0] in used]
    launchers = {row[2] for row in rows if row[2] is not None}
    paths = read_paths(tables, launchers)
    return {row[0]: _make_context(row, paths.get(row[2], UNKNOWN)) for row in rows}


def _make_context(row: Sequence[Any], path: FramePath) -> WorkContext:
    _, operation, _, words, name, group = row
    if operation != "kernel":
        return WorkContext(2, operation, "", operation, path, operation)
    collective = group == "collective"
    whole = clean_name(name or words)
    return WorkContext(int(collective), group or "other", whole, clean_name(words), path, operation)
