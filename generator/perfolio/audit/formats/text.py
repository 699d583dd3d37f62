"""For a terminal: each claim with its truth, its verdict and why."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.errors import one_line
from perfolio.common.units import format_threshold

_WIDTH = 96
_LONGEST = 1_000


def render(claims: Mapping[str, Any], run: str) -> str:
    """A line of counts, then a block per claim."""
    return "\n".join(_write_lines(claims, run)) + "\n"


def _write_lines(claims: Mapping[str, Any], run: str) -> Iterator[str]:
    counts = ", ".join(f"{verdict} {count}" for verdict, count in claims["counts"].items())
    tolerance = format_threshold(claims["tolerance"], "ratio")
    yield f"{one_line(claims['title'])}, held against run {run} (tolerance {tolerance})"
    yield f"{len(claims['claims'])} claims: {counts}"
    for claim in claims["claims"]:
        yield ""
        yield f"{one_line(claim['says'])}{_format_place(claims, claim)}: {claim['verdict']}"
        times = f" ({claim['times']})" if _is_different(claim) else ""
        yield f"    claimed {claim['claimed']}, {_format_truth(claim)}{times}"
        for reason in claim["reasons"]:
            yield from _wrap_reason(one_line(reason, _LONGEST))


def _format_truth(claim: Mapping[str, Any]) -> str:
    speedup = claim["kind"] == "speedup"
    if not claim["measured"]:
        return "no bound known" if speedup else "not measured"
    return f"{'bound' if speedup else 'measured'} {claim['measured']}"


def _format_place(claims: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    source = one_line(claims["source"])
    if not claim["line"]:
        return ""
    return f" ({source}:{claim['line']})" if source else f" (line {claim['line']})"


def _is_different(claim: Mapping[str, Any]) -> bool:
    return bool(claim["times"]) and claim["verdict"] not in ("holds", "within its bound")


def _wrap_reason(reason: str) -> list[str]:
    return textwrap.wrap(
        reason, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
    )
