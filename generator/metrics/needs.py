"""What a metric can need of a run, and what to say where a run lacks it.

In:  `capabilities.toml` of the tool that recorded a run, and the run. Out: `Lack` per missing need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.metrics.fitting import Setting, fitted
from generator.sources.measures import FILE, Measure, load_measures, name_of
from generator.sources.tools import CAPABILITIES, NEEDS, folder_of, inherited
from generator.store.run_tables import RunTables
from generator.toml import TomlError, read_toml

PATH = folder_of("") / CAPABILITIES
ANY_VENDOR = "any"
_KEYS = frozenset({"names", "gpu", "what", "collect", "never", "requires", "renamed"})


@dataclass(frozen=True)
class Entry:
    """One kind of input: the needs that it covers and how to collect them."""

    names: tuple[str, ...]
    """Patterns with * and ?."""
    what: str
    """The input in words: `{need}` stands for what the tool calls it."""
    collect: Mapping[str, str]
    """Command by vendor; `any` serves the vendors that are not named."""
    never: Mapping[str, str]
    """Why the tool does not record it, by vendor: unless it has values, it is not measured."""
    requires: tuple[str, ...]
    """Needs that must be met first."""
    renamed: Mapping[str, str]
    """Why a run that holds another name instead does not meet it, by that name."""
    gpu: bool = False
    """Whether it means nothing without a GPU."""


@dataclass(frozen=True)
class Hidden:
    """Needs that are met in part only, of unknown size, where a run holds something else."""

    by: str
    """The sign that tells it, as in the model `capability`."""
    needs: tuple[str, ...]
    """Patterns with * and ?."""
    why: str
    collect: str
    """Command that records all of it."""


@dataclass(frozen=True)
class Lack:
    """Why a need is not met, and the command that would meet it."""

    reason: str
    collect: str


@dataclass(frozen=True)
class Vocabulary:
    """All entries; the first one with a matching name describes a need."""

    entries: tuple[Entry, ...]
    hidden: tuple[Hidden, ...] = ()
    measures: tuple[Measure, ...] = ()
    """What the tool calls things."""

    def entry(self, need: str) -> Entry | None:
        """The entry that describes `need`, or None where there is none."""
        for entry in self.entries:
            if any(_matches(need, name) for name in entry.names):
                return entry
        return None

    def hiding(self, need: str, met: frozenset[str]) -> Hidden | None:
        """What hides a part of `need` from a run with these needs, or None."""
        present = (hidden for hidden in self.hidden if hidden.by in met)
        return next(
            (hidden for hidden in present if any(_matches(need, name) for name in hidden.needs)),
            None,
        )


@dataclass(frozen=True)
class Holdings:
    """What one run holds: the needs that it meets, and the vendor of its GPU."""

    met: frozenset[str]
    vendor: str
    filled: frozenset[str] = frozenset()
    """Names of metrics with a value above 0: what is listed need not be recorded."""
    setting: Setting = field(default_factory=Setting)
    """What the commands for this run depend on."""


@until_edited(PATH, *inherited())
def load_vocabulary(path: Path) -> Vocabulary:
    """What a tool's file says, then what it inherits; raises ContentError where it is faulty."""
    try:
        tables = read_toml(path)
        entries = list(tables["need"])
        for name in _list(tables.get("inherits", [])):
            folder = path.parent.parent / name
            file = NEEDS if (folder / NEEDS).exists() else CAPABILITIES
            entries += read_toml(folder / file)["need"]
        return Vocabulary(
            tuple(_entry(table) for table in entries),
            tuple(hidden for table in tables["hidden"] for hidden in _hidden(table)),
            load_measures(path.parent) if (path.parent / FILE).exists() else (),
        )
    except (KeyError, TypeError, TomlError) as error:
        raise ContentError(f"{path}: {error}") from error


