"""What a trace in Chrome's format is, by its name and the begin of its text."""

from __future__ import annotations

import re
from pathlib import Path

SUFFIXES = (".json", ".json.gz", ".json.tmp")
_XLA = re.compile(rb'"name"\s*:\s*"/(?:device|host):[A-Z]')
"""What processes of a timeline of XLA are called, which it tells first."""


def has_trace_suffix(path: Path) -> bool:
    """Whether a file may be a trace, by its name."""
    return path.name.lower().endswith(SUFFIXES)


def is_timeline_of_xla(head: bytes) -> bool:
    """Whether the begin of a text is that of a timeline of XLA."""
    return b'"traceEvents"' in head and _XLA.search(head) is not None
