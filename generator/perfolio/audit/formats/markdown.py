"""For a comment or a page: a table of claims, reasons below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.escaping import markdown
from perfolio.common.units import threshold_text


def render(claims: Mapping[str, Any], run: str) -> str:
    """A heading, a line of counts, the table, and why each claim is off."""
    return "\n".join(_lines(claims, run)) + "\n"


def _lines(claims: Mapping[str, Any], run: str) -> Iterator[str]:
    counts = ", ".join(f"{verdict} {count}" for verdict, count in claims["counts"].items())
    tolerance = threshold_text(claims["tolerance"], "ratio")
    yield f"## Claims of {markdown(claims['title'])}"
    yield ""
    yield f"Held against run {markdown(run)}, tolerance {tolerance}: {counts}."
    yield ""
    yield "| Line | Claim | Claimed | Measured or bound | Verdict |"
    yield "| ---: | --- | ---: | ---: | --- |"
    for claim in claims["claims"]:
        yield f"| {' | '.join(_cells(claim))} |"
    yield ""
    for claim in claims["claims"]:
        reasons = " ".join(markdown(reason) for reason in claim["reasons"])
        yield f"- **{markdown(claim['says'])}**: {reasons}"


def _cells(claim: Mapping[str, Any]) -> Iterator[str]:
    times = f" ({claim['times']})" if claim["times"] and claim["verdict"] != "holds" else ""
    yield str(claim["line"] or "")
    yield markdown(claim["says"])
    yield claim["claimed"]
    yield f"{claim['measured'] or 'not known'}{times}"
    yield claim["verdict"]
