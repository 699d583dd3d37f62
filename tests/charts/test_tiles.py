"""Tiles of a timeline hold what the store holds, to the nanosecond: by a second, simple reading."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.charts.tiles import tile_encoding, tile_pyramid
from perfolio.charts.tiles.run_intervals import (
    NameTotal,
    RunTimeline,
    TimelineTrack,
    nest_intervals,
    read_timeline,
    spread_lanes,
)
from perfolio.charts.tiles.tile_encoding import encode_varints, fold_signs, write_tile_scripts
from perfolio.findings.tree import time_breakdown
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.store.database import open_store

Item = tuple[int, int, str]
"""Start, duration (or bytes) and name."""


class Tile(NamedTuple):
    """What a tile has of each row."""

    items: list[list[list[int]]]
    bins: list[list[list[int]]]


class Opened(NamedTuple):
    """What files say: the head, and of each tile its rows."""

    head: dict[str, Any]
    tiles: dict[str, Tile]


def read_files(files: dict[str, str]) -> Opened:
    """Files by a reader that knows nothing of numpy."""
    found = re.search(r"timeline\.head\((.*)\);\n", files["r.js"])
    assert found
    head = json.loads(found[1])
    found_tiles = {
        path: read_tile(head, path, text, int(bins))
        for script in files.values()
        for path, text, bins in re.findall(r'timeline\.take\("(\w+)","([^"]*)",(\d+)\)', script)
    }
    return Opened(head, found_tiles)


def read_tile(head: dict[str, Any], path: str, text: str, bins: int) -> Tile:
    """Of each row its items: start, duration, name, and of exact ones link and distance.

    Then of each row its bins: begin, length, name, number and share.
    """
    values = read_numbers(zlib.decompress(base64.b64decode(text), -15))
    begin, end = bounds(head, path)
    items = read_places(values, head, begin, signed)
    every = [item for row in items for item in row]
    is_exact = path in head["exact"]
    for item in every * (3 if is_exact else 2):
        item.append(next(values))
    for item in every:
        if is_exact and item[3]:
            item.append(signed(next(values)))
    if is_exact:
        assert (list(values), bins) == ([], 0)
        return Tile(items, [])
    merged = read_places(values, head, -1, int)
    for one in [one for row in merged for one in row] * 3:
        one.append(next(values))
    assert list(values) == []
    width = max(1, (end - begin) // bins)
    return Tile(
        items, [[[begin + one[0] * width, width, *one[1:]] for one in row] for row in merged]
    )


def read_places(
    values: Iterator[int], head: dict[str, Any], begin: int, read: Callable[[int], int]
) -> list[list[list[int]]]:
    found = []
    for count in [next(values) for _ in range(sum(track[2] for track in head["tracks"]))]:
        moves = [begin, *(read(next(values)) for _ in range(count))]
        found.append([[at] for at in accumulate(moves)][1:])
    return found


def read_numbers(data: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def signed(value: int) -> int:
    return -(value + 1) // 2 if value % 2 else value // 2


def bounds(head: dict[str, Any], path: str) -> tuple[int, int]:
    begin, end = 0, head["stop"] + 1
    for digit in path[1:]:
        width = end - begin
        part = int(digit)
        begin, end = begin + width * part // 8, begin + width * (part + 1) // 8
    return begin, end


def rows_of(opened: Opened) -> list[list[Item]]:
    """What all exact tiles say of each row, each interval once."""
    head, names = opened.head, opened.head["names"]
    rows: list[list[Item]] = [[] for _ in range(sum(track[2] for track in head["tracks"]))]
    for path in head["exact"]:
        begin, end = bounds(head, path)
        for row, items in zip(rows, opened.tiles[path].items, strict=True):
            row += [(at, long, names[code]) for at, long, code, *_ in items if begin <= at < end]
    return rows


def make_timeline(rows: list[list[tuple[int, int, int]]], kinds: list[str]) -> RunTimeline:
    """A timeline of rows of (start, duration, name)."""
    flat = [item for row in rows for item in row]
    columns = np.array(flat, dtype=np.int64).reshape(-1, 3)
    stop = max(
        (at + (0 if kind == "memory" else long))
        for row, kind in zip(rows, kinds, strict=True)
        for at, long, _ in row
    )
    return RunTimeline(
        tracks=[TimelineTrack(f"row {n}", kind, 1) for n, kind in enumerate(kinds)],
        names=[NameTotal(name, "operator", 1, 1) for name in "abcdef"],
        base=10**18,
        origin=0,
        stop=stop,
        marks=[],
        bounds=np.cumsum([0, *map(len, rows)]),
        start=columns[:, 0],
        duration=columns[:, 1],
        code=columns[:, 2],
        partner=np.array([(n * 7) % len(flat) if n % 3 else -1 for n in range(len(flat))]),
    )


def draw_row(random: Random, kind: str, count: int) -> list[tuple[int, int, int]]:
    at, row = random.randrange(50), []
    for _ in range(count):
        long = random.choice((0, 1, random.randrange(40), random.randrange(5000)))
        row.append((at, long, random.randrange(6)))
        at += (random.randrange(9) if kind == "memory" else long) + random.choice((0, 3, 900))
    return row


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exact_tiles_hold_every_interval_and_merged_ones_add_up(seed: int) -> None:
    random = Random(seed)
    kinds = [random.choice(("thread", "stream", "memory")) for _ in range(random.randint(1, 5))]
    rows = [draw_row(random, kind, random.randint(1, 300)) for kind in kinds]
    timeline = make_timeline(rows, kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tile_pyramid, "MOST_EXACT", random.choice((20, 90, 10_000)))
        patch.setattr(tile_pyramid, "LEAST_BINS", 16)
        patch.setattr(tile_pyramid, "BINS", 16)
        files = write_tile_scripts(timeline)
        assert write_tile_scripts(timeline) == files
    opened = read_files(files)
    wanted = [[(at, long, "abcdef"[code]) for at, long, code in row] for row in rows]
    assert rows_of(opened) == wanted
    check_partners(timeline, opened)
    for path, tile in opened.tiles.items():
        if path not in opened.head["exact"]:
            check_merged(rows, kinds, bounds(opened.head, path), tile)


def check_partners(timeline: RunTimeline, opened: Opened) -> None:
    places = [
        (row, int(timeline.start[n]))
        for row in range(len(timeline.bounds) - 1)
        for n in range(timeline.bounds[row], timeline.bounds[row + 1])
    ]
    found: list[tuple[int, int] | None] = []
    for path in opened.head["exact"]:
        begin, end = bounds(opened.head, path)
        for items in opened.tiles[path].items:
            found += [
                (item[3] - 1, item[0] - item[4]) if item[3] else None
                for item in items
                if begin <= item[0] < end
            ]
    wanted = [places[each] if each >= 0 else None for each in timeline.partner.tolist()]
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))


def check_merged(
    rows: list[list[tuple[int, int, int]]], kinds: list[str], part: tuple[int, int], tile: Tile
) -> None:
    """Each tells how many there are, their time, and the most of memory, of what begins in it."""
    begin, end = part
    for row, kind, items, bins in zip(rows, kinds, tile.items, tile.bins, strict=True):
        held = [one for one in row if begin <= one[0] < end]
        before = [one for one in row if one[0] < begin][-1:]
        given = [tuple(item) for item in items]
        assert set(given) <= set(before + held)
        if kind == "memory":
            assert bins == []
            most = max((one[1] for one in before + held), default=0)
            assert max((item[1] for item in given), default=0) == most
            assert given[-1:] == (before + held)[-1:]
            continue
        reaching = [one for one in before if one[0] + one[1] > begin]
        short = [one for one in reaching + held if one not in given]
        check_bins(short, bins, begin)
        assert all(one[1] >= bins[0][1] for one in given if bins)


def check_bins(short: list[tuple[int, int, int]], bins: list[list[int]], begin: int) -> None:
    assert sum(one[3] for one in bins) == len(short)
    for at, width, named, number, share in bins:
        within = [one for one in short if find_bin(one[0], begin, width) == at]
        assert number == len(within)
        spent: dict[int, int] = defaultdict(int)
        for _, long, code in within:
            spent[code] += long
        assert spent[named] == max(spent.values())
        assert abs(share * width / 255 - sum(spent.values())) <= width / 255


def find_bin(start: int, begin: int, width: int) -> int:
    return begin + max(-1, (start - begin) // width) * width


@given(st.lists(st.integers(0, 2**62), max_size=50))
def test_varints_are_read_as_they_were_written(values: list[int]) -> None:
    assert list(read_numbers(encode_varints(np.array(values, dtype=np.int64)))) == values


@given(st.lists(st.integers(-(2**61), 2**61), max_size=50))
def test_signs_fold(values: list[int]) -> None:
    folded = fold_signs(np.array(values, dtype=np.int64)).tolist()
    assert [signed(each) for each in folded] == values


Intervals = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=40)


def sort_intervals(items: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Begins and ends of intervals of these begins and lengths, the longer one first."""
    ordered = sorted(items, key=lambda one: (one[0], -one[1]))
    return [begin for begin, _ in ordered], [begin + long for begin, long in ordered]


