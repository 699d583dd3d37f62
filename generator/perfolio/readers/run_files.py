"""A profile, and what else is known of its run: profile.toml, and files of other tools.

In:  the path of a profile. Out: its `Source` with the tables of its witnesses, its
     `RunDescription`.

Witnesses lie in the profile's folder, or beside its file if no other profile lies there; others are
named by `witnesses` in profile.toml.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from perfolio.common.errors import one_line
from perfolio.readers.kineto.rank_reading import RankOutcome
from perfolio.readers.model import Source
from perfolio.readers.own_files import is_own
from perfolio.readers.registry import read
from perfolio.readers.run_description import (
    RunDescription,
    is_alone,
    read_description,
    resolve_place,
)
from perfolio.readers.witnesses.discovery import ALONE, MOST_FILES, add_witnesses, list_witnesses

DATA = (".csv", ".json", ".jsonl", ".json.gz", ".csv.gz", ".log", ".ncu-rep", ".pickle")
"""Endings of files that tools write; texts and programs beside a profile are its user's own."""
MOST_NAMED = 6


def read_run(path: Path, ranks: Sequence[RankOutcome] = ()) -> tuple[Source, RunDescription]:
    """All that is known of the run whose profile is at `path`. Raises InputError, UsageError.

    Of `ranks` see `registry.read`.
    """
    source = read(path, ranks)
    description = read_description(path)
    if source.tool == ALONE:
        return source, description
    near = find_nearby_witnesses(path)
    whole = add_witnesses(source, [*near, *description.witnesses])
    if names := list_unread_files(path, {*near, *(file.path for file in source.files)}):
        note = one_line(f"files beside the profile that are not read: {', '.join(names)}")
        whole = replace(whole, warnings=(*whole.warnings, note))
    return whole, description


def find_nearby_witnesses(path: Path) -> list[Path]:
    """The witnesses that lie with a profile."""
    here = resolve_place(path)
    if here.is_dir():
        return list_witnesses(path)
    return list_witnesses(path.parent) if is_alone(here) else []


def list_unread_files(path: Path, used: Collection[Path]) -> list[str]:
    """Names of files that lie with a profile, look like data of a tool, and are not `used`."""
    here = resolve_place(path)
    folder = path if here.is_dir() else path.parent
    if not here.is_dir() and not is_alone(here):
        return []
    known = {(one.parent.resolve(), one.name) for one in used}
    found = sorted(
        one.name
        for one in islice(folder.iterdir(), MOST_FILES)
        if one.name.lower().endswith(DATA) and one.is_file() and not is_own(one)
        if (one.parent.resolve(), one.name) not in known
    )
    left = len(found) - MOST_NAMED
    return found if left <= 0 else [*found[:MOST_NAMED], f"{left:,} more"]
