"""What of a recording cannot be as it says: found things, and their words.

In:  numbers and times that were found, and `doubts.toml`. Out: sentences, and a table of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.common.units import quantity

FILE = Path(__file__).with_name("doubts.toml")
_KEYS = ("title", "says", "effect", "advice")


@dataclass(frozen=True)
class Doubt:
    """One kind of thing that was found."""

    what: str
    """Its key in `doubts.toml`."""
    number: int
    whole: int
    """Of how many."""
    time: int = 0
    """How much time it concerns [ns]."""
    whole_time: int = 0
    """Of how much [ns]."""
    voids: bool = False
    """Whether so much is missing that nothing of the GPU can be told."""
    names: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """How many and how much, as a sentence."""
        return _find_entry(self.what)["says"].format(
            number=f"{self.number:,}",
            whole=f"{self.whole:,}",
            time=quantity(self.time / 1e9, "s"),
            whole_time=quantity(self.whole_time / 1e9, "s"),
            names=_join_names(self.names),
        )

    @property
    def effect(self) -> str:
        """Which figures it concerns."""
        entry = _find_entry(self.what)
        return entry["void"] if self.voids else entry["effect"]


@reload_when_edited(FILE)
def load_entries(path: Path) -> Mapping[str, Mapping[str, str]]:
    """The words of each kind. Raises ContentError where the file is faulty."""
    try:
        entries = read_toml(path)
    except TomlError as error:
        raise ContentError(f"{path}: {error}") from error
    for name, entry in entries.items():
        if not isinstance(entry, dict) or not {*_KEYS} <= entry.keys():
            raise ContentError(f"{path}: {name} has {', '.join(_KEYS)}")
    return entries


def make_doubt_table(doubts: Sequence[Doubt]) -> pa.Table:
    """Rows of table plausibility."""
    rows = [
        {
            "what": doubt.what,
            "title": _find_entry(doubt.what)["title"],
            "number": doubt.number,
            "whole": doubt.whole,
            "time": doubt.time or None,
            "says": doubt.says,
            "effect": doubt.effect,
            "advice": _find_entry(doubt.what)["advice"],
            "voids": doubt.voids,
        }
        for doubt in doubts
    ]
    return pa.Table.from_pylist(rows, schema=_TABLE)


_TABLE = pa.schema(
    [
        ("what", pa.string()),
        ("title", pa.string()),
        ("number", pa.int64()),
        ("whole", pa.int64()),
        ("time", pa.int64()),
        ("says", pa.string()),
        ("effect", pa.string()),
        ("advice", pa.string()),
        ("voids", pa.bool_()),
    ]
)


def _find_entry(what: str) -> Mapping[str, str]:
    return load_entries()[what]


def _join_names(names: Sequence[str]) -> str:
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last
