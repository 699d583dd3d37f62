"""Annotations of GitHub: one workflow command per finding, shown at the line or at the job.

GitHub shows ten errors, ten warnings and ten notices of a step; what matters comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfolio.common.escaping import escape_command_data, escape_command_property
from perfolio.exporters.ci_checks.model import Check, CheckItem

_WARNINGS = ("critical", "high", "medium")


def render(checks: Sequence[Check]) -> str:
    """`::error file=...,line=...,title=...::words` per finding, a notice where there is none."""
    return "".join(f"{line}\n" for check in checks for line in _list_annotations(check))


def _list_annotations(check: Check) -> Iterator[str]:
    fired = check.of("fired")
    for item in fired:
        yield _format_command(check, item)
    title = escape_command_property(check.slug)
    if check.doubt:
        yield f"::warning title={title}::{escape_command_data(check.verdict)}"
    elif check.is_gate and not check.failing:
        yield f"::notice title={title}::{escape_command_data(check.verdict)}"
    elif not fired:
        yield f"::notice title={title}::{escape_command_data(check.others)}"


def _format_command(check: Check, item: CheckItem) -> str:
    kind = "error" if item.fails else "warning" if item.severity in _WARNINGS else "notice"
    place = next((place for place in item.places if place.file), None)
    properties = [f"file={escape_command_property(place.file, 4_096)}"] if place else []
    if place and place.line:
        properties.append(f"line={place.line}")
    properties.append(
        f"title={escape_command_property(f'{check.slug}: {item.label} ({item.severity})')}"
    )
    return f"::{kind} {','.join(properties)}::{escape_command_data(item.message)}"
