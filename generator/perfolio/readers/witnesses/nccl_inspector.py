"""JSON lines of NCCL Inspector: collectives of the run, the latest of each interval."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, describe_cut_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind

TOOL = "NCCL Inspector"
MOST_ROWS = 5_000_000
_MARK = '"coll_perf"'
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Between the words of AllReduce."""
_MOST = 1 << 62


class _InspectorHeader(msgspec.Struct):
    rank: int | None = None
    n_ranks: int | None = None
    nnodes: int | None = None


class _InspectorPerformance(msgspec.Struct):
    coll: str
    coll_msg_size_bytes: int
    coll_exec_time_us: float
    coll_sn: int | None = None
    coll_algobw_gbs: float | None = None
    coll_busbw_gbs: float | None = None


class _InspectorRecord(msgspec.Struct):
    coll_perf: _InspectorPerformance | None = None
    header: _InspectorHeader | None = None
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    dump_stats: dict[str, Any] = msgspec.field(default_factory=dict)
    rank: int | None = None
    """Of a variant without `header`."""
    n_ranks: int | None = None
    nnodes: int | None = None


def recognises(head: Sequence[str]) -> bool:
    """Whether lines are records of collectives."""
    return any(line.lstrip().startswith("{") for line in head[:2]) and any(
        _MARK in line for line in head[:50]
    )


def read(text: TextStream) -> Witness:
    """A row for each record. Raises InputError where a line is no record."""
    found, path, dropped = Witness(TOOL), text.opened.path, dict[tuple[Any, ...], int]()
    decoder = msgspec.json.Decoder(_InspectorRecord)
    for count, line in enumerate(read_lines(text), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except (ValueError, RecursionError) as problem:
            if not line.endswith("\n"):
                found.notes.append(describe_cut_line(text))
                break
            raise InputError(
                f"{path}: line {count:,}: is no record of NCCL Inspector: {problem}", hint=AGAIN
            ) from problem
        _take_record(found, record, f"{path}: line {count:,}")
        _count_dropped(dropped, record)
        if count > MOST_ROWS:
            raise InputError(f"{path}: line {count:,}: more rows are not read", hint="split it")
    rows = len(found.rows.get("collective_sample", ()))
    if rows:
        lost = sum(dropped.values())
        found.notes.append(
            f"holds {rows:,} collectives: NCCL Inspector samples, and does not list all"
            + (f"; it says that it dropped {lost:,}" if lost else "")
        )
    return found


def _take_record(found: Witness, record: _InspectorRecord, place: str) -> None:
    found.version = (
        found.version
        or to_storable_text(str(record.metadata.get("inspector_output_format_version", "")))[:40]
    )
    told = record.coll_perf
    if told is None:
        return
    head = record.header or _InspectorHeader(record.rank, record.n_ranks, record.nnodes)
    counts = (head.rank, head.n_ranks, head.nnodes)
    if not 0 <= told.coll_msg_size_bytes < _MOST or told.coll_exec_time_us < 0:
        raise InputError(f"{place}: its size or time is below 0 or too large", hint=AGAIN)
    if any(each is not None and not 0 <= each < 1 << 31 for each in counts):
        raise InputError(f"{place}: its ranks cannot be", hint=AGAIN)
    if told.coll_sn is not None and not 0 <= told.coll_sn < _MOST:
        raise InputError(f"{place}: its number cannot be", hint=AGAIN)
    found.add(
        "collective_sample",
        (
            head.rank, _WORD.sub("_", to_storable_text(told.coll)[:60]).lower(), told.coll_sn,
            head.n_ranks, head.nnodes, told.coll_msg_size_bytes, told.coll_exec_time_us / 1e6,
            _to_bytes_per_second(told.coll_algobw_gbs), _to_bytes_per_second(told.coll_busbw_gbs),
        ),
    )  # fmt: skip


def _count_dropped(dropped: dict[tuple[Any, ...], int], record: _InspectorRecord) -> None:
    """The totals of what each communicator dropped, which grow."""
    total = record.dump_stats.get("dropped_total")
    if isinstance(total, int) and 0 < total < _MOST:
        head: Mapping[str, Any] = record.metadata
        rank = record.header.rank if record.header else record.rank
        key = (head.get("hostname"), head.get("pid"), rank)
        dropped[tuple(map(str, key))] = max(total, dropped.get(tuple(map(str, key)), 0))


def _to_bytes_per_second(value: float | None) -> float | None:
    """From GB/s [B/s]."""
    return None if value is None or value < 0 else value * 1e9


KIND = WitnessKind("sampled collectives", recognises, read)
