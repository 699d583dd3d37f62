"""What `dcgmi dmon` prints: rows of figures, one for each device and tick, without times."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, describe_cut_line, describe_unended_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.monitor_names import load_monitor_columns
from perfolio.readers.witnesses.unit_parser import parse_number

TOOL = "dcgmi dmon"
MOST_ROWS = 5_000_000
_HEADER = re.compile(r"#\s*Entity\s+(?P<names>\S.*)")
_ROW = re.compile(r"\s*(?P<entity>GPU(?:-[A-Z]+)?\s+\d{1,6})\s+(?P<values>\S.*)")


def recognises(head: Sequence[str]) -> bool:
    """Whether a line names the columns."""
    return any(_HEADER.match(line) for line in head)


def read(text: TextStream) -> Witness:
    """Figures by tick: each device's rows are counted. Raises InputError for a damaged row."""
    found, names = Witness(TOOL), list[str]()
    ticks: dict[str, int] = {}
    unknown: dict[str, None] = {}
    for count, line in enumerate(read_lines(text), 1):
        if told := _HEADER.match(line):
            names = told["names"].split()
            unknown |= {name: None for name in names if name.lower() not in load_monitor_columns()}
        elif told := _ROW.match(line):
            entity = " ".join(told["entity"].split())
            values = told["values"].split()
            if len(values) != len(names):
                found.notes.append(_explain_odd_row(text, len(values), len(names)))
                continue
            tick = ticks.get(entity, 0)
            ticks[entity] = tick + 1
            _add_row(found, tick, entity, names, values)
            if tick > MOST_ROWS:
                raise InputError(f"{text.opened.path}: line {count:,}: the file is too long")
    found.notes += [] if found.notes else describe_unended_line(text)
    found.notes += [] if ticks else ["dcgmi dmon printed no row"]
    if unknown:
        found.notes.append(f"not read: {to_storable_text(', '.join(list(unknown)[:20]))[:300]}")
    return found


def _explain_odd_row(text: TextStream, count: int, named: int) -> str:
    """What to say of a row with another number of figures. Raises InputError but for a cut one."""
    if count < named and not text.is_ended:
        return describe_cut_line(text)
    raise InputError(
        f"{text.opened.path}: line {text.line:,}: has {count} figures, and the header {named}",
        hint=AGAIN,
    )


def _add_row(
    found: Witness, tick: int, entity: str, names: Sequence[str], values: Sequence[str]
) -> None:
    for name, cell in zip(names, values, strict=True):
        word, value = load_monitor_columns().get(name.lower()), parse_number(cell)
        if word is not None and value is not None:
            found.add(
                "device_sample", (tick, None, entity, word.measure, value * (word.factor or 1.0))
            )


KIND = WitnessKind("monitor", recognises, read)
