"""What `dcgmi dmon` prints: rows of figures, one for each device and tick, without times."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfolio.common.errors import InputError
from perfolio.readers.code_names import plain
from perfolio.readers.text_lines import AGAIN, cut, lines_of, unended
from perfolio.readers.text_stream import Text
from perfolio.readers.witnesses.model import Kind, Witness
from perfolio.readers.witnesses.monitor_names import words
from perfolio.readers.witnesses.unit_parser import number

TOOL = "dcgmi dmon"
MOST_ROWS = 5_000_000
_HEADER = re.compile(r"#\s*Entity\s+(?P<names>\S.*)")
_ROW = re.compile(r"\s*(?P<entity>GPU(?:-[A-Z]+)?\s+\d{1,6})\s+(?P<values>\S.*)")


def recognises(head: Sequence[str]) -> bool:
    """Whether a line names the columns."""
    return any(_HEADER.match(line) for line in head)


def read(text: Text) -> Witness:
    """Figures by tick: each device's rows are counted. Raises InputError for a damaged row."""
    found, names = Witness(TOOL), list[str]()
    ticks: dict[str, int] = {}
    unknown: dict[str, None] = {}
    for count, line in enumerate(lines_of(text), 1):
        if told := _HEADER.match(line):
            names = told["names"].split()
            unknown |= {name: None for name in names if name.lower() not in words()}
        elif told := _ROW.match(line):
            entity = " ".join(told["entity"].split())
            values = told["values"].split()
            if len(values) != len(names):
                found.notes.append(_odd(text, len(values), len(names)))
                continue
            tick = ticks.get(entity, 0)
            ticks[entity] = tick + 1
            _add(found, tick, entity, names, values)
            if tick > MOST_ROWS:
                raise InputError(f"{text.opened.path}: line {count:,}: the file is too long")
    found.notes += [] if found.notes else unended(text)
    found.notes += [] if ticks else ["dcgmi dmon printed no row"]
    if unknown:
        found.notes.append(f"not read: {plain(', '.join(list(unknown)[:20]))[:300]}")
    return found


def _odd(text: Text, count: int, named: int) -> str:
    """What to say of a row with another number of figures. Raises InputError but for a cut one."""
    if count < named and not text.is_ended:
        return cut(text)
    raise InputError(
        f"{text.opened.path}: line {text.line:,}: has {count} figures, and the header {named}",
        hint=AGAIN,
    )


def _add(
    found: Witness, tick: int, entity: str, names: Sequence[str], values: Sequence[str]
) -> None:
    for name, cell in zip(names, values, strict=True):
        word, value = words().get(name.lower()), number(cell)
        if word is not None and value is not None:
            found.add(
                "device_sample", (tick, None, entity, word.measure, value * (word.factor or 1.0))
            )


KIND = Kind("monitor", recognises, read)
