"""What charts read from results: rows and numbers that can be drawn, and names made fit.

Names come from the profile and are untrusted: here they lose control characters and
length; they are only ever data of a chart, never part of an expression.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from perfolio.common.errors import one_line
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Cell, Results

Record = dict[str, Cell]

NAME_LIMIT = 300
"""Characters of a full name in a tooltip."""
LABEL_LIMIT = 90
"""Characters of a name drawn in a chart; what does not fit the width is cut there."""
READ = 4_000
"""Characters of a name that are looked at for its label: names can have 100 kB."""
UNNAMED_KERNELS = "kernels without a name"
"""How the store's derive.sql begins the name of kernels whose name the profile does not hold."""
MAX_MARKS = 2_000
"""Rows of data a chart may draw: beyond, a static image takes megabytes."""
MAX_ZOOMED = 6_000
"""The same of a chart that shows a part of them: its image has only those."""


def read_scalar(results: Results, name: str) -> float | None:
    """The finite value of scalar metric `name`; None where there is none."""
    return to_number(get_value(results, name))


def to_number(cell: Cell) -> float | None:
    """`cell` as a finite number, None where it is not one."""
    if isinstance(cell, (int, float)) and math.isfinite(cell):
        return float(cell)
    return None


def amount(record: Record, column: str) -> float:
    """The number in `column`, 0 where there is none."""
    return to_number(record.get(column)) or 0.0


def select_positive(records: Iterable[Record], column: str) -> list[Record]:
    """The records whose `column` is above 0, largest first (stable)."""
    positive = [record for record in records if amount(record, column) > 0.0]
    return sorted(positive, key=lambda record: -amount(record, column))


def is_unnamed(kernel: object) -> bool:
    """Whether a row of a metric is of kernels whose name the profile does not hold."""
    return str(kernel).startswith(UNNAMED_KERNELS)


def format_full_name(cell: Cell) -> str:
    """A name for a tooltip: one line of at most `NAME_LIMIT` characters."""
    return _format_line(cell, 4 * NAME_LIMIT, NAME_LIMIT)


def label(cell: Cell) -> str:
    """A name for a label: arguments and template parameters go where it is long."""
    name = _format_line(cell, READ, READ)
    if len(name) > LABEL_LIMIT // 2:
        name = _strip_brackets(name)
    return name if len(name) <= LABEL_LIMIT else name[: LABEL_LIMIT - 1] + "…"


def locate_definition(record: Record) -> str:
    """Where the record's function is in the sources, for a tooltip: file and line, or `unknown`."""
    file, line = record.get("file"), record.get("line")
    return format_full_name(f"{file}:{line}" if file and line else str(file or "unknown"))


DIRECTIONS = {
    "H2D": "host to device", "D2H": "device to host", "D2D": "device to device",
    "H2H": "host to host", "P2P": "from GPU to GPU", "H2A": "host to array",
    "A2H": "array to host", "A2A": "array to array", "A2D": "array to device",
    "D2A": "device to array", "UNK": "unknown direction",
}  # fmt: skip
"""Directions of copies in words."""


def describe_direction(record: Record) -> str:
    """The direction of a row of `transfer.directions` in words."""
    return DIRECTIONS.get(str(record["direction"]), label(record["direction"]))


def plural(count: int, thing: str) -> str:
    """`1 kernel`, `4 kernels`, `12,000 kernels`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _format_line(cell: Cell, read: int, limit: int) -> str:
    """The first `read` characters of a name as one line of at most `limit`."""
    text = str(cell)[:read] if cell is not None else ""
    return text if text.isprintable() and len(text) <= limit else one_line(text, limit)


_CALL = "\0"
"""Stands for the brackets of `operator()`: no name has this character left."""


def _strip_brackets(name: str) -> str:
    """`void f<int>(A, B) [library]` as `void f`; a name of brackets only stays whole.

    An address without a name keeps its library.
    """
    outside: list[str] = []
    depth = 0
    plain = name.replace("(anonymous namespace)::", "").replace("operator()", f"operator{_CALL}")
    for character in plain:
        if character in "<([":
            depth += 1
        elif character in ">)]" and depth:
            depth -= 1
        elif depth == 0:
            outside.append(character)
    short = "".join(outside).strip().replace(_CALL, "()")
    if short.startswith("0x") and name.endswith("]"):
        short = f"{short} {name[name.rindex('[') :]}"
    return short if len(short) >= 3 else name
