"""A profile, and what else is known of its run: profile.toml, and files of other tools.

In:  the path of a profile. Out: its `Source` with the tables of its witnesses, its `Description`.

Witnesses lie in the profile's folder, or beside its file if no other profile lies there; others are
named by `witnesses` in profile.toml.
"""

from __future__ import annotations

from pathlib import Path

from generator.sources.description import Description, describe, is_alone, place
from generator.sources.model import Source
from generator.sources.registry import read
from generator.sources.witnesses.found import ALONE, with_witnesses, witnesses_in


def read_run(path: Path) -> tuple[Source, Description]:
    """All that is known of the run whose profile is at `path`. Raises InputError, UsageError."""
    source = read(path)
    description = describe(path)
    if source.tool == ALONE:
        return source, description
    return with_witnesses(source, [*beside(path), *description.witnesses]), description


def beside(path: Path) -> list[Path]:
    """The witnesses that lie with a profile."""
    here = place(path)
    if here.is_dir():
        return witnesses_in(path)
    return witnesses_in(path.parent) if is_alone(here) else []
