"""A pickle's opcodes, one after the other: builtins alone, and no more kept than asked for.

In:  pieces of bytes, and a `FileShape` that says what becomes of each dictionary and list.
Out: the object at the end. InputError names the byte where the file is damaged, or has an opcode
     that imports or calls: nothing is ever imported or called.

Python's own unpickler holds all objects of a file at once, some ten times its size.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from perfolio.common.errors import InputError
from perfolio.readers.witnesses.snapshot.record_shapes import DROPPED, FileShape, MemoDict, MemoList

MOST_OF_A_TEXT = 1 << 20
MOST_OF_AN_INTEGER = 16
"""Bytes."""
MOST_KEPT = 4_000_000
"""Containers, their items, and texts that the shape does not replace."""
MOST_MEMO = 30_000_000
MOST_OF_TEXTS = 1 << 28
"""Bytes, of all together."""
MOST_STACK = 1_000_000
MOST_MARKS = 1_000
_HINT = "dump it again: torch.cuda.memory._dump_snapshot('snapshot.pickle')"
_MARGIN = 1 << 12
_RUN = re.compile(rb"(?:j.{4}){1,1000}", re.DOTALL)
"""References to objects, as the frames of a stack are."""
_GET, _REFERENCE = 0x6A, 5
"""The opcode of a reference, and its bytes."""
_REFUSED = {
    0x63: "GLOBAL", 0x93: "STACK_GLOBAL", 0x52: "REDUCE", 0x81: "NEWOBJ", 0x92: "NEWOBJ_EX",
    0x62: "BUILD", 0x69: "INST", 0x6F: "OBJ", 0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4",
    0x50: "PERSID", 0x51: "BINPERSID",
}  # fmt: skip
"""Opcodes that import, call or look up: no snapshot has them."""


@lru_cache(256)
def _make_reference_struct(number: int) -> struct.Struct:
    return struct.Struct("<" + "xI" * number)


class PickleMachine:
    """The state of an unpickler: a stack, marks in it, and the memo."""

    def __init__(self, path: Path, pieces: Iterator[bytes], shape: FileShape) -> None:
        self._path, self._pieces, self._shape = path, pieces, shape
        self._data, self._at, self._before = b"", 0, 0
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: list[Any] = []
        self._kept = self._texts = 0
        self._closing = 0
        self._is_done = False

    def run(self) -> object:
        """Read to the end. Raises InputError."""
        steps = self._steps()
        try:
            while not self._is_done:
                if self._at + _MARGIN > len(self._data):
                    self._refill(_MARGIN)
                code = self._data[self._at]
                self._at += 1
                steps[code]()
        except (IndexError, struct.error) as problem:
            raise self._error("the file ends early, or is damaged") from problem
        if len(self._stack) != 1 or self._marks:
            raise self._error("the file is damaged: it ends with parts that belong to nothing")
        return self._stack[0]

    def sibling(self) -> int:
        """Of the dictionary that is being closed: the number of its list among lists beside it."""
        stack, marks = self._stack, self._marks
        place = self._closing - 1
        if not isinstance(stack[place], MemoList):
            place = marks[-1] - 1
        outer = next((mark for mark in reversed(marks) if mark <= place), 0)
        return place - outer if outer and isinstance(stack[outer - 1], MemoList) else 0

    def _steps(self) -> list[Callable[[], None]]:
        steps: list[Callable[[], None]] = [self._unknown] * 256
        for code, step in (
            (0x80, self._protocol), (0x95, self._frame), (0x2E, self._stop),
            (0x28, self._mark), (0x7D, self._dictionary), (0x5D, self._list),
            (0x29, lambda: self._stack.append(())), (0x74, self._tuple),
            (0x85, lambda: self._tuple_of(1)), (0x86, lambda: self._tuple_of(2)),
            (0x87, lambda: self._tuple_of(3)),
            (0x73, self._set_item), (0x75, self._set_items), (0x61, self._append),
            (0x65, self._appends), (0x94, self._memoize),
            (0x71, lambda: self._put(self._number("<B", 1))),
            (0x72, lambda: self._put(self._number("<I", 4))),
            (0x68, lambda: self._stack.append(self._memo[self._number("<B", 1)])),
            (_GET, self._get),
            (0x4B, lambda: self._stack.append(self._number("<B", 1))),
            (0x4D, lambda: self._stack.append(self._number("<H", 2))),
            (0x4A, lambda: self._stack.append(self._number("<i", 4))),
            (0x8A, lambda: self._integer(self._number("<B", 1))),
            (0x8B, lambda: self._integer(self._number("<I", 4))),
            (0x47, lambda: self._stack.append(self._number(">d", 8))),
            (0x4E, lambda: self._stack.append(None)),
            (0x88, lambda: self._stack.append(True)),
            (0x89, lambda: self._stack.append(False)),
            (0x8C, lambda: self._text(self._number("<B", 1))),
            (0x58, lambda: self._text(self._number("<I", 4))),
            (0x8D, lambda: self._text(self._number("<Q", 8))),
        ):  # fmt: skip
            steps[code] = step
        return steps

    def _refill(self, wanted: int) -> None:
        """Have `wanted` bytes at hand, or all that are left."""
        if len(self._stack) > MOST_STACK:
            raise self._error("holds more values than any snapshot, and none is used")
        data = self._data[self._at :]
        self._before += self._at
        self._at = 0
        while len(data) < wanted and (piece := next(self._pieces, b"")):
            data += piece
        self._data = data

    def _take(self, length: int) -> bytes:
        if self._at + length > len(self._data):
            self._refill(length)
            if length > len(self._data):
                raise self._error("the file ends early")
        found = self._data[self._at : self._at + length]
        self._at += length
        return found

    def _number(self, form: str, length: int) -> Any:
        value = struct.unpack_from(form, self._data, self._at)[0]
        self._at += length
        return value

    def _error(self, problem: str) -> InputError:
        return InputError(f"{self._path}: byte {self._before + self._at:,}: {problem}", hint=_HINT)

    def _unknown(self) -> NoReturn:
        code = self._data[self._at - 1]
        if code in _REFUSED:
            raise self._error(
                f"is refused: {_REFUSED[code]} would import or call, which no snapshot does"
            )
        raise self._error(f"opcode {code:#x} is none that a memory snapshot has")

    def _protocol(self) -> None:
        version = self._number("<B", 1)
        if not 2 <= version <= 5:
            raise self._error(f"protocol {version} is not read")

    def _frame(self) -> None:
        self._at += 8

    def _stop(self) -> None:
        self._is_done = True

    def _mark(self) -> None:
        if len(self._marks) >= MOST_MARKS or len(self._stack) > MOST_STACK:
            raise self._error("is nested more deeply than any snapshot")
        self._marks.append(len(self._stack))

    def _keep(self, number: int = 1) -> None:
        self._kept += number
        if self._kept > MOST_KEPT:
            raise self._error(f"holds more than {MOST_KEPT:,} objects that are no events")

    def _dictionary(self) -> None:
        found = MemoDict()
        found.at = -1
        self._stack.append(found)
        self._keep()

    def _list(self) -> None:
        found = MemoList()
        found.at = -1
        self._stack.append(found)
        self._keep()

    def _tuple(self) -> None:
        self._tuple_of(len(self._stack) - self._popped_mark())

    def _tuple_of(self, length: int) -> None:
        start = len(self._stack) - length
        if start < 0:
            raise IndexError
        self._stack[start:] = [tuple(self._stack[start:])]
        self._keep(1 + length)

    def _popped_mark(self) -> int:
        start = self._marks.pop()
        if start > len(self._stack):
            raise self._error("the file is damaged: a mark lies above the stack")
        return start

    def _set_item(self) -> None:
        self._set(len(self._stack) - 2)

    def _set_items(self) -> None:
        self._set(self._popped_mark())

    def _set(self, start: int) -> None:
        """Entries from `start` of the stack into the dictionary below, which is whole then."""
        stack = self._stack
        target = stack[start - 1] if start > 0 else None
        if not isinstance(target, MemoDict) or (len(stack) - start) % 2:
            raise self._error("the file is damaged: entries without a dictionary")
        names = stack[start::2]
        if any(name.__class__ is not str for name in names):
            raise self._error("a key is no text, as all of a snapshot are")
        target.update(zip(names, stack[start + 1 :: 2], strict=True))
        del stack[start:]
        self._closing = start - 1
        instead = self._shape.closed(target, self)
        if instead is target:
            self._keep(len(names))
        self._replace(target, instead)

    def _append(self) -> None:
        self._extend(len(self._stack) - 1)

    def _appends(self) -> None:
        self._extend(self._popped_mark())

    def _extend(self, start: int) -> None:
        stack = self._stack
        target = stack[start - 1] if start > 0 else None
        items = stack[start:]
        del stack[start:]
        if not isinstance(target, MemoList):
            if target is not None and self._shape.listed(items) is not None:
                return  # more of a list that something stands for
            raise self._error("the file is damaged: items without a list")
        instead = None if target else self._shape.listed(items)
        if instead is None:
            target.extend(items)
            self._keep(len(items))
        elif instead is not DROPPED:
            self._closing = start - 1
            self._replace(target, instead)

    def _replace(self, old: Any, new: object) -> None:
        """Put something smaller into the place of a container, on the stack and in the memo."""
        if new is old:
            return
        self._stack[self._closing] = new
        self._kept -= 1
        if old.at >= 0:
            self._memo[old.at] = new

    def _memoize(self) -> None:
        self._put(len(self._memo))

    def _put(self, place: int) -> None:
        top = self._stack[-1]
        if isinstance(top, MemoDict | MemoList):
            top.at = place
        if place < len(self._memo):
            self._memo[place] = top
        elif place == len(self._memo) and place < MOST_MEMO:
            self._memo.append(top)
        else:
            raise self._error("the file is damaged: an object that was never numbered")

    def _get(self) -> None:
        data, at = self._data, self._at
        if data[at + 4 : at + 5] != b"j":
            self._stack.append(self._memo[self._number("<I", 4)])
            return
        run = _RUN.match(data, at - 1)
        length = (run.end() if run else at + 4) - at + 1
        places = _make_reference_struct(length // _REFERENCE).unpack_from(data, at - 1)
        self._stack += map(self._memo.__getitem__, places)
        self._at += length - 1

    def _integer(self, length: int) -> None:
        if length > MOST_OF_AN_INTEGER:
            raise self._error(f"an integer of {length:,} bytes is none that a snapshot has")
        self._stack.append(int.from_bytes(self._take(length), "little", signed=True))

    def _text(self, length: int) -> None:
        if length > MOST_OF_A_TEXT:
            raise self._error(f"a text of {length:,} bytes is longer than any can be")
        self._texts += length
        if self._texts > MOST_OF_TEXTS:
            raise self._error(f"holds more than {MOST_OF_TEXTS:,} bytes of text")
        self._stack.append(self._take(length).decode("utf-8", "replace"))
        self._keep()
