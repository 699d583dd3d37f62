"""For a terminal and a log: one block per run, what fails first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfolio.common.escaping import to_plain_line
from perfolio.exporters.ci_checks.model import Check, CheckItem

_PLACES = 3


def render(checks: Sequence[Check]) -> str:
    """Findings with their numbers and places, then how many checks say nothing."""
    return "\n\n".join("\n".join(_render_run(check)) for check in checks) + "\n"


def _render_run(check: Check) -> Iterator[str]:
    yield f"{to_plain_line(check.slug)}: {check.state}; {check.outcome}"
    yield f"  {to_plain_line(check.verdict)}"
    for item in check.of("fired"):
        yield from _render_finding(item)
    yield f"  {check.others}"


def _render_finding(item: CheckItem) -> Iterator[str]:
    mark = "!" if item.fails else " "
    yield f"{mark} {item.severity:8} {to_plain_line(item.label)}"
    yield f"           {to_plain_line(item.words)}"
    if item.worth and not item.small:
        yield f"           worth: {to_plain_line(item.worth)}"
    for place in [place for place in item.places if place.file][:_PLACES]:
        yield f"           at {to_plain_line(place.text)}"