def to_column(numbers: list[int]) -> npt.NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def test_intervals_nest_and_overlapping_ones_of_a_stream_get_lanes() -> None:
    begins, ends = [0, 0, 1, 5, 5, 10], [10, 5, 2, 5, 12, 11]
    assert nest_intervals(to_column(begins), to_column(ends)).tolist() == [0, 1, 2, 1, 1, 2]
    lanes = spread_lanes(to_column([0, 3, 4, 6]), to_column([5, 6, 9, 7]))
    assert lanes.tolist() == [0, 1, 2, 0]


@given(Intervals)
def test_an_interval_lies_in_those_on_top_of_each_other_that_have_not_ended(
    items: list[tuple[int, int]],
) -> None:
    begins, ends = sort_intervals(items)
    within: list[int] = []
    for begin, end, depth in zip(
        begins, ends, nest_intervals(to_column(begins), to_column(ends)).tolist(), strict=True
    ):
        while within and within[-1] <= begin:
            within.pop()
        assert depth == len(within)
        within.append(end)


@given(Intervals)
def test_lanes_are_the_lowest_that_are_free(items: list[tuple[int, int]]) -> None:
    begins, ends = sort_intervals(items)
    lanes = spread_lanes(to_column(begins), to_column(ends)).tolist()
    for at, (begin, lane) in enumerate(zip(begins, lanes, strict=True)):
        taken = {lanes[one] for one in range(at) if ends[one] > begin}
        assert lane == min(set(range(at + 1)) - taken)


