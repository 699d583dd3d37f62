"""For a comment or a page: a table of claims, reasons below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.escaping import escape_markdown
from perfolio.common.units import format_threshold


def render(claims: Mapping[str, Any], run: str) -> str:
    """A heading, a line of counts, the table, and why each claim is off."""
    return "\n".join(_write_lines(claims, run)) + "\n"


def _write_lines(claims: Mapping[str, Any], run: str) -> Iterator[str]:
    counts = ", ".join(f"{verdict} {count}" for verdict, count in claims["counts"].items())
    tolerance = format_threshold(claims["tolerance"], "ratio")
    yield f"## Claims of {escape_markdown(claims['title'])}"
    yield ""
    yield f"Held against run {escape_markdown(run)}, tolerance {tolerance}: {counts}."
    yield ""
    yield "| Line | Claim | Claimed | Measured or bound | Verdict |"
    yield "| ---: | --- | ---: | ---: | --- |"
    for claim in claims["claims"]:
        yield f"| {' | '.join(_format_cells(claim))} |"
    yield ""
    for claim in claims["claims"]:
        reasons = " ".join(escape_markdown(reason) for reason in claim["reasons"])
        yield f"- **{escape_markdown(claim['says'])}**: {reasons}"


def _format_cells(claim: Mapping[str, Any]) -> Iterator[str]:
    times = f" ({claim['times']})" if claim["times"] and claim["verdict"] != "holds" else ""
    yield str(claim["line"] or "")
    yield escape_markdown(claim["says"])
    yield claim["claimed"]
    yield f"{claim['measured'] or 'not known'}{times}"
    yield claim["verdict"]
