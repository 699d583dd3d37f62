"""What a metric can need of a run, and what to say where a run lacks it.

In:  `needs.toml` (the vocabulary) and a run of a store. Out: `Lack` per missing need.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import duckdb

from generator.content import until_edited
from generator.errors import ContentError

PATH = Path(__file__).with_name("needs.toml")
ANY_VENDOR = "any"


@dataclass(frozen=True)
class Entry:
    """One kind of input: the needs that it covers and how to collect them."""

    names: tuple[str, ...]
    """Patterns with * and ?."""
    what: str
    """The input in words: `{need}` stands for the name itself."""
    collect: Mapping[str, str]
    """Command by vendor; `any` serves the vendors that are not named."""
    never: Mapping[str, str]
    """Why the tool never records it, by vendor: listed or not, it is not measured."""
    requires: tuple[str, ...]
    """Needs that must be met first."""


@dataclass(frozen=True)
class Lack:
    """Why a need is not met, and the command that would meet it."""

    reason: str
    collect: str


@dataclass(frozen=True)
class Vocabulary:
    """All entries; the first one with a matching name describes a need."""

    entries: tuple[Entry, ...]

    def entry(self, need: str) -> Entry | None:
        """The entry that describes `need`, or None where there is none."""
        for entry in self.entries:
            if any(_matches(need, name) for name in entry.names):
                return entry
        return None


@dataclass(frozen=True)
class Holdings:
    """What one run holds: the needs that it meets, and the vendor of its GPU."""

    met: frozenset[str]
    vendor: str
    python: bool = False
    """Whether it was recorded with functions of Python in the calling paths."""


@until_edited(PATH)
def load_vocabulary(path: Path) -> Vocabulary:
    """The entries of `needs.toml`; raises ContentError where the file is faulty."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))["need"]
        return Vocabulary(tuple(_entry(table) for table in tables))
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ContentError(f"{path}: {error}") from error


def holdings(connection: duckdb.DuckDBPyConnection, run: int) -> Holdings:
    """What `run` holds, as the views `held` and `gpu_vendor` say."""
    met = connection.execute("SELECT need FROM held WHERE run = $run", {"run": run}).fetchall()
    vendor = connection.execute(
        "SELECT vendor FROM gpu_vendor WHERE run = $run", {"run": run}
    ).fetchone()
    python = connection.execute(
        "SELECT 1 FROM module WHERE run = $run AND path = '<logical python>'", {"run": run}
    ).fetchone()
    return Holdings(
        frozenset(str(row[0]) for row in met),
        str(vendor[0]) if vendor else "unknown",
        python is not None,
    )


def lack(need: str, held: Holdings, vocabulary: Vocabulary) -> Lack | None:
    """Why `need` is not met, or None where it is; raises ContentError for an unknown need."""
    entry = vocabulary.entry(need)
    if entry is None:
        raise ContentError(f"needs.toml has no entry for {need}")
    for first in entry.requires:
        if first not in held.met:
            return lack(first, held, vocabulary)
    collect = _by_vendor(entry.collect, held.vendor)
    if held.python:
        collect = collect.replace("hpcrun ", "hpcrun -a python ")
    never = _by_vendor(entry.never, held.vendor)
    if never:
        return Lack(never.format(need=need), collect)
    if need in held.met:
        return None
    return Lack(f"the profile does not hold {entry.what.format(need=need)}", collect)


def _by_vendor(texts: Mapping[str, str], vendor: str) -> str:
    return texts.get(vendor, texts.get(ANY_VENDOR, ""))


def _matches(need: str, pattern: str) -> bool:
    return need == pattern or fnmatchcase(need, pattern)


def _entry(table: Mapping[str, object]) -> Entry:
    if unknown := table.keys() - {"names", "what", "collect", "never", "requires"}:
        raise KeyError(f"unknown keys {sorted(unknown)}")
    what = table["what"]
    if not isinstance(what, str):
        raise TypeError(f"what must be a text in {table}")
    return Entry(
        _list(table["names"]),
        what,
        _texts(table.get("collect", {})),
        _texts(table.get("never", {})),
        _list(table.get("requires", [])),
    )


def _list(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value} must be a list of names")
    return tuple(str(name) for name in value)


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(f"{value} must be texts by vendor")
    return {str(vendor): str(text) for vendor, text in value.items()}
