"""Run records as tests need them: small, with sums that agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perfolio.comparison.run_record import DividedTime, RunRecord, TimeRow


def make_row(name: str, ns: int, calls: int = 10, /, **more: Any) -> TimeRow:
    """A kernel that a path of its own launches."""
    given: dict[str, Any] = {"part": "kernel", "kind": "product", "path": ("train", name)}
    return TimeRow(
        **{**given, "short": name, "name": name, "ns": ns, "calls": calls, **(more or {})}
    )


def make_record(
    rows: Iterable[TimeRow] = (), *, iterations: int = 10, length: int | None = None, **more: Any
) -> RunRecord:
    """A run of these rows on one GPU; `length` is that of each iteration [ns]."""
    held = list(rows)
    spent = sum(row.ns for row in held)
    window = spent if length is None else length * iterations
    if window > spent:
        held.append(TimeRow("idle", "other code", window - spent, 0, ("train",), short="train"))
    each, rest = divmod(window, iterations)
    durations = tuple(each + (place < rest) for place in range(iterations))
    whole = DividedTime("iteration", "GPU", 1, window, iterations, durations, 2 * window)
    given: dict[str, Any] = {
        "slug": "a-run",
        "digest": "0" * 64,
        "tool": "PyTorch profiler",
        "recorded": None,
        "perfolio": "0.1.0",
        "conditions": {"gpu": "H100", "gpus": 1},
        "whole": whole if window else None,
        "rows": tuple(held),
    }
    return RunRecord(**{**given, **more})
