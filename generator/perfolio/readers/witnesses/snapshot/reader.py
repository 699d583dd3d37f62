"""What becomes of which dictionary of a memory snapshot, and the tables of all.

A stack stands for where memory was allocated: its innermost frame of the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.snapshot.allocator_trace import NOWHERE, AllocatorTrace, to_whole
from perfolio.readers.witnesses.snapshot.pickle_machine import PickleMachine
from perfolio.readers.witnesses.snapshot.record_shapes import DROPPED, MemoDict, SiblingLookup

TOOL = "PyTorch memory snapshot"
_PROTOCOL = 0x80
_ALLOCATED = "active_allocated"
_MOST_DEVICES = 1 << 20
_LIBRARY = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python3|^<|^\?\?$|^$|"
    r"\.(?:cpp|cc|cxx|cu|c|h|hpp|so)(?:\.\d+)*$|^torch[\\/]"
)
"""Files of the interpreter, of installed packages, and of compiled code."""
_ORIGINS = (
    ("optimizer", re.compile(r"[\\/]optim(?:izers?)?[\\/]", re.IGNORECASE), re.compile("")),
    (
        "backward", re.compile(r"[\\/]torch[\\/](?:autograd[\\/](?:__init__|graph)|_tensor)\.py$|"
        r"autograd[\\/](?:python_)?engine\.cpp$|^\?\?$|^$"),
        re.compile(r"^(?:backward|grad|_make_grads|_engine_run_backward)$|autograd::Engine::"),
    ),
    (
        "module", re.compile(r"[\\/]torch[\\/]nn[\\/](?:modules[\\/]|init\.py$|parameter\.py$)"),
        re.compile(r"^(?:_apply|convert|to|to_empty|__init__|__new__|reset_parameters|"
                   r"_?(?:load_(?:from_)?state_dict)|_?(?:no_grad_)?\w+_)$"),
    ),
    (
        "forward", re.compile(r"[\\/]torch[\\/]nn[\\/](?:modules[\\/]module|functional)\.py$"),
        re.compile(""),
    ),
)  # fmt: skip
"""What code a stack is of: the first whose file and function a frame of it has."""
_ENGINE = re.compile(r"[\\/]torch[\\/]autograd[\\/]function\.py$")
"""The outermost file of a stack on a thread of the engine, under a backward that Python wrote."""
_PROGRAM = "program"
_LONGEST = 500
_MOST_LINE = 1 << 30


class StackFrame:
    """A frame of a stack; `site` is its number in the file."""

    __slots__ = ("is_engine", "is_program", "origin", "site")

    def __init__(self, site: int, name: str, file: str) -> None:
        self.site, self.is_program = site, not _LIBRARY.search(file)
        self.is_engine = bool(_ENGINE.search(file))
        self.origin = next(
            (
                origin
                for origin, files, names in _ORIGINS
                if files.search(file) and names.search(name)
            ),
            _PROGRAM,
        )


class AllocationSite:
    """What stands for a stack: its innermost frame of the program, and what code it is of."""

    __slots__ = ("origin", "site")

    def __init__(self, site: int, origin: str) -> None:
        self.site, self.origin = site, origin


class AllocationSites:
    """All frames of a file, each once."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str, int]] = []
        self._known: dict[tuple[str, str, int], StackFrame] = {}
        self._stacks: dict[tuple[int, str], AllocationSite] = {}

    def frame(self, entries: Mapping[Any, Any]) -> StackFrame:
        """The frame that a dictionary with filename, line and name is of."""
        name, file = str(entries.get("name", "")), str(entries.get("filename", ""))
        line = entries.get("line", 0)
        line = line if isinstance(line, int) and 0 <= line < _MOST_LINE else 0
        key = (name[:_LONGEST], file[-_LONGEST:], line)
        if key not in self._known:
            self._known[key] = StackFrame(len(self.rows), key[0], key[1])
            self.rows.append(
                (len(self.rows), to_storable_text(key[0]) or "?", to_storable_text(key[1]), line)
            )
        return self._known[key]

    def stack(self, frames: Sequence[Any]) -> AllocationSite:
        """What stands for a stack, innermost frame first; of libraries alone, for that frame."""
        own = next((frame for frame in frames if frame.is_program), frames[0])
        key = own.site, _tell_origin(frames)
        site = self._stacks.get(key)
        if site is None:
            site = self._stacks[key] = AllocationSite(*key)
        return site


def _tell_origin(frames: Sequence[StackFrame]) -> str:
    """optimizer, backward, module, forward or program: what the innermost frame tells that does.

    An optimizer may be given a function that runs the whole step.
    """
    known = (frame.origin for frame in frames if frame.origin != _PROGRAM)
    return "backward" if frames[-1].is_engine else next(known, _PROGRAM)


class _TakenEvent:
    """What stands for an event that was taken."""


class _SegmentBlock:
    """What stands for a block of a segment."""

    __slots__ = ("address", "requested", "site", "size", "state")

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        self.size, self.address = (
            to_whole(entries.get("size")) or 0,
            to_whole(entries.get("address")),
        )
        self.requested = to_whole(entries.get("requested_size"))
        self.state, self.site = (
            to_storable_text(str(entries.get("state", "")))[:40],
            _find_site(entries),
        )
        history = entries.get("history")
        if isinstance(history, list) and history and isinstance(history[0], dict):
            self.site = _find_site(history[0]) if self.site == NOWHERE else self.site
            self.requested = self.requested or to_whole(history[0].get("real_size"))


