"""JSON of link tests: of nccl-tests one document, of rccl-tests one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Row, Witness, WitnessKind
from perfolio.readers.witnesses.nccl_tests import MOST_ROWS, OTHER_TOOL, TOOL, find_operation
from perfolio.readers.witnesses.unit_parser import parse_number

MOST_TEXT = 1 << 26
_MARKS = ('"identifier"', TOOL)
_SIDES = (("oop", False), ("ip", True))
_LARGEST = 1 << 62


def recognises(head: Sequence[str]) -> bool:
    """Whether lines are the begin of either form."""
    first = "".join(head[:20]).lstrip()
    if not first.startswith("{"):
        return False
    return all(mark in first for mark in _MARKS) or ('"algBw"' in first and '"busBw"' in first)


def read(text: TextStream) -> Witness:
    """All results. Raises InputError where a file is damaged."""
    content = text.read_all(MOST_TEXT, hint=AGAIN).decode("utf-8", "replace")
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        return _read_lines(text, content)
    if isinstance(whole, dict) and "benchmark" in whole:
        return _read_document(text, whole)
    return _read_lines(text, content)


def _read_document(text: TextStream, whole: Mapping[str, Any]) -> Witness:
    """Results by size, of which each has a side out of place and one in place."""
    found = Witness(TOOL, to_storable_text(str(whole.get("version", "")))[:40])
    listed = whole["benchmark"] if isinstance(whole["benchmark"], list) else []
    name = find_operation(f"{whole.get('name', '')} {text.opened.path.name}")
    rows = [row for one in listed if isinstance(one, dict) for row in _read_sizes(one)]
    _add_block(found, 1, name, None, rows, text)
    return found


def _read_sizes(results: Mapping[str, Any]) -> Iterator[Row]:
    for size, told in results.items():
        if not isinstance(told, dict) or not size.isdecimal() or len(size) > 18:
            continue
        for side, in_place in _SIDES:
            names = (f"{side}_time", f"{side}_algbw", f"{side}_busbw", f"{side}_error")
            yield from _make_row(int(size), told, names, in_place=in_place)


def _read_lines(text: TextStream, content: str) -> Witness:
    """One result a line; lines of one operation on as many GPUs are a block."""
    found = Witness(OTHER_TOOL)
    blocks: dict[tuple[str, int | None], list[Row]] = {}
    for count, line in enumerate(content.splitlines(), 1):
        if not line.strip(" \t,[]"):
            continue
        try:
            told = json.loads(line.strip(" \t,"))
        except (ValueError, RecursionError) as problem:
            place = f"{text.opened.path}: line {count:,}"
            raise InputError(f"{place}: no result in JSON: {problem}", hint=AGAIN) from problem
        if isinstance(told, dict):
            key = find_operation(str(told.get("name", ""))), _to_whole(told.get("gpus"))
            names = ("time", "algBw", "busBw", "#wrong")
            size = _to_whole(told.get("size"))
            in_place = bool(told.get("inPlace"))
            rows = [] if size is None else _make_row(size, told, names, in_place=in_place)
            blocks.setdefault(key, []).extend(rows)
    for number_, ((name, gpus), rows) in enumerate(blocks.items(), 1):
        _add_block(found, number_, name, gpus, rows, text)
    return found


def _make_row(
    size: int, told: Mapping[str, Any], names: Sequence[str], *, in_place: bool
) -> Iterator[Row]:
    time, algorithm, bus, wrong = (parse_number(str(told.get(name, ""))) for name in names)
    if time is None or algorithm is None or bus is None:
        return
    yield (
        size, to_storable_text(str(told.get("type", "")))[:40],
        to_storable_text(str(told.get("redop", "")))[:40],
        in_place, time / 1e6, algorithm * 1e9, bus * 1e9, None if wrong is None else int(wrong),
    )  # fmt: skip


def _add_block(
    found: Witness, number_: int, name: str, gpus: int | None, rows: Sequence[Row], text: TextStream
) -> None:
    if not rows:
        found.notes.append(f"block {number_}, {name}, has no rows")
    if len(rows) > MOST_ROWS:
        raise InputError(f"{text.opened.path}: more than {MOST_ROWS:,} rows are not read")
    average = sum(float(row[6] or 0) for row in rows) / len(rows) if rows else None
    found.add("collective_block", (number_, name, gpus, None, None, average, None))
    for row in rows:
        found.add("collective_row", (number_, *row))


def _to_whole(value: Any) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _LARGEST else None


KIND = WitnessKind("collectives", recognises, read)
