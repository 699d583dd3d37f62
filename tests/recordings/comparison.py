"""Recordings by Perfolio and by the second implementation: what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.recordings.blamed import BLAMED
from tests.recordings.bounds import BOUNDS
from tests.recordings.choices import CHOICES
from tests.recordings.figure import Figure, Unclear, Value
from tests.recordings.host import HOST
from tests.recordings.model import Recording
from tests.recordings.product import Documents, documents
from tests.recordings.program import recording_of
from tests.recordings.ranks import RANKS
from tests.recordings.reduction import reduced
from tests.recordings.seen import Seen
from tests.recordings.times import TIMES

FIGURES: tuple[Figure, ...] = (*TIMES, *HOST, *RANKS, *CHOICES, *BLAMED, *BOUNDS)


@dataclass(frozen=True)
class Difference:
    """A figure that the two do not agree in."""

    seed: int
    form: str
    figure: str
    said: Value
    right: Value

    def __str__(self) -> str:
        return f"{self.form} {self.seed}: {self.figure}: {self.said} is said, {self.right} is right"


def compared(seeds: Sequence[int], form: str) -> Iterator[tuple[int, list[Difference], Documents]]:
    """Of each seed what differs in its recording, written in a format, and what Perfolio says."""
    recordings = [(recording_of(seed), form) for seed in seeds]
    for seed, (recording, _), said in zip(seeds, recordings, documents(recordings), strict=True):
        seen = Seen(recording, form)
        found = (
            []
            if seen.is_partial or seen.has_unknown_clocks or not seen.gpus
            else list(_differences(seed, seen, said, FIGURES))
        )
        yield seed, found, said


def _differences(
    seed: int, seen: Seen, documents_: Documents, figures: Sequence[Figure]
) -> Iterator[Difference]:
    for figure in figures:
        try:
            right = figure.right(seen)
        except Unclear:
            continue
        said = figure.said(documents_)
        if not figure.holds(right, said):
            yield Difference(seed, seen.form, figure.name, said, right)


def smallest(difference: Difference, most: int = 60) -> Recording:
    """The fewest events in which a figure still differs."""
    figure = next(one for one in FIGURES if one.name == difference.figure)

    def differs(recording: Recording) -> bool:
        if not recording.operations:
            return False
        try:
            (said,) = documents([(recording, difference.form)])
            seen = Seen(recording, difference.form)
            return any(_differences(0, seen, said, [figure]))
        except (ValueError, ZeroDivisionError, IndexError, StopIteration):
            return False

    return reduced(recording_of(difference.seed), differs, most)
