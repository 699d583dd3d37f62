"""CSV of `nvidia-smi --query-gpu=timestamp,... --format=csv`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import plain
from perfolio.readers.text_lines import AGAIN, cut, lines_of, unended
from perfolio.readers.text_stream import Text
from perfolio.readers.witnesses.model import Kind, Witness
from perfolio.readers.witnesses.monitor_names import words
from perfolio.readers.witnesses.unit_parser import factor, number

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
        return any(name in first.lower() for name in words())
    return bool(_TIME.match(first)) and bool(re.search(r"\d (?:%|W|MiB)(?:,|$)", first))


def read(text: Text) -> Witness:
    """Figures by time. Raises InputError where a row has another number of cells."""
    found, table = Witness(TOOL), _Table(text.opened.path)
    for count, line in enumerate(lines_of(text), 1):
        cells = [cell.strip() for cell in line.strip().split(",")]
        if not any(cells):
            continue
        if cells[0].lower() == "timestamp":
            table.begin(cells)
        elif table.is_cut(cells, line, count):
            found.notes.append(cut(text))
        else:
            table.add(found, cells, count)
            found.notes += unended(text)
    if not table.columns:
        found.notes.append(
            "no header names its columns: only power was read, which its unit tells; put the "
            "header of nvidia-smi above it for the rest"
        )
    found.device = table.devices.pop() if len(table.devices) == 1 else ""
    return found


class _Table:
    """Columns of the file as its last header names them, and how often each device was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: list[tuple[str, str]] = []
        self.devices: set[str] = set()
        self._ticks: dict[str, int] = {}
        self._width = 0

    def begin(self, cells: Sequence[str]) -> None:
        """A header."""
        self.columns, self._width = [_column(cell) for cell in cells], len(cells)

    def is_cut(self, cells: Sequence[str], line: str, count: int) -> bool:
        """Whether a row is the last one and was not written to its end."""
        return count > 2 and not line.endswith("\n") and len(cells) < self._width

    def add(self, found: Witness, cells: Sequence[str], count: int) -> None:
        """A row."""
        time = _nanoseconds(cells[0])
        if time is None:
            raise self._bad(count, "begins with no time")
        self._width = self._width or len(cells)
        if len(cells) != self._width:
            raise self._bad(count, f"has {len(cells)} cells, and those before {self._width}")
        row = dict(zip((name for name, _ in self.columns), cells, strict=False))
        device = plain(f"GPU {row['index']}" if "index" in row else "GPU")[:60]
        if "name" in row:
            self.devices.add(plain(row["name"])[:200])
        tick = self._ticks.get(device, 0)
        self._ticks[device] = tick + 1
        if tick > MOST_ROWS:
            raise self._bad(count, "the file is too long")
        columns = self.columns or [("", "")] * self._width
        for (name, unit), cell in zip(columns, cells, strict=True):
            if (told := _reading(name, unit, cell)) is not None:
                found.add("device_sample", (tick, time, device, *told))

    def _bad(self, count: int, problem: str) -> InputError:
        return InputError(f"{self.path}: line {count:,}: {problem}", hint=AGAIN)


def _column(cell: str) -> tuple[str, str]:
    told = _COLUMN.fullmatch(cell)
    return (told["name"].lower(), told["unit"] or "") if told else ("", "")


def _reading(name: str, unit: str, cell: str) -> tuple[str, float] | None:
    """The measure of a cell and its value in base units; None where it is none."""
    told, word = _CELL.fullmatch(cell), words().get(name)
    if word is not None and word.measure == _REASONS:
        bits = _bits(cell)
        return None if bits is None else (_REASONS, bits)
    if told is None or (name and word is None):
        return None
    measure = word.measure if word else _ALONE.get(told["unit"] or "")
    value = number(told["number"])
    if measure is None or value is None:
        return None
    return measure, value * factor(told["unit"] or unit)


def _bits(cell: str) -> float | None:
    """A mask, as 0x0000000000000004; those of more than 53 bits are none."""
    try:
        bits = int(cell, 16) if len(cell) <= 18 else -1
    except ValueError:
        return None
    return float(bits) if 0 <= bits < 1 << 53 else None


def _nanoseconds(cell: str) -> int | None:
    """Local time, as if it were UTC: the file names no zone [ns]."""
    told = _TIME.fullmatch(cell)
    if told is None:
        return None
    try:
        moment = datetime(*(int(each) for each in told.groups()[:6]), tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return None
    return int(moment.timestamp()) * 10**9 + int((told[7] or "0").ljust(9, "0"))


KIND = Kind("monitor", recognises, read)
