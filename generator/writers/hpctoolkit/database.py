"""All files of a database, made aside and renamed together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.progress import Progress
from generator.writers.hpctoolkit.model import Database, TracePoints, Values


def write(
    database: Database,
    folder: Path,
    values: Iterable[Values],
    traces: Iterable[TracePoints] = (),
    progress: Progress | None = None,
    *,
    replace: bool = False,
) -> Path:
    """Write a database into `folder`, which appears whole or not at all; returns it.

    `values` come in any order of profiles, all of one profile in a row (in one piece or
    several); profiles without values may be left out. From them the writer computes the
    scopes function, lex_aware and execution, the values of context 0, the summary
    profile and cct.db. `traces` likewise; without any there is no trace.db, else each
    profile has a line. Memory is bounded by the number of contexts and by the largest
    profile, not by the number of profiles or of all values.

    An existing folder is replaced only if `replace` says so and it holds a database.

    Raises ValueError for contents that the format cannot hold, or that contradict
    themselves, and OutputError when the files cannot be written.
    """
    raise NotImplementedError
