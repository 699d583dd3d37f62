"""What a part of time is: the colour that the summary gives it."""

from __future__ import annotations

import re

import pytest

from perfolio.charts.theme import ROLES
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.part_colours import choose_part_role


@pytest.mark.parametrize(
    ("name", "metric", "told"),
    [
        ("Kernels", "time.wall_parts", "kernels"),
        ("Kernels other than collectives", "time.wall_parts", "kernels"),
        ("Collectives beside no other kernel", "time.wall_parts", "synchronisation"),
        ("Copies beside no kernel", "time.span_parts", "copies"),
        ("Gaps that PC sampling may have made", "time.wall_parts", "profiler"),
        ("GPU idle: the profiler", "time.wall_parts", "profiler"),
        ("GPU idle: start-up", "time.wall_parts", "pause"),
        ("GPU idle: launched work waited", "time.wall_parts", "unknown"),
        ("GPU idle: get_batch (data.py)", "time.wall_parts", "waiting"),
        ("GPU idle in shorter gaps", "time.span_parts", "waiting"),
        ("GPU idle: host not sampled", "time.wall_parts", "unknown"),
        ("everything else", "time.wall_parts", "unknown"),
        ("copies", "gpu.composition", "copies"),
        ("page faults", "gpu.composition", "other"),
        ("Kernels", "cpu.modules", "cpu-deep"),
        ("Kernels: matrix products", "gpu.kernel_classes", "kernels-deep"),
        ("Kernels: attention", "gpu.kernel_classes", "kernels"),
        ("Kernels: memory-bound", "gpu.kernel_classes", "kernels-pale"),
        ("Kernels: optimizer", "gpu.kernel_classes", "kernels"),
        ("Kernels: communication", "gpu.kernel_classes", "synchronisation"),
        ("Kernels: other", "gpu.kernel_classes", "other"),
        ("everything else", "cpu.modules", "unknown"),
    ],
)
def test_meaning(name: str, metric: str, told: str) -> None:
    assert choose_part_role({"name": name, "metric": metric}, 5) == told


@pytest.mark.parametrize("table", ["wall_parts", "span_parts"])
def test_every_part_that_a_query_names_is_known_as_work_or_as_idle(table: str) -> None:
    query = load_catalog()[f"time.{table}"].sql
    names = {name for name in re.findall(r"'([A-Z][^']{5,})'", query) if not name.endswith(": ")}

    assert len(names) >= 7
    for name in names:
        told = choose_part_role({"name": name, "metric": f"time.{table}"}, 0)
        working = not name.startswith("GPU idle") and "PC sampling" not in name
        assert (told in ROLES and told != "waiting") is working, name
