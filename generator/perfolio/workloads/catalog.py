"""The variants of workloads, a file for each program, and in it a table for each variant.

In:  the folder `variants`. Out: a `Workload` by name; ContentError where a file is faulty,
     UsageError where nobody has such a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError, UsageError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.workloads.variant_options import Workload

VARIANTS = Path(__file__).with_name("variants")
_BASE = "from"
_TABLES = ("model", "options", "serving")
_LONGEST = 8
"""Variants that are made from each other."""


@reload_when_edited(VARIANTS)
def load_workloads(folder: Path) -> Mapping[str, Workload]:
    """All variants by name. Raises ContentError."""
    try:
        tables = _read_tables(folder)
        return {name: _convert_variant(name, tables) for name in sorted(tables)}
    except (TomlError, msgspec.ValidationError, LookupError) as error:
        raise ContentError(f"{folder}: {error}") from error


def find_workload(name: str) -> Workload:
    """The variant of this name. Raises UsageError where there is none."""
    known = load_workloads()
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "perfolio workload list"
    raise UsageError(f"no workload is called {name[:60]!r}", hint=hint)


def _read_tables(folder: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.toml")):
        for name, table in _read_file(path).items():
            if not isinstance(table, dict):
                raise TomlError(f"{path.name}: {name}: is no table of a variant")
            if name in found:
                raise TomlError(f"{path.name}: {name}: another file has a variant of this name")
            found[name] = table
    return found


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except TomlError as error:
        raise TomlError(f"{path.name}: {error}") from error


def _convert_variant(name: str, tables: Mapping[str, dict[str, Any]]) -> Workload:
    try:
        return msgspec.convert(_merge_base(name, tables, 0), Workload)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"{name}: {error}") from error


def _merge_base(name: str, tables: Mapping[str, dict[str, Any]], depth: int) -> dict[str, Any]:
    """A variant's entries over those of the one that it is made from."""
    if depth > _LONGEST:
        raise LookupError(f"{name}: made from itself, or from too many others")
    if name not in tables:
        raise LookupError(f"{name}: there is no such variant")
    own = dict(tables[name])
    base = own.pop(_BASE, "")
    if not base:
        return own
    merged = {**_merge_base(str(base), tables, depth + 1), "mistake": False, **own, "base": base}
    for table in _TABLES:
        under = _merge_base(str(base), tables, depth + 1).get(table, {})
        if under or table in own:
            merged[table] = {**under, **own.get(table, {})}
    return merged
