"""Parts of a comparison's time in words, the same in charts and on the page."""

from __future__ import annotations

from perfolio.charts.chart_data import DIRECTIONS, label
from perfolio.readers.kernel_rules import CLASS_WORDS

_CLASSES = {**CLASS_WORDS, "kernels that move values": "memory-bound kernels"}
"""Classes of kernels whose name is not a word before `kernels`."""
_IDLE = {
    "starts copies": "starting copies",
    "waits for the GPU": "host waits for it",
    "calls the GPU's runtime": "runtime calls",
    "loads input": "data loading",
    "copies": "copies on the host",
    "allocates": "allocation",
}

_MAIN = {"data": "data loading", "other": "other code"}


def name_part(part: str, kind: str) -> str:
    """`GPU idle (data loading)`, `Matrix products`, `Waiting for rank 2`: begins a sentence."""
    named = name_kind(part, kind)
    if part == "collective wait":
        return f"Waiting for {named}"
    if part == "idle":
        return f"GPU idle ({named})"
    if part == "copy" and kind.startswith("copy "):
        return f"Copies, {named}"
    if part == "main thread":
        return f"Main threads, {named}"
    return f"{named[:1].upper()}{named[1:]}"


def name_kind(part: str, kind: str) -> str:
    """A kind within its part: `data loading`, `element-wise kernels`."""
    if part == "kernel":
        return _CLASSES.get(kind) or f"{label(kind)} kernels"
    if part == "copy":
        return DIRECTIONS.get(kind.removeprefix("copy ")) or f"{label(kind)}s"
    if part == "collective" and kind == "collective":
        return "transfer in collectives"
    known = {"idle": _IDLE, "main thread": _MAIN}.get(part, {})
    return known.get(kind) or label(kind)
