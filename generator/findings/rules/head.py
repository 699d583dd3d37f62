"""The front matter of a rule file, and other entries whose types `terms.model` describes.

In:  text of a rule file; entries of a TOML file.
Out: objects of these types. SchemaError with its place for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import yaml

from generator import schema
from generator.content import load_yaml
from generator.errors import ContentError
from generator.findings.terms.conditions import parse_condition
from generator.findings.terms.model import (
    SEVERITIES,
    ByVendor,
    Conditions,
    Entry,
    Head,
    Number,
    Threshold,
    Thresholds,
    Vendor,
)
from generator.schema import SchemaError

T = TypeVar("T")
_PAGE = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)


class _Bounds(Entry, frozen=True, kw_only=True):
    """Thresholds by severity."""

    info: Number | None = None
    low: Number | None = None
    medium: Number | None = None
    high: Number | None = None
    critical: Number | None = None


def split(page: str) -> tuple[Head, str]:
    """The front matter of a page, and the Markdown below it."""
    parts = _PAGE.fullmatch(page)
    if parts is None:
        raise SchemaError("no front matter between two lines of ---")
    try:
        entries = load_yaml(parts["head"])
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # such as a 31st of June
        raise SchemaError(f"front matter is not YAML: {error}") from error
    return read(entries, Head), parts["body"]


def read(value: object, kind: type[T]) -> T:
    """`value` as an object of `kind`; SchemaError says where it is none."""
    return schema.read(value, kind, _own)


def read_each(value: object, kind: type[T]) -> dict[str, T]:
    """The entries of a mapping by key, each as an object of `kind`."""
    return schema.read_each(value, kind, _own)


def _own(kind: type, value: Any) -> Any:
    """An object of a type that msgspec does not know."""
    return _READERS[kind](value)


def _conditions(value: Any) -> Conditions:
    try:
        return Conditions(parse_condition(text) for text in read(value, tuple[str, ...]))
    except ContentError as error:
        raise SchemaError(str(error)) from error


def _thresholds(value: Any) -> Thresholds:
    bounds = read(value, _Bounds)
    values = {severity: getattr(bounds, severity) for severity in reversed(SEVERITIES)}
    found = [Threshold(each, bound) for each, bound in values.items() if bound is not None]
    if not found:
        raise SchemaError("must be `severity: value` pairs")
    return Thresholds(found)


def _by_vendor(value: Any) -> ByVendor:
    texts = {"any": value} if isinstance(value, str) else read(value, dict[Vendor, str])
    if "any" not in texts:
        raise SchemaError("must have a text for `any`")
    return ByVendor({vendor: text.strip() for vendor, text in texts.items()})


_READERS: Mapping[type, Callable[[Any], object]] = {
    Conditions: _conditions,
    Thresholds: _thresholds,
    ByVendor: _by_vendor,
}
