"""The tree of calling contexts of meta.db."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit.context_order import (
    ContextOrder,
    Flags,
    Ints,
    Topology,
    find_group_starts,
    find_shown_parents,
    sort_breadth_first,
)
from perfolio.writers.hpctoolkit.format_output import WORD, align_offset, make_records, pack_record
from perfolio.writers.hpctoolkit.model import LEXICAL, Database, Tree

PASSES_TO_FUNCTION = 1
"""Bit 0 of `propagation`: the cost belongs to the function that encloses the context."""
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class ArrayPointers:
    """Where the arrays lie that contexts point into, and the names of the entry points."""

    functions: int
    files: int
    modules: int
    entry_names: Sequence[int]


def pack_context_section(
    database: Database, topology: Topology, pointers: ArrayPointers, start: int
) -> bytes:
    """Head, entry points, then all contexts breadth first: siblings stand together."""
    head = align_offset(lay.CONTEXT.size)
    count = len(database.entry_points)
    if count >= 1 << 16:
        raise ValueError("there are more than 65535 entry points")
    entry_at = start + head
    tree_at = entry_at + count * lay.ENTRY_POINT.size
    order = _select_shown(database, topology)
    words, block_at, block_size = _pack_records(database.tree, order, count, pointers, tree_at)
    entries = make_records(lay.ENTRY_POINT, count)
    places = order.position[[entry.context for entry in database.entry_points]]
    entries["szChildren"], entries["pChildren"] = block_size[places], block_at[places]
    entries["ctxId"] = [entry.context for entry in database.entry_points]
    entries["entryPoint"] = [entry.kind for entry in database.entry_points]
    entries["pPrettyName"] = pointers.entry_names
    fields = {
        "pEntryPoints": entry_at,
        "nEntryPoints": count,
        "szEntryPoint": lay.ENTRY_POINT.size,
    }
    return pack_record(lay.CONTEXT, fields, head) + entries.tobytes() + words.tobytes()


def _select_shown(database: Database, topology: Topology) -> ContextOrder:
    """The order of the contexts that have a node; entry points come first below context 0."""
    tree, order = database.tree, topology.order
    if tree.unlisted is None or not tree.unlisted.any():
        return order
    unlisted = np.zeros(len(order.ids), bool)
    unlisted[order.position[tree.context.astype(np.int64)]] = tree.unlisted
    shown = np.flatnonzero(~unlisted)[1:]
    return sort_breadth_first(
        order.ids[shown], order.ids[find_shown_parents(order, unlisted)[shown]]
    )


def _pack_records(
    tree: Tree, order: ContextOrder, entries: int, pointers: ArrayPointers, base: int
) -> tuple[Words, Ints, Ints]:
    """Records {Ctx} of all contexts, and where the children of each position lie, in bytes."""
    row = np.zeros(int(tree.context.max(initial=0)) + 1, np.int64)
    row[tree.context] = np.arange(len(tree.context))
    row = row[order.ids[1 + entries :]]
    has = {
        lay.HAS_FUNCTION: tree.function[row] >= 0,
        lay.HAS_SRC_LOC: tree.file[row] >= 0,
        lay.HAS_POINT: tree.module[row] >= 0,
    }
    flex = has[lay.HAS_FUNCTION] + 2 * has[lay.HAS_SRC_LOC] + 2 * has[lay.HAS_POINT]
    length = lay.CTX_WORDS + flex.astype(np.int64)
    at = np.cumsum(length) - length
    words = np.zeros(int(length.sum()), "<u8")
    block_at, block_size = _locate_children(order, entries, at, length, base)
    words[at] = block_size[1 + entries :]
    words[at + 1] = block_at[1 + entries :]
    words[at + 2] = _pack_third_word(tree, row, has, flex)
    words[at + 3] = np.where(tree.relation[row] == LEXICAL, PASSES_TO_FUNCTION, 0)
    _put_flex(words, at + lay.CTX_WORDS, tree, row, has, pointers)
    return words, block_at, block_size


def _locate_children(
    order: ContextOrder, entries: int, at: Ints, length: Ints, base: int
) -> tuple[Ints, Ints]:
    """Where the children of each position lie and how many bytes they are; 0, 0 for none."""
    block_at, block_size = np.zeros(len(order.ids), np.int64), np.zeros(len(order.ids), np.int64)
    above = order.parent[1 + entries :]
    first = find_group_starts(above)
    if len(first):
        parents = above[first]
        block_at[parents] = base + WORD * at[first]
        block_size[parents] = WORD * np.add.reduceat(length, first)
    return block_at, block_size


def _pack_third_word(tree: Tree, row: Ints, has: dict[int, Flags], flex: npt.NDArray[Any]) -> Words:
    """ctxId, flags, relation, lexicalType and nFlexWords."""
    flags = np.zeros(len(row), np.uint64)
    for bit, present in has.items():
        flags |= np.where(present, np.uint64(bit), np.uint64(0))
    word = tree.context[row].astype(np.uint64)
    word |= flags << np.uint64(32)
    word |= tree.relation[row].astype(np.uint64) << np.uint64(40)
    word |= tree.lexical_type[row].astype(np.uint64) << np.uint64(48)
    word |= flex.astype(np.uint64) << np.uint64(56)
    return word


def _put_flex(
    words: Words, at: Ints, tree: Tree, row: Ints, has: dict[int, Flags], pointers: ArrayPointers
) -> None:
    """pFunction; pFile and line; pModule and offset: each word by word, if it is present."""
    present = has[lay.HAS_FUNCTION]
    size = lay.FUNCTION.size
    words[at[present]] = pointers.functions + size * tree.function[row[present]].astype(np.int64)
    at = at + present
    present = has[lay.HAS_SRC_LOC]
    words[at[present]] = pointers.files + lay.FILE.size * tree.file[row[present]].astype(np.int64)
    words[at[present] + 1] = tree.line[row[present]]
    at = at + 2 * present
    present = has[lay.HAS_POINT]
    size = lay.MODULE.size
    words[at[present]] = pointers.modules + size * tree.module[row[present]].astype(np.int64)
    words[at[present] + 1] = tree.offset[row[present]]
