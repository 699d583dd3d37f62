"""Recordings by Perfolio and by the second implementation: what differs, and what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.recordings.blamed import BLAMED
from tests.recordings.bounds import BOUNDS
from tests.recordings.choices import CHOICES
from tests.recordings.figure import Figure, Unclear, Value
from tests.recordings.host import HOST
from tests.recordings.model import Event, Recording
from tests.recordings.product import Documents, documents
from tests.recordings.program import recording_of
from tests.recordings.ranks import RANKS
from tests.recordings.seen import Seen
from tests.recordings.times import TIMES

FILE = Path(__file__).with_name("known.yaml")
Makes = Callable[[Sequence[tuple[Recording, str]]], Iterator[Documents]]
"""Makes the documents of recordings, each in its format."""


@dataclass(frozen=True)
class Known:
    """A figure that differs, in these seeds of each format, and why that is left so."""

    figure: str
    reason: str
    seeds: dict[str, list[int]]


def load_known(path: Path = FILE) -> Sequence[Known]:
    """All that are known."""
    return [Known(**entry) for entry in yaml.safe_load(path.read_text("utf-8")) or []]


def expected(form: str, seed: int, known: Sequence[Known]) -> set[str]:
    """The figures that differ in a recording, by what is known."""
    return {one.figure for one in known if seed in one.seeds.get(form, [])}


def reduced(recording: Recording, shows: Callable[[Recording], bool], most: int = 200) -> Recording:
    """A recording of which no event can be left out, where `shows` holds of `recording`.

    Parts of the events go, half of them first, then ever smaller ones (delta debugging: Zeller,
    2002), and not more than `most` recordings are tried.
    """
    events, parts, tried = recording.events, 2, 0
    while len(events) > 1 and tried < most:
        size = max(len(events) // parts, 1)
        for start in range(0, len(events), size):
            left: tuple[Event, ...] = events[:start] + events[start + size :]
            tried += 1
            if left and shows(recording.of(left)):
                events, parts = left, max(parts - 1, 2)
                break
            if tried >= most:
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(events))
    return recording.of(events)


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


def compared(
    seeds: Sequence[int], form: str, made: Makes = documents
) -> Iterator[tuple[int, list[Difference], Documents]]:
    """Of each seed what differs in its recording, written in a format, and what Perfolio says."""
    recordings = [(recording_of(seed), form) for seed in seeds]
    for seed, (recording, _), said in zip(seeds, recordings, made(recordings), strict=True):
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
