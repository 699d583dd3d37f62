"""What a witness gives, and the tables that all of them fill."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from perfolio.common.errors import InputError
from perfolio.readers.text_lines import AGAIN
from perfolio.readers.text_stream import TextStream

TABLES: Mapping[str, pa.Schema] = {
    "counted_kernel": pa.schema(
        [
            ("witness", pa.int32()),
            ("launch", pa.int64()),
            ("name", pa.string()),
            ("blocks", pa.int64()),
            ("threads", pa.int64()),
            ("device", pa.string()),
            ("compute_capability", pa.float64()),
        ]
    ),
    "kernel_counter": pa.schema(
        [
            ("witness", pa.int32()),
            ("launch", pa.int64()),
            ("metric", pa.string()),
            ("value", pa.float64()),
        ]
    ),
    "counter_rule": pa.schema(
        [
            ("witness", pa.int32()),
            ("launch", pa.int64()),
            ("rule", pa.string()),
            ("kind", pa.string()),
            ("text", pa.string()),
            ("speedup", pa.float64()),
        ]
    ),
    "collective_block": pa.schema(
        [
            ("witness", pa.int32()),
            ("block", pa.int32()),
            ("operation", pa.string()),
            ("ranks", pa.int32()),
            ("nodes", pa.int32()),
            ("device", pa.string()),
            ("average", pa.float64()),
            ("problem", pa.string()),
        ]
    ),
    "collective_row": pa.schema(
        [
            ("witness", pa.int32()),
            ("block", pa.int32()),
            ("bytes", pa.int64()),
            ("type", pa.string()),
            ("redop", pa.string()),
            ("in_place", pa.bool_()),
            ("seconds", pa.float64()),
            ("algorithm_bandwidth", pa.float64()),
            ("bus_bandwidth", pa.float64()),
            ("wrong", pa.int64()),
        ]
    ),
    "device_sample": pa.schema(
        [
            ("witness", pa.int32()),
            ("tick", pa.int64()),
            ("time", pa.int64()),
            ("device", pa.string()),
            ("measure", pa.string()),
            ("value", pa.float64()),
        ]
    ),
    "collective_sample": pa.schema(
        [
            ("witness", pa.int32()),
            ("rank", pa.int32()),
            ("operation", pa.string()),
            ("number", pa.int64()),
            ("ranks", pa.int32()),
            ("nodes", pa.int32()),
            ("bytes", pa.int64()),
            ("seconds", pa.float64()),
            ("algorithm_bandwidth", pa.float64()),
            ("bus_bandwidth", pa.float64()),
        ]
    ),
    "told_figure": pa.schema(
        [
            ("witness", pa.int32()),
            ("name", pa.string()),
            ("value", pa.float64()),
            ("unit", pa.string()),
        ]
    ),
    "told_doubt": pa.schema(
        [
            ("witness", pa.int32()),
            ("figure", pa.string()),
            ("said", pa.string()),
            ("held", pa.string()),
            ("text", pa.string()),
        ]
    ),
    "throughput_row": pa.schema(
        [
            ("witness", pa.int32()),
            ("name", pa.string()),
            ("gpus", pa.int32()),
            ("rate", pa.float64()),
            ("unit", pa.string()),
        ]
    ),
    "memory_segment": pa.schema(
        [
            ("witness", pa.int32()),
            ("device", pa.int32()),
            ("segment", pa.int64()),
            ("pool", pa.string()),
            ("stream", pa.int64()),
            ("bytes", pa.int64()),
        ]
    ),
    "memory_block": pa.schema(
        [
            ("witness", pa.int32()),
            ("device", pa.int32()),
            ("segment", pa.int64()),
            ("bytes", pa.int64()),
            ("requested", pa.int64()),
            ("state", pa.string()),
            ("site", pa.int32()),
        ]
    ),
    "allocation_site": pa.schema(
        [
            ("witness", pa.int32()),
            ("site", pa.int32()),
            ("function", pa.string()),
            ("file", pa.string()),
            ("line", pa.int32()),
        ]
    ),
    "allocation": pa.schema(
        [
            ("witness", pa.int32()),
            ("device", pa.int32()),
            ("begin_event", pa.int64()),
            ("end_event", pa.int64()),
            ("begin_time", pa.int64()),
            ("end_time", pa.int64()),
            ("bytes", pa.int64()),
            ("site", pa.int32()),
            ("origin", pa.string()),
            ("end_origin", pa.string()),
        ]
    ),
    "reserved_change": pa.schema(
        [
            ("witness", pa.int32()),
            ("device", pa.int32()),
            ("event", pa.int64()),
            ("time", pa.int64()),
            ("bytes", pa.int64()),
        ]
    ),
    "out_of_memory": pa.schema(
        [
            ("witness", pa.int32()),
            ("device", pa.int32()),
            ("event", pa.int64()),
            ("time", pa.int64()),
            ("bytes", pa.int64()),
            ("free", pa.int64()),
            ("site", pa.int32()),
        ]
    ),
}
"""Their columns, `witness` first: its number in the run."""
Row = tuple[Any, ...]
"""Values of a table's columns without `witness`."""
_LIMITS = {
    pa.int32(): (-(1 << 31), (1 << 31) - 1),
    pa.int64(): (-(1 << 63), (1 << 63) - 1),
    pa.float64(): (-sys.float_info.max, sys.float_info.max),
}
_NUMBERS = {
    table: [
        (place, column.name, *_LIMITS[column.type])
        for place, column in enumerate(list(schema)[1:])
        if column.type in _LIMITS
    ]
    for table, schema in TABLES.items()
}
"""Of each table the columns of numbers: place in a row, name, least and largest value."""


