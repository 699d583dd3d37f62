"""Logs of nccl-tests and rccl-tests: one block for each operation that was tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, describe_cut_line, describe_unended_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Row, Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import parse_number

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
class _TestBlock:
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


def read(text: TextStream) -> Witness:
    """All blocks. Raises InputError where a row is damaged."""
    path, found = text.opened.path, Witness(TOOL)
    blocks, now = [], _TestBlock()
    for count, raw in enumerate(read_lines(text), 1):
        line = _PREFIX.sub("", raw.rstrip("\r\n"))
        if told := _VERSION.match(line):
            found.tool, found.version = told["tool"], to_storable_text(told["version"])
        if (_START.match(line) and not now.is_empty) or (_SETTING.match(line) and now.is_set):
            blocks.append(now)
            now = _TestBlock()
        try:
            _take_line(now, line, path, count)
        except InputError:
            if text.is_ended:
                raise
            found.notes.append(describe_cut_line(text))
        if len(now.rows) > MOST_ROWS:
            raise InputError(f"{path}: line {count:,}: more than {MOST_ROWS:,} rows are not read")
    blocks.append(now)
    last = describe_unended_line(text)
    for number_, block in enumerate((one for one in blocks if not one.is_empty), 1):
        _add_block(found, number_, block, text)
    found.notes += [] if found.notes else last
    return found


def _take_line(block: _TestBlock, line: str, path: Path, count: int) -> None:
    """What one line says of a block."""
    if told := _START.match(line):
        block.operation = find_operation(told["name"])
    elif _SETTING.match(line):
        block.is_set = True
    elif told := _RANK.match(line):
        block.ranks += 1
        block.hosts.add(told["host"])
        block.devices.add(to_storable_text(told["device"].strip())[:100])
    elif told := _AVERAGE.match(line):
        block.average = _parse_rate(told["value"])
    elif _ROW.match(line):
        block.rows += [(count, row) for row in _parse_rows(line.split(), path, count)]
    elif told := _FAILURE.search(line):
        block.problem = block.problem or to_storable_text(told[0].strip())[:300]


def _parse_rows(cells: list[str], path: Path, count: int) -> list[Row]:
    """A line with both sides, or with the first alone."""
    found: list[Row] = []
    for side, in_place in ((0, False), (1, True)):
        told = cells[_CELLS + side * _SIDE : _CELLS + (side + 1) * _SIDE]
        if len(told) < _SIDE - 1:
            continue
        time, algorithm, bus = (parse_number(each) for each in told[:3])
        if time is None or algorithm is None or bus is None:
            raise InputError(
                f"{path}: line {count:,}: {' '.join(told)[:80]}: is no time and bandwidth",
                hint=AGAIN,
            )
        wrong = parse_number(told[3]) if len(told) == _SIDE else None
        found.append(
            (
                int(cells[0][:_DIGITS]), cells[2][:40], cells[3][:40], in_place,
                time / 1e6, algorithm * 1e9, bus * 1e9, None if wrong is None else int(wrong),
            )
        )  # fmt: skip
    if not found:
        raise InputError(f"{path}: line {count:,}: the row ends before its times", hint=AGAIN)
    return found


def _add_block(found: Witness, number_: int, block: _TestBlock, text: TextStream) -> None:
    operation = block.operation or find_operation(text.opened.path.name)
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


def find_operation(text: str) -> str:
    """The operation that a program or file is named by."""
    told = _IN_NAME.search(text)
    if told is None:
        return "unknown"
    name = told[1].lower()
    return _NAMES.get(name, name)


def _parse_rate(text: str) -> float | None:
    """From GB/s [B/s]."""
    value = parse_number(text)
    return None if value is None else value * 1e9


KIND = WitnessKind("collectives", recognises, read)
