"""The tree of calling contexts of meta.db, read by a frontier scan.

A block of siblings can only be walked record by record, since each record says how
long it is. So all blocks are walked at once: a step reads the next record of each open
block, and opens the blocks of their children. The number of steps is bounded by depth
plus siblings along one path, not by the number of contexts, and nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.sources.hpctoolkit import layouts as lay
from generator.sources.hpctoolkit.header import DatabaseFile, Section
from generator.sources.hpctoolkit.meta import Table, nullable

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Blocks:
    """Open blocks of siblings: next record and end (in words), and what they belong to."""

    position: Ints
    end: Ints
    parent: Ints
    depth: Ints
    entry: Ints

    def take(self, chosen: npt.NDArray[Any]) -> Blocks:
        """The chosen blocks."""
        return Blocks(
            self.position[chosen],
            self.end[chosen],
            self.parent[chosen],
            self.depth[chosen],
            self.entry[chosen],
        )

    def join(self, other: Blocks) -> Blocks:
        """These blocks and others."""
        return Blocks(
            *(
                np.concatenate(pair)
                for pair in zip(
                    (self.position, self.end, self.parent, self.depth, self.entry),
                    (other.position, other.end, other.parent, other.depth, other.entry),
                    strict=True,
                )
            )
        )


def context_table(meta: DatabaseFile, functions: Table, files: Table, modules: Table) -> pa.Table:
    """All contexts; entry points are rows of depth 1 below context 0.

    Columns: id, parent, depth, entry_point, relation, lexical_type, function, file, line,
    module, offset.
    """
    head = meta.head("Context", lay.CONTEXT)
    entries = meta.array(
        "Context", lay.ENTRY_POINT, head["pEntryPoints"], head["nEntryPoints"], head["szEntryPoint"]
    )
    words = meta.file.words().view("<u8")
    found = _scan(meta, words, entries)
    names = [
        meta.file.optional_string(int(e["pPrettyName"]))
        or lay.enumerated(lay.ENTRY_POINTS, int(e["entryPoint"]))
        for e in entries
    ]
    columns = _decode(meta, words, found, functions, files, modules)
    columns["entry_point"] = pa.array(names, pa.string()).take(pa.array(found.entry))
    table = pa.concat_tables(
        [_entry_table(entries, names), pa.table(columns)], promote_options="permissive"
    )
    ids = np.sort(table["id"].to_numpy())
    twice = np.flatnonzero(ids[1:] == ids[:-1])
    if len(twice):
        raise meta.file.error(
            meta.sections["Context"].offset, f"context {int(ids[twice[0]])} is listed twice"
        )
    if len(ids) and ids[0] == 0:
        raise meta.file.error(meta.sections["Context"].offset, "a context has the reserved id 0")
    return table.select(
        [
            "id",
            "parent",
            "depth",
            "entry_point",
            "relation",
            "lexical_type",
            "function",
            "file",
            "line",
            "module",
            "offset",
        ]
    )


def _scan(meta: DatabaseFile, words: Words, entries: Any) -> Blocks:
    """Every record of the tree: its position, its parent's id, depth and entry point."""
    section = meta.sections["Context"]
    seen = np.zeros(section.size // 8 + 1, bool)
    frontier = _open(
        meta,
        section,
        seen,
        Blocks(
            entries["pChildren"].astype(np.int64),
            entries["szChildren"].astype(np.int64),
            entries["ctxId"].astype(np.int64),
            np.full(len(entries), 2, np.int64),
            np.arange(len(entries), dtype=np.int64),
        ),
    )
    found = [frontier.take(np.zeros(0, np.int64))]
    records, limit = 0, section.size // (8 * lay.CTX_WORDS)
    while len(frontier.position):
        at = frontier.position
        _within(meta, at + lay.CTX_WORDS, frontier.end, at)
        length = lay.CTX_WORDS + (words[at + 2] >> np.uint64(56)).astype(np.int64)
        _within(meta, at + length, frontier.end, at)
        found.append(frontier)
        records += len(at)
        if records > limit:
            raise meta.file.error(int(at[0]) * 8, "contexts overlap, or the tree has a cycle")
        children = _open(
            meta,
            section,
            seen,
            Blocks(
                words[at + 1].astype(np.int64),
                words[at].astype(np.int64),
                (words[at + 2] & np.uint64(0xFFFFFFFF)).astype(np.int64),
                frontier.depth + 1,
                frontier.entry,
            ),
        )
        moved = Blocks(at + length, frontier.end, frontier.parent, frontier.depth, frontier.entry)
        frontier = moved.take(moved.position < moved.end).join(children)
    total = found[0]
    return Blocks(
        *(
            np.concatenate([getattr(part, name) for part in found])
            for name in total.__dataclass_fields__
        )
    )


def _open(
    meta: DatabaseFile, section: Section, seen: npt.NDArray[np.bool_], blocks: Blocks
) -> Blocks:
    """Blocks given by pointer and size in bytes, checked, in words; empty ones left out."""
    blocks = blocks.take(blocks.end != 0)
    start, size = blocks.position, blocks.end
    wrong = (
        (start % 8 != 0)
        | (size % 8 != 0)
        | (size < 0)
        | (start < section.offset)
        | (size > section.size)
        | (start > section.offset + section.size - size)
    )
    if wrong.any():
        raise meta.file.error(
            int(start[wrong][0]) & (1 << 64) - 1,
            "children of a context lie outside the context tree",
        )
    slot = (start - section.offset) // 8
    if seen[slot].any() or len(np.unique(slot)) != len(slot):
        raise meta.file.error(int(start[0]), "two contexts share children, or the tree has a cycle")
    seen[slot] = True
    return Blocks(start // 8, (start + size) // 8, blocks.parent, blocks.depth, blocks.entry)


def _within(meta: DatabaseFile, position: Ints, end: Ints, at: Ints) -> None:
    beyond = position > end
    if beyond.any():
        raise meta.file.error(
            int(at[beyond][0]) * 8, "a context reaches beyond its siblings' block"
        )


def _decode(
    meta: DatabaseFile, words: Words, found: Blocks, functions: Table, files: Table, modules: Table
) -> dict[str, pa.Array]:
    """Columns of the contexts at the positions found.

    `flex` is packed in this order: pFunction; pFile and line (a word each); pModule and
    offset; each of the three if its flag is set.
    """
    at = found.position
    word = words[at + 2]
    flags = (word >> np.uint64(32)).astype(np.uint8)
    has = {bit: (flags & bit) != 0 for bit in (lay.HAS_FUNCTION, lay.HAS_SRC_LOC, lay.HAS_POINT)}
    function_at = at + lay.CTX_WORDS
    file_at = function_at + has[lay.HAS_FUNCTION]
    module_at = file_at + 2 * has[lay.HAS_SRC_LOC]
    _within(
        meta,
        module_at + 2 * has[lay.HAS_POINT],
        at + lay.CTX_WORDS + (word >> np.uint64(56)).astype(np.int64),
        at,
    )

    def flex(position: Ints, present: npt.NDArray[np.bool_]) -> Words:
        values = np.zeros(len(position), np.uint64)
        values[present] = words[position[present]]
        return values

    file = files.index(meta, flex(file_at, has[lay.HAS_SRC_LOC]))
    module = modules.index(meta, flex(module_at, has[lay.HAS_POINT]))
    line = flex(file_at + 1, has[lay.HAS_SRC_LOC]).astype(np.uint32)
    return {
        "id": pa.array(word.astype(np.uint32)),
        "parent": pa.array(found.parent.astype(np.uint32)),
        "depth": pa.array(found.depth.astype(np.int32)),
        "relation": _named(lay.RELATIONS, (word >> np.uint64(40)).astype(np.uint8)),
        "lexical_type": _named(lay.LEXICAL_TYPES, (word >> np.uint64(48)).astype(np.uint8)),
        "function": nullable(functions.index(meta, flex(function_at, has[lay.HAS_FUNCTION]))),
        "file": nullable(file),
        "line": pa.array(line, mask=~has[lay.HAS_SRC_LOC]),
        "module": nullable(module),
        "offset": pa.array(flex(module_at + 1, has[lay.HAS_POINT]), mask=~has[lay.HAS_POINT]),
    }


def _named(names: dict[int, str], values: npt.NDArray[np.uint8]) -> pa.Array:
    """Names of enumeration values, one for each of the 256 possible ones."""
    table = pa.array([lay.enumerated(names, n) for n in range(256)], pa.string())
    return table.take(pa.array(values))


def _entry_table(entries: Any, names: list[str]) -> pa.Table:
    count = len(entries)
    return pa.table(
        {
            "id": pa.array(entries["ctxId"].astype(np.uint32)),
            "parent": pa.array(np.zeros(count, np.uint32)),
            "depth": pa.array(np.ones(count, np.int32)),
            "entry_point": pa.array(names, pa.string()),
            "relation": pa.array(["entry"] * count, pa.string()),
            "lexical_type": pa.array(["entry"] * count, pa.string()),
            "function": pa.nulls(count, pa.int32()),
            "file": pa.nulls(count, pa.int32()),
            "line": pa.nulls(count, pa.uint32()),
            "module": pa.nulls(count, pa.int32()),
            "offset": pa.nulls(count, pa.uint64()),
        }
    )
