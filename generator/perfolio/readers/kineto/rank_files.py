"""Which files are the ranks of one run, by what stands at their begin, and else by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.chrome_trace import has_trace_suffix, is_timeline_of_xla
from perfolio.readers.kineto.trace_events import parse_rank
from perfolio.readers.text_stream import open_text, read_begin

_IN_NAME = re.compile(r"rank[-_ ]?(\d{1,6})(?!\d)", re.IGNORECASE)
_EVENT = re.compile(rb'"(?:ph|cat)"\s*:')
_INFO = re.compile(rb'"distributedInfo"\s*:\s*(\{)')
_ROCPROF = re.compile(
    rb'"(?:DurationNs|BeginNs|rocprofiler-sdk-tool)"|"traceEvents"\s*:\s*\[\s*\{\s*\}'
)
"""ROCm's tools write Chrome's traces as well, but with times that are no numbers."""


@dataclass(frozen=True)
class RankHeader:
    """What the begin of a file says of its rank."""

    path: Path
    rank: int | None
    size: int | None
    """Ranks of the run."""


def is_trace(path: Path) -> bool:
    """Whether a file is a trace of PyTorch's profiler, by the begin of its text.

    One that cannot be read is the trace of a rank that its name tells, which is not to be missed;
    any other may be anything, and ends no report of what lies beside it.
    """
    if not has_trace_suffix(path) or not path.is_file():
        return False
    try:
        head = read_begin(open_text(path))
    except InputError:
        return _IN_NAME.search(path.name) is not None  # the reader says what is wrong
    return is_event_list(head)


def is_event_list(head: bytes) -> bool:
    """Whether text begins like a list of events, or like the entries before one."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")) or _ROCPROF.search(head) or is_timeline_of_xla(head):
        return False
    known = (b'"schemaVersion"', b'"deviceProperties"', b'"distributedInfo"', b'"traceEvents"')
    return any(key in head for key in known) or (
        start.startswith(b"[") and bool(_EVENT.search(head))
    )


def read_rank_header(path: Path, head: bytes) -> RankHeader:
    """Rank and number of ranks, by the content, else the rank by the file's name."""
    info: object = {}
    if found := _INFO.search(head):
        try:
            text = head[found.start(1) :].decode("utf-8", "replace")
            info, _ = json.JSONDecoder(strict=False).raw_decode(text)
        except (ValueError, RecursionError):
            info = {}
    entries = info if isinstance(info, dict) else {}
    named = _IN_NAME.search(path.name)
    rank = parse_rank(entries.get("rank"))
    if rank is None and named:
        rank = int(named[1])
    return RankHeader(path, rank, parse_rank(entries.get("world_size")))


def list_traces(folder: Path) -> list[Path]:
    """Files in a folder that are traces, by name."""
    return sorted(path for path in folder.iterdir() if is_trace(path))


def is_one_run(found: Sequence[RankHeader]) -> bool:
    """Whether traces are of different ranks, and of equally many."""
    ranks = [each.rank for each in found]
    sizes = {each.size for each in found if each.size is not None}
    return (
        len(found) > 1 and None not in ranks and len(set(ranks)) == len(ranks) and len(sizes) <= 1
    )
