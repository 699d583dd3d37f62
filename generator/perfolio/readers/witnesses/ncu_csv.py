"""Nsight Compute's CSV, wide (a row per launch) or long (a row per metric)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.measures import load_measures
from perfolio.readers.text_lines import (
    describe_cut_line,
    make_line_error,
    read_csv_rows,
    read_lines,
)
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import find_factor, has_decimal_comma, parse_number

TOOL = "Nsight Compute"
MOST_LAUNCHES = 200_000
MOST_VALUES = 20_000_000
_MESSAGE = "=="
_HEADER = '"ID"'
BESIDE = ("device__attribute_", "c2clink__", "numa__", "nvlink__", "profiler__", "pmsampling")
"""Begins of names that tell of the machine or of the profiler, at every launch again."""
_NAME = "device__attribute_display_name"
_IDENTITY = frozenset(
    ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream",
     "Block Size", "Grid Size", "Device", "CC", "Section Name", "Metric Name", "Metric Unit",
     "Metric Value", "Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type",
     "Estimated Speedup")
)  # fmt: skip
_SIZES = re.compile(r"\d+")
LONGEST = 4000
"""Characters of a name or text."""


def recognises(head: Sequence[str]) -> bool:
    """Whether lines are messages of ncu, or a header of its tables."""
    return any(
        line.startswith("==PROF==") or (line.startswith(_HEADER) and '"Kernel Name"' in line)
        for line in head
    )


def read(text: TextStream) -> Witness:
    """Counters of each launch. Raises InputError where a row is damaged."""
    found, lines = Witness(TOOL), read_lines(text)
    header = ""
    errors: list[str] = []
    for line in lines:
        if line.startswith(_HEADER):
            header = line
            break
        if line.startswith(("==ERROR==", "==WARNING==")):
            errors.append(to_storable_text(line.strip())[:300])
    if not header:
        said = f": {errors[0]}" if errors else ""
        found.notes.append(f"Nsight Compute recorded no kernel{said}")
        return found
    rows = _CounterRows(text, found, chain([header], lines))
    (_read_long if "Metric Name" in rows.columns else _read_wide)(rows, found)
    return found


class _CounterRows:
    """Rows of the table, by column; messages between them are left out."""

    def __init__(self, text: TextStream, found: Witness, lines: Iterator[str]) -> None:
        self.text, self.found = text, found
        self._rows = read_csv_rows(text, self._select_lines(lines))
        self._last = ""
        self.columns = next(self._rows, [])
        self._fewest = len(self.columns)
        self.place = {name: number for number, name in enumerate(self.columns)}

    def all(self) -> list[tuple[int, list[str]]]:
        """All rows, each with the line in which it ends."""
        return list(self._numbered())

    def again(self, held: Sequence[tuple[int, list[str]]]) -> Iterator[list[str]]:
        """Rows that were read before, with the line of each for what is wrong with it."""
        for self.text.line, row in held:
            yield row

    def _numbered(self) -> Iterator[tuple[int, list[str]]]:
        for row in self._rows:
            if not self.text.is_ended and self._is_cut(row):
                self.found.notes.append(describe_cut_line(self.text))
            elif 2 <= len(row) <= len(self.columns):
                self._fewest = min(self._fewest, len(row))
                yield self.text.line, row
            elif row and any(row):
                raise self.bad(f"has {len(row):,} cells, and the header {len(self.columns):,}")

    def bad(self, problem: str) -> InputError:
        """An error that names the file and the line."""
        return make_line_error(self.text, problem)

    def _select_lines(self, lines: Iterator[str]) -> Iterator[str]:
        """Lines of the table."""
        for line in lines:
            if not line.startswith(_MESSAGE):
                self._last = line
                yield line

    def _is_cut(self, row: Sequence[str]) -> bool:
        """Whether the last row has fewer cells than any before it, or its last one no quote."""
        is_closed = self._last.endswith('"') and not self._last.endswith(',"')
        return len(row) < self._fewest or not is_closed

    def cell(self, row: Sequence[str], name: str) -> str:
        """A cell by its column; empty where the row has none."""
        place = self.place.get(name, -1)
        return row[place] if 0 <= place < len(row) else ""


def _read_wide(rows: _CounterRows, found: Witness) -> None:
    units: list[str] = []
    kept = [
        (place, name)
        for name, place in rows.place.items()
        if name not in _IDENTITY and not name.startswith(BESIDE)
    ]
    held = rows.all()
    if held and not rows.cell(held[0][1], "ID"):
        _, units = held.pop(0)
    factors = [find_factor(units[place]) if place < len(units) else 1.0 for place, _ in kept]
    comma = any(
        has_decimal_comma(row[at]) for _, row in held[:100] for at, _ in kept if at < len(row)
    )
    for launch, row in enumerate(rows.again(held)):
        _add_launch(rows, row, launch, found)
        found.device = found.device or to_storable_text(rows.cell(row, _NAME))[:200]
        for (place, name), scale in zip(kept, factors, strict=True):
            value = parse_number(row[place], decimal_comma=comma) if place < len(row) else None
            if value is not None:
                _add_counter(rows, found, launch, name, value * scale)


def _read_long(rows: _CounterRows, found: Witness) -> None:
    """Launches are told apart by ID and process; a rule has a row of its own."""
    launches: dict[tuple[str, str], int] = {}
    words = {(each.name, each.unit): each.measure for each in load_measures(Path(__file__).parent)}
    held = rows.all()
    value_at = rows.place.get("Metric Value", -1)
    comma = any(has_decimal_comma(row[value_at]) for _, row in held if 0 <= value_at < len(row))
    for row in rows.again(held):
        key = (rows.cell(row, "Process ID"), rows.cell(row, "ID"))
        if key not in launches:
            launches[key] = len(launches)
            _add_launch(rows, row, launches[key], found)
        launch = launches[key]
        if rows.cell(row, "Rule Name"):
            _add_rule(rows, row, launch, found, decimal_comma=comma)
            continue
        name, unit = rows.cell(row, "Metric Name"), rows.cell(row, "Metric Unit")
        value = parse_number(rows.cell(row, "Metric Value"), decimal_comma=comma)
        if name and value is not None:
            scale = find_factor(unit)
            known = words.get((name, "%" if unit == "%" else "")) or name
            _add_counter(rows, found, launch, known, value * scale)


def _add_launch(rows: _CounterRows, row: Sequence[str], launch: int, found: Witness) -> None:
    if launch >= MOST_LAUNCHES:
        raise rows.bad(f"more than {MOST_LAUNCHES:,} launches are not read")
    found.add(
        "counted_kernel",
        (
            launch,
            to_storable_text(rows.cell(row, "Kernel Name"))[:LONGEST] or "(unnamed)",
            _compute_product(rows.cell(row, "Grid Size")),
            _compute_product(rows.cell(row, "Block Size")),
            to_storable_text(rows.cell(row, "Device"))[:60],
            parse_number(rows.cell(row, "CC")),
        ),
    )


def _add_counter(rows: _CounterRows, found: Witness, launch: int, name: str, value: float) -> None:
    if len(found.rows.get("kernel_counter", ())) >= MOST_VALUES:
        raise rows.bad(f"more than {MOST_VALUES:,} values are not read")
    found.add("kernel_counter", (launch, to_storable_text(name)[:300], value))


def _add_rule(
    rows: _CounterRows, row: Sequence[str], launch: int, found: Witness, *, decimal_comma: bool
) -> None:
    percent = parse_number(rows.cell(row, "Estimated Speedup"), decimal_comma=decimal_comma)
    found.add(
        "counter_rule",
        (
            launch,
            to_storable_text(rows.cell(row, "Rule Name"))[:200],
            to_storable_text(rows.cell(row, "Rule Type"))[:20],
            to_storable_text(rows.cell(row, "Rule Description"))[:LONGEST],
            None if percent is None else percent / 100.0,
        ),
    )


def _compute_product(sizes: str) -> int | None:
    """Of a size in three dimensions, as `(64, 1, 1)`."""
    found = [int(each) for each in _SIZES.findall(sizes[:100])[:3]]
    return math.prod(found) if found else None


KIND = WitnessKind("counters", recognises, read)
