"""What a share of time is a share of: its kind decides, its words are for readers alone.

In:  the kind of a whole, how much of it there is, and how it was measured.
Out: a `BoundWhole`, what it may be compared with, and what to call it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

WholeKind = Literal[
    "wall", "span", "steady", "iteration", "main", "run_time", "gpu_work", "cost", "work", "rank"
]
STEADY = "the steady iterations"
RECURRING: frozenset[WholeKind] = frozenset({"iteration", "steady"})
"""Wholes of iterations alone, of which a longer run has the same shares."""
_ON_CLOCK = frozenset({"wall", "span", "steady", "iteration"})
_SUMS = frozenset({"run_time", "gpu_work", "cost", "work", "rank"})
_NAMES: Mapping[WholeKind, tuple[str, str]] = MappingProxyType(
    {
        "wall": ("wall time", ""),
        "span": ("the time from the first to the last GPU operation", "of run time even less"),
        "steady": ("the steady state", ""),
        "iteration": ("a typical iteration", ""),
        "main": ("the recorded time of main threads", ""),
        "run_time": ("run time", ""),
        "gpu_work": ("GPU-operation time", "not of run time, which was not measured"),
        "cost": ("{} of all threads", "not of run time"),
        "work": ("{} of all threads without waiting", "not of run time"),
        "rank": (
            "the busiest rank's CPU cost",
            "of run time only where all others wait for that rank",
        ),
    }
)
"""What each kind is called, and what explains the name; `{}` is what the CPU event measures."""
_PROFILED: Mapping[WholeKind, str] = MappingProxyType(
    {"wall": " as profiled", "iteration": " of this profiled run"}
)
WITHOUT = " without short gaps"
"""Ends the name of a whole where gaps that PC sampling may have made are no part of it."""


@dataclass(frozen=True)
class BoundWhole:
    """A time or cost that a bound is a part of."""

    kind: WholeKind
    amount: float | None = None
    """How much of it the run has, in the unit of the run's whole; None where unknown, or where
    that is no part of the run's whole."""
    length: float | None = None
    """How long one of it lasts, where that is not the amount: a typical iteration [s]."""
    profiled: bool = False
    """Whether much of it is most likely the profiler's own."""
    gapless: bool = False
    """Whether gaps that PC sampling may have made are no part of it."""
    name: str = ""
    """What is measured, in the words of the run's CPU event, or in place of the kind's name."""
    note: str = ""
    """What explains the name on this run."""

    @property
    def on_clock(self) -> bool:
        """Whether it is time on the clock, and no sum over threads or operations."""
        return self.kind not in _SUMS

    @property
    def compares(self) -> bool:
        """Whether shares of it may be judged as time of the run on the clock."""
        return self.kind in _ON_CLOCK

    @property
    def of_the_run(self) -> bool:
        """Whether it is the time of the run on the clock, start-up included."""
        return self.kind in ("wall", "span") and not self.profiled

    @property
    def recurs(self) -> bool:
        """Whether it is of iterations alone, so that a longer run has the same shares of it."""
        return self.kind in RECURRING

    @property
    def short(self) -> str:
        """What it is called in a formula, without what explains it."""
        name, _ = _NAMES[self.kind]
        name = name.format(self.name) if "{}" in name else self.name or name
        profiled = _PROFILED[self.kind] if self.profiled else ""
        return f"{name}{profiled}{WITHOUT if self.gapless else ''}"

    @property
    def words(self) -> str:
        """What it is called in a sentence."""
        if self.gapless:
            return f"{self.short} (PC sampling)"
        note = self.note or ("" if self.name and self.kind == "main" else _NAMES[self.kind][1])
        return f"{self.short}; {note}" if note else self.short


def describe_steady(left_out: float) -> str:
    """What a share of the steady iterations is of, where gaps of PC sampling were left out."""
    return STEADY + WITHOUT if left_out > 0.0 else STEADY
