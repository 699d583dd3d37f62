"""Options of the profiler, and what they do to the times of the host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.readers.events.doubts import Doubt

HEAVY = ("with_stack", "profile_memory", "with_modules")
"""Options that take long in each operator: calling paths, allocations, modules."""
LIGHT = ("record_shapes", "with_flops")
"""Options that take some time in each operator."""


def find_options(beside: Mapping[str, Any]) -> set[str]:
    """The options that were on."""
    return {name for name in (*HEAVY, *LIGHT) if _is_on(beside.get(name))}


def find_option_doubts(options: set[str]) -> Iterator[Doubt]:
    """What options do to the times of the host."""
    for what, known in (("heavy_options", HEAVY), ("light_options", LIGHT)):
        if on := tuple(name for name in known if name in options):
            yield Doubt(what, len(on), len(known), names=on)


def _is_on(value: object) -> bool:
    """As numbers, or true and false of JSON."""
    return value in (True, 1, "1", "true", "True")
