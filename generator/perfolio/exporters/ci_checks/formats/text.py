"""For a terminal and a log: one block per run, what fails first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfolio.common.escaping import plain
from perfolio.exporters.ci_checks.model import Check, Item

_PLACES = 3


def render(checks: Sequence[Check]) -> str:
    """Findings with their numbers and places, then how many checks say nothing."""
    return "\n\n".join("\n".join(_lines(check)) for check in checks) + "\n"


def _lines(check: Check) -> Iterator[str]:
    state = "failed" if check.failing else "passed"
    yield f"{check.slug}: {state}; {check.outcome}"
    yield f"  {plain(check.verdict)}"
    for item in check.of("fired"):
        yield from _finding(item)
    yield f"  {check.others}"


def _finding(item: Item) -> Iterator[str]:
    mark = "!" if item.fails else " "
    yield f"{mark} {item.severity:8} {item.code} {plain(item.title)}"
    yield f"           {plain(item.words)}"
    if item.worth and not item.small:
        yield f"           worth: {plain(item.worth)}"
    for place in [place for place in item.places if place.file][:_PLACES]:
        yield f"           at {plain(place.text)}"
