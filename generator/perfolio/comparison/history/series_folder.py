"""The files of a series: one a run, in a folder that a project keeps with its program.

In:  a folder such as `history/main`, entries to add. Out: its entries, in the order of commits.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from perfolio.common.atomic_output import write_file
from perfolio.common.errors import InputError, OutputError
from perfolio.comparison.baseline_file import NAME, check_name
from perfolio.comparison.history.series_entry import (
    HistoryEntry,
    name_entry_file,
    pack_entry,
    read_entry,
)

FOLDER = Path("history")
"""Where series are kept, relative to the project."""
MOST_ENTRIES = 50_000
_ENTRIES = "*.json.gz"


def find_series(name: str, folder: Path) -> Path:
    """Where a series is kept, or would be. Raises UsageError for what cannot name a folder."""
    return folder / check_name(name, "series")


def list_series(folder: Path) -> list[str]:
    """Names of the series of a folder, in the order of the alphabet; none where it is not."""
    if not folder.is_dir():
        return []
    return sorted(
        path.name
        for path in folder.iterdir()
        if NAME.fullmatch(path.name) and path.is_dir() and next(path.glob(_ENTRIES), None)
    )


def add_entries(entries: Iterable[HistoryEntry], series: Path) -> list[Path]:
    """Write entries, each whole or not at all; those that are there already are left as they are.

    Returns the new files. Raises OutputError.
    """
    try:
        series.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"{series}: cannot be made: {problem.strerror or problem}") from problem
    written = []
    for entry in entries:
        path = series / name_entry_file(entry)
        if not path.exists():
            write_file(path, pack_entry(entry))
            written.append(path)
    return written


def read_series(series: Path) -> list[HistoryEntry]:
    """All entries, in the order of their moments; the same recording of one commit once.

    Raises InputError where there are none, and where a file is none.
    """
    files = sorted(series.glob(_ENTRIES))
    if not files:
        known = ", ".join(list_series(series.parent)[:8])
        hint = (
            f"there are {known}" if known else "begin one: perfolio history add RUN --series NAME"
        )
        raise InputError(f"{series}: holds no run of a series", hint=hint)
    if len(files) > MOST_ENTRIES:
        raise InputError(f"{series}: has more than {MOST_ENTRIES} runs")
    entries = [read_entry(path) for path in files]
    once = {
        (entry.commit, entry.digest or str(place)): entry for place, entry in enumerate(entries)
    }
    return sorted(once.values(), key=lambda entry: (entry.moment, entry.commit, entry.digest))
