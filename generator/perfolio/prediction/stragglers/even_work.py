"""Work of ranks, made alike: among iterations of a rank, ranks of a stage, stages, or all of it.

In:  times of pieces of work, in columns. Out: other times of the same pieces.

Computing is made alike by means, so that none of it is lost; what a transfer takes beyond the last
begin by the median, as one long transfer says nothing of the others. J. Lin and others,
Understanding Stragglers in Large Model Training Using What-if Analysis, OSDI 2025.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class RankWork:
    """Pieces of work: what takes time by itself, waiting left out."""

    time: Floats
    """As recorded; of a transfer, from the last begin of those that take part."""
    kind: Integers
    """Pieces of one kind do the same, on whatever rank and in whatever iteration."""
    worker: Integers
    """Place of the rank, from 0."""
    stage: Integers
    """Part of the model that the rank holds."""
    category: Integers
    """What the piece is called in a table."""
    is_transfer: Booleans
    is_host: Booleans
    """Whether it is the host's, and not the GPU's."""


def make_ideal(work: RankWork) -> Floats:
    """All pieces of a kind take the same."""
    even = average_by(work.time, work.kind)
    return np.where(work.is_transfer, find_medians(work.time, work.kind), even)


def even_within_workers(work: RankWork) -> Floats:
    """Computing of a kind takes on each rank what it takes there on average."""
    return _compute_changed(work, average_by(work.time, _join(work.kind, work.worker)))


def even_among_workers(work: RankWork) -> Floats:
    """Ranks of a stage are alike on average; how a rank's iterations differ stays."""
    own = average_by(work.time, _join(work.kind, work.worker))
    return _compute_changed(work, _scale(work, own, _average_stages(work)))


def even_among_stages(work: RankWork) -> Floats:
    """Stages are alike on average; how ranks of a stage differ stays."""
    return _compute_changed(
        work, _scale(work, _average_stages(work), average_by(work.time, work.kind))
    )


def mend_worker(work: RankWork, worker: int) -> Floats:
    """Computing of one rank takes what it takes on average in its stage."""
    return np.where(work.worker == worker, _compute_changed(work, _average_stages(work)), work.time)


def choose_times(chosen: Booleans, times: Floats, others: Floats) -> Floats:
    """Some pieces take one time, and all others another one."""
    return np.where(chosen, times, others)


def average_by(values: Floats, group: Integers) -> Floats:
    """Of each value the mean of its group."""
    _, places = np.unique(group, return_inverse=True)
    sums, counts = np.bincount(places, values), np.bincount(places)
    return np.asarray((sums / counts)[places], np.float64)


def find_medians(values: Floats, group: Integers) -> Floats:
    """Of each value the median of its group."""
    _, places, counts = np.unique(group, return_inverse=True, return_counts=True)
    ordered = values[np.lexsort((values, places))]
    first = np.cumsum(counts) - counts
    middle = (ordered[first + (counts - 1) // 2] + ordered[first + counts // 2]) / 2.0
    return np.asarray(middle[places], np.float64)


def _average_stages(work: RankWork) -> Floats:
    return average_by(work.time, _join(work.kind, work.stage))


def _scale(work: RankWork, before: Floats, after: Floats) -> Floats:
    """Times whose mean is `after` in place of `before`; where there was none, that mean."""
    ratio = np.divide(after, before, out=np.zeros_like(after), where=before > 0.0)
    return np.where(before > 0.0, work.time * ratio, after)


def _compute_changed(work: RankWork, times: Floats) -> Floats:
    """Other times of computing; transfers stay."""
    return np.where(work.is_transfer, work.time, times)


def _join(one: Integers, other: Integers) -> Integers:
    """A group for each pair of groups."""
    return one * (int(other.max(initial=0)) + 1) + other
