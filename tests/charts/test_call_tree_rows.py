"""Frames: where each comes from; and live trees, which hold what the store holds, node by node.

Also: Names in a scatter plot and below marks lie on nothing else.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.call_tree_rows import (
    DEEPEST,
    NOWHERE,
    group_origins,
    keep_largest,
    make_live_tree,
    name_origin,
    write_tree_script,
)
from perfolio.charts.chart_data import format_full_name
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.label_callouts import LEVELS, Callout, place_callouts
from perfolio.charts.label_placement import (
    GAP,
    HALF_LINE,
    TextBox,
    estimate_text_width,
    find_emptiest,
    place_labels,
)
from perfolio.charts.theme import MODULES
from perfolio.charts.tiles.tree_encoding import write_run_trees
from perfolio.readers.registry import find
from perfolio.store.database import open_store
from perfolio.store.run_tables import make_run_tables
from tests.kit.samples import PROFILES, SCENARIOS, results_at, simulated_sample, store_at

PYTHON = "<logical python>"


def row(context: int, parent: int | None, share: float, **more: Any) -> dict[str, Any]:
    told = {"name": f"f{context}", "module": None, "file": None, "line": None, "left": 0.0}
    depth = 1 if parent is None else 2
    return {
        **told, "context": context, "parent": parent, "share": share, "time": 8 * share,
        "depth": depth, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("module", "file", "expected"),
    [
        ("libcudart.so.12", None, "libcudart.so"),
        ("libopenblas.so.0.3.21", None, "libopenblas.so"),
        ("train", "main.c", "train"),
        (None, None, NOWHERE),
        (PYTHON, "lib/python3.11/site-packages/torch/nn/modules/module.py", "torch (Python)"),
        (PYTHON, "src/home/u/lib/python3.11/site-packages/six.py", "six (Python)"),
        (PYTHON, "/usr/lib/python3/dist-packages/yaml/loader.py", "yaml (Python)"),
        (PYTHON, "src/usr/lib/python3.11/json/decoder.py", "standard library (Python)"),
        (PYTHON, "<frozen importlib._bootstrap>", "standard library (Python)"),
        (PYTHON, "torch/_compile.py", "torch (Python)"),
        (PYTHON, "src/home/u/dlrm/train.py", "dlrm (Python)"),
        (PYTHON, "/home/u/dlrm/train.py", "dlrm (Python)"),
        (PYTHON, "train.py", "train.py (Python)"),
        (PYTHON, None, "unknown (Python)"),
    ],
)
def test_the_origin_of_a_frame(module: str | None, file: str | None, expected: str) -> None:
    assert name_origin(row(1, None, 1.0, module=module, file=file)) == expected


def test_modules_are_ranked_by_what_they_take_themselves() -> None:
    rows = [
        row(1, None, 1.0, module="a.so"),
        row(2, 1, 0.7, module="b.so"),
        row(3, 1, 0.25, module="c.so"),
    ]
    numbers, groups = group_origins(rows)
    assert groups == ["b.so", "c.so", "a.so"]
    assert numbers == [2, 0, 1]


def test_many_modules_share_the_last_colour() -> None:
    rows = [row(i, None, 1.0 / i, module=f"lib{i}.so") for i in range(1, 12)]
    numbers, groups = group_origins(rows)
    most = len(MODULES) - 1
    assert groups == [
        *(f"lib{i}.so" for i in range(1, most + 1)),
        "other modules",
    ]
    assert numbers == [*range(most), *[most] * (11 - most)]


def test_what_is_said_of_a_function_is_written_once() -> None:
    rows = [
        row(7, None, 1.0, name="main", module="a.out"),
        row(8, 7, 0.5, name="f", file="/x/y/f.c", line=3, module="a.out"),
        row(9, 7, 0.25, name="f", file="/x/y/f.c", line=3, module="a.out", left=0.5),
    ]
    tree = make_live_tree("cpu", rows, CpuCost("CPU time", "CPU-s"), {7, 8})
    assert {name: list(column) for name, column in tree["functions"].items()} == {
        "name": ["main", "f"],
        "label": [0, 0],
        "at": ["a.out", "y/f.c:3"],
        "group": [0, 0],
    }
    assert tree["nodes"] == {"in": [-1, 0, 0], "code": [0, 1, 1], "value": [8.0, 4.0, 2.0]}
    assert (tree["whole"], tree["cut"], tree["hot"], tree["folded"]) == (8.0, True, [0, 1], [])
    assert opened(write_tree_script("cpu_icicle", tree)) == json.loads(json.dumps(tree))


def opened(script: str) -> dict[str, Any]:
    """What a script hands over, its columns unpacked."""
    found = re.fullmatch(r"[^\n]*\n\(.*\)\[\"\w+\"\] = (\{.*\});\n", script)
    assert found
    tree: dict[str, Any] = json.loads(found[1])
    packed = base64.b64decode(tree.pop("nodes"))
    return {**tree, **json.loads(zlib.decompress(packed, -15))}


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 10**9)), min_size=1, max_size=40),
    st.integers(1, 12),
)
def test_what_is_left_out_is_summed_below_its_caller(
    drawn: list[tuple[int, int]], most: int
) -> None:
    """Of a tree in which each node has what its callees have, and something of its own."""
    parents = [min(at - 1, caller) if at else -1 for at, (caller, _) in enumerate(drawn)]
    parents = [-1 if parent == 9 else parent for parent in parents]
    amounts = [own for _, own in drawn]
    for at in range(len(parents) - 1, 0, -1):
        if parents[at] >= 0:
            amounts[parents[at]] += amounts[at]
    kept = keep_largest(parents, [(each, 2 * each) for each in amounts], most)

    assert len(kept.nodes) == min(most, len(parents))
    below: dict[int, int] = defaultdict(int)
    for at, parent in enumerate(parents):
        below[parent] += amounts[at]
    shown: dict[int, int] = defaultdict(int)
    for at, parent in zip(kept.nodes, kept.parents, strict=True):
        assert parent < 0 or kept.nodes[parent] == parents[at]
        shown[parent] += amounts[at]
    for place, (one, other, _) in kept.folded.items():
        assert other == 2 * one
        shown[place] += one
    for place, at in [(-1, -1), *enumerate(kept.nodes)]:
        assert shown[place] == below[at], "what is kept and what is folded is all that it calls"
    assert sum(count for *_, count in kept.folded.values()) + len(kept.nodes) == len(parents)


def test_levels_have_an_end() -> None:
    rows = [{**row(at + 1, at or None, 1.0), "depth": at} for at in range(DEEPEST + 9)]
    tree = make_live_tree("cpu", rows, CpuCost("CPU time", "CPU-s"), ())
    assert len(tree["nodes"]["in"]) == DEEPEST
    assert tree["folded"] == [[DEEPEST - 1, 8.0, 9]]


@cache
def trees_of(sample: str) -> tuple[Path, Mapping[str, dict[str, Any]]]:
    """The store of a sample, and its trees as pages have them."""
    simulated = sample in SCENARIOS
    (database,) = [simulated_sample(sample).folder] if simulated else find(PROFILES / sample)
    store, results = store_at(database), results_at(database)
    with open_store(store, reproducible=True) as connection:
        scripts = write_run_trees(connection, 1, results)
    return store, {path: opened(script) for path, script in scripts.items()}


@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch", "dlrm-h100", "transformer-h100"])
def test_every_node_is_what_the_store_has(sample: str) -> None:
    """Sums over contexts by the names on their paths: no model of call trees was asked."""
    store, trees = trees_of(sample)
    assert trees
    for path, tree in trees.items():
        cost = "'gpu_operation_time'" if "gpu" in path else "cpu_event_of()"
        told = read_paths(store, cost)
        names = tree["functions"]["name"]
        callers: list[tuple[str, ...]] = []
        found: dict[tuple[str, ...], float] = defaultdict(float)
        below: dict[tuple[str, ...], float] = defaultdict(float)
        nodes = tree["nodes"]
        for parent, code, value in zip(nodes["in"], nodes["code"], nodes["value"], strict=True):
            above = callers[parent] if parent >= 0 else ()
            callers.append((*above, names[code]))
            found[callers[-1]] += value
            below[above] += value
        for place, value, _ in tree["folded"]:
            below[callers[place]] += value

        assert not tree["cut"]
        assert found.keys() == told.keys()
        assert found == pytest.approx({key: all_of for key, (all_of, _) in told.items()}, rel=1e-12)
        own = {key: found[key] - below[key] for key in found}
        expected = {key: alone for key, (_, alone) in told.items()}
        assert own == pytest.approx(expected, abs=1e-9 * tree["whole"])
        assert below[()] == pytest.approx(tree["whole"], rel=1e-9)


def read_paths(store: Path, cost: str) -> dict[tuple[str, ...], tuple[float, float]]:
    """What each path of names takes with all below, and alone: of outermost contexts of a path."""
    sql = (
        "SELECT frame.frame, frame.caller, frame.name, coalesce(cost.inclusive, 0),"
        " coalesce(cost.exclusive, 0) FROM frame LEFT JOIN frame_cost AS cost"
        f" ON cost.frame = frame.frame AND cost.name = {cost} ORDER BY frame.depth"
    )
    paths: dict[int, tuple[str, ...]] = {}
    found: dict[tuple[str, ...], tuple[float, float]] = {}
    with (
        open_store(store, reproducible=True) as connection,
        make_run_tables(connection, 1, [sql]) as tables,
    ):
        for frame, caller, name, inclusive, exclusive in tables.rows(sql):
            paths[frame] = (*paths.get(caller, ()), format_full_name(name))
            if inclusive > 0:
                before = found.get(paths[frame], (0.0, 0.0))
                found[paths[frame]] = (before[0] + inclusive, before[1] + exclusive)
    return found


PART = st.floats(min_value=0, max_value=1)
POINTS = st.lists(st.tuples(PART, PART), max_size=30)


def box(point: tuple[float, float], side: str, length: int) -> TextBox:
    x, y = point
    width = estimate_text_width(length)
    left = x + GAP if side == "right" else x - GAP - width
    return TextBox(left, left + width, y - HALF_LINE, y + HALF_LINE)


def test_a_name_stands_right_of_its_mark_and_left_where_it_would_leave() -> None:
    assert place_labels([(0.1, 0.5)], [10], most=5) == {0: "right"}
    assert place_labels([(0.95, 0.5)], [10], most=5) == {0: "left"}


def test_the_first_names_win() -> None:
    assert place_labels([(0.3, 0.5), (0.32, 0.51), (0.1, 0.9)], [30, 30, 30], most=2) == {
        0: "right",
        2: "right",
    }


def test_taken_places_stay_free() -> None:
    assert place_labels([(0.1, 0.5)], [10], most=5, taken=[TextBox(0.2, 1.0, 0.4, 0.6)]) == {}


@given(POINTS, st.integers(1, 60), st.integers(0, 8))
def test_no_name_lies_on_a_mark_or_a_name(
    points: list[tuple[float, float]], length: int, most: int
) -> None:
    sides = place_labels(points, [length] * len(points), most)
    boxes = [box(points[index], side, length) for index, side in sides.items()]
    assert len(boxes) <= most
    assert not any(one.holds(point) for one in boxes for point in points)
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert all(one.left >= -1e-9 and one.right <= 1 + 1e-9 for one in boxes)


def test_the_emptiest_place_is_the_first_of_several() -> None:
    boxes = [TextBox(0, 0.5, 0, 1), TextBox(0.5, 1, 0, 1), TextBox(0.9, 1, 0, 1)]
    assert find_emptiest(boxes, [(0.1, 0.5)]) == 1


MARKS = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 90)), max_size=30)


@given(MARKS, st.integers(0, 8))
def test_names_meet_neither_each_other_nor_the_edge(
    marks: list[tuple[float, int]], most: int
) -> None:
    placed = place_callouts([part for part, _ in marks], [length for _, length in marks], most)
    assert len(placed) <= most
    assert all(
        each.left >= 0 and each.right <= 1 and each.level < LEVELS for each in placed.values()
    )
    assert not any(one.meets(other) for one, other in combinations(placed.values(), 2))


def test_the_first_come_first() -> None:
    assert list(place_callouts([0.1, 0.5, 0.9], [5, 5, 5], 2)) == [0, 1]


def test_a_line_does_not_cross_a_name_above() -> None:
    above = Callout(0.1, 20, level=0)
    assert above.meets(Callout(0.2, 5, level=1))
    assert not above.meets(Callout(0.8, 5, level=1))


def test_a_name_at_the_right_edge_stands_left_of_its_line() -> None:
    name = Callout(0.95, 20, level=0)
    assert name.leftward
    assert name.right == 0.95
