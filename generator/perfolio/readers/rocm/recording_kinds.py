"""What a file is, by its first bytes and, of a database, by the names of its views."""

from __future__ import annotations

import re
from contextlib import closing
from enum import Enum
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.rocm.csv_rows import parse_header
from perfolio.readers.sqlite_file import MAGIC, SqliteFile
from perfolio.readers.stable_file import open_input
from perfolio.readers.text_stream import MAGIC as ZIPPED
from perfolio.readers.text_stream import open_text, read_begin

BEGIN = ("start_timestamp", "beginns", "begin_ns", "start_ns", "start", "begin")
END = ("end_timestamp", "endns", "end_ns", "end")
KERNEL = ("kernel_name", "kernelname", "name")
FUNCTION = ("function", "name")
DIRECTION = ("direction",)
HINT = (
    "give a trace, as this records one: rocprofv3 --kernel-trace --memory-copy-trace --hip-trace "
    "--output-format json -- PROGRAM"
)
_COUNTER = re.compile(
    r"(?:sq|sqc|ta|td|tcp|tcc|cpc|cpf|spi|grbm|gl2c|gl1c|gcea)_[a-z0-9_]*(?:\[\d+\])?$"
)
_FIRST = 64
"""Bytes that are looked at first: none of them is zero in a text."""
_MAY_HOLD_ZEROS = (ZIPPED, b"\xff\xfe", b"\xfe\xff")
_V1 = re.compile(rb'"traceEvents"\s*:\s*\[\s*\{\s*\}|"(?:DurationNs|BeginNs)"\s*:')
_SDK = re.compile(rb'^\s*\{\s*"rocprofiler-sdk-tool"\s*:')
_READ_AS_ROCPD = {"kernels", "memory_copies", "regions"}
_RPD = {"rocpd_api", "rocpd_op"}


class RocmFormat(Enum):
    """Forms of files; the value says it in words."""

    DATABASE = "is a database of rocprofv3"
    SDK = "is JSON of rocprofv3"
    CHROME = "is JSON of rocprof"
    KERNELS = "holds kernels"
    COPIES = "holds copies"
    CALLS = "holds calls or markers"
    AGENTS = "lists devices, and nothing that ran on them"
    STATS = "holds totals by rocprof or rocprofv3, without the time line that they were summed from"
    COUNTERS = "holds hardware counters of kernels, without a time line of the program"
    SAMPLES = "holds PC samples, which are not read, and no time line"
    DISPATCHES = (
        "holds times of dispatches, which rocprofiler-compute's pmc_perf.csv is to lie beside"
    )
    ALLOCATIONS = "holds allocations of memory, and nothing that ran"
    V1_DATABASE = "is the database of rocprof's scripts, which is not read"
    RPD = "is a database of rocmProfileData, which is not read"


_WITHOUT_TIMES = (
    (RocmFormat.DISPATCHES, {"dispatch_id", "dispatchns", "start_timestamp", "completens"}),
    (RocmFormat.COUNTERS, {"counter_name", "counter_value"}),
    (RocmFormat.STATS, {"name", "calls", "totaldurationns"}),
    (RocmFormat.AGENTS, {"agent_type", "node_id"}),
    (RocmFormat.SAMPLES, {"sample_timestamp", "dispatch_id"}),
    (RocmFormat.ALLOCATIONS, {"operation", "allocation_size"}),
)
"""Columns that tell tables without a time line of what ran."""
READ = (
    RocmFormat.DATABASE,
    RocmFormat.SDK,
    RocmFormat.CHROME,
    RocmFormat.KERNELS,
    RocmFormat.COPIES,
    RocmFormat.CALLS,
)
"""Forms that hold a time line, the one to read first where a process has several."""


def detect_format(path: Path) -> RocmFormat | None:
    """The form of a file; None for anything else, or where it cannot be read."""
    try:
        if not path.is_file():
            return None
        opened = open_input(path)
        first = opened.read(0, min(opened.size, _FIRST))
        if first.startswith(MAGIC):
            return _detect_database_format(path)
        if b"\0" in first and not first.startswith(_MAY_HOLD_ZEROS):
            return None
        head = read_begin(open_text(path))
    except (InputError, OSError):
        return None
    return _detect_text_format(head)


def is_v1_table(columns: tuple[str, ...]) -> bool:
    """Whether a table of kernels is by rocprof, not by rocprofv3."""
    return "kernelname" in columns or "beginns" in columns or "gpu_id" in columns


def count_counters(columns: tuple[str, ...]) -> int:
    """How many columns of a table are hardware counters."""
    return sum(_COUNTER.match(name) is not None for name in columns)


def _detect_text_format(head: bytes) -> RocmFormat | None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"{", b"[")):
        if _SDK.match(start):
            return RocmFormat.SDK
        return RocmFormat.CHROME if _V1.search(head) else None
    return _detect_table_format(parse_header(head))


def _detect_table_format(columns: tuple[str, ...]) -> RocmFormat | None:
    named = set(columns)
    for form, needed in _WITHOUT_TIMES:
        if needed <= named:
            return form
    counted = count_counters(columns) and named & {"kernel_name", "kernelname"}
    if counted and "beginns" not in named:
        return RocmFormat.COUNTERS
    if not named & set(BEGIN) or not named & set(END):
        return None
    return _detect_event_format(named)


def _detect_event_format(named: set[str]) -> RocmFormat | None:
    if named & set(DIRECTION):
        return RocmFormat.COPIES
    if named & set(KERNEL[:2]):
        return RocmFormat.KERNELS
    if "function" in named and named & {"domain", "kind", "thread_id", "process_id"}:
        return RocmFormat.CALLS
    return None


def _detect_database_format(path: Path) -> RocmFormat | None:
    names = _read_view_names(path)
    if names is None:
        # Damaged: what it is shows in its first pages, what is wrong when it is read.
        opened = open_input(path)
        return (
            RocmFormat.DATABASE if b"rocpd" in opened.read(0, min(opened.size, 1 << 20)) else None
        )
    if names >= _RPD:
        return RocmFormat.RPD
    if "StringIds" not in names and ("kernels" in names or len(names & _READ_AS_ROCPD) > 1):
        return RocmFormat.DATABASE
    if any(name.startswith("rocpd_") for name in names):
        return RocmFormat.DATABASE
    return RocmFormat.V1_DATABASE if "KERN" in names else None


def _read_view_names(path: Path) -> set[str] | None:
    """Names of all views and tables of a database; None where they cannot be read."""
    try:
        with closing(SqliteFile(open_input(path), again=HINT, has_views=True)) as database:
            return set(database.list_tables())
    except InputError:
        return None
