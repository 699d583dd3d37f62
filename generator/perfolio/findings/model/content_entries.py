"""Content files, whose entries the types of `rule` and of other modules describe.

In:  a YAML or TOML file, or entries of one.
Out: objects of these types. SchemaError with its place for anything else, ContentError with the
     file as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from msgspec import structs

from perfolio.common import typed_entries
from perfolio.common.content_files import load_yaml
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import read_toml
from perfolio.common.typed_entries import SchemaError
from perfolio.findings.model.conditions import parse_condition
from perfolio.findings.model.rule import (
    SEVERITIES,
    ByVendor,
    Conditions,
    ContentEntry,
    Number,
    Threshold,
    Thresholds,
    Vendor,
    Wording,
    Wordings,
)

T = TypeVar("T")


class _SeverityBounds(ContentEntry, frozen=True, kw_only=True):
    """Thresholds by severity."""

    info: Number | None = None
    low: Number | None = None
    medium: Number | None = None
    high: Number | None = None
    critical: Number | None = None


def read_file(path: Path, kind: type[T]) -> T:
    """What a file holds, as an object of `kind`. ContentError where it is faulty."""
    try:
        if path.suffix == ".toml":
            return read(read_toml(path), kind)
        return read(load_yaml(path.read_text(encoding="utf-8")), kind)
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        raise ContentError(f"{path}: {error}") from error


def read(value: object, kind: type[T]) -> T:
    """`value` as an object of `kind`; SchemaError says where it is none."""
    return typed_entries.read(value, kind, _make_own_type)


def read_each(value: object, kind: type[T]) -> dict[str, T]:
    """The entries of a mapping by key, each as an object of `kind`."""
    return typed_entries.read_each(value, kind, _make_own_type)


def _make_own_type(kind: type, value: Any) -> Any:
    """An object of a type that msgspec does not know."""
    return _READERS[kind](value)


def _read_conditions(value: Any) -> Conditions:
    try:
        return Conditions(parse_condition(text) for text in read(value, tuple[str, ...]))
    except ContentError as error:
        raise SchemaError(str(error)) from error


def _read_wordings(value: Any) -> Wordings:
    listed = [value] if isinstance(value, str) else read(value, tuple[Any, ...])
    entries = ({"say": each} if isinstance(each, str) else each for each in listed)
    found = (read(each, Wording) for each in entries)
    return Wordings(structs.replace(each, say=" ".join(each.say.split())) for each in found)


def _read_thresholds(value: Any) -> Thresholds:
    bounds = read(value, _SeverityBounds)
    values = {severity: getattr(bounds, severity) for severity in reversed(SEVERITIES)}
    found = [Threshold(each, bound) for each, bound in values.items() if bound is not None]
    if not found:
        raise SchemaError("must be `severity: value` pairs")
    return Thresholds(found)


def _read_by_vendor(value: Any) -> ByVendor:
    texts = {"any": value} if isinstance(value, str) else read(value, dict[Vendor, str])
    if "any" not in texts:
        raise SchemaError("must have a text for `any`")
    return ByVendor({vendor: text.strip() for vendor, text in texts.items()})


_READERS: Mapping[type, Callable[[Any], object]] = {
    Conditions: _read_conditions,
    Wordings: _read_wordings,
    Thresholds: _read_thresholds,
    ByVendor: _read_by_vendor,
}
