"""Perfolio says of random recordings what the second implementation does, but for what is known."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from tests.recordings.comparison import FIGURES, compared, expected, load_known, reduced
from tests.recordings.formats import FORMATS
from tests.recordings.intervals import both, length, union, without
from tests.recordings.model import Call, Operation, Recording
from tests.recordings.product import AT_ONCE, broken, kept_documents
from tests.recordings.program import MOST, recording_of
from tests.recordings.seen import Seen

SEEDS = {"kineto": range(1, 51), "nsys": range(51, 101), "rocpd": range(101, 151)}
"""Recordings of the suite by format."""
COMPARED = 50 if settings.get_current_profile_name() == "nightly" else 16
"""So many of each format: all once a day, fewer with each change."""
IN_ALL_FORMATS = range(151, 155)
APART = Path(__file__).with_name("formats.yaml")
SHARDS = [
    (form, seeds[first : min(first + AT_ONCE, COMPARED)])
    for form, seeds in SEEDS.items()
    for first in range(0, COMPARED, AT_ONCE)
]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "seeds"), SHARDS, ids=str)
def test_figures_are_those_of_a_second_implementation(form: str, seeds: range) -> None:
    known = load_known()
    for seed, found, document in compared(seeds, form, kept_documents):
        told = "\n".join(map(str, found))
        assert {one.figure for one in found} == expected(form, seed, known), told
        assert not list(broken(document)), f"{form} {seed}"


def test_what_is_known_is_of_recordings_of_the_suite() -> None:
    names = {figure.name for figure in FIGURES}
    for one in load_known():
        assert one.figure in names
        assert one.reason
        assert all(seed in SEEDS[form] for form, seeds in one.seeds.items() for seed in seeds)


def test_half_of_the_figures_are_choices() -> None:
    assert len(FIGURES) >= 40
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    assert 2 * sum(figure.kind != "sum" for figure in FIGURES) >= len(FIGURES)
    assert sum(figure.kind == "bound" for figure in FIGURES) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", IN_ALL_FORMATS)
def test_scalars_of_a_recording_are_the_same_in_three_formats(seed: int) -> None:
    recording = _without_memsets(recording_of(seed))
    carried = [re.compile(one["metrics"]) for one in yaml.safe_load(APART.read_text("utf-8")) or []]
    every = [one.scalars() for one in kept_documents([(recording, form) for form in FORMATS])]
    apart = {
        name: values
        for name in sorted(set().union(*every))
        if not any(one.fullmatch(name) for one in carried)
        for values in [[each.get(name) for each in every]]
        if not _are_same(values)
    }
    assert not apart


def _are_same(values: list[float | None]) -> bool:
    return all(
        one == other if one is None or other is None else one == pytest.approx(other, rel=1e-6)
        for one, other in pairwise(values)
    )


def _without_memsets(recording: Recording) -> Recording:
    """Databases of rocprofv3 have none."""
    sets = {one.call for one in recording.operations if one.kind == "memset"}
    return recording.of(
        tuple(
            one
            for one in recording.events
            if not (isinstance(one, Operation) and one.kind == "memset")
            and not (isinstance(one, Call) and one.number in sets)
        )
    )


# Recordings from seeds could have happened, and shrink.

ALIKE = range(1, 200)


@pytest.fixture(scope="module")
def every() -> list[Recording]:
    return [recording_of(seed) for seed in ALIKE]


def test_a_seed_gives_the_same_recording_again() -> None:
    assert recording_of(5) == recording_of(5)
    assert recording_of(5) != recording_of(6)


def test_recordings_are_small(every: list[Recording]) -> None:
    assert all(len(one.events) <= MOST for one in every)


def test_operations_begin_after_their_calls(every: list[Recording]) -> None:
    for recording in every:
        calls = {one.number: one for one in recording.calls}
        for one in recording.operations:
            assert one.call not in calls or calls[one.call].start < one.start


def test_streams_run_one_operation_at_a_time(every: list[Recording]) -> None:
    for recording in every:
        for one, other in combinations(recording.operations, 2):
            if (one.process, one.device, one.stream) == (other.process, other.device, other.stream):
                assert min(one.stop, other.stop) <= max(one.start, other.start)


def test_all_kinds_of_things_happen(every: list[Recording]) -> None:
    assert {recording.processes for recording in every} == {1, 2, 3, 4}
    assert {recording.devices for recording in every} == {1, 2, 3}
    ways = {one.direction for recording in every for one in recording.operations}
    assert ways == {"", "H2D", "D2H", "D2D", "P2P"}
    assert {len({one.number for one in recording.steps}) for recording in every} == {0, 1, 2, 3, 4}
    assert any(recording.host_offsets for recording in every)
    assert any(one.graph for recording in every for one in recording.operations)
    assert any(one.start == one.stop for recording in every for one in recording.operations)
    assert any(len(Seen(recording, "kineto").threads) == 3 for recording in every)
    assert any(one.call == 0 for recording in every for one in recording.operations)


def test_of_a_recording_the_events_are_left_that_show_something() -> None:
    recording = recording_of(6)
    wanted = {one.number for one in recording.calls[3:5]}

    def shows(one: Recording) -> bool:
        return wanted <= {call.number for call in one.calls}

    left = reduced(recording, shows)
    assert len(left.events) == 2
    assert {call.number for call in left.calls} == wanted


def test_intervals() -> None:
    assert union([(5, 7), (1, 3), (2, 4), (4, 5), (9, 9)]) == [(1, 7)]
    assert both([(0, 4), (6, 9)], [(3, 7)]) == [(3, 4), (6, 7)]
    assert without([(0, 4), (6, 9)], [(3, 7), (8, 8)]) == [(0, 3), (7, 8), (8, 9)]
    assert length([(0, 3), (7, 9)]) == 5
