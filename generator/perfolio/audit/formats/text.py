"""For a terminal: each claim with its truth, its verdict and why."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.errors import one_line
from perfolio.common.units import threshold_text

_WIDTH = 96
_LONGEST = 1_000


def render(claims: Mapping[str, Any], run: str) -> str:
    """A line of counts, then a block per claim."""
    return "\n".join(_lines(claims, run)) + "\n"


def _lines(claims: Mapping[str, Any], run: str) -> Iterator[str]:
    counts = ", ".join(f"{verdict} {count}" for verdict, count in claims["counts"].items())
    tolerance = threshold_text(claims["tolerance"], "ratio")
    yield f"{one_line(claims['title'])}, held against run {run} (tolerance {tolerance})"
    yield f"{len(claims['claims'])} claims: {counts}"
    for claim in claims["claims"]:
        yield ""
        yield f"{one_line(claim['says'])}{_where(claims, claim)}: {claim['verdict']}"
        times = f" ({claim['times']})" if _differs(claim) else ""
        yield f"    claimed {claim['claimed']}, {_truth(claim)}{times}"
        for reason in claim["reasons"]:
            yield from _wrapped(one_line(reason, _LONGEST))


def _truth(claim: Mapping[str, Any]) -> str:
    speedup = claim["kind"] == "speedup"
    if not claim["measured"]:
        return "no bound known" if speedup else "not measured"
    return f"{'bound' if speedup else 'measured'} {claim['measured']}"


def _where(claims: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    source = one_line(claims["source"])
    if not claim["line"]:
        return ""
    return f" ({source}:{claim['line']})" if source else f" (line {claim['line']})"


def _differs(claim: Mapping[str, Any]) -> bool:
    return bool(claim["times"]) and claim["verdict"] not in ("holds", "within its bound")


def _wrapped(reason: str) -> list[str]:
    return textwrap.wrap(
        reason, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
    )