def holdings(tables: RunTables) -> Holdings:
    """What a run holds, as `capability`, `total`, `gpu_vendor` and `missing_kernels` say."""

    def column(sql: str) -> list[object]:
        return [row[0] for row in tables.rows(sql)]

    met, filled, vendors = (column(sql) for sql in QUERIES[:3])
    # To plan whether kernels are missing takes as long as all else that is asked here.
    if _EXPECTED in met or column(QUERIES[3]):
        met += column(QUERIES[4])
    vendor = str(vendors[0]) if vendors else "unknown"
    return Holdings(
        frozenset(map(str, met)), vendor, frozenset(map(str, filled)), _setting(column, vendor)
    )


QUERIES = (
    "SELECT need FROM capability",
    "SELECT name FROM total WHERE value > 0",
    "SELECT vendor FROM gpu_vendor",
    "SELECT 1 FROM unseen_product LIMIT 1",
    "SELECT sign FROM missing_kernels",
    "SELECT DISTINCT rocm_version(path) FROM module",
    "SELECT gpu_count('kernel_launches', 'kernel_time', 'kernel')",
    "SELECT count(*) FROM iteration",
    "SELECT 1 FROM module WHERE path = python_module()",
    "SELECT count(DISTINCT rank) FROM profile",
)
"""What `holdings` asks of a run."""
_EXPECTED = "model_flops_per_iteration"
"""The setting without which no time of products is known that kernels should take."""


def _setting(column: Callable[[str], list[object]], vendor: str) -> Setting:
    versions, (launches,), (iterations,), python, (ranks,) = (column(sql) for sql in QUERIES[5:])
    known = sorted((str(version) for version in versions if version), key=len)
    return Setting(
        (known[-1] if known else "") if vendor == "AMD" else None,
        float(launches) if isinstance(launches, (int, float)) else None,
        float(iterations) if isinstance(iterations, int) and iterations else None,
        bool(python),
        ranks if isinstance(ranks, int) else 0,
    )


def lack(need: str, held: Holdings, vocabulary: Vocabulary) -> Lack | None:
    """Why `need` is not met, or None where it is; raises ContentError for an unknown need."""
    entry = vocabulary.entry(need)
    if entry is None:
        raise ContentError(f"no tool's capabilities.toml has an entry for {need}")
    if hidden := vocabulary.hiding(need, held.met):
        return Lack(hidden.why, fitted(hidden.collect, held.setting))
    for first in entry.requires:
        if missing := lack(first, held, vocabulary):
            return missing
    return _lack(entry, need, held, name_of(need, vocabulary.measures))


def _lack(entry: Entry, need: str, held: Holdings, called: str) -> Lack | None:
    """Why a need is not met of which nothing is hidden, and whose own needs are met."""
    collect = fitted(_by_vendor(entry.collect, held.vendor), held.setting)
    for name, reason in entry.renamed.items():
        if name in held.met and need not in held.met:
            return Lack(reason.format(need=called), collect)
    never = _by_vendor(entry.never, held.vendor)
    if never and need not in held.filled:
        return Lack(never.format(need=called), collect)
    if need in held.met:
        return None
    return Lack(f"the profile does not hold {entry.what.format(need=called)}", collect)


def _by_vendor(texts: Mapping[str, str], vendor: str) -> str:
    return texts.get(vendor, texts.get(ANY_VENDOR, ""))


@cache  # each metric asks for its needs, and patterns are compiled for each
def _matches(need: str, pattern: str) -> bool:
    return need == pattern or fnmatchcase(need, pattern)


def _entry(table: Mapping[str, object]) -> Entry:
    if unknown := table.keys() - _KEYS:
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
        _texts(table.get("renamed", {})),
        bool(table.get("gpu", False)),
    )


def _hidden(table: Mapping[str, object]) -> Iterator[Hidden]:
    """One for each sign that tells of the same."""
    why, collect = str(table["why"]), str(table["collect"])
    for sign, words in _texts(table["by"]).items():
        yield Hidden(sign, _list(table["needs"]), why.format(by=words), collect)


def _list(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value} must be a list of names")
    return tuple(str(name) for name in value)


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(f"{value} must be texts by name")
    return {str(vendor): str(text) for vendor, text in value.items()}
