"""Records of random recordings: what the store holds, divided a second time from bound to bound."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perfolio.common.progress import QuietProgress
from perfolio.comparison.frame_paths import clean_frame, clean_name, hide_folders
from perfolio.comparison.record_extraction import DRAWN_ALONE, extract_record
from perfolio.comparison.run_record import RunRecord, find_wrong_sum, parse_record, write_record
from perfolio.comparison.steady_window import align_iterations, find_window
from perfolio.metrics.catalog import load_catalog
from perfolio.pipeline.run_comparison import read_records
from perfolio.pipeline.run_documents import Context
from perfolio.readers import registry
from perfolio.readers.run_files import read_run
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from perfolio.store.run_tables import make_run_tables
from tests.comparison.planted import REPORT, record_run, vary_run
from tests.kit.samples import PROFILES
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
    (whole,) = read_records([PROFILES / name])
    (less,) = read_records([PROFILES / name], None, Context(left_out=DRAWN_ALONE))
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
