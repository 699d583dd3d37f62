"""Divisions of a GPU's time and records of random recordings, each divided a second time from bound
to bound."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.progress import QuietProgress
from perfolio.comparison.division import LaneOperations, apportion, divide_lane
from perfolio.comparison.frame_paths import clean_frame, clean_name, hide_folders
from perfolio.comparison.record_extraction import DRAWN_ALONE, extract_record
from perfolio.comparison.run_record import RunRecord, find_wrong_sum, parse_record, write_record
from perfolio.comparison.steady_window import align_iterations, find_window
from perfolio.metrics.catalog import load_catalog
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.run_comparison import read_records
from perfolio.readers import registry
from perfolio.readers.run_files import read_run
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from perfolio.store.run_tables import make_run_tables
from tests.comparison.planted import READ, REPORT, record_run, vary_run
from tests.kit.measurements import derived_for
from tests.kit.samples import PROFILES, SCENARIOS, sample_documents, simulated_sample, store_at
from tests.recordings.formats import write
from tests.recordings.program import recording_of

OPERATIONS = """
SELECT stream.device, ran.start, ran.start + ran.duration,
    CASE WHEN ran.operation <> 'kernel' THEN 'copy'
    WHEN kind.class = 'collective' THEN 'collective' ELSE 'kernel' END
FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile
LEFT JOIN kernel_class AS kind ON kind.context = ran.context
"""
STEADY = "SELECT start, start + duration FROM steady_iterations ORDER BY start"
SPAN = "SELECT start, stop FROM traced_span"
BUSIEST = "SELECT busiest_device()"
PARTS = ("kernel", "collective", "copy")


def _find_bounds(rows: list[tuple[Any, ...]], tables: Any) -> tuple[int, int]:
    """The window by its definition: from the first operation of an iteration to that of another."""
    steady = tables.rows(STEADY)
    if not steady:
        ((low, high),) = tables.rows(SPAN)
        return int(low), int(high)
    ((busiest,),) = tables.rows(BUSIEST)
    begins = sorted(row[1] for row in rows if row[0] == busiest)

    def first(moment: int) -> int | None:
        return next((one for one in begins if one >= moment), None)

    marks = [start for start, _ in steady] + [steady[-1][1]]
    cuts = [first(mark) for mark in marks]
    if cuts[-1] is None and len(steady) > 1:
        cuts, marks = cuts[:-1], marks[:-1]
    told = [mark if cut is None else cut for cut, mark in zip(cuts, marks, strict=True)]
    if any(after <= before for before, after in pairwise(told)):
        told = marks
    return int(told[0]), int(told[-1])


def _divide(rows: list[tuple[Any, ...]], low: int, high: int) -> dict[str, int]:
    """Time of each part over all GPUs, from bound to bound."""
    spent: defaultdict[str, int] = defaultdict(int)
    for device in {row[0] for row in rows}:
        own = [row[1:] for row in rows if row[0] == device and row[2] > row[1]]
        moments = {low, high, *(m for one in own for m in one[:2] if low < m < high)}
        for begin, end in pairwise(sorted(moments)):
            running = {part for start, stop, part in own if start <= begin and stop >= end}
            part = next((one for one in PARTS if one in running), "idle")
            spent[part] += end - begin
    return dict(spent)


def _extract(folder: Path, form: str, seed: int) -> tuple[RunRecord, dict[str, int], int]:
    place = write(recording_of(seed), form, folder / "run")
    store = folder / "store.duckdb"
    with derived_for((*READ, OPERATIONS, STEADY, SPAN, BUSIEST)):
        ingest([read_run(one) for one in registry.find(place)], store, QuietProgress())
    with open_store(store, reproducible=True) as connection:
        record = extract_record(connection, 1, REPORT)
        with make_run_tables(connection, 1, (OPERATIONS, STEADY, SPAN, BUSIEST)) as tables:
            rows = tables.rows(OPERATIONS)
            low, high = _find_bounds(rows, tables) if rows else (0, 0)
    return record, _divide(rows, low, high), high - low


@pytest.mark.slow
@pytest.mark.parametrize("form", ["kineto", "nsys", "rocpd"])
@pytest.mark.parametrize("seed", range(301, 305))
def test_parts_are_those_of_a_second_implementation(form: str, seed: int, tmp_path: Path) -> None:
    record, right, length = _extract(tmp_path, form, seed)
    assert find_wrong_sum(record) == ""
    assert parse_record(write_record(record), "kept") == record
    assert record.whole is not None
    if record.whole.of != "GPU":
        assert not right
        return
    assert record.whole.window_ns == length
    found: defaultdict[str, int] = defaultdict(int)
    for row in record.rows:
        found[row.part.removesuffix(" wait")] += row.ns
    assert {part: ns for part, ns in found.items() if ns} == {
        part: ns for part, ns in right.items() if ns
    }
    if record.ranks:
        assert sum(sum(one.parts.values()) for one in record.ranks) == record.whole.total_ns


@pytest.mark.parametrize(
    ("steady", "begins", "bounds"),
    [
        ([(10, 20), (20, 30)], [12, 22, 33, 35], (12, 22, 33)),
        ([(10, 20), (20, 30)], [12, 22], (12, 22)),  # the last one has no end
        ([(10, 20)], [12], (12, 20)),  # unless it is the only one
        ([(10, 20), (20, 30)], [25, 31], (10, 20, 30)),  # the first launches nothing
        ([], [12, 22], (0, 100)),
    ],
)
def test_iterations_go_from_first_operation_to_first_operation(
    steady: list[tuple[int, int]], begins: list[int], bounds: tuple[int, ...]
) -> None:
    found = find_window(steady, np.array(begins, np.int64), (0, 100))
    assert found.bounds == bounds
    assert found.is_steady == bool(steady)
    assert sum(found.durations) == found.stop - found.start


@pytest.mark.parametrize(
    ("starts", "works", "bounds"),
    [
        # the second GPU is ahead by 4 ns, and its first iteration begins before what was read
        ([6, 8, 16, 18, 26, 28], [1, 2, 1, 2, 1, 2], {0: [20, 30], 1: [16, 26]}),
        # what begins an iteration is there several times in each
        ([8, 9, 18, 19, 28, 29], [1, 1, 1, 1, 1, 1], {0: [10, 20, 30], 1: [10, 20, 30]}),
        ([], [], {0: [10, 20, 30], 1: [10, 20, 30]}),
    ],
)
def test_iterations_of_each_gpu_begin_with_the_same_work(
    starts: list[int], works: list[int], bounds: dict[int, list[int]]
) -> None:
    found = align_iterations(
        np.array([10, 20, 30]),
        {0: np.array([10, 12, 20, 22, 30]), 1: np.array(starts, np.int64)},
        {0: np.array([1, 2, 1, 2, 1]), 1: np.array(works, np.int64)},
    )
    assert {gpu: held.tolist() for gpu, held in found.items()} == bounds


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transformer-h100", "dlrm-h100-pinned"])
def test_a_record_needs_nothing_of_metrics_that_pages_alone_draw(name: str) -> None:
    assert load_catalog().keys() >= DRAWN_ALONE
    found = simulated_sample(name).folder if name in SCENARIOS else None
    store = store_at(found or registry.find(PROFILES / name)[0])
    documents = sample_documents(name)
    with open_store(store, reproducible=True) as connection:
        whole = extract_record(connection, 1, documents.findings)
    (less,) = read_records([store], None, Context(left_out=DRAWN_ALONE))
    assert less == whole


@pytest.mark.slow
@pytest.mark.parametrize("form", ["Kineto", "HPCToolkit"])
def test_ranks_that_are_ahead_of_others_copy_as_much(form: str, tmp_path: Path) -> None:
    record = record_run(vary_run("eight-ranks", {}, 1, 12), tmp_path, form)
    for name, count in (("copies", 8), ("collectives", 24), ("launches", 288)):
        figure = record.counted[name]
        assert (figure.value, figure.least, figure.most) == (count, count, count), name


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("aten::mm", "aten::mm"),
        ("layer.12.forward", "layer..forward"),
        ("nn.Module: Linear_3", "nn.Module: Linear_"),
        ("/home/somebody/train.py(12): step", "train.py(): step"),
        ("cublasSgemm_v2 [libcublas.so.12]", "cublasSgemm_v2"),
        ("<object at 0x7f3a>", "<object at >"),
        ("MmBackward0", "MmBackward0"),
        ("mt19937_double", "mt19937_double"),
    ],
)
def test_frames_lose_what_differs_between_equal_runs(name: str, clean: str) -> None:
    assert clean_frame(name) == clean


def test_long_names_equal_themselves_alone() -> None:
    first, second = (clean_name("k" * 500 + end) for end in "ab")
    assert first != second
    assert len(first) <= 240
    assert hide_folders(r"C:\Users\somebody\train.py") == "train.py"
    assert hide_folders("a / b") == "a / b"
    assert hide_folders("void f(int const*, float/4)") == "void f(int const*, float/4)"


Operation = tuple[int, int, int, int]
"""Begin, end, part, row."""
DRAWN = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 15), st.integers(0, 2), st.integers(0, 4)).map(
        lambda one: (one[0], one[0] + one[1], one[2], one[3])
    ),
    max_size=12,
)
DRAWN_ROWS = 5


def arrays(operations: list[Operation]) -> LaneOperations:
    columns = np.array(operations, np.int64).reshape(-1, 4).T
    return LaneOperations(*columns)


def divide_by_nanosecond(
    operations: list[Operation], low: int, high: int
) -> tuple[dict[int, int], int]:
    """Each stretch between two begins or ends goes to the operations of its first part."""
    operations = [one for one in operations if one[1] > one[0]]
    moments = sorted({low, high, *(m for one in operations for m in one[:2] if low < m < high)})
    spent: defaultdict[int, int] = defaultdict(int)
    idle = 0
    for begin, end in pairwise(moments):
        running = [one for one in operations if one[0] <= begin and one[1] >= end]
        if not running:
            idle += end - begin
            continue
        first = min(one[2] for one in running)
        sharing = [one for one in running if one[2] == first]
        shared = [(end - begin) * number // len(sharing) for number in range(len(sharing) + 1)]
        for one, (before, after) in zip(sharing, pairwise(shared), strict=True):
            spent[one[3]] += after - before
    return dict(spent), idle


@given(operations=DRAWN, low=st.integers(0, 20), length=st.integers(1, 40))
def test_each_nanosecond_has_one_row(operations: list[Operation], low: int, length: int) -> None:
    lane = divide_lane(arrays(operations), DRAWN_ROWS, (low, low + length))
    right, idle = divide_by_nanosecond(operations, low, low + length)
    assert lane.spent.tolist() == [right.get(row, 0) for row in range(DRAWN_ROWS)]
    assert int((lane.idle_stop - lane.idle_start).sum()) == idle
    assert int(lane.spent.sum()) + idle == length
    assert (lane.idle_start[1:] > lane.idle_stop[:-1]).all(), "idle times do not touch"


def test_a_kernel_has_what_a_collective_and_a_copy_share_with_it() -> None:
    lane = divide_lane(
        arrays([(0, 10, 2, 2), (4, 16, 1, 1), (6, 8, 0, 0), (20, 24, 0, 0)]), 3, (0, 30)
    )
    assert lane.spent.tolist() == [6, 10, 4]
    assert list(zip(lane.idle_start.tolist(), lane.idle_stop.tolist(), strict=True)) == [
        (16, 20),
        (24, 30),
    ]


def test_kernels_that_run_at_once_share_in_whole_nanoseconds() -> None:
    lane = divide_lane(arrays([(0, 10, 0, 0), (0, 10, 0, 1), (0, 10, 0, 2)]), 3, (0, 10))
    assert lane.spent.tolist() == [3, 3, 4]


def test_a_window_without_operations_is_idle() -> None:
    lane = divide_lane(arrays([]), 1, (5, 9))
    assert lane.spent.tolist() == [0]
    assert (lane.idle_start.tolist(), lane.idle_stop.tolist()) == ([5], [9])


@given(
    total=st.integers(0, 10**15),
    weights=st.lists(st.floats(0, 1e15, allow_nan=False), min_size=1, max_size=20),
)
def test_apportioned_parts_sum(total: int, weights: list[float]) -> None:
    parts = apportion(total, np.array(weights))
    assert int(parts.sum()) == total
    assert (parts >= 0).all()


@pytest.mark.parametrize(
    ("total", "weights", "right"),
    [(10, [1, 1, 1], [4, 3, 3]), (3, [0, 0], [0, 3]), (7, [0.5, 0.25, 0.25], [3, 2, 2])],
)
def test_largest_remainders_have_the_rest(
    total: int, weights: list[float], right: list[int]
) -> None:
    assert apportion(total, np.array(weights, float)).tolist() == right
