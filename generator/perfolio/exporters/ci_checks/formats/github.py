"""Annotations of GitHub: one workflow command per finding, shown at the line or at the job.

GitHub shows ten errors, ten warnings and ten notices of a step; what matters comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfolio.common.escaping import command_data, command_property
from perfolio.exporters.ci_checks.model import Check, Item

_WARNINGS = ("critical", "high", "medium")


def render(checks: Sequence[Check]) -> str:
    """`::error file=...,line=...,title=...::words` per finding, a notice where there is none."""
    return "".join(f"{line}\n" for check in checks for line in _lines(check))


def _lines(check: Check) -> Iterator[str]:
    fired = check.of("fired")
    for item in fired:
        yield _command(check, item)
    if not fired:
        yield f"::notice title={command_property(check.slug)}::{command_data(check.others)}"


def _command(check: Check, item: Item) -> str:
    kind = "error" if item.fails else "warning" if item.severity in _WARNINGS else "notice"
    place = next((place for place in item.places if place.file), None)
    properties = [f"file={command_property(place.file, 4_096)}"] if place else []
    if place and place.line:
        properties.append(f"line={place.line}")
    properties.append(f"title={command_property(f'{check.slug}: {item.label} ({item.severity})')}")
    return f"::{kind} {','.join(properties)}::{command_data(item.told)}"
