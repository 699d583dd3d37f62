"""Ranges that a program marks: steps of its loop, and others without the numbers that only count.

A context for each step would hide that they are one place of code, and that they recur.
"""

from __future__ import annotations

import re

import numpy as np

from perfolio.readers.events.recording import CodePlace, RangeKind, Recording

_STEP = re.compile(r"(?:train(?:ing)?[ _])?(?:step|iteration|iter)[ _:=#-]*\d+", re.IGNORECASE)
_COUNTED = re.compile(
    r"((?:[\w ]*[_ ])?(?:step|iter|iteration|batch|epoch|frame|cycle|timestep)[ _:=#-]*)\d+",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"#\d+$")


def parse_marker(name: str) -> tuple[CodePlace, RangeKind]:
    """What a range is by its name, and the place of code that it stands for."""
    if _STEP.fullmatch(name):
        return CodePlace(name), RangeKind.STEP
    return CodePlace(_drop_count(name)), RangeKind.ANNOTATION


def demote_steps(recording: Recording) -> None:
    """Make steps within steps, as solvers have them, ranges like others."""
    ranges = recording.ranges
    line, kind, code = ranges["line"], ranges["kind"], ranges["code"]
    start, stop = ranges["start"], ranges["start"] + ranges["duration"]
    names = recording.codes.all()
    for number in np.unique(line[kind == RangeKind.STEP]).tolist():
        rows = np.flatnonzero((line == number) & (kind == RangeKind.STEP))
        rows = rows[np.lexsort((-stop[rows], start[rows]))]
        reached = np.maximum.accumulate(stop[rows])
        inner = rows[1:][reached[:-1] >= stop[rows][1:]]
        kind[inner] = RangeKind.ANNOTATION
        for each in inner.tolist():
            code[each] = recording.codes.of(CodePlace(_drop_count(names[code[each]].name)))


def _drop_count(name: str) -> str:
    found = _COUNTED.fullmatch(name)
    return f"{found[1]}…" if found else _NUMBERED.sub("#…", name)
