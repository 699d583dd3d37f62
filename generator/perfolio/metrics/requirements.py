"""What a metric can need of a run, and what to say where a run lacks it.

In:  `capabilities.toml` of the tool that recorded a run, and the run. Out: `Lack` per missing need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from perfolio.common.content_files import until_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.metrics.caveats import command_on
from perfolio.metrics.run_commands import fitted
from perfolio.metrics.run_inventory import Held, asked
from perfolio.readers.measures import FILE, Measure, load_measures, name_of
from perfolio.readers.tool_catalog import CAPABILITIES, NEEDS, folder_of, inherited

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
    """The sign that tells it: a need that a run meets, or a sign of the model `missing_kernels`."""
    needs: tuple[str, ...]
    """Patterns with * and ?."""
    why: str
    collect: Mapping[str, str]
    """Command that records all of it, by vendor."""


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

    def hiding(self, need: str, held: Held) -> Hidden | None:
        """What hides a part of `need` from a run that holds this, or None."""
        return next((hidden for hidden in self.could_hide(need) if held.meets(hidden.by)), None)

    def could_hide(self, need: str) -> Iterator[Hidden]:
        """What would hide a part of `need` from a run that holds it."""
        for hidden in self.hidden:
            if any(_matches(need, name) for name in hidden.needs):
                yield hidden


@until_edited(PATH, *inherited())
def load_vocabulary(path: Path) -> Vocabulary:
    """What a tool's file says, then what it inherits; raises ContentError where it is faulty."""
    try:
        tables = read_toml(path)
        entries, hiding = list(tables["need"]), list(tables["hidden"])
        for name in _list(tables.get("inherits", [])):
            folder = path.parent.parent / name
            file = NEEDS if (folder / NEEDS).exists() else CAPABILITIES
            inherited_tables = read_toml(folder / file)
            entries += inherited_tables["need"]
            hiding += inherited_tables.get("hidden", [])
        again, tool = tables.get("again", {}), str(tables["tool"])
        return Vocabulary(
            tuple(_entry(table, tool) for table in entries),
            tuple(hidden for table in hiding for hidden in _hidden(table, again)),
            load_measures(path.parent) if (path.parent / FILE).exists() else (),
        )
    except (KeyError, TypeError, TomlError) as error:
        raise ContentError(f"{path}: {error}") from error


def lack(need: str, held: Held, vocabulary: Vocabulary) -> Lack | None:
    """Why `need` is not met, or None where it is; raises ContentError for an unknown need."""
    entry = vocabulary.entry(need)
    if entry is None:
        raise ContentError(f"no tool's capabilities.toml has an entry for {need}")
    if hidden := vocabulary.hiding(need, held):
        again = _by_vendor(hidden.collect, held)
        return Lack(hidden.why, fitted(again, held.setting(again)))
    for first in entry.requires:
        if missing := lack(first, held, vocabulary):
            return missing
    return _lack(entry, need, held, name_of(need, vocabulary.measures))


def queries(needs: Iterable[str], vocabulary: Vocabulary) -> Iterator[str]:
    """All that may be asked of a run to tell which of these needs it lacks."""
    told, commands = set[str](), set[str]()
    waiting = set(needs)
    while waiting:
        need = waiting.pop()
        hidden, entry = list(vocabulary.could_hide(need)), vocabulary.entry(need)
        told.update([need], (one.by for one in hidden), entry.renamed if entry else ())
        commands.update(command for one in hidden for command in one.collect.values())
        if entry is not None:
            commands.update(entry.collect.values())
            waiting.update(set(entry.requires) - told)
    yield from asked(sorted(told), commands)


def _lack(entry: Entry, need: str, held: Held, called: str) -> Lack | None:
    """Why a need is not met of which nothing is hidden, and whose own needs are met."""
    reason = _reason(entry, need, held)
    if reason is None:
        return None
    collect = _by_vendor(entry.collect, held)
    return Lack(reason.format(need=called), fitted(collect, held.setting(collect)))


def _reason(entry: Entry, need: str, held: Held) -> str | None:
    if not held.meets(need):
        for name, reason in entry.renamed.items():
            if held.meets(name):
                return reason
    if entry.never and need not in held.filled and (never := _by_vendor(entry.never, held)):
        return never
    return None if held.meets(need) else f"the profile does not hold {entry.what}"


def _by_vendor(texts: Mapping[str, str], held: Held) -> str:
    return texts.get(held.vendor, texts.get(ANY_VENDOR, ""))


@cache  # each metric asks for its needs, and patterns are compiled for each
def _matches(need: str, pattern: str) -> bool:
    return need == pattern or fnmatchcase(need, pattern)


def _entry(table: Mapping[str, object], tool: str) -> Entry:
    if unknown := table.keys() - _KEYS:
        raise KeyError(f"unknown keys {sorted(unknown)}")
    what = table["what"]
    if not isinstance(what, str):
        raise TypeError(f"what must be a text in {table}")
    return Entry(
        _list(table["names"]),
        what,
        {
            vendor: command_on(text, tool)
            for vendor, text in _texts(table.get("collect", {})).items()
        },
        _texts(table.get("never", {})),
        _list(table.get("requires", [])),
        _texts(table.get("renamed", {})),
        bool(table.get("gpu", False)),
    )


def _hidden(table: Mapping[str, object], again: Mapping[str, object]) -> Iterator[Hidden]:
    """One for each sign that tells of the same; `again` has the tool's own commands by sign."""
    why, own = str(table["why"]), table.get("collect")
    for sign, words in _texts(table["by"]).items():
        collect = {ANY_VENDOR: str(own)} if own else _texts(again.get(sign, {}))
        yield Hidden(sign, _list(table["needs"]), why.format(by=words), collect)


def _list(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value} must be a list of names")
    return tuple(str(name) for name in value)


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(f"{value} must be texts by name")
    return {str(vendor): str(text) for vendor, text in value.items()}
