"""Where the records of the context tree lie, found by a frontier scan.

A block of siblings can only be walked record by record, since each record says how
long it is. So all blocks are walked at once: a step reads the next record of each open
block, and opens the blocks of their children. The number of steps is bounded by depth
plus siblings along one path, not by the number of contexts, and nothing recurses.

A step of arrays costs the same for one block as for a thousand, so that long chains and
rows would be slow: where few blocks are open, a step takes them one by one, and a long
block is walked to its end before.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import FormatError
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.file_header import DatabaseFile

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Row = tuple[int, int, int, int, int]
"""An open block: next record, end, parent, depth, entry point."""
FEW = 32
"""Blocks below which they are faster one by one."""
LONG = 1 << 12
"""Words of a block from which on it is walked to its end at once."""
KEPT = 1 << 16
"""Records that are kept as objects of Python at a time."""
ID = (1 << 32) - 1
LENGTH_AT = 8 * 2 + 7
"""The byte of a record that says how many words follow its first ones: nFlexWords."""


@dataclass(frozen=True)
class ContextBlocks:
    """Open blocks of siblings: next record and end (in words), and what they belong to."""

    position: Ints
    end: Ints
    parent: Ints
    depth: Ints
    entry: Ints

    @property
    def columns(self) -> tuple[Ints, ...]:
        """All columns, in the order of the fields."""
        return self.position, self.end, self.parent, self.depth, self.entry

    def take(self, chosen: npt.NDArray[Any]) -> ContextBlocks:
        """The chosen blocks."""
        return ContextBlocks(*(column[chosen] for column in self.columns))

    def rows(self) -> list[Row]:
        """The blocks one by one."""
        return list(zip(*(column.tolist() for column in self.columns), strict=True))


def join_blocks(parts: list[ContextBlocks]) -> ContextBlocks:
    """The blocks of all parts, of which there is at least one."""
    return ContextBlocks(
        *(np.concatenate(c) for c in zip(*(p.columns for p in parts), strict=True))
    )


def _make_blocks(rows: list[Row]) -> ContextBlocks:
    return ContextBlocks(*np.array(rows, np.int64).reshape(-1, 5).T)


def scan_contexts(meta: DatabaseFile, entries: Any) -> ContextBlocks:
    """Every record of the tree: its position, its parent's id, depth and entry point."""
    return join_blocks(list(_ContextScan(meta).records(entries)))


