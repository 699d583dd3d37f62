"""What a part of time is: the colour that the summary gives it."""

from __future__ import annotations

import copy
import re

import pytest

from perfolio.charts.theme import ROLES
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.part_colours import choose_part_role
from perfolio.pages.report_rendering import render_queries
from perfolio.pages.sql_highlight import render_sql
from tests.pages.support import HOSTILE, documents, rendered


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


# The page of queries: every query once, whole, as words.


@pytest.mark.slow
def test_every_query_stands_on_it_once_and_whole() -> None:
    """Those of all metrics: none has what the page would read as markup."""
    (known, *_) = documents()[0]["metrics"]
    metrics = [
        known | {"name": one.name, "title": one.title, "sql": one.sql}
        for one in load_catalog().values()
    ]
    page = rendered(render_queries([{"metrics": metrics}, {"metrics": copy.deepcopy(metrics)}]))

    assert len(metrics) > 300
    for one in metrics:
        assert page.text.count(one["sql"].strip("\n")) >= 1, one["name"]
        assert page.values("id").count(one["name"].replace(".", "-").replace("_", "-")) == 1


def test_comments_texts_and_keywords_are_marked() -> None:
    assert render_sql("SELECT 'a' AS b -- c < d\nGROUP BY a") == (
        '<span class="k">SELECT</span> <span class="s1">\'a\'</span> <span class="k">AS</span> b '
        '<span class="c1">-- c &lt; d</span>\n<span class="k">GROUP BY</span> a'
    )


def test_nothing_in_a_query_is_markup() -> None:
    metrics, _ = documents()
    (first, *_) = metrics["metrics"]
    for hostile in HOSTILE:
        page = rendered(render_queries([{"metrics": [{**first, "sql": f"SELECT 1\n{hostile}"}]}]))
        assert {tag for tag, _ in page.elements} <= {
            "h1", "h2", "h3", "p", "a", "code", "em", "div", "dl", "dt", "dd", "pre", "span",
        }  # fmt: skip
        assert page.hidden == []