def test_a_large_tile_is_cut_though_it_has_few_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_encoding, "MOST_PACKED", 600)
    random = Random(1)
    files = write_tile_scripts(make_timeline([draw_row(random, "thread", 800)], ["thread"]))
    opened = read_files(files)
    assert len(opened.head["exact"]) > 1
    assert max(len(text) for name, text in files.items() if name[:-3] in opened.head["exact"]) < 900


def write_trace(path: Path, seed: int) -> None:
    """A PyTorch trace: nested operators, launches, two streams, memory, a hostile name."""
    random, events = Random(seed), []
    correlation = at = 0
    for step in range(6):
        begin = at
        for _ in range(random.randint(2, 30)):
            outer = at
            events.append(
                {
                    "cat": "python_function",
                    "name": f"model.py(3): f{random.randrange(3)}",
                    "ts": at,
                    "dur": random.choice((1, 4.5)),
                    "tid": 1,
                }
            )
            for _ in range(random.randint(1, 4)):
                correlation += 1
                name = random.choice(("cudaLaunchKernel", "cuLaunchKernelEx"))
                events.append(
                    {
                        "cat": "cuda_runtime",
                        "name": name,
                        "ts": at + 1,
                        "dur": 2,
                        "tid": 1,
                        "args": {"correlation": correlation},
                    }
                )
                stream, late = random.choice((7, 9)), random.randint(3, 40)
                events.append(
                    {
                        "cat": "kernel",
                        "name": random.choice(("gemm", "</script>", "ncclKernel")),
                        "ts": at + late,
                        "dur": random.randint(1, 30) / 10,
                        "tid": stream,
                        "pid": 0,
                        "args": {"correlation": correlation, "device": 0, "stream": stream},
                    }
                )
                at += 4
            events.append(
                {
                    "cat": "cpu_op",
                    "name": f"aten::op{random.randrange(4)}",
                    "ts": outer,
                    "dur": at - outer,
                    "tid": 1,
                }
            )
            events.append(
                {
                    "ph": "i",
                    "s": "t",
                    "cat": "cpu_instant_event",
                    "name": "[memory]",
                    "ts": at,
                    "tid": 1,
                    "args": {
                        "Total Reserved": 2000,
                        "Total Allocated": random.randrange(2000),
                        "Bytes": 8,
                        "Device Id": 0,
                        "Device Type": 1,
                    },
                }
            )
            at += random.randint(1, 5)
        events.append(
            {
                "cat": "user_annotation",
                "name": f"ProfilerStep#{step}",
                "ts": begin,
                "dur": at - begin,
                "tid": 1,
            }
        )
    random.shuffle(events)
    path.write_text(json.dumps({"traceEvents": [{"ph": "X", "pid": 1, **one} for one in events]}))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The store of the trace of a seed, made once."""

    @cache
    def store_trace(seed: int) -> Path:
        folder = tmp_path_factory.mktemp("traced")
        write_trace(folder / "trace.json", seed)
        ingest_paths([folder / "trace.json"], folder / "store.duckdb")
        return folder / "store.duckdb"

    return store_trace


@pytest.mark.parametrize("seed", range(3))
def test_files_hold_what_the_store_holds(stored: Callable[[int], Path], seed: int) -> None:
    with open_store(stored(seed), reproducible=True) as connection:
        timeline = read_timeline(connection, 1)
        assert timeline is not None
        opened = read_files(write_tile_scripts(timeline))
        query = connection.execute
        hosts = query(
            "SELECT start, duration, name FROM host_range UNION ALL "
            "SELECT start, duration, name FROM host_call"
        ).fetchall()
        functions = query(
            "SELECT own.start, own.duration, f.name FROM host_function own "
            'JOIN context c ON c.id = own.context JOIN "function" f ON f.id = c."function"'
        ).fetchall()
        streams = query("SELECT profile, start, duration FROM gpu_operation").fetchall()
        memory = query('SELECT "time", allocated FROM memory_event ORDER BY ALL').fetchall()
        launches = query(
            "SELECT g.start, c.start FROM gpu_operation g JOIN host_call c ON c.id = g.call"
        ).fetchall()
    head, base = opened.head, int(opened.head["base"])
    found: dict[str, list[list[Item]]] = defaultdict(list)
    rows = rows_of(opened)
    for name, kind, count in head["tracks"]:
        for _ in range(count):
            found["python" if name.endswith(", Python") else kind].append(rows.pop(0))
    called = sorted((at + base, long, name) for row in found["python"] for at, long, name in row)
    assert [one[:2] for one in called] == sorted(one[:2] for one in functions)
    assert {one[2] for one in called} == {one[2] for one in functions} == {"f0", "f1", "f2"}
    told = sorted((at + base, long, name) for row in found["thread"] for at, long, name in row)
    assert told == sorted(hosts)
    ran = sorted((at + base, long) for row in found["stream"] for at, long, _ in row)
    assert ran == sorted((at, long) for _, at, long in streams)
    assert sorted((at + base, amount) for at, amount, _ in found["memory"][0]) == memory
    for row in found["thread"] + found["stream"] + found["python"]:
        assert all(one[0] + one[1] <= other[0] for one, other in pairwise(row))
    check_launches(opened, [(at - base, launch - base) for at, launch in launches])
    counted = dict(
        zip(
            zip(head["names"], [head["groups"][g] for g in head["group"]], strict=True),
            head["number"],
            strict=True,
        )
    )
    assert sum(counted.values()) == len(hosts) + len(streams) + len(functions)
    spent = [one[1] for one in hosts + functions] + [one[2] for one in streams]
    assert sum(head["spent"]) == sum(spent)
    assert any(group == "kernel collective" for _, group in counted)
    assert "</script" not in "".join(write_tile_scripts(timeline).values())


def check_launches(opened: Opened, wanted: list[tuple[int, int]]) -> None:
    kinds = [kind for _, kind, count in opened.head["tracks"] for _ in range(count)]
    links = {
        (item[0], item[0] - item[4])
        for path in opened.head["exact"]
        for kind, items in zip(kinds, opened.tiles[path].items, strict=True)
        for item in items
        if kind == "stream" and item[3]
    }
    assert links == set(wanted)


@pytest.mark.parametrize(
    "change",
    ["start = -9223372036854775807", "start = 9223372036854775000", "duration = -1",
     "duration = 9223372036854775000"],
)  # fmt: skip
def test_times_that_no_browser_computes_with_give_no_timeline(
    stored: Callable[[int], Path], change: str
) -> None:
    with open_store(stored(1), read_only=False) as connection:
        assert read_timeline(connection, 1) is not None
        connection.begin()
        connection.execute(f"UPDATE host_call SET {change} WHERE id % 3 = 0")
        assert read_timeline(connection, 1) is None
        connection.rollback()


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("kernel product", "Kernels: matrix products"),
        ("kernel collective", "Kernels: communication"),
        ("kernel attention", "Kernels: attention"),
        ("call", "runtime call"),
        ("copy", "copy"),
    ],
)
def test_groups_are_called_as_on_other_charts_and_in_the_summary(group: str, words: str) -> None:
    assert tile_encoding._name_group(group) == words
    known = {f"Kernels: {merged}" for merged in time_breakdown._MERGED.values()}
    assert not words.startswith("Kernels") or words in known