class NumberError(ValueError):
    """A number that its column cannot hold: beyond 64 bits, or not finite."""


@dataclass
class Witness:
    """What one file says."""

    tool: str
    version: str = ""
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """Rows by table."""
    columns: dict[str, pa.Table] = field(default_factory=dict)
    """Tables of so many rows that they are no tuples, without `witness`."""
    notes: list[str] = field(default_factory=list)
    """What had to be tolerated, or is lacking."""
    device: str = ""
    """What the driver calls the GPU, where the file says so of only one."""

    def add(self, table: str, row: Row) -> None:
        """One more row of a table. Raises NumberError where it cannot hold a number."""
        for place, name, least, largest in _NUMBERS[table]:
            value = row[place]
            if value is not None and not least <= value <= largest:
                raise NumberError(f"{name}: {_show_number(value)} is no number that can be")
        self.rows.setdefault(table, []).append(row)


@dataclass(frozen=True)
class WitnessKind:
    """A format of witnesses."""

    name: str
    recognises: Callable[[Sequence[str]], bool]
    """By the first lines of a file."""
    reader: Callable[[TextStream], Witness]
    begins: Callable[[bytes], bool] | None = None
    """By the first bytes of a file that is no text."""

    def read(self, text: TextStream) -> Witness:
        """What a file says. Raises InputError where it is damaged."""
        try:
            return self.reader(text)
        except NumberError as problem:
            where = f" line {text.line:,}:" if text.line else ""
            raise InputError(f"{text.opened.path}:{where} {problem}", hint=AGAIN) from problem


def _show_number(value: float) -> str:
    """A number, or how long it is: Python does not write out one of thousands of digits."""
    length = value.bit_length() if isinstance(value, int) else 0
    return f"one of {length:,} bits" if length > 128 else str(value)


def make_witness_table(name: str, found: Sequence[Witness]) -> pa.Table:
    """The rows of all witnesses in one table, each with its witness's number."""
    schema = TABLES[name]
    rows = [
        (number, *row) for number, each in enumerate(found, 1) for row in each.rows.get(name, ())
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    told = pa.table(
        [pa.array(values, one.type) for values, one in zip(columns, schema, strict=True)],
        schema=schema,
    )
    large = [
        each.columns[name].add_column(
            0, schema.field(0), pa.repeat(pa.scalar(number, pa.int32()), len(each.columns[name]))
        )
        for number, each in enumerate(found, 1)
        if name in each.columns
    ]
    return pa.concat_tables([told, *large]) if large else told
