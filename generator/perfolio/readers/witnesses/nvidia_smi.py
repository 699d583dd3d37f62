"""CSV of `nvidia-smi --query-gpu=timestamp,... --format=csv`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, describe_cut_line, describe_unended_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.monitor_names import load_monitor_columns
from perfolio.readers.witnesses.unit_parser import find_factor, parse_number

TOOL = "nvidia-smi"
MOST_ROWS = 5_000_000
_TIME = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_COLUMN = re.compile(r"(?P<name>[A-Za-z][\w.]*)\s*(?:\[(?P<unit>[^\]]{1,12})\])?")
_CELL = re.compile(r"(?P<number>-?[\d.]+)\s*(?P<unit>%|[KMG]?iB|m?W|[KMG]?Hz|C)?")
_ALONE = {"W": "power"}
"""What a unit tells without a header."""
_REASONS = "throttle_reasons"


def recognises(head: Sequence[str]) -> bool:
    """Whether the first line with text is a header, or begins with a time."""
    first = next((line.strip() for line in head if line.strip()), "")
    if first.lower().startswith("timestamp,"):
        return any(name in first.lower() for name in load_monitor_columns())
    return bool(_TIME.match(first)) and bool(re.search(r"\d (?:%|W|MiB)(?:,|$)", first))


def read(text: TextStream) -> Witness:
    """Figures by time. Raises InputError where a row has another number of cells."""
    found, table = Witness(TOOL), _SampleTable(text.opened.path)
    for count, line in enumerate(read_lines(text), 1):
        cells = [cell.strip() for cell in line.strip().split(",")]
        if not any(cells):
            continue
        if cells[0].lower() == "timestamp":
            table.begin(cells)
        elif table.is_cut(cells, line, count):
            found.notes.append(describe_cut_line(text))
        else:
            table.add(found, cells, count)
            found.notes += describe_unended_line(text)
    if not table.columns:
        found.notes.append(
            "no header names its columns: only power was read, which its unit tells; put the "
            "header of nvidia-smi above it for the rest"
        )
    found.device = table.devices.pop() if len(table.devices) == 1 else ""
    return found


class _SampleTable:
    """Columns of the file as its last header names them, and how often each device was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: list[tuple[str, str]] = []
        self.devices: set[str] = set()
        self._ticks: dict[str, int] = {}
        self._width = 0

    def begin(self, cells: Sequence[str]) -> None:
        """A header."""
        self.columns, self._width = [_parse_column(cell) for cell in cells], len(cells)

    def is_cut(self, cells: Sequence[str], line: str, count: int) -> bool:
        """Whether a row is the last one and was not written to its end."""
        return count > 2 and not line.endswith("\n") and len(cells) < self._width

    def add(self, found: Witness, cells: Sequence[str], count: int) -> None:
        """A row."""
        time = _parse_time(cells[0])
        if time is None:
            raise self._bad(count, "begins with no time")
        self._width = self._width or len(cells)
        if len(cells) != self._width:
            raise self._bad(count, f"has {len(cells)} cells, and those before {self._width}")
        row = dict(zip((name for name, _ in self.columns), cells, strict=False))
        device = to_storable_text(f"GPU {row['index']}" if "index" in row else "GPU")[:60]
        if "name" in row:
            self.devices.add(to_storable_text(row["name"])[:200])
        tick = self._ticks.get(device, 0)
        self._ticks[device] = tick + 1
        if tick > MOST_ROWS:
            raise self._bad(count, "the file is too long")
        columns = self.columns or [("", "")] * self._width
        for (name, unit), cell in zip(columns, cells, strict=True):
            if (told := _parse_cell(name, unit, cell)) is not None:
                found.add("device_sample", (tick, time, device, *told))

    def _bad(self, count: int, problem: str) -> InputError:
        return InputError(f"{self.path}: line {count:,}: {problem}", hint=AGAIN)


def _parse_column(cell: str) -> tuple[str, str]:
    told = _COLUMN.fullmatch(cell)
    return (told["name"].lower(), told["unit"] or "") if told else ("", "")


def _parse_cell(name: str, unit: str, cell: str) -> tuple[str, float] | None:
    """The measure of a cell and its value in base units; None where it is none."""
    told, word = _CELL.fullmatch(cell), load_monitor_columns().get(name)
    if word is not None and word.measure == _REASONS:
        bits = _parse_bits(cell)
        return None if bits is None else (_REASONS, bits)
    if told is None or (name and word is None):
        return None
    measure = word.measure if word else _ALONE.get(told["unit"] or "")
    value = parse_number(told["number"])
    if measure is None or value is None:
        return None
    return measure, value * find_factor(told["unit"] or unit)


def _parse_bits(cell: str) -> float | None:
    """A mask, as 0x0000000000000004; those of more than 53 bits are none."""
    try:
        bits = int(cell, 16) if len(cell) <= 18 else -1
    except ValueError:
        return None
    return float(bits) if 0 <= bits < 1 << 53 else None


def _parse_time(cell: str) -> int | None:
    """Local time, as if it were UTC: the file names no zone [ns]."""
    told = _TIME.fullmatch(cell)
    if told is None:
        return None
    try:
        moment = datetime(*(int(each) for each in told.groups()[:6]), tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return None
    return int(moment.timestamp()) * 10**9 + int((told[7] or "0").ljust(9, "0"))


KIND = WitnessKind("monitor", recognises, read)
