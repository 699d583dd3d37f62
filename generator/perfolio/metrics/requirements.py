"""What a metric can need of a run, and what to say where a run lacks it.

In:  `capabilities.toml` of the tool that recorded a run, and the run. Out: `UnmetNeed` per missing
     need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.metrics.caveats import filter_commands
from perfolio.metrics.run_commands import prepare_command
from perfolio.metrics.run_inventory import RunInventory, list_inventory_queries
from perfolio.readers.measures import FILE, Measure, find_tool_name, load_measures
from perfolio.readers.tool_catalog import (
    CAPABILITIES,
    NEEDS,
    find_tool_folder,
    list_inherited_files,
)

PATH = find_tool_folder("") / CAPABILITIES
ANY_VENDOR = "any"
_KEYS = frozenset({"names", "gpu", "what", "collect", "never", "requires", "renamed"})


@dataclass(frozen=True)
class NeedEntry:
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
class HiddenNeeds:
    """Needs that are met in part only, of unknown size, where a run holds something else."""

    by: str
    """The sign that tells it: a need that a run meets, or a sign of the model `missing_kernels`."""
    needs: tuple[str, ...]
    """Patterns with * and ?."""
    why: str
    collect: Mapping[str, str]
    """Command that records all of it, by vendor."""


@dataclass(frozen=True)
class UnmetNeed:
    """Why a need is not met, and the command that would meet it."""

    reason: str
    collect: str


@dataclass(frozen=True)
class Vocabulary:
    """All entries; the first one with a matching name describes a need."""

    entries: tuple[NeedEntry, ...]
    hidden: tuple[HiddenNeeds, ...] = ()
    measures: tuple[Measure, ...] = ()
    """What the tool calls things."""

    def entry(self, need: str) -> NeedEntry | None:
        """The entry that describes `need`, or None where there is none."""
        for entry in self.entries:
            if any(_match_need(need, name) for name in entry.names):
                return entry
        return None

    def hiding(self, need: str, inventory: RunInventory) -> HiddenNeeds | None:
        """What hides a part of `need` from a run that holds this, or None."""
        return next(
            (hidden for hidden in self.could_hide(need) if inventory.meets(hidden.by)), None
        )

    def could_hide(self, need: str) -> Iterator[HiddenNeeds]:
        """What would hide a part of `need` from a run that holds it."""
        for hidden in self.hidden:
            if any(_match_need(need, name) for name in hidden.needs):
                yield hidden


@reload_when_edited(PATH, *list_inherited_files())
def load_vocabulary(path: Path) -> Vocabulary:
    """What a tool's file says, then what it inherits; raises ContentError where it is faulty."""
    try:
        tables = read_toml(path)
        entries, hiding = list(tables["need"]), list(tables["hidden"])
        for name in _read_names(tables.get("inherits", [])):
            folder = path.parent.parent / name
            file = NEEDS if (folder / NEEDS).exists() else CAPABILITIES
            inherited_tables = read_toml(folder / file)
            entries += inherited_tables["need"]
            hiding += inherited_tables.get("hidden", [])
        again, tool = tables.get("again", {}), str(tables["tool"])
        return Vocabulary(
            tuple(_read_entry(table, tool) for table in entries),
            tuple(hidden for table in hiding for hidden in _read_hidden(table, again)),
            load_measures(path.parent) if (path.parent / FILE).exists() else (),
        )
    except (KeyError, TypeError, TomlError) as error:
        raise ContentError(f"{path}: {error}") from error


def find_unmet_need(need: str, inventory: RunInventory, vocabulary: Vocabulary) -> UnmetNeed | None:
    """Why `need` is not met, or None where it is; raises ContentError for an unknown need."""
    entry = vocabulary.entry(need)
    if entry is None:
        raise ContentError(f"no tool's capabilities.toml has an entry for {need}")
    if hidden := vocabulary.hiding(need, inventory):
        again = _choose_by_vendor(hidden.collect, inventory)
        return UnmetNeed(hidden.why, prepare_command(again, inventory.setting(again)))
    for first in entry.requires:
        if missing := find_unmet_need(first, inventory, vocabulary):
            return missing
    return _make_unmet_need(entry, need, inventory, find_tool_name(need, vocabulary.measures))


def list_need_queries(needs: Iterable[str], vocabulary: Vocabulary) -> Iterator[str]:
    """All that may be asked of a run to tell which of these needs it lacks."""
    wanted, commands = set[str](), set[str]()
    waiting = set(needs)
    while waiting:
        need = waiting.pop()
        hidden, entry = list(vocabulary.could_hide(need)), vocabulary.entry(need)
        wanted.update([need], (one.by for one in hidden), entry.renamed if entry else ())
        commands.update(command for one in hidden for command in one.collect.values())
        if entry is not None:
            commands.update(entry.collect.values())
            waiting.update(set(entry.requires) - wanted)
    yield from list_inventory_queries(sorted(wanted), commands)


def _make_unmet_need(
    entry: NeedEntry, need: str, inventory: RunInventory, called: str
) -> UnmetNeed | None:
    """Why a need is not met of which nothing is hidden, and whose own needs are met."""
    reason = _find_reason(entry, need, inventory)
    if reason is None:
        return None
    collect = _choose_by_vendor(entry.collect, inventory)
    return UnmetNeed(
        reason.format(need=called), prepare_command(collect, inventory.setting(collect))
    )


def _find_reason(entry: NeedEntry, need: str, inventory: RunInventory) -> str | None:
    if not inventory.meets(need):
        for name, reason in entry.renamed.items():
            if inventory.meets(name):
                return reason
    if (
        entry.never
        and need not in inventory.filled
        and (never := _choose_by_vendor(entry.never, inventory))
    ):
        return never
    return None if inventory.meets(need) else f"the profile does not hold {entry.what}"


def _choose_by_vendor(texts: Mapping[str, str], inventory: RunInventory) -> str:
    return texts.get(inventory.vendor, texts.get(ANY_VENDOR, ""))


@cache  # each metric asks for its needs, and patterns are compiled for each
def _match_need(need: str, pattern: str) -> bool:
    return need == pattern or fnmatchcase(need, pattern)


def _read_entry(table: Mapping[str, object], tool: str) -> NeedEntry:
    if unknown := table.keys() - _KEYS:
        raise KeyError(f"unknown keys {sorted(unknown)}")
    what = table["what"]
    if not isinstance(what, str):
        raise TypeError(f"what must be a text in {table}")
    return NeedEntry(
        _read_names(table["names"]),
        what,
        {
            vendor: filter_commands(text, tool)
            for vendor, text in _read_texts(table.get("collect", {})).items()
        },
        _read_texts(table.get("never", {})),
        _read_names(table.get("requires", [])),
        _read_texts(table.get("renamed", {})),
        bool(table.get("gpu", False)),
    )


def _read_hidden(table: Mapping[str, object], again: Mapping[str, object]) -> Iterator[HiddenNeeds]:
    """One for each sign that tells of the same; `again` has the tool's own commands by sign."""
    why, own = str(table["why"]), table.get("collect")
    for sign, words in _read_texts(table["by"]).items():
        collect = {ANY_VENDOR: str(own)} if own else _read_texts(again.get(sign, {}))
        yield HiddenNeeds(sign, _read_names(table["needs"]), why.format(by=words), collect)


def _read_names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value} must be a list of names")
    return tuple(str(name) for name in value)


def _read_texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(f"{value} must be texts by name")
    return {str(vendor): str(text) for vendor, text in value.items()}
