"""Recordings from seeds could have happened, and shrink."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.recordings.intervals import both, length, union, without
from tests.recordings.model import Recording
from tests.recordings.program import MOST, recording_of
from tests.recordings.reduction import reduced
from tests.recordings.seen import Seen

SEEDS = range(1, 200)


@pytest.fixture(scope="module")
def every() -> list[Recording]:
    return [recording_of(seed) for seed in SEEDS]


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