class _TakenSegment:
    """What stands for a segment that was taken."""


_EVENT, _SEGMENT = _TakenEvent(), _TakenSegment()


def _find_site(entries: Mapping[Any, Any]) -> int:
    frames = entries.get("frames")
    return frames.site if isinstance(frames, AllocationSite) else NOWHERE


def _find_origin(entries: Mapping[Any, Any]) -> str | None:
    frames = entries.get("frames")
    return frames.origin if isinstance(frames, AllocationSite) else None


class _SnapshotShape:
    """The shape of a snapshot: what is read becomes rows as soon as it is whole."""

    def __init__(self, found: Witness) -> None:
        self.found, self.sites, self.trace = found, AllocationSites(), AllocatorTrace()
        self._live: list[tuple[int, _SegmentBlock]] = []
        self.segments = 0

    def closed(self, entries: MemoDict, siblings: SiblingLookup) -> object:
        """Events, frames, blocks and segments are replaced; all else stays."""
        if "action" in entries and "size" in entries:
            self.trace.take(entries, siblings.sibling(), _find_site(entries), _find_origin(entries))
            return _EVENT
        if "filename" in entries and "line" in entries:
            return self.sites.frame(entries)
        if "blocks" in entries and "total_size" in entries:
            self._segment(entries)
            return _SEGMENT
        if "state" in entries and "size" in entries:
            return _SegmentBlock(entries)
        return entries

    def listed(self, items: list[Any]) -> object | None:
        """A stack becomes its site; lists of events keep none."""
        first = items[0] if items else None
        if first.__class__ is StackFrame and set(map(type, items)) == {StackFrame}:
            return self.sites.stack(items)
        return DROPPED if isinstance(first, _TakenEvent) else None

    def finish(self) -> None:
        """Blocks that were held before recording began, and the tables."""
        for device, block in self._live:
            if block.address is None or block.address not in self.trace.held.get(device, {}):
                size = block.size if block.requested is None else block.requested
                self.trace.before(device, size, block.site)
        self.found.columns["allocation"] = self.trace.table()
        for table, rows in (
            ("reserved_change", self.trace.reserved), ("out_of_memory", self.trace.failed),
            ("allocation_site", self.sites.rows),
        ):  # fmt: skip
            self.found.rows[table] = list(rows)

    def _segment(self, entries: Mapping[Any, Any]) -> None:
        device = to_whole(entries.get("device")) or 0
        device, number = min(device, _MOST_DEVICES), self.segments
        self.segments += 1
        pool = str(entries.get("segment_type", ""))
        self.found.add(
            "memory_segment",
            (
                device, number, "expandable" if entries.get("is_expandable") is True else
                to_storable_text(pool)[:40], to_whole(entries.get("stream")),
                to_whole(entries["total_size"]) or 0,
            ),
        )  # fmt: skip
        blocks = entries["blocks"]
        place = to_whole(entries.get("address"))
        for block in blocks if isinstance(blocks, list) else ():
            if not isinstance(block, _SegmentBlock):
                continue
            block.address = place if block.address is None else block.address
            place = None if place is None else place + block.size
            site = None if block.site == NOWHERE else block.site
            self.found.add(
                "memory_block", (device, number, block.size, block.requested, block.state, site)
            )
            if block.state == _ALLOCATED:
                self._live.append((device, block))


def recognises(_head: Sequence[str]) -> bool:
    """No text is one."""
    return False


def begins(head: bytes) -> bool:
    """Whether bytes are the begin of a pickle with the first key of a snapshot."""
    return head[:1] == bytes([_PROTOCOL]) and b"segments" in head[:64]


def read(text: TextStream) -> Witness:
    """Segments, blocks and allocations. Raises InputError where the file is damaged or refused."""
    found = Witness(TOOL)
    shape = _SnapshotShape(found)
    whole_file = PickleMachine(text.opened.path, text.pieces(), shape).run()
    if not isinstance(whole_file, dict) or "segments" not in whole_file:
        raise InputError(
            f"{text.opened.path}: is a pickle, and no memory snapshot",
            hint="give what torch.cuda.memory._dump_snapshot wrote",
        )
    shape.finish()
    _add_notes(found, shape.trace)
    return found


def _add_notes(found: Witness, trace: AllocatorTrace) -> None:
    if not trace.events:
        found.notes.append(
            "holds what was reserved at its end, and no event: call "
            "torch.cuda.memory._record_memory_history() before what is to be seen"
        )
    if trace.failed:
        found.notes.append(f"requests that no memory was left for: {len(trace.failed):,}")
    if trace.lost:
        found.notes.append(f"the release of {trace.lost:,} allocations is not in it")
    if trace.unknown:
        told = ", ".join(list(trace.unknown)[:10])
        found.notes.append(f"events that are not read: {to_storable_text(told)[:200]}")


KIND = WitnessKind("memory", recognises, read, begins)