class _ContextScan:
    """One pass over the tree: blocks are opened once, and records counted."""

    def __init__(self, meta: DatabaseFile) -> None:
        self.file = meta.file
        self.words: Words = meta.file.words().view("<u8")
        section = meta.sections["Context"]
        self.first, self.last = section.offset, section.offset + section.size
        self.seen = np.zeros(section.size // 8 + 1, bool)
        self.left = section.size // (8 * lay.CTX_WORDS)
        """Records that the section has room for."""

    def records(self, entries: Any) -> Iterator[ContextBlocks]:
        """The records in steps, those of one step in the order of their blocks."""
        count = len(entries)
        frontier = self._open(
            ContextBlocks(
                entries["pChildren"].astype(np.int64),
                entries["szChildren"].astype(np.int64),
                entries["ctxId"].astype(np.int64),
                np.full(count, 2, np.int64),
                np.arange(count, dtype=np.int64),
            )
        )
        yield frontier.take(np.zeros(0, np.int64))
        while len(frontier.position):
            long = frontier.end - frontier.position >= LONG
            if long.any():
                found, frontier = self._walk_whole(frontier, long)
            elif len(frontier.position) < FEW:
                found, frontier = self._step_by_step(frontier.rows())
            else:
                found, frontier = frontier, self._step(frontier)
            yield found

    def _walk_whole(
        self, frontier: ContextBlocks, long: npt.NDArray[np.bool_]
    ) -> tuple[ContextBlocks, ContextBlocks]:
        """All records of the long blocks, and what is open then."""
        blocks = frontier.take(long)
        places = [
            self._walk(*ends)
            for ends in zip(blocks.position.tolist(), blocks.end.tolist(), strict=True)
        ]
        counts = [len(each) for each in places]
        found = ContextBlocks(
            np.concatenate(places), *(np.repeat(column, counts) for column in blocks.columns[1:])
        )
        return found, join_blocks([frontier.take(~long), self._open_children(found)])

    def _walk(self, at: int, end: int) -> Ints:
        """The positions of a block's records. How long each is, the last byte of a word says."""
        content, places = self.file.content, array("q")
        while at + lay.CTX_WORDS <= end:
            places.append(at)
            at += lay.CTX_WORDS + content[8 * at + LENGTH_AT]
        if at != end:
            raise self._beyond(at if at < end else places[-1])
        self._count(len(places), places[0])
        return np.frombuffer(places, np.int64)

    def _step(self, frontier: ContextBlocks) -> ContextBlocks:
        """The blocks that are open after the next record of each."""
        at, words = frontier.position, self.words
        self._within(at + lay.CTX_WORDS, frontier.end, at)
        length = lay.CTX_WORDS + (words[at + 2] >> np.uint64(56)).astype(np.int64)
        self._within(at + length, frontier.end, at)
        self._count(len(at), int(at[0]))
        moved = ContextBlocks(at + length, *frontier.columns[1:])
        children = self._open_children(frontier)
        return join_blocks([moved.take(moved.position < moved.end), children])

    def _open_children(self, records: ContextBlocks) -> ContextBlocks:
        """The blocks of the children of records."""
        at, words = records.position, self.words
        return self._open(
            ContextBlocks(
                words[at + 1].astype(np.int64),
                words[at].astype(np.int64),
                (words[at + 2] & np.uint64(ID)).astype(np.int64),
                records.depth + 1,
                records.entry,
            )
        )

    def _step_by_step(self, rows: list[Row]) -> tuple[ContextBlocks, ContextBlocks]:
        """The same steps while few blocks are open: the records, and what is open then."""
        found: list[Row] = []
        while rows and len(rows) < FEW and len(found) < KEPT:
            found += rows
            self._count(len(rows), rows[0][0])
            steps = [self._next(row) for row in rows]
            rows = [moved for moved, _ in steps if moved[0] < moved[1]]
            rows += [child for _, child in steps if child is not None]
        return _make_blocks(found), _make_blocks(rows)

    def _next(self, row: Row) -> tuple[Row, Row | None]:
        """What follows a block's next record in it, and the block of that record's children."""
        at, end, parent, depth, entry = row
        item = self.words.item
        if at + lay.CTX_WORDS > end:
            raise self._beyond(at)
        head = item(at + 2)
        after = at + lay.CTX_WORDS + (head >> 56)
        if after > end:
            raise self._beyond(at)
        size, start = item(at), item(at + 1)
        if not size:
            return (after, end, parent, depth, entry), None
        if start % 8 or size % 8 or start < self.first or start + size > self.last:
            raise self._outside(start)
        slot = (start - self.first) // 8
        if self.seen[slot]:
            raise self._shared(start)
        self.seen[slot] = True
        child = (start // 8, (start + size) // 8, head & ID, depth + 1, entry)
        return (after, end, parent, depth, entry), child

    def _open(self, blocks: ContextBlocks) -> ContextBlocks:
        """Blocks given by pointer and size in bytes, checked, in words; empty ones left out."""
        blocks = blocks.take(blocks.end != 0)
        start, size = blocks.position, blocks.end
        wrong = (
            (start % 8 != 0)
            | (size % 8 != 0)
            | (size < 0)
            | (start < self.first)
            | (size > self.last - self.first)
            | (start > self.last - size)
        )
        if wrong.any():
            raise self._outside(int(start[wrong][0]) & (1 << 64) - 1)
        slot = (start - self.first) // 8
        if self.seen[slot].any() or len(np.unique(slot)) != len(slot):
            raise self._shared(int(start[0]))
        self.seen[slot] = True
        return ContextBlocks(start // 8, (start + size) // 8, *blocks.columns[2:])

    def _count(self, records: int, at: int) -> None:
        self.left -= records
        if self.left < 0:
            raise self.file.error(at * 8, "contexts overlap, or the tree has a cycle")

    def _within(self, position: Ints, end: Ints, at: Ints) -> None:
        beyond = position > end
        if beyond.any():
            raise self._beyond(int(at[beyond][0]))

    def _beyond(self, at: int) -> FormatError:
        return self.file.error(at * 8, "a context reaches beyond its siblings' block")

    def _outside(self, start: int) -> FormatError:
        return self.file.error(start, "children of a context lie outside the context tree")

    def _shared(self, start: int) -> FormatError:
        return self.file.error(start, "two contexts share children, or the tree has a cycle")
