"""Frames: the module or package of each, and which modules have colours of their own."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.charts.call_tree_rows import NOWHERE, group_origins, make_call_tree_rows, name_origin
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.theme import MODULES

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
    assert [group.name for group in groups] == ["b.so", "c.so", "a.so"]
    assert numbers == [2, 0, 1]


def test_many_modules_share_the_last_colour() -> None:
    rows = [row(i, None, 1.0 / i, module=f"lib{i}.so") for i in range(1, 12)]
    numbers, groups = group_origins(rows)
    most = len(MODULES) - 1
    assert [group.name for group in groups] == [
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
    drawn = make_call_tree_rows(rows, 1.0, {7, 8}, CpuCost("CPU time", "CPU-s"))
    assert [(each["code"], each["name"], each["at"]) for each in drawn.functions] == [
        (0, "main", "a.out"),
        (1, "f", "y/f.c:3"),
    ]
    assert drawn.tree.total == pytest.approx(8.0)
    names = ("left", "right", "level", "in", "code", "hot", "share", "cost")
    assert [tuple(frame[name] for name in names) for frame in drawn.frames] == [
        (0, 100, 0, -1, 0, 1, "100.0 %", "8.00 CPU-s"),
        (0, 50, 1, 0, 1, 1, "50.0 %", "4.00 CPU-s"),
        (50, 75, 1, 0, 1, 0, "25.0 %", "2.00 CPU-s"),
    ]
