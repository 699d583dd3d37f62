"""Logs of nccl-tests and rccl-tests: one block for each operation that was tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import plain
from perfolio.readers.text_lines import AGAIN, cut, lines_of, unended
from perfolio.readers.text_stream import Text
from perfolio.readers.witnesses.model import Kind, Row, Witness
from perfolio.readers.witnesses.unit_parser import number

TOOL, OTHER_TOOL = "nccl-tests", "rccl-tests"
MOST_ROWS = 1_000_000
_PREFIX = re.compile(r"^\[\d+,\d+\]<\w+>:\s?")
"""Of mpirun with tagged output."""
_VERSION = re.compile(r"#\s*(?P<tool>[nr]ccl-tests)(?::)? [vV]ersion:?\s*(?P<version>\S{1,40})")
_START = re.compile(r"#\s*Collective test starting:\s*(?P<name>\w{1,60})")
_SETTING = re.compile(r"#\s*nThread\b.*\bminBytes\b")
_RANK = re.compile(
    r"#\s*Rank\s+\d+\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(?P<host>\S+)\s+device\s+\d+\s+"
    r"\[[^\]]{1,40}\]\s*(?P<device>.*)"
)
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*(?P<value>\S{1,40})")
_FAILURE = re.compile(r"Test (?:NCCL|CUDA|RCCL|HIP) failure.{0,300}|NCCL WARN .{0,300}")
_ROW = re.compile(r"\s*\d+\s+\d+\s+[a-z]\w*\s+\S+\s+-?\d+\s")
_IN_NAME = re.compile(
    r"(all_?reduce|all_?gather|reduce_?scatter|all_?to_?allv?|broadcast|sendrecv|scatter|gather|"
    r"hypercube|reduce)",
    re.IGNORECASE,
)
_NAMES = {"allreduce": "all_reduce", "allgather": "all_gather", "reducescatter": "reduce_scatter"}
_NAMES |= {"all_to_all": "alltoall", "all_toall": "alltoall", "alltoallv": "alltoallv"}
_CELLS = 5
"""Of a row, before the times: size, count, type, redop, root."""
_DIGITS = 40
"""Of a size: with more it is beyond 64 bits in any case, and Python refuses thousands."""
_SIDE = 4
"""Of out-of-place, then of in-place: time, algbw, busbw, #wrong."""


@dataclass
class _Block:
    operation: str = ""
    ranks: int = 0
    hosts: set[str] = field(default_factory=set)
    devices: set[str] = field(default_factory=set)
    rows: list[tuple[int, Row]] = field(default_factory=list)
    """Each with its line."""
    average: float | None = None
    problem: str = ""
    is_set: bool = False
    """Whether its settings were printed: the next ones begin another block."""

    @property
    def is_empty(self) -> bool:
        return not (self.is_set or self.rows or self.operation)


def recognises(head: Sequence[str]) -> bool:
    """Whether lines are the begin of a log."""
    plain_lines = [_PREFIX.sub("", line) for line in head]
    return any(_VERSION.match(each) or _SETTING.match(each) for each in plain_lines)


def read(text: Text) -> Witness:
    """All blocks. Raises InputError where a row is damaged."""
    path, found = text.opened.path, Witness(TOOL)
    blocks, now = [], _Block()
    for count, raw in enumerate(lines_of(text), 1):
        line = _PREFIX.sub("", raw.rstrip("\r\n"))
        if told := _VERSION.match(line):
            found.tool, found.version = told["tool"], plain(told["version"])
        if (_START.match(line) and not now.is_empty) or (_SETTING.match(line) and now.is_set):
            blocks.append(now)
            now = _Block()
        try:
            _take(now, line, path, count)
        except InputError:
            if text.is_ended:
                raise
            found.notes.append(cut(text))
        if len(now.rows) > MOST_ROWS:
            raise InputError(f"{path}: line {count:,}: more than {MOST_ROWS:,} rows are not read")
    blocks.append(now)
    last = unended(text)
    for number_, block in enumerate((one for one in blocks if not one.is_empty), 1):
        _add(found, number_, block, text)
    found.notes += [] if found.notes else last
    return found


def _take(block: _Block, line: str, path: Path, count: int) -> None:
    """What one line says of a block."""
    if told := _START.match(line):
        block.operation = operation_in(told["name"])
    elif _SETTING.match(line):
        block.is_set = True
    elif told := _RANK.match(line):
        block.ranks += 1
        block.hosts.add(told["host"])
        block.devices.add(plain(told["device"].strip())[:100])
    elif told := _AVERAGE.match(line):
        block.average = _rate(told["value"])
    elif _ROW.match(line):
        block.rows += [(count, row) for row in _rows(line.split(), path, count)]
    elif told := _FAILURE.search(line):
        block.problem = block.problem or plain(told[0].strip())[:300]


def _rows(cells: list[str], path: Path, count: int) -> list[Row]:
    """A line with both sides, or with the first alone."""
    found: list[Row] = []
    for side, in_place in ((0, False), (1, True)):
        told = cells[_CELLS + side * _SIDE : _CELLS + (side + 1) * _SIDE]
        if len(told) < _SIDE - 1:
            continue
        time, algorithm, bus = (number(each) for each in told[:3])
        if time is None or algorithm is None or bus is None:
            raise InputError(
                f"{path}: line {count:,}: {' '.join(told)[:80]}: is no time and bandwidth",
                hint=AGAIN,
            )
        wrong = number(told[3]) if len(told) == _SIDE else None
        found.append(
            (
                int(cells[0][:_DIGITS]), cells[2][:40], cells[3][:40], in_place,
                time / 1e6, algorithm * 1e9, bus * 1e9, None if wrong is None else int(wrong),
            )
        )  # fmt: skip
    if not found:
        raise InputError(f"{path}: line {count:,}: the row ends before its times", hint=AGAIN)
    return found


def _add(found: Witness, number_: int, block: _Block, text: Text) -> None:
    operation = block.operation or operation_in(text.opened.path.name)
    device = block.devices.pop() if len(block.devices) == 1 else ""
    if not block.rows:
        said = f": {block.problem}" if block.problem else ""
        found.notes.append(f"block {number_}, {operation}, has no rows{said}")
    elif block.average is None:
        said = f": {block.problem}" if block.problem else ""
        found.notes.append(
            f"block {number_}, {operation}, has no line `Avg bus bandwidth`: it may end early{said}"
        )
    found.device = found.device or device
    found.add(
        "collective_block",
        (
            number_, operation, block.ranks or None, len(block.hosts) or None, device or None,
            block.average, block.problem or None,
        ),
    )  # fmt: skip
    for text.line, row in block.rows:
        found.add("collective_row", (number_, *row))


def operation_in(text: str) -> str:
    """The operation that a program or file is named by."""
    told = _IN_NAME.search(text)
    if told is None:
        return "unknown"
    name = told[1].lower()
    return _NAMES.get(name, name)


def _rate(text: str) -> float | None:
    """From GB/s [B/s]."""
    value = number(text)
    return None if value is None else value * 1e9


KIND = Kind("collectives", recognises, read)
